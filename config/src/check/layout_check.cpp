// Checks the local part of axes and domains, and fills in what is not given. First come rules for
// one-dimensional lists, then forms of coordinates and bounds, then axes, domains, masks of grids,
// and scalars.
#include "check/layout_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "check/healpix_check.hpp"
#include "check/tile_check.hpp"
#include "config/attributes.hpp"
#include "config/spatial.hpp"

namespace epios::config {

namespace {

constexpr std::int64_t largest_size = 2'147'483'647;
/// Largest number of vertices of a cell.
constexpr std::int64_t most_vertices = 1'000'000;
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

  std::string problem(std::string_view attribute) const {
    return fmt::format("attribute '{}' of {}", attribute, c_.title);
  }

  void error(Code code, std::string_view attribute, std::string why,
             std::string suggestion = {}) const {
    c_.findings.error(code, origin(attribute), problem(attribute), std::move(why),
                      std::move(suggestion));
  }

  Gap gap(std::string_view attribute) const {
    Gap result = c_.gap;
    result.attribute = attribute;
    return result;
  }

  /// False when the global size is unknown or useless.
  bool global(std::string_view attribute, const Size& size) const {
    if (c_.resolved.is_broken(attribute)) return false;
    if (!size || *size == 0) {  // 0 stands for what the model will set
      c_.findings.missing(Code::no_size, size ? origin(attribute) : c_.origin, gap(attribute),
                          fmt::format("{} has {} {}", c_.title, size ? "0 as" : "no", attribute),
                          "the global size is mandatory",
                          fmt::format("Set {} in XML or from the model.", attribute));
      return false;
    }
    if (*size >= 1 && *size <= largest_size) return true;
    error(Code::bad_size, attribute,
          fmt::format("{} is not a size from 1 to {}", *size, largest_size));
    return false;
  }

  /// One direction of the local part. Fills in the whole range when nothing is given; false when
  /// what depends on the local size cannot be checked.
  bool part(std::string_view begin_name, Size& begin, std::string_view n_name, Size& n,
            std::string_view global_name, const Size& global_size) const {
    if (c_.resolved.is_broken(begin_name) || c_.resolved.is_broken(n_name)) return false;
    if (!begin && !n) {
      begin = 0;
      n = global_size;
      return true;
    }
    if (!begin || !n) {
      const std::string_view given = begin ? begin_name : n_name;
      const std::string_view other = begin ? n_name : begin_name;
      c_.findings.missing(Code::half_a_part, origin(given), gap(other), problem(given),
                          fmt::format("it is given without '{}'", other),
                          "Give both, or none for the whole range.");
      return false;
    }
    const bool inside =
        *begin >= 0 && *n >= 0 && *begin <= *global_size && *n <= *global_size - *begin;
    if (inside) return true;
    const std::string_view at_fault = *begin < 0 || *begin > *global_size ? begin_name : n_name;
    error(Code::bad_size, at_fault,
          fmt::format("the local part leaves the global range: {} {}, {} {}, {} {}", begin_name,
                      *begin, n_name, *n, global_name, *global_size));
    return false;
  }

  template <class T>
  void length(std::string_view attribute, const std::optional<Array<T>>& array,
              std::int64_t expected, std::string_view meaning) const {
    if (!array) return;
    const auto received = static_cast<std::int64_t>(array->values.size());
    if (received == expected) return;
    error(Code::bad_array, attribute,
          fmt::format("expected {} values ({}), received {}", expected, meaning, received));
  }

  template <class T>
  void shape(std::string_view attribute, const std::optional<Array<T>>& array,
             const std::vector<std::int64_t>& expected, std::string_view meaning) const {
    if (!array || array->shape == expected) return;
    error(Code::bad_array, attribute,
          fmt::format("expected the shape {} ({}), received {}", fmt::join(expected, " x "),
                      meaning, fmt::join(array->shape, " x ")));
  }

