// Chooses names of dimensions and coordinates for the elements of a file. Elements that are the
// same share them, different ones must not. It first collects the elements and groups those that
// may be equal, then gives each group the names it wants or the first free ones.
#include "config/element_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/stations.hpp"
#include "config/time_axis.hpp"

namespace epios::config {

namespace {

using Kind = GridElement::Kind;

template <class T>
bool may_be_equal(const std::optional<T>& a, const std::optional<T>& b) {
  return !a || !b || *a == *b;
}

bool are_equal(const std::vector<Transformation>& a, const std::vector<Transformation>& b) {
  const auto same_property = [](const Property& x, const Property& y) {
    return x.name == y.name && x.value == y.value;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const auto& x, const auto& y) {
    return x.kind == y.kind && std::equal(x.attributes.begin(), x.attributes.end(),
                                          y.attributes.begin(), y.attributes.end(), same_property);
  });
}

bool are_equal(const Axis& a, const Axis& b) {
  const AxisAttributes& x = a.attributes;
  const AxisAttributes& y = b.attributes;
  return a.name == b.name && x.n_glo == y.n_glo && x.dim_name == y.dim_name &&
         x.bounds_name == y.bounds_name && x.unit == y.unit && x.positive == y.positive &&
         x.standard_name == y.standard_name && x.formula == y.formula &&
         x.formula_term == y.formula_term && x.prec == y.prec &&
         are_equal(a.transformations, b.transformations);
}

bool are_equal(const Domain& a, const Domain& b) {
  const DomainAttributes& x = a.attributes;
  const DomainAttributes& y = b.attributes;
  return a.name == b.name && x.type == y.type && x.ni_glo == y.ni_glo && x.nj_glo == y.nj_glo &&
         x.lon_name == y.lon_name && x.lat_name == y.lat_name && x.dim_i_name == y.dim_i_name &&
         x.dim_j_name == y.dim_j_name && x.prec == y.prec && x.order == y.order &&
         may_be_equal(x.nvertex, y.nvertex) && are_equal(a.transformations, b.transformations);
}

bool are_equal(const Scalar& a, const Scalar& b) {
  return a.name == b.name && a.attributes.value == b.attributes.value &&
         a.attributes.bounds == b.attributes.bounds && a.attributes.label == b.attributes.label &&
         a.attributes.unit == b.attributes.unit && a.attributes.prec == b.attributes.prec &&
         are_equal(a.transformations, b.transformations);
}

/// The name of bounds, which follows a coordinate from one name to another.
std::string bounds_of(std::string bounds, const std::string& before, const std::string& after) {
  const std::size_t place = bounds.find(before);
  if (place == std::string::npos) return bounds + after.substr(before.size());
  return bounds.replace(place, before.size(), after);
}

enum class DimensionRole { axis, j, i, vertices, bounds, texts, records };

struct Dimension {
  std::string name;
  DimensionRole along = DimensionRole::axis;
  std::optional<std::int64_t> size{};  ///< none: not known, and like no other
  std::set<std::size_t> users{};       ///< elements that have it
};

/// Names of an element without regard to others.
struct Wish {
  ElementNames names;  ///< dimensions follow
  std::vector<Dimension> dimensions;
  std::set<std::size_t> apart{};        ///< elements that it stands in a grid with
  std::optional<Dimension> vertices{};  ///< not one of data
  bool is_section = false;              ///< distances have the name of the dimension

  /// All variables but areas.
  std::vector<std::string> variables() const {
    std::vector<std::string> out = names.coordinates;
    out.insert(out.end(), names.bounds.begin(), names.bounds.end());
    if (!names.labels.empty()) out.push_back(names.labels);
    return out;
  }
  std::vector<Dimension> all_dimensions() const {
    std::vector<Dimension> out = dimensions;
    if (vertices) out.push_back(*vertices);
    return out;
  }
};

std::string label_of(const std::string& coordinate) { return coordinate + "_label"; }

class Naming {
 public:
  Naming(const Model& model, const File& file) {
    for (const StreamId stream : file.streams) fields_.insert(model.streams[stream].name);
    reserved_ = fields_;
    take_times(model, file);
  }

  /// A dimension of the file itself, whose name only the records can have.
  std::string take_own(std::string name, bool is_of_texts) {
    if (dimensions_.contains(name)) name += "_2";
    add({name, is_of_texts ? DimensionRole::texts : DimensionRole::bounds, {}});
    return name;
  }

  /// No number makes one of these names: an element will want it.
  void reserve(const Wish& wish) {
    for (const Dimension& dimension : wish.all_dimensions()) reserved_.insert(dimension.name);
    const std::vector<std::string> variables = wish.variables();
    reserved_.insert(variables.begin(), variables.end());
  }

