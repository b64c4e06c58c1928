#include "layout_check.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>
#include <vector>

namespace epios::config {

namespace {

constexpr std::int64_t largest_size = 2'147'483'647;
/// Points of one client, halo included.
constexpr std::int64_t largest_part = 2 * largest_size;

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

  void not_yet(std::string_view attribute, std::string_view what) const {
    c_.findings.not_yet(
        origin(attribute),
        fmt::format("{} in attribute '{}' of {} is not available yet", what, attribute, c_.title));
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

  template <class T>
  void shape(std::string_view attribute, const std::optional<Array<T>>& array,
             const std::vector<std::int64_t>& expected, std::string_view meaning) const {
    if (!array || array->shape == expected) return;
    error(attribute,
          fmt::format("expected the shape {} ({}), received {}", fmt::join(expected, " x "),
                      meaning, fmt::join(array->shape, " x ")));
  }

  /// Offset and size of the model's array; the size is filled in when it is not given.
  void data(std::string_view begin_name, const Size& begin, std::string_view n_name, Size& n,
            std::int64_t whole) const {
    if (n && (*n < 0 || *n > largest_part)) error(n_name, fmt::format("{} is not a size", *n));
    if (!n) n = whole;
    if (begin && (*begin < -largest_size || *begin > largest_size)) {
      error(begin_name, fmt::format("{} is out of range", *begin));
    }
  }

 private:
  const LayoutContext& c_;
};

void check_domain_arrays(const LayoutCheck& check, const DomainAttributes& d) {
  const auto is_whole = [&](const std::optional<value::reals>& values) {
    const std::int64_t cells = *d.ni * *d.nj;
    return cells > 0 && values && static_cast<std::int64_t>(values->values.size()) == cells;
  };
  if (is_whole(d.lonvalue_1d) && is_whole(d.latvalue_1d) && *d.ni * *d.nj > 1) {
    check.not_yet("lonvalue_1d", "a value for every cell");  // XIOS takes these as well
  } else {
    check.length("lonvalue_1d", d.lonvalue_1d, *d.ni, "ni");
    check.length("latvalue_1d", d.latvalue_1d, *d.nj, "nj");
  }
  check.length("bounds_lon_1d", d.bounds_lon_1d, 2 * *d.ni, "2 x ni");
  check.length("bounds_lat_1d", d.bounds_lat_1d, 2 * *d.nj, "2 x nj");
  check.length("mask_1d", d.mask_1d, *d.ni * *d.nj, "ni x nj");
}

/// Of two forms of one array, one may be given.
template <class A, class B>
void check_one_form(const LayoutCheck& check, std::string_view name_a, const std::optional<A>& a,
                    std::string_view name_b, const std::optional<B>& b) {
  if (!a || !b) return;
  check.error(name_b, fmt::format("{} is given too", name_a), "Give one of them.");
}

/// All values of an array of indices are in [0, end).
void check_range(const LayoutCheck& check, std::string_view name,
                 const std::optional<value::integers>& array, const Size& end) {
  if (!array || !end) return;
  for (const std::int64_t index : array->values) {
    if (index >= 0 && index < *end) continue;
    check.error(name, fmt::format("index {} is not from 0 to {}", index, *end - 1));
    return;
  }
}

/// What any domain has, whatever its kind and the sizes of its parts.
void check_forms(const LayoutCheck& check, const DomainAttributes& d) {
  check_one_form(check, "lonvalue_1d", d.lonvalue_1d, "lonvalue_2d", d.lonvalue_2d);
  check_one_form(check, "latvalue_1d", d.latvalue_1d, "latvalue_2d", d.latvalue_2d);
  check_one_form(check, "bounds_lon_1d", d.bounds_lon_1d, "bounds_lon_2d", d.bounds_lon_2d);
  check_one_form(check, "bounds_lat_1d", d.bounds_lat_1d, "bounds_lat_2d", d.bounds_lat_2d);
  check_one_form(check, "area_1d", d.area_1d, "area_2d", d.area_2d);
  check_one_form(check, "mask_1d", d.mask_1d, "mask_2d", d.mask_2d);
  check_range(check, "i_index", d.i_index, d.ni_glo);
  check_range(check, "j_index", d.j_index, d.nj_glo);
  if (d.nvertex && *d.nvertex < 1) {
    check.error("nvertex", fmt::format("{} is no number of vertices", *d.nvertex));
  }
  if (d.i_index && d.j_index) {
    check.length("j_index", d.j_index, static_cast<std::int64_t>(d.i_index->values.size()),
                 "as many as i_index");
  }
}

/// Arrays with a value or `nvertex` values for each cell.
void check_cells(const LayoutCheck& check, const DomainAttributes& d) {
  const std::int64_t cells = *d.ni * *d.nj;
  check.length("lonvalue_1d", d.lonvalue_1d, cells, "ni x nj");
  check.length("latvalue_1d", d.latvalue_1d, cells, "ni x nj");
  check.length("mask_1d", d.mask_1d, cells, "ni x nj");
  if (!d.nvertex) {
    const auto needs_vertices = [&](std::string_view name, bool is_given) {
      if (is_given) check.error(name, "nvertex is not given", "Add nvertex=\"4\"?");
    };
    needs_vertices("bounds_lon_1d", d.bounds_lon_1d.has_value());
    needs_vertices("bounds_lat_1d", d.bounds_lat_1d.has_value());
    return;
  }
  check.shape("bounds_lon_1d", d.bounds_lon_1d, {*d.nvertex, cells}, "nvertex, ni x nj");
  check.shape("bounds_lat_1d", d.bounds_lat_1d, {*d.nvertex, cells}, "nvertex, ni x nj");
  check.shape("bounds_lon_2d", d.bounds_lon_2d, {*d.nvertex, *d.ni, *d.nj}, "nvertex, ni, nj");
  check.shape("bounds_lat_2d", d.bounds_lat_2d, {*d.nvertex, *d.ni, *d.nj}, "nvertex, ni, nj");
}

/// Arrays of two dimensions and areas, which mean the same in all blocks.
void check_blocks(const LayoutCheck& check, const DomainAttributes& d) {
  check.length("area_1d", d.area_1d, *d.ni * *d.nj, "ni x nj");
  check.shape("area_2d", d.area_2d, {*d.ni, *d.nj}, "ni, nj");
  check.shape("mask_2d", d.mask_2d, {*d.ni, *d.nj}, "ni, nj");
  check.shape("lonvalue_2d", d.lonvalue_2d, {*d.ni, *d.nj}, "ni, nj");
  check.shape("latvalue_2d", d.latvalue_2d, {*d.ni, *d.nj}, "ni, nj");
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
  check_range(check, "index", axis.index, axis.n_glo);
  if (axis.index || axis.data_index) return;  // nothing that a run could do yet
  if (!check.part("begin", axis.begin, "n", axis.n, "n_glo", axis.n_glo)) return;
  check.data("data_begin", axis.data_begin, "data_n", axis.data_n, *axis.n);
  check.length("value", axis.value, *axis.n, "n");
  check.length("bounds", axis.bounds, 2 * *axis.n, "2 x n");
  check.length("mask", axis.mask, *axis.n, "n");
  check.length("label", axis.label, *axis.n, "n");
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
  check_forms(check, domain);
  if (!i || !j || domain.i_index || domain.j_index) return;
  if (domain.ni.value() * domain.nj.value() > largest_part) {
    context.findings.in_run(context.origin,
                            fmt::format("{} has {} points", context.title, *domain.ni * *domain.nj),
                            fmt::format("one client has {} at most", largest_part),
                            "Set ibegin, ni, jbegin and nj of each client.");
    return;
  }
  check_blocks(check, domain);
  if (domain.type.value_or("rectilinear") != "rectilinear") return check_cells(check, domain);
  if (!is_plain(domain)) return;  // nothing that a run could do yet
  const bool flat = domain.data_dim.value_or(1) == 1;
  check.data("data_ibegin", domain.data_ibegin, "data_ni", domain.data_ni,
             flat ? *domain.ni * *domain.nj : *domain.ni);
  check.data("data_jbegin", domain.data_jbegin, "data_nj", domain.data_nj, flat ? 1 : *domain.nj);
  check_domain_arrays(check, domain);
}

void check_grid_masks(const LayoutContext& context, const GridShape& shape) {
  const LayoutCheck check(context);
  std::string_view first;
  for (const AttributeInfo& row : attributes_of(ElementKind::grid)) {
    const Setting* setting = context.resolved.find(row);
    if (setting == nullptr || !row.name.starts_with("mask_")) continue;
    if (!first.empty()) {
      check.error(row.name, fmt::format("{} is given too", first), "Give one of them.");
      continue;
    }
    first = row.name;
    const std::optional<value::booleans> mask = std::get<value::booleans>(*setting->value);
    const std::size_t rank = row.name == "mask_0d" ? 0 : mask->shape.size();
    if (rank != shape.rank) {
      check.error(row.name, fmt::format("the grid has {} dimensions", shape.rank),
                  fmt::format("Use mask_{}d.", shape.rank));
    } else if (rank == 0) {
      check.length(row.name, mask, 1, "one value");
    } else if (!shape.sizes.empty()) {
      check.shape(row.name, mask, shape.sizes, "local sizes");
    }
  }
}

void check_scalar(const LayoutContext& context, const ScalarAttributes& scalar) {
  LayoutCheck(context).length("bounds", scalar.bounds, 2, "lower and upper");
}

}  // namespace epios::config