  /// A lower and an upper value for each of `count`; (count, 2) is the wrong way round.
  void bounds(std::string_view attribute, const std::optional<value::reals>& array,
              std::int64_t count, std::string_view meaning) const {
    if (array && array->shape.size() == 2) {
      return shape(attribute, array, {2, count}, fmt::format("2, {}", meaning));
    }
    length(attribute, array, 2 * count, fmt::format("2 x {}", meaning));
  }

  /// Positions in the part and an offset do not go together: whether it counts is nowhere said.
  void no_offset(std::string_view attribute, const Size& offset, std::string_view positions) const {
    if (offset.value_or(0) == 0) return;
    error(Code::bad_array, attribute, fmt::format("it is {} beside '{}'", *offset, positions),
          fmt::format("Add it to the values of {}, or leave it out.", positions));
  }

  /// Offset and size of the model's array; the size is filled in when it is not given.
  void data(std::string_view begin_name, const Size& begin, std::string_view n_name, Size& n,
            std::int64_t whole) const {
    if (n && (*n < 0 || *n > largest_part))
      error(Code::bad_size, n_name, fmt::format("{} is not a size", *n));
    if (!n) n = whole;
    if (begin && (*begin < -largest_size || *begin > largest_size)) {
      error(Code::bad_size, begin_name, fmt::format("{} is out of range", *begin));
    }
  }