  /// The names that element number `user` has for good.
  ElementNames take(Wish wish, std::size_t user) {
    if (!is_free(wish)) wish = renamed(wish);
    const std::vector<std::string> variables = wish.variables();
    variables_.insert(variables.begin(), variables.end());
    for (const Dimension& dimension : wish.dimensions) {
      wish.names.dimensions.push_back(dimension.name);
      add(dimension);
      dimensions_[dimension.name].users.insert(user);
    }
    if (wish.vertices) {
      wish.names.vertices = wish.vertices->name;
      add(*wish.vertices);
    }
    if (!wish.names.area.empty()) wish.names.area = taken(wish.names.area);
    if (!wish.names.grid_mapping.empty()) {
      wish.names.grid_mapping = taken(wish.names.grid_mapping);
      const std::string& cells = wish.names.dimensions.front();
      if (!fields_.contains(cells) && variables_.insert(cells).second) wish.names.index = cells;
    }
    if (wish.is_section) wish.names.stations = wish.names.dimensions.front();
    if (!wish.names.stations.empty()) wish.names.stations = taken(wish.names.stations);
    if (!wish.names.station_distances.empty()) {
      wish.names.station_distances = taken(wish.names.station_distances);
    }
    return std::move(wish.names);
  }

 private:
  void add(const Dimension& dimension) { dimensions_.emplace(dimension.name, dimension); }

  void take_times(const Model& model, const File& file) {
    bool any_instant = false;
    bool any_centered = false;
    for (const StreamId stream : file.streams) {
      const Operation operation = model.streams[stream].sampling.operation;
      if (!has_time(operation)) continue;
      (is_centered(operation) ? any_centered : any_instant) = true;
    }
    const std::string counter = file.attributes.time_counter_name.value_or("time_counter");
    const TimeAxis times =
        time_axis(file.attributes.time_counter.value_or(""), any_instant, any_centered);
    add({counter, DimensionRole::records, {}});
    const auto take_time = [this](const std::string& name) {
      variables_.insert({name, name + "_bounds"});
    };
    if (times.counter != CounterTime::none) take_time(counter);
    if (times.has_instant) take_time("time_instant");
    if (times.has_centered) take_time("time_centered");
  }

  std::string taken(const std::string& wanted) {
    std::string name = wanted;
    for (int number = 2; variables_.contains(name) || fields_.contains(name); ++number) {
      name = fmt::format("{}_{}", wanted, number);
    }
    variables_.insert(name);
    return name;
  }

  /// Returns true if an existing dimension is meant. No variable has a dimension twice.
  bool is_shared(const Dimension& wanted, const Wish& wish) const {
    const auto found = dimensions_.find(wanted.name);
    if (found == dimensions_.end() || !wanted.size || found->second.size != wanted.size ||
        found->second.along != wanted.along) {
      return false;
    }
    return std::none_of(found->second.users.begin(), found->second.users.end(),
                        [&](std::size_t user) { return wish.apart.contains(user); });
  }

  bool is_free(const Wish& wish) const {
    const std::vector<std::string> variables = wish.variables();
    const std::vector<Dimension> dimensions = wish.all_dimensions();
    return std::none_of(variables.begin(), variables.end(),
                        [this](const std::string& name) { return variables_.contains(name); }) &&
           std::all_of(dimensions.begin(), dimensions.end(), [&](const Dimension& d) {
             return !dimensions_.contains(d.name) || is_shared(d, wish);
           });
  }

  /// With one number behind all names, but for dimensions that are there already and that no
  /// coordinate is named like.
  Wish renamed(const Wish& plain) {
    const auto& coordinates = plain.names.coordinates;
    for (int& number = numbers_[plain.dimensions.empty() ? coordinates.front()
                                                         : plain.dimensions.front().name];
         ; ++number) {
      const std::string ending = fmt::format("_{}", number + 2);
      Wish wish = plain;
      bool is_good = true;
      const auto set = [&](std::string& name, std::string to) {
        name = std::move(to);
        is_good = is_good && !reserved_.contains(name) && !variables_.contains(name) &&
                  !dimensions_.contains(name);
      };
      for (std::size_t i = 0; i < coordinates.size(); ++i) {
        set(wish.names.coordinates[i], coordinates[i] + ending);
        set(wish.names.bounds[i],
            bounds_of(plain.names.bounds[i], coordinates[i], wish.names.coordinates[i]));
      }
      for (Dimension& dimension : wish.dimensions) {
        const bool is_coordinate =
            std::find(coordinates.begin(), coordinates.end(), dimension.name) != coordinates.end();
        if (is_coordinate || !is_shared(dimension, plain)) {
          set(dimension.name, dimension.name + ending);
        }
      }
      if (!plain.names.labels.empty()) {
        set(wish.names.labels, label_of(wish.names.coordinates.front()));
      }
      if (!plain.names.area.empty()) wish.names.area += ending;
      if (wish.vertices && !is_shared(*wish.vertices, plain)) {
        set(wish.vertices->name, wish.vertices->name + ending);
      }
      if (is_good) return wish;
    }
  }

