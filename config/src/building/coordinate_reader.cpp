// Builds definitions of a small context that reads wished coordinates like fields, so that
// coordinates use the same way through servers as data. At the end, received values become
// attributes again.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "config/definitions.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/read_grids.hpp"

namespace epios::config {

namespace {

using Along = CoordinateWish::Along;
using Size = std::optional<std::int64_t>;

template <class Items>
const auto& by_id(const Items& items, const std::string& id) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&id](const auto& item) { return item.id == id; });
  if (found != items.end()) return *found;
  throw Error(ErrorCode::internal,
              fmt::format("'{}' has coordinates in a file and is not in the model. Please report "
                          "this with the configuration",
                          id));
}

class ReaderBuilder {
 public:
  ReaderBuilder(const Model& model, const ReadGrids& grids, const std::string& context)
      : model_(model), grids_(grids), context_(context) {
    out_.open_context(context);
    set(ElementKind::calendar, "", "type", std::string("Gregorian"));
    out_.set_text(context_, ElementKind::calendar, "", "timestep", "1h", call);
    set(ElementKind::calendar, "", "start_date", std::string("2000-01-01 00:00:00"));
  }

  void add(std::size_t number, const CoordinateWish& wish) {
    const std::string file = file_of(wish);
    const std::string grid = grid_of(wish);
    const std::string id = fmt::format("{}", number);
    out_.add(context_, ElementKind::field, id, ElementKind::file, file, call);
    const bool names_nodes = !wish.connectivity.empty() && !wish.nodes;
    set(ElementKind::field, id, "name", names_nodes ? wish.connectivity : wish.variable);
    set(ElementKind::field, id, "grid_ref", grid);
    set(ElementKind::field, id, "operation", std::string("once"));
    set(ElementKind::field, id, "read_access", true);
    set(ElementKind::field, id, "detect_missing_value", true);  // points without a place
    set(ElementKind::field, id, "default_value", std::numeric_limits<double>::quiet_NaN());
  }

  Definitions take() { return std::move(out_); }

 private:
  static constexpr const char* call = "coordinates of files";

  void set(ElementKind kind, std::string_view id, std::string_view attribute, Value value) {
    out_.set(context_, kind, id, attribute, std::move(value), call);
  }
  template <class T>
  void set(ElementKind kind, std::string_view id, std::string_view attribute,
           const std::optional<T>& value) {
    if (value) set(kind, id, attribute, Value(*value));
  }

  std::string file_of(const CoordinateWish& wish) {
    std::string id = fmt::format("{}, {}", wish.path, wish.time_name);
    if (out_.has(context_, ElementKind::file, id)) return id;
    out_.add(context_, ElementKind::file, id, ElementKind::file, "", call);
    set(ElementKind::file, id, "name", wish.path.substr(0, wish.path.size() - 3));
    set(ElementKind::file, id, "mode", std::string("read"));
    set(ElementKind::file, id, "time_counter_name", wish.time_name);
    out_.set_text(context_, ElementKind::file, id, "output_freq", "1h", call);
    return id;
  }

  std::string grid_of(const CoordinateWish& wish) {
    if (wish.nodes) return grid_of_nodes(wish);
    const auto& element = nth(grids_.elements, wish.element);
    const bool is_domain = element.kind == ElementKind::domain && wish.along == Along::cells;
    std::string id =
        fmt::format("{} {} {}", wish.element, static_cast<int>(wish.along), wish.vertices);
    if (out_.has(context_, ElementKind::grid, id)) return id;
    out_.add(context_, ElementKind::grid, id, ElementKind::grid, "", call);
    if (wish.vertices > 0) {
      const std::string vertices = "vertices " + id;
      out_.add(context_, ElementKind::axis, vertices, ElementKind::grid, id, call);
      set(ElementKind::axis, vertices, "n_glo", wish.vertices);
    }
    const std::string points = "points " + id;
    const ElementKind kind = is_domain ? ElementKind::domain : ElementKind::axis;
    out_.add(context_, kind, points, ElementKind::grid, id, call);
    if (is_domain) {
      describe_cells(points, by_id(model_.domains, element.id).attributes);
    } else if (element.kind == ElementKind::domain) {
      describe_side(points, by_id(model_.domains, element.id).attributes,
                    wish.along == Along::columns);
    } else {
      const AxisAttributes& axis = by_id(model_.axes, element.id).attributes;
      describe_axis(points, axis.n_glo, axis.begin, axis.n, axis.index);
    }
    return id;
  }

  std::string grid_of_nodes(const CoordinateWish& wish) {
    std::string id = fmt::format("{} nodes", wish.element);
    if (out_.has(context_, ElementKind::grid, id)) return id;
    out_.add(context_, ElementKind::grid, id, ElementKind::grid, "", call);
    const std::string points = "points " + id;
    out_.add(context_, ElementKind::axis, points, ElementKind::grid, id, call);
    describe_axis(points, wish.node_count, {}, {},
                  value::integers{*wish.nodes, {static_cast<std::int64_t>(wish.nodes->size())}});
    return id;
  }

  void describe_axis(const std::string& id, const Size& n_glo, const Size& begin, const Size& n,
                     const std::optional<value::integers>& index) {
    set(ElementKind::axis, id, "n_glo", n_glo);
    if (index) return set(ElementKind::axis, id, "index", index);
    set(ElementKind::axis, id, "begin", begin);
    set(ElementKind::axis, id, "n", n);
  }