 private:
  const LayoutContext& c_;
};

/// Reports that both forms of one array are given.
template <class A, class B>
void check_one_form(const LayoutCheck& check, std::string_view name_a, const std::optional<A>& a,
                    std::string_view name_b, const std::optional<B>& b) {
  if (!a || !b) return;
  check.error(Code::bad_array, name_b, fmt::format("{} is given too", name_a), "Give one of them.");
}

/// All values of an array of indices are in [0, end).
void check_range(const LayoutCheck& check, std::string_view name,
                 const std::optional<value::integers>& array, const Size& end) {
  if (!array || !end) return;
  for (std::size_t k = 0; k < array->values.size(); ++k) {
    const std::int64_t index = array->values[k];
    if (index >= 0 && index < *end) continue;
    check.error(Code::bad_array, name,
                fmt::format("index {} (value {}) is not from 0 to {}", index, k, *end - 1));
    return;
  }
}

/// Checks what all domains have in common, whatever their type and the sizes of their parts.
void check_forms(const LayoutCheck& check, const DomainAttributes& d) {
  check_one_form(check, "lonvalue_1d", d.lonvalue_1d, "lonvalue_2d", d.lonvalue_2d);
  check_one_form(check, "latvalue_1d", d.latvalue_1d, "latvalue_2d", d.latvalue_2d);
  check_one_form(check, "bounds_lon_1d", d.bounds_lon_1d, "bounds_lon_2d", d.bounds_lon_2d);
  check_one_form(check, "bounds_lat_1d", d.bounds_lat_1d, "bounds_lat_2d", d.bounds_lat_2d);
  check_one_form(check, "area_1d", d.area_1d, "area_2d", d.area_2d);
  check_one_form(check, "area_1d", d.area_1d, "area", d.area);
  check_one_form(check, "area_2d", d.area_2d, "area", d.area);
  check_one_form(check, "mask_1d", d.mask_1d, "mask_2d", d.mask_2d);
  check_range(check, "i_index", d.i_index, d.ni_glo);
  check_range(check, "j_index", d.j_index, d.nj_glo);
  if (d.nvertex && (*d.nvertex < 1 || *d.nvertex > most_vertices)) {
    check.error(Code::bad_size, "nvertex", fmt::format("{} is no number of vertices", *d.nvertex));
  }
  if (d.i_index && d.j_index) {
    check.length("j_index", d.j_index, static_cast<std::int64_t>(d.i_index->values.size()),
                 "as many as i_index");
  }
}

/// Values that a file could not hold as coordinates. Where a file that is read, or a context that
/// tells of its grid, has none, they are NaN.
void check_finite(const LayoutCheck& check, std::string_view name,
                  const std::optional<value::reals>& array) {
  if (!array) return;
  const Call& call = check.origin(name).call;
  if (call.is_file() || call.is_partner()) return;
  for (std::size_t k = 0; k < array->values.size(); ++k) {
    if (std::isfinite(array->values[k])) continue;
    check.error(Code::bad_array, name, fmt::format("value {} is {}", k, array->values[k]));
    return;
  }
}

void check_finite_coordinates(const LayoutCheck& check, const DomainAttributes& d) {
  check_finite(check, "lonvalue_1d", d.lonvalue_1d);
  check_finite(check, "latvalue_1d", d.latvalue_1d);
  check_finite(check, "lonvalue_2d", d.lonvalue_2d);
  check_finite(check, "latvalue_2d", d.latvalue_2d);
  check_finite(check, "bounds_lon_1d", d.bounds_lon_1d);
  check_finite(check, "bounds_lat_1d", d.bounds_lat_1d);
  check_finite(check, "bounds_lon_2d", d.bounds_lon_2d);
  check_finite(check, "bounds_lat_2d", d.bounds_lat_2d);
  check_finite(check, "area_1d", d.area_1d);
  check_finite(check, "area_2d", d.area_2d);
  check_finite(check, "area", d.area);
}

/// Coordinates come in twos.
void check_pair(const LayoutCheck& check, std::string_view lon_name, bool has_lon,
                std::string_view lat_name, bool has_lat) {
  if (has_lon == has_lat) return;
  check.error(Code::bad_array, has_lon ? lon_name : lat_name,
              fmt::format("it is given without '{}'", has_lon ? lat_name : lon_name),
              "Give both, or none.");
}

void need_vertices(const LayoutCheck& check, std::string_view name, bool is_given) {
  if (is_given) check.error(Code::bad_array, name, "nvertex is not given", "Add nvertex=\"4\"?");
}

/// Bounds of each cell in two dimensions, whatever the kind.
void check_corners(const LayoutCheck& check, const DomainAttributes& d) {
  if (!d.nvertex) {
    need_vertices(check, "bounds_lon_2d", d.bounds_lon_2d.has_value());
    need_vertices(check, "bounds_lat_2d", d.bounds_lat_2d.has_value());
    return;
  }
  check.shape("bounds_lon_2d", d.bounds_lon_2d, {*d.nvertex, *d.ni, *d.nj}, "nvertex, ni, nj");
  check.shape("bounds_lat_2d", d.bounds_lat_2d, {*d.nvertex, *d.ni, *d.nj}, "nvertex, ni, nj");
}

/// A value for each cell, and `nvertex` bounds of it.
void check_cells(const LayoutCheck& check, const DomainAttributes& d) {
  const std::int64_t cells = *d.ni * *d.nj;
  check.length("lonvalue_1d", d.lonvalue_1d, cells, "ni x nj");
  check.length("latvalue_1d", d.latvalue_1d, cells, "ni x nj");
  if (!d.nvertex) {
    need_vertices(check, "bounds_lon_1d", d.bounds_lon_1d.has_value());
    need_vertices(check, "bounds_lat_1d", d.bounds_lat_1d.has_value());
    return;
  }
  check.shape("bounds_lon_1d", d.bounds_lon_1d, {*d.nvertex, cells}, "nvertex, ni x nj");
  check.shape("bounds_lat_1d", d.bounds_lat_1d, {*d.nvertex, cells}, "nvertex, ni x nj");
}

/// Values along the sides of a rectilinear domain, which may also be given for each cell.
void check_sides(const LayoutCheck& check, const DomainAttributes& d) {
  const std::int64_t cells = *d.ni * *d.nj;
  const auto has_length = [](const std::optional<value::reals>& values, std::int64_t length) {
    return values && static_cast<std::int64_t>(values->values.size()) == length;
  };
  if (!(has_length(d.lonvalue_1d, cells) && has_length(d.latvalue_1d, cells))) {
    check.length("lonvalue_1d", d.lonvalue_1d, *d.ni, "ni");
    check.length("latvalue_1d", d.latvalue_1d, *d.nj, "nj");
  }
  const std::int64_t corners = d.nvertex.value_or(0) * cells;
  if (has_length(d.bounds_lon_1d, corners) && has_length(d.bounds_lat_1d, corners)) return;
  // Cells that are listed may have those of their columns and rows, as files and partners give
  // them.
  const auto are_pairs = [&](const std::optional<value::reals>& bounds) {
    return !bounds || has_length(bounds, 2 * cells);
  };
  const bool of_cells = d.i_index && are_pairs(d.bounds_lon_1d) && are_pairs(d.bounds_lat_1d);
  check.bounds("bounds_lon_1d", d.bounds_lon_1d, of_cells ? cells : *d.ni,
               of_cells ? "ni x nj" : "ni");
  check.bounds("bounds_lat_1d", d.bounds_lat_1d, of_cells ? cells : *d.nj,
               of_cells ? "ni x nj" : "nj");
}

/// Arrays of two dimensions, masks and areas, which mean the same in all kinds.
void check_blocks(const LayoutCheck& check, const DomainAttributes& d) {
  check.length("mask_1d", d.mask_1d, *d.ni * *d.nj, "ni x nj");
  check.shape("mask_2d", d.mask_2d, {*d.ni, *d.nj}, "ni, nj");
  check.length("area_1d", d.area_1d, *d.ni * *d.nj, "ni x nj");
  check.shape("area_2d", d.area_2d, {*d.ni, *d.nj}, "ni, nj");
  check.shape("area", d.area, {*d.ni, *d.nj}, "ni, nj");
  check.shape("lonvalue_2d", d.lonvalue_2d, {*d.ni, *d.nj}, "ni, nj");
  check.shape("latvalue_2d", d.latvalue_2d, {*d.ni, *d.nj}, "ni, nj");
}

/// The local part of a domain that lists its cells. False when their number is not known.
bool check_listed(const LayoutCheck& check, DomainAttributes& d, bool is_row) {
  const auto cells = static_cast<std::int64_t>((d.i_index ? d.i_index : d.j_index)->values.size());
  if (!d.i_index) {
    check.error(Code::bad_array, "j_index", "it is given without 'i_index'",
                "Give both, or none for a block.");
    return false;
  }
  if (!d.j_index && !is_row && d.nj_glo.value_or(1) > 1) {
    check.error(Code::bad_array, "i_index", "it is given without 'j_index'",
                "Give both, or type=\"unstructured\" for cells in one row.");
    return false;
  }
  if (!d.ni) {
    d.ni = d.nj.value_or(0) > 0 ? cells / *d.nj : cells;
  }
  if (!d.nj) d.nj = *d.ni > 0 ? cells / *d.ni : 1;
  const auto is_size = [](std::int64_t n) { return n >= 0 && n <= largest_size; };
  if (!is_size(*d.ni) || !is_size(*d.nj)) {
    const bool is_ni = !is_size(*d.ni);
    check.error(Code::bad_size, is_ni ? "ni" : "nj",
                fmt::format("{} is not a size", is_ni ? *d.ni : *d.nj));
    return false;
  }
  if (*d.ni * *d.nj == cells) return true;
  check.error(Code::bad_array, "i_index",
              fmt::format("expected {} values (ni x nj = {} x {}), received {}", *d.ni * *d.nj,
                          *d.ni, *d.nj, cells));
  return false;
}

/// The model's array: a window of the local part, or compressed. Sets its sizes.
void check_domain_data(const LayoutCheck& check, DomainAttributes& d) {
  const bool flat = d.data_dim.value_or(1) == 1;
  if (d.data_j_index && !d.data_i_index) {
    check.error(Code::bad_array, "data_j_index", "it is given without 'data_i_index'",
                "Give both, or none.");
    return;
  }
  if (!d.data_i_index) {
    check.data("data_ibegin", d.data_ibegin, "data_ni", d.data_ni, flat ? *d.ni * *d.nj : *d.ni);
    check.data("data_jbegin", d.data_jbegin, "data_nj", d.data_nj, flat ? 1 : *d.nj);
    return;
  }
  check.no_offset("data_ibegin", d.data_ibegin, "data_i_index");
  check.no_offset("data_jbegin", d.data_jbegin, flat ? "data_i_index" : "data_j_index");
  const auto points = static_cast<std::int64_t>(d.data_i_index->values.size());
  if (!flat && !d.data_j_index && *d.nj > 1) {
    check.error(Code::bad_array, "data_i_index", "it is given without 'data_j_index'",
                "Give both, or data_dim=\"1\" for positions in one row.");
  }
  check.length("data_j_index", d.data_j_index, points, "as many as data_i_index");
  if (!d.data_ni) return;
  for (const auto& [name, size] : {std::pair{"data_ni", d.data_ni}, {"data_nj", d.data_nj}}) {
    if (size && (*size < 0 || *size > largest_size)) {
      return check.error(Code::bad_size, name, fmt::format("{} is not a size", *size));
    }
  }
  const std::int64_t expected = *d.data_ni * (flat ? 1 : d.data_nj.value_or(1));
  if (*d.data_ni != points && expected != points) {
    check.error(Code::bad_array, "data_i_index",
                fmt::format("expected {} values ({}), received {}", expected,
                            flat ? "data_ni" : "data_ni x data_nj", points));
  }
}

}  // namespace

