#include "layout_check.hpp"

#include <fmt/format.h>

#include <string_view>

namespace epios::config {

namespace {

constexpr std::int64_t largest_size = 2'147'483'647;

using Size = std::optional<std::int64_t>;

class LayoutCheck {
 public:
  explicit LayoutCheck(const LayoutContext& context) : c_(context) {}

  /// The attribute's place, else the element's.
  Origin origin(std::string_view attribute) const {
    const Setting* setting = c_.resolved.find(attribute);
    return setting != nullptr ? setting->origin : c_.origin;
  }

  void error(std::string_view attribute, std::string why, std::string suggestion = {}) const {
    c_.findings.error(origin(attribute), fmt::format("attribute '{}' of {}", attribute, c_.title),
                      std::move(why), std::move(suggestion));
  }

  /// False when the global size is unknown or useless.
  bool global(std::string_view attribute, const Size& size) const {
    if (!size) {
      c_.findings.missing(c_.origin, fmt::format("{} has no {}", c_.title, attribute),
                          "the global size is mandatory",
                          fmt::format("Set {} in XML or from the model.", attribute));
      return false;
    }
    if (*size >= 1 && *size <= largest_size) return true;
    error(attribute, fmt::format("{} is not a size from 1 to {}", *size, largest_size));
    return false;
  }

  /// One direction of the local part. Fills in the whole range when nothing is given; false when
  /// what depends on the local size cannot be checked.
  bool part(std::string_view begin_name, Size& begin, std::string_view n_name, Size& n,
            std::string_view global_name, const Size& global_size) const {
    if (!begin && !n) {
      begin = 0;
      n = global_size;
      return true;
    }
    if (!begin || !n) {
      const std::string_view given = begin ? begin_name : n_name;
      const std::string_view other = begin ? n_name : begin_name;
      error(given, fmt::format("it is given without '{}'", other),
            "Give both, or none for the whole range.");
      return false;
    }
    const bool inside =
        *begin >= 0 && *n >= 0 && *begin <= *global_size && *n <= *global_size - *begin;
    if (inside) return true;
    const std::string_view at_fault = *begin < 0 || *begin > *global_size ? begin_name : n_name;
    error(at_fault, fmt::format("the local part leaves the global range: {} {}, {} {}, {} {}",
                                begin_name, *begin, n_name, *n, global_name, *global_size));
    return false;
  }

  template <class T>
  void length(std::string_view attribute, const std::optional<Array<T>>& array,
              std::int64_t expected, std::string_view meaning) const {
    if (!array) return;
    const auto received = static_cast<std::int64_t>(array->values.size());
    if (received == expected) return;
    error(attribute,
          fmt::format("expected {} values ({}), received {}", expected, meaning, received));
  }

  /// Offset and size of the model's array; the size is filled in when it is not given.
  void data(std::string_view begin_name, const Size& begin, std::string_view n_name, Size& n,
            std::int64_t whole) const {
    if (!n) n = whole;
    if (*n < 0 || *n > largest_size * 2) error(n_name, fmt::format("{} is not a size", *n));
    if (begin && (*begin < -largest_size || *begin > largest_size)) {
      error(begin_name, fmt::format("{} is out of range", *begin));
    }
  }

 private:
  const LayoutContext& c_;
};

void check_domain_arrays(const LayoutCheck& check, const DomainAttributes& d) {
  check.length("lonvalue_1d", d.lonvalue_1d, *d.ni, "ni");
  check.length("latvalue_1d", d.latvalue_1d, *d.nj, "nj");
  check.length("bounds_lon_1d", d.bounds_lon_1d, 2 * *d.ni, "2 x ni");
  check.length("bounds_lat_1d", d.bounds_lat_1d, 2 * *d.nj, "2 x nj");
  check.length("mask_1d", d.mask_1d, *d.ni * *d.nj, "ni x nj");
  check.length("mask_2d", d.mask_2d, *d.ni * *d.nj, "ni x nj");
  if (d.mask_1d && d.mask_2d) {
    check.error("mask_2d", "mask_1d is given too", "Give one of them.");
  }
}

/// A rectilinear block, whose arrays have the sizes of its sides.
bool is_plain(const DomainAttributes& domain) {
  const bool has_indices =
      domain.i_index || domain.j_index || domain.data_i_index || domain.data_j_index;
  return !has_indices && domain.type.value_or("rectilinear") == "rectilinear";
}

}  // namespace

void check_axis(const LayoutContext& context, AxisAttributes& axis) {
  const LayoutCheck check(context);
  if (!check.global("n_glo", axis.n_glo)) return;
  if (axis.index || axis.data_index) return;  // nothing that a run could do yet
  if (!check.part("begin", axis.begin, "n", axis.n, "n_glo", axis.n_glo)) return;
  check.data("data_begin", axis.data_begin, "data_n", axis.data_n, *axis.n);
  check.length("value", axis.value, *axis.n, "n");
  check.length("bounds", axis.bounds, 2 * *axis.n, "2 x n");
  check.length("mask", axis.mask, *axis.n, "n");
}

void check_domain(const LayoutContext& context, DomainAttributes& domain) {
  const LayoutCheck check(context);
  if (!domain.type) {
    context.findings.missing(context.origin, fmt::format("{} has no type", context.title),
                             "the kind of horizontal grid is mandatory",
                             "Add type=\"rectilinear\".");
  }
  const bool i_known = check.global("ni_glo", domain.ni_glo);
  // Cells in one row.
  const bool is_row = domain.type == "unstructured" || domain.type == "gaussian";
  if (is_row && domain.nj_glo.value_or(1) != 1) {
    check.error("nj_glo", fmt::format("a domain of type {} has one row of cells", *domain.type),
                "Count all cells in ni_glo.");
  }
  if (is_row) domain.nj_glo = 1;
  const bool j_known = check.global("nj_glo", domain.nj_glo);
  const bool i =
      i_known && check.part("ibegin", domain.ibegin, "ni", domain.ni, "ni_glo", domain.ni_glo);
  const bool j =
      j_known && check.part("jbegin", domain.jbegin, "nj", domain.nj, "nj_glo", domain.nj_glo);
  if (!i || !j) return;
  if (!is_plain(domain)) return;  // nothing that a run could do yet
  const bool flat = domain.data_dim.value_or(1) == 1;
  check.data("data_ibegin", domain.data_ibegin, "data_ni", domain.data_ni,
             flat ? *domain.ni * *domain.nj : *domain.ni);
  check.data("data_jbegin", domain.data_jbegin, "data_nj", domain.data_nj, flat ? 1 : *domain.nj);
  check_domain_arrays(check, domain);
}

void check_scalar(const LayoutContext& context, const ScalarAttributes& scalar) {
  LayoutCheck(context).length("bounds", scalar.bounds, 2, "lower and upper");
}

}  // namespace epios::config