  std::map<std::string, Dimension> dimensions_;
  std::set<std::string> variables_;  ///< coordinates, times and bounds
  std::set<std::string> fields_;
  std::set<std::string> reserved_;      ///< names of fields, and what elements would be called
  std::map<std::string, int> numbers_;  ///< tried already, from the second on
};

Wish wish_of(const Axis& axis) {
  const AxisAttributes& a = axis.attributes;
  return {{{}, {axis.name}, {a.bounds_name.value_or(axis.name + "_bounds")}, label_of(axis.name)},
          {{a.dim_name.value_or(axis.name), DimensionRole::axis, a.n_glo}}};
}

Wish wish_of(const Domain& domain, bool is_one_of_several) {
  const DomainAttributes& a = domain.attributes;
  const std::string type = a.type.value_or("rectilinear");
  const bool is_row = is_row_of_cells(type);
  const bool is_curved = type == "curvilinear";
  const std::string suffix = is_one_of_several ? "_" + domain.name : "";
  const auto name_of = [&](const std::optional<std::string>& given, std::string_view otherwise) {
    return given.value_or(std::string(otherwise)) + suffix;
  };
  const std::string lat = name_of(a.lat_name, is_curved ? "nav_lat" : "lat");
  const std::string lon = name_of(a.lon_name, is_curved ? "nav_lon" : "lon");
  Wish wish;
  wish.names.coordinates = {lat, lon};
  wish.names.bounds = {
      a.bounds_lat_name ? *a.bounds_lat_name + suffix : "bounds_" + lat,
      a.bounds_lon_name ? *a.bounds_lon_name + suffix : "bounds_" + lon,
  };
  wish.names.area = "area" + suffix;
  if ((is_row || is_curved) && a.nvertex) {
    wish.vertices =
        Dimension{name_of(a.nvertex_name, "nvertex"), DimensionRole::vertices, a.nvertex};
  }
  if (type == "healpix") wish.names.grid_mapping = "crs" + suffix;
  const Transformation* const stations = stations_of(domain);
  wish.is_section = stations != nullptr && is_section(*stations);
  if (stations != nullptr && !wish.is_section) wish.names.stations = "station_name" + suffix;
  if (stations != nullptr && writes_distances(*stations)) {
    wish.names.station_distances = "station_distance" + suffix;
  }
  if (is_row) {
    const char* const cells = stations == nullptr ? "cell"
                              : wish.is_section   ? "distance"
                                                  : "station";
    wish.dimensions = {{name_of(a.dim_i_name, cells), DimensionRole::i, a.ni_glo}};
    return wish;
  }
  const std::string j = is_curved ? "y" + suffix : lat;
  const std::string i = is_curved ? "x" + suffix : lon;
  wish.dimensions = {{a.dim_j_name ? *a.dim_j_name + suffix : j, DimensionRole::j, a.nj_glo},
                     {a.dim_i_name ? *a.dim_i_name + suffix : i, DimensionRole::i, a.ni_glo}};
  return wish;
}

Wish wish_of(const Scalar& scalar) {
  const ScalarAttributes& a = scalar.attributes;
  if (!a.value && !a.bounds && !a.label) return {};  // nothing of it is on file
  const std::string bounds = a.bounds_name.value_or(scalar.name + "_bounds");
  return {{{}, {scalar.name}, {bounds}, label_of(scalar.name)}, {}};
}

/// One client's parts of arrays; those of other parts say nothing of each other.
template <class T>
bool may_be_equal_parts(const std::optional<Array<T>>& a, const std::optional<Array<T>>& b) {
  return !a || !b || a->shape != b->shape || a->values == b->values;
}

bool may_have_equal_values(const Model& model, const GridElement& x, const GridElement& y) {
  if (x.kind == Kind::axis) {
    const AxisAttributes& a = model.axes[x.axis()].attributes;
    const AxisAttributes& b = model.axes[y.axis()].attributes;
    return a.begin != b.begin || may_be_equal_parts(a.value, b.value);
  }
  if (x.kind == Kind::scalar) return true;  // their values are global
  const DomainAttributes& a = model.domains[x.domain()].attributes;
  const DomainAttributes& b = model.domains[y.domain()].attributes;
  if (a.ibegin != b.ibegin || a.jbegin != b.jbegin) return true;
  return may_be_equal_parts(a.lonvalue_1d, b.lonvalue_1d) &&
         may_be_equal_parts(a.latvalue_1d, b.latvalue_1d) &&
         may_be_equal_parts(a.lonvalue_2d, b.lonvalue_2d) &&
         may_be_equal_parts(a.latvalue_2d, b.latvalue_2d);
}

bool are_equal(const Model& model, const GridElement& x, const GridElement& y) {
  if (x.kind == Kind::axis) return are_equal(model.axes[x.axis()], model.axes[y.axis()]);
  if (x.kind == Kind::scalar) {
    return are_equal(model.scalars[x.scalar()], model.scalars[y.scalar()]);
  }
  return are_equal(model.domains[x.domain()], model.domains[y.domain()]);
}

const std::string& name_of(const Model& model, const GridElement& element) {
  if (element.kind == Kind::axis) return model.axes[element.axis()].name;
  if (element.kind == Kind::scalar) return model.scalars[element.scalar()].name;
  return model.domains[element.domain()].name;
}

/// Returns the grids of the fields of a file, each once.
std::vector<const Grid*> grids_of(const Model& model, const File& file) {
  std::vector<const Grid*> grids;
  std::set<int> seen;
  for (const StreamId stream : file.streams) {
    const GridId grid = model.streams[stream].grid;
    if (grid >= 0 && seen.insert(grid).second) grids.push_back(&model.grids[grid]);
  }
  return grids;
}

}  // namespace