void check_axis(const LayoutContext& context, AxisAttributes& axis) {
  const LayoutCheck check(context);
  if (!check.global("n_glo", axis.n_glo)) return;
  check_range(check, "index", axis.index, axis.n_glo);
  if (axis.index) {
    const auto points = static_cast<std::int64_t>(axis.index->values.size());
    if (axis.n && *axis.n != points) {
      check.error(Code::bad_array, "index",
                  fmt::format("expected {} values (n), received {}", *axis.n, points));
      return;
    }
    axis.n = points;
  } else if (!check.part("begin", axis.begin, "n", axis.n, "n_glo", axis.n_glo)) {
    return;
  }
  if (axis.data_index) {
    check.no_offset("data_begin", axis.data_begin, "data_index");
    const auto points = static_cast<std::int64_t>(axis.data_index->values.size());
    if (axis.data_n && *axis.data_n != points) {
      check.error(Code::bad_array, "data_index",
                  fmt::format("expected {} values (data_n), received {}", *axis.data_n, points));
    }
  } else {
    check.data("data_begin", axis.data_begin, "data_n", axis.data_n, *axis.n);
  }
  check.length("value", axis.value, *axis.n, "n");
  check.bounds("bounds", axis.bounds, *axis.n, "n");
  check.length("mask", axis.mask, *axis.n, "n");
  check.length("label", axis.label, *axis.n, "n");
  check_finite(check, "value", axis.value);
  check_finite(check, "bounds", axis.bounds);
}