  void describe_cells(const std::string& id, const DomainAttributes& d) {
    const ElementKind kind = ElementKind::domain;
    set(kind, id, "type", d.type);
    set(kind, id, "ni_glo", d.ni_glo);
    set(kind, id, "nj_glo", d.nj_glo);
    set(kind, id, "i_index", d.i_index);
    set(kind, id, "j_index", d.j_index);
    set(kind, id, "ni", d.ni);
    set(kind, id, "nj", d.nj);
    if (d.i_index) return;
    set(kind, id, "ibegin", d.ibegin);
    set(kind, id, "jbegin", d.jbegin);
  }

  /// Columns or rows; where the client lists its cells, those of each cell.
  void describe_side(const std::string& id, const DomainAttributes& d, bool are_columns) {
    if (!d.i_index) {
      return are_columns ? describe_axis(id, d.ni_glo, d.ibegin, d.ni, {})
                         : describe_axis(id, d.nj_glo, d.jbegin, d.nj, {});
    }
    value::integers index = *d.i_index;
    if (!are_columns) {
      if (d.j_index) {
        index = *d.j_index;
      } else {
        std::fill(index.values.begin(), index.values.end(), d.jbegin.value_or(0));
      }
    }
    index.shape = {static_cast<std::int64_t>(index.values.size())};
    describe_axis(id, are_columns ? d.ni_glo : d.nj_glo, {}, {}, index);
  }

  const Model& model_;
  const ReadGrids& grids_;
  const std::string& context_;
  Definitions out_;
};

Error no_node(const CoordinateWish& wish, double name) {
  return {ErrorCode::io,
          fmt::format("file '{}' names no node of {} at a corner of a cell (variable '{}' has {}, "
                      "counted from {}). Are its start_index and _FillValue right?",
                      wish.path, wish.node_count, wish.connectivity, name, wish.start_index)};
}

}  // namespace

Definitions coordinate_reader(const Model& model, const ReadGrids& grids,
                              std::span<const CoordinateWish> wishes, const std::string& context) {
  ReaderBuilder builder(model, grids, context);
  for (std::size_t w = 0; w < wishes.size(); ++w) builder.add(w, wishes[w]);
  return builder.take();
}

CellCorners corners_of(const CoordinateWish& wish, std::span<const double> named) {
  const auto node_of = [&wish](double name) -> std::int64_t {  // -1: no corner
    const double node = name - static_cast<double>(wish.start_index);
    const bool is_one = node >= 0 && node < static_cast<double>(wish.node_count);
    if (is_one) return static_cast<std::int64_t>(node);
    if (std::isnan(name)) return -1;
    throw no_node(wish, name);
  };
  CellCorners corners;
  for (const double name : named) {
    if (const std::int64_t node = node_of(name); node >= 0) corners.nodes.push_back(node);
  }
  std::sort(corners.nodes.begin(), corners.nodes.end());
  corners.nodes.erase(std::unique(corners.nodes.begin(), corners.nodes.end()), corners.nodes.end());
  const auto vertices = static_cast<std::size_t>(wish.vertices);
  for (std::size_t first = 0; first + vertices <= named.size(); first += vertices) {
    const auto cell = named.subspan(first, vertices);
    std::int64_t last = -1;
    if (std::isnan(cell.front())) {  // the one before the first is the last one
      for (const double name : cell) last = node_of(name) < 0 ? last : node_of(name);
    }
    for (const double name : cell) {
      const std::int64_t node = node_of(name);
      if (node >= 0) last = node;
      if (last < 0) throw no_node(wish, name);
      const auto found = std::lower_bound(corners.nodes.begin(), corners.nodes.end(), last);
      corners.places.push_back(static_cast<std::size_t>(found - corners.nodes.begin()));
    }
  }
  return corners;
}

Value coordinate_value(const Model& model, const ReadGrids& grids, const CoordinateWish& wish,
                       std::vector<double> values) {
  const auto& element = nth(grids.elements, wish.element);
  std::vector<std::int64_t> shape;
  auto points = static_cast<std::int64_t>(values.size());
  if (wish.vertices > 0) {
    shape.push_back(wish.vertices);
    points /= wish.vertices;
  }
  if (element.kind == ElementKind::domain) {
    const DomainAttributes& domain = by_id(model.domains, element.id).attributes;
    if (wish.attribute.ends_with("_2d")) {
      shape.push_back(domain.ni.value_or(0));
      shape.push_back(domain.nj.value_or(0));
      points = -1;
    }
  }
  if (points >= 0) shape.push_back(points);
  if (wish.factor != 1) {
    for (double& value : values) value *= wish.factor;
  }
  return value::reals{std::move(values), std::move(shape)};
}

std::uint64_t ReadGrids::hash(std::span<const std::string> also) const {
  std::uint64_t hash = 14695981039346656037ULL;
  const auto add = [&hash](std::string_view text) {
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
    hash = (hash ^ 0xffU) * 1099511628211ULL;
  };
  for (const Element& element : elements) {
    add(name(element.kind));
    add(element.id);
  }
  for (std::size_t f = 0; f < files.size(); ++f) {
    add(files[f].path);
    add(time_names[f]);
    for (const std::string& variable : files[f].variables) add(variable);
  }
  for (const std::string& text : also) add(text);
  return hash;
}

}  // namespace epios::config