FileNames::FileNames(const Model& model, const File& file)
    : FileNames(model, file, [&model](const GridElement& a, const GridElement& b) {
        return may_have_equal_values(model, a, b);
      }) {}

FileNames::FileNames(const Model& model, const File& file, const SameValues& same_values) {
  const std::vector<const Grid*> grids = grids_of(model, file);
  for (const Grid* grid : grids) keep_apart(*grid);
  for (const Grid* grid : grids) {
    for (const GridElement& element : grid->elements) add(model, element, same_values);
  }
  give_names(model, file);
}

void FileNames::keep_apart(const Grid& grid) {
  for (const GridElement& element : grid.elements) {
    std::set<Key>& apart = apart_[{element.kind, element.index}];
    for (const GridElement& other : grid.elements) {
      if (other != element) apart.insert({other.kind, other.index});
    }
  }
}

void FileNames::add(const Model& model, const GridElement& element, const SameValues& same_values) {
  const auto [place, is_new] = places_.try_emplace({element.kind, element.index}, elements_.size());
  if (!is_new) return;
  const std::set<Key>& apart = apart_[{element.kind, element.index}];
  std::vector<std::size_t>& candidates = by_name_[{element.kind, name_of(model, element)}];
  for (const std::size_t candidate : candidates) {
    // All members: one that knows no values is like any other.
    std::vector<GridElement>& members = elements_[candidate].members;
    const bool is_same =
        std::all_of(members.begin(), members.end(), [&](const GridElement& member) {
          return !apart.contains({member.kind, member.index}) &&
                 are_equal(model, member, element) && same_values(member, element);
        });
    if (!is_same) continue;
    members.push_back(element);
    place->second = candidate;
    return;
  }
  candidates.push_back(elements_.size());
  elements_.push_back({{element}, {}});
}

void FileNames::give_names(const Model& model, const File& file) {
  const auto is_domain = [](const auto& e) { return e.members.front().kind == Kind::domain; };
  const bool has_several_domains = std::count_if(elements_.begin(), elements_.end(), is_domain) > 1;
  std::vector<Wish> wishes;
  Naming naming(model, file);
  bounds_dimension_ = naming.take_own("axis_nbounds", false);
  text_dimension_ = naming.take_own("str_len", true);
  for (const SharedElement& element : elements_) {
    const GridElement& first = element.members.front();
    const Kind kind = first.kind;
    wishes.push_back(kind == Kind::axis ? wish_of(model.axes[first.axis()])
                     : kind == Kind::scalar
                         ? wish_of(model.scalars[first.scalar()])
                         : wish_of(model.domains[first.domain()], has_several_domains));
    for (const GridElement& member : element.members) {
      if (kind == Kind::domain && !wishes.back().vertices) {
        const Domain& domain = model.domains[member.domain()];
        wishes.back().vertices = wish_of(domain, has_several_domains).vertices;
      }
      for (const Key& other : apart_[{member.kind, member.index}]) {
        wishes.back().apart.insert(places_[other]);
      }
    }
    naming.reserve(wishes.back());
  }
  for (std::size_t i = 0; i < elements_.size(); ++i) {
    elements_[i].names = naming.take(std::move(wishes[i]), i);
  }
}

const SharedElement& FileNames::of(const GridElement& element) const {
  return elements_[places_.at({element.kind, element.index})];
}

}  // namespace epios::config