void check_domain(const LayoutContext& context, DomainAttributes& domain) {
  const LayoutCheck check(context);
  const bool has_broken_type = context.resolved.is_broken("type");
  if (!domain.type && !has_broken_type) {
    context.findings.missing(Code::no_domain_type, context.origin, check.gap("type"),
                             fmt::format("{} has no type", context.title),
                             "the kind of horizontal grid is mandatory",
                             "Add type=\"rectilinear\".");
  }
  if (!complete_healpix(context, domain)) return;
  const bool i_known = check.global("ni_glo", domain.ni_glo);
  // Cells in one row.
  const bool is_row = is_row_of_cells(domain.type.value_or(""));
  if (is_row && domain.nj_glo.value_or(1) != 1) {
    check.error(Code::bad_size, "nj_glo",
                fmt::format("a domain of type {} has one row of cells", *domain.type),
                "Count all cells in ni_glo.");
  }
  if (is_row) domain.nj_glo = 1;
  // Some types have one row, which nobody counts.
  const bool may_lack_rows = has_broken_type && !domain.nj_glo;
  const bool j_known = !may_lack_rows && check.global("nj_glo", domain.nj_glo);
  check_forms(check, domain);
  bool is_known = i_known && j_known;
  if (domain.i_index || domain.j_index) {
    is_known = check_listed(check, domain, is_row) && is_known;
  } else {
    const bool i =
        i_known && check.part("ibegin", domain.ibegin, "ni", domain.ni, "ni_glo", domain.ni_glo);
    const bool j =
        j_known && check.part("jbegin", domain.jbegin, "nj", domain.nj, "nj_glo", domain.nj_glo);
    is_known = i && j;
  }
  if (has_broken_type || !is_known) return;
  if (domain.ni.value() * domain.nj.value() > largest_part) {
    context.findings.in_run(Code::too_many_points, context.origin,
                            fmt::format("{} has {} points", context.title, *domain.ni * *domain.nj),
                            fmt::format("one client has {} at most", largest_part),
                            "Set ibegin, ni, jbegin and nj of each client.");
    return;
  }
  check_blocks(check, domain);
  check_corners(check, domain);
  if (domain.type.value_or("rectilinear") == "rectilinear") {
    check_sides(check, domain);
  } else {
    check_cells(check, domain);
    check_pair(check, "lonvalue_1d", domain.lonvalue_1d.has_value(), "latvalue_1d",
               domain.latvalue_1d.has_value());
    check_pair(check, "lonvalue_2d", domain.lonvalue_2d.has_value(), "latvalue_2d",
               domain.latvalue_2d.has_value());
    check_pair(check, "bounds_lon_1d", domain.bounds_lon_1d.has_value(), "bounds_lat_1d",
               domain.bounds_lat_1d.has_value());
    check_pair(check, "bounds_lon_2d", domain.bounds_lon_2d.has_value(), "bounds_lat_2d",
               domain.bounds_lat_2d.has_value());
  }
  check_finite_coordinates(check, domain);
  check_domain_data(check, domain);
  check_tiles(context, domain);
}

void check_grid_masks(const LayoutContext& context, const std::vector<GridShape>& shapes) {
  const LayoutCheck check(context);
  std::string_view first;
  for (const AttributeInfo& row : attributes_of(ElementKind::grid)) {
    const Setting* setting = context.resolved.find(row);
    if (setting == nullptr || !row.name.starts_with("mask_")) continue;
    if (!first.empty()) {
      check.error(Code::bad_array, row.name, fmt::format("{} is given too", first),
                  "Give one of them.");
      continue;
    }
    first = row.name;
    const std::optional<value::booleans> mask = std::get<value::booleans>(*setting->value);
    const std::size_t rank = row.name == "mask_0d" ? 0 : mask->shape.size();
    const auto shape = std::find_if(shapes.begin(), shapes.end(),
                                    [&](const GridShape& s) { return s.rank == rank; });
    if (shape == shapes.end()) {
      check.error(Code::bad_array, row.name,
                  fmt::format("the grid has {} dimensions", shapes.front().rank),
                  fmt::format("Use mask_{}d.", shapes.front().rank));
    } else if (rank == 0) {
      check.length(row.name, mask, 1, "one value");
    } else if (!shape->sizes.empty()) {
      check.shape(row.name, mask, shape->sizes, "local sizes");
    }
  }
}

void check_scalar(const LayoutContext& context, const ScalarAttributes& scalar) {
  const LayoutCheck check(context);
  check.length("bounds", scalar.bounds, 2, "lower and upper");
  check_finite(check, "bounds", scalar.bounds);
  if (scalar.value && !std::isfinite(*scalar.value)) {
    check.error(Code::bad_array, "value", fmt::format("it is {}", *scalar.value));
  }
}

}  // namespace epios::config
