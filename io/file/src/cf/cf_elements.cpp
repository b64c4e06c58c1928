// Adds the elements of a file to its description, each shared one once. It plans the lists of each
// element, compares values of members to warn about differences, and adds dimensions and coordinate
// variables.
#include "cf/cf_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "cf/cf_gaps.hpp"
#include "cf/cf_healpix.hpp"
#include "cf/cf_stations.hpp"
#include "cf/cf_text.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/stations.hpp"
#include "grid/index.hpp"
#include "grid/mesh.hpp"

namespace epios::io {

namespace {

using config::GridElement;
using config::SharedElement;
using Role = PlannedDimension::Role;

/// A writer has seen a part of the values only, and all writers must find the same names: elements
/// that are the same in all else are.
bool may_be_same(const GridElement& /*a*/, const GridElement& /*b*/) { return true; }

const PlannedVariable* find(const ElementPlan& plan, CoordinateList list) {
  const auto found = std::find_if(plan.variables.begin(), plan.variables.end(),
                                  [&](const PlannedVariable& v) { return v.list == list; });
  return found == plan.variables.end() ? nullptr : &*found;
}

/// A variable whose dimension has its name, and no other.
bool is_coordinate_variable(const PlannedVariable& variable) {
  return variable.dimensions.size() == 1 && variable.dimensions[0].name == variable.name &&
         variable.kind != ValueKind::text;
}

bool differ(double a, double b) { return a != b && !(std::isnan(a) && std::isnan(b)); }
bool differ(const std::string& a, const std::string& b) { return a != b; }

/// Values that differ, and the first of them.
struct Differences {
  std::int64_t count = 0;
  std::string example;
};

template <class T>
void add_differences(std::span<const T> a, std::span<const T> b, Differences& out) {
  for (std::size_t n = 0; n < std::min(a.size(), b.size()); ++n) {
    if (!differ(a[n], b[n])) continue;
    if (out.count++ == 0) out.example = fmt::format("{} and {}", a[n], b[n]);
  }
}

/// A coordinate variable, or the bounds of one.
bool belongs_to_coordinate_variable(const ElementPlan& plan, const PlannedVariable& variable) {
  return std::any_of(plan.variables.begin(), plan.variables.end(), [&](const auto& other) {
    return is_coordinate_variable(other) &&
           (other.list == variable.list || bounds_of(other.list) == variable.list);
  });
}

/// Returns true if `variable` contains bounds of something that is not in the file.
bool are_bounds_alone(const ElementPlan& plan, const PlannedVariable& variable) {
  return are_bounds(variable.list) &&
         std::none_of(plan.variables.begin(), plan.variables.end(), [&](const auto& other) {
           return other.list != variable.list && bounds_of(other.list) == variable.list;
         });
}

void add_new(const std::vector<std::string>& names, std::vector<std::string>& out) {
  for (const std::string& name : names) {
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  }
}

}  // namespace

CfElements::CfElements(const config::Model& model, const config::File& file,
                       const CoordinateForms& forms, std::span<const CoordinateSlab* const> slabs,
                       FileSpec& spec, OwnNumbers& own)
    : model_(model),
      file_(file),
      forms_(forms),
      slabs_(slabs),
      spec_(spec),
      own_(own),
      are_meshes_(file.attributes.convention.value_or("CF") == "UGRID"),
      lent_(lent_domains(model, file)),
      names_(model, file, may_be_same) {
  for (const SharedElement& shared : names_.elements()) {
    for (const Element& member : shared.members) {
      text_bytes_ = std::max<std::int64_t>(text_bytes_, forms_.of(member).label_bytes);
      if (member.kind != Element::Kind::domain) continue;
      text_bytes_ = std::max(text_bytes_, bytes_of_names(model_.domains[member.domain()]));
    }
  }
}

bool CfElements::is_in_mesh(const Element& element) const {
  return are_meshes_ && element.kind == Element::Kind::domain &&
         config::stations_of(model_.domains[element.domain()]) == nullptr;
}

void CfElements::add() {
  for (const SharedElement& shared : names_.elements()) {
    placed_.push_back(is_in_mesh(shared.members.front()) ? Placed{} : add(shared));
  }
  if (are_meshes_) add_meshes();
}

void CfElements::add_meshes() {
  std::vector<Element> domains;
  std::vector<std::size_t> places;
  for (std::size_t e = 0; e < names_.elements().size(); ++e) {
    const auto& members = names_.elements()[e].members;
    if (!is_in_mesh(members.front())) continue;
    // Among equal elements, takes one that has all.
    const auto giver = std::find_if(members.begin(), members.end(), [this](const Element& member) {
      return forms_.of(member).has_bounds_lon && forms_.of(member).has_lon;
    });
    domains.push_back(giver == members.end() ? members.front() : *giver);
    places.push_back(e);
  }
  Ugrid ugrid(model_, forms_, slabs_, spec_, own_);
  const std::vector<MeshPlace> meshes = ugrid.add(domains, lent_);
  for (std::size_t m = 0; m < meshes.size(); ++m) {
    placed_[places[m]] = {{meshes[m].dimension},
                          meshes[m].coordinates,
                          meshes[m].areas,
                          meshes[m].mesh,
                          meshes[m].location};
  }
  remarks_.insert(remarks_.end(), ugrid.remarks().begin(), ugrid.remarks().end());
}

ElementPlan CfElements::plan(const Element& element, const CoordinateForm& form,
                             const config::ElementNames& names) const {
  switch (element.kind) {
    case Element::Kind::axis:
      return plan_axis(model_.axes[element.axis()], form, names);
    case Element::Kind::domain:
      return plan_domain(model_.domains[element.domain()], form, vertices_of(model_, element),
                         names);
    case Element::Kind::scalar:
      break;
  }
  return plan_scalar(model_.scalars[element.scalar()], form, names);
}

ElementPlan CfElements::united_plan(const SharedElement& shared) const {
  CoordinateForm form;
  for (const Element& member : shared.members) {
    form = unite(form, forms_.of(member));
  }
  form.has_area = form.has_area && are_areas_wanted(shared);
  ElementPlan out;
  for (std::size_t m = 0; m < shared.members.size(); ++m) {
    ElementPlan own = plan(shared.members[m], form, shared.names);
    if (m == 0) {
      out.what = own.what;
      out.dimensions = own.dimensions;
    }
    for (PlannedVariable& variable : own.variables) {
      const bool is_own = has_list(forms_.of(shared.members[m]), variable.list);
      if (!is_own || find(out, variable.list) != nullptr) continue;
      variable.giver = m;
      out.variables.push_back(std::move(variable));
    }
  }
  std::sort(out.variables.begin(), out.variables.end(),
            [](const auto& a, const auto& b) { return a.list < b.list; });
  for (PlannedVariable& variable : out.variables) {
    const PlannedVariable* bounds = find(out, bounds_of(variable.list));
    if (bounds == nullptr || bounds->list == variable.list) continue;
    variable.attributes.push_back({"bounds", bounds->name});
  }
  return out;
}

bool CfElements::are_areas_wanted(const SharedElement& shared) const {
  return std::any_of(file_.streams.begin(), file_.streams.end(), [&](config::StreamId s) {
    const config::Stream& stream = model_.streams[s];
    const auto& elements = model_.grids[stream.grid].elements;
    const bool is_on_it =
        std::any_of(shared.members.begin(), shared.members.end(), [&](const Element& member) {
          return std::find(elements.begin(), elements.end(), member) != elements.end();
        });
    if (!is_on_it || !stream.attributes.cell_measures) return is_on_it;
    const std::vector<std::string> names = measure_variables(*stream.attributes.cell_measures);
    return std::find(names.begin(), names.end(), shared.names.area) != names.end();
  });
}

void CfElements::check_names(const ElementPlan& plan) const {
  std::set<std::string> names;
  const auto check = [&](const std::string& name, const char* what, const char* attributes) {
    check_name(spec_.path, what, name);
    if (names.insert(name).second) return;
    throw Error(ErrorCode::configuration,
                fmt::format("file '{}': {} has two {}s of the name '{}'. Choose another with {}?",
                            spec_.path, plan.what, what, name, attributes));
  };
  constexpr const char* dimension_names = "dim_i_name, dim_j_name or nvertex_name";
  for (const PlannedDimension& dimension : plan.dimensions) {
    check(dimension.name, "dimension", dimension_names);
  }
  const auto vertex = [](const PlannedDimension& d) { return d.role == Role::vertex; };
  for (const PlannedVariable& variable : plan.variables) {
    const auto& its = variable.dimensions;
    const auto found = std::find_if(its.begin(), its.end(), vertex);
    if (found == its.end()) continue;
    check(found->name, "dimension", dimension_names);
    break;
  }
  names.clear();
  for (const PlannedVariable& variable : plan.variables) {
    check(variable.name, "variable", "lon_name, lat_name or the names of bounds");
  }
}

CfElements::Placed CfElements::add(const SharedElement& shared) {
  const ElementPlan united = united_plan(shared);
  check_names(united);
  Placed out;
  for (const PlannedDimension& planned : united.dimensions) {
    out.dimensions.push_back(dimension(planned));
  }
  for (const PlannedVariable& planned : united.variables) {
    add_variable(shared, united, planned);
    if (planned.list == CoordinateList::area) {
      out.areas.push_back(planned.name);
    } else if (!are_bounds(planned.list)) {
      if (!is_coordinate_variable(planned)) out.auxiliary.push_back(planned.name);
    } else if (are_bounds_alone(united, planned)) {
      remarks_.push_back({spec_.path,
                          fmt::format("{} has bounds but no values: '{}' belongs to no coordinate",
                                      united.what, planned.name),
                          0,
                          {},
                          "Give it values, too?"});
    }
  }
  note_gaps(united);
  if (!shared.names.grid_mapping.empty()) add_pixels(shared, out);
  if (!shared.names.stations.empty()) add_stations(shared, out);
  return out;
}

void CfElements::add_stations(const SharedElement& shared, Placed& placed) {
  const Element& domain = shared.members.front();
  const auto& stations = *config::stations_of(model_.domains[domain.domain()]);
  const std::string& name = shared.names.stations;
  const int along = placed.dimensions.front();
  if (!config::is_section(stations)) {
    const int text = dimension(names_.text_dimension(), text_bytes_);
    spec_.variables.push_back(
        names_of_stations(stations, name, along, text, text_bytes_, slab_of(domain)));
    placed.auxiliary.push_back(name);
    const std::string& distances = shared.names.station_distances;
    if (distances.empty() || config::noted_distances(stations).empty()) return;
    spec_.variables.push_back(distances_of_stations(stations, distances, along, slab_of(domain)));
    return;
  }
  own_.emplace_back();
  spec_.variables.push_back(
      distances_of_section(stations, name, along, slab_of(domain), own_.back()));
  if (name != nth(spec_.dimensions, along).name) placed.auxiliary.push_back(name);
}

void CfElements::add_pixels(const SharedElement& shared, Placed& placed) {
  const Element& domain = shared.members.front();
  placed.grid_mapping = shared.names.grid_mapping;
  spec_.variables.push_back(
      grid_mapping_of(nth(model_.domains, domain.index), placed.grid_mapping));
  if (shared.names.index.empty()) return;
  const CoordinateSlab* const slab = slab_of(domain);
  std::vector<double> numbers;
  if (slab != nullptr && !slab->window.is_empty()) {
    numbers.resize(as_index(slab->window.size[0]));
    std::iota(numbers.begin(), numbers.end(), static_cast<double>(slab->window.begin[0]));
  }
  own_.push_back(std::move(numbers));
  spec_.variables.push_back(
      pixel_numbers(shared.names.index, placed.dimensions.front(), slab, own_.back()));
}

void CfElements::note_gaps(const ElementPlan& united) {
  // Variables with the same gaps have them for one reason.
  std::vector<std::tuple<Gaps, bool, std::vector<std::string>>> groups;
  const std::size_t first = spec_.variables.size() - united.variables.size();
  for (std::size_t v = 0; v < united.variables.size(); ++v) {
    const Gaps gaps = gaps_in(united.variables[v], spec_.variables[first + v].fixed);
    if (gaps.points == 0) continue;
    const bool is_marked = spec_.variables[first + v].marks_unset;
    auto same = std::find_if(groups.begin(), groups.end(), [&](const auto& group) {
      return std::get<0>(group) == gaps && std::get<1>(group) == is_marked;
    });
    if (same == groups.end()) same = groups.insert(groups.end(), {gaps, is_marked, {}});
    std::get<2>(*same).push_back(fmt::format("'{}'", united.variables[v].name));
  }
  for (const auto& [gaps, is_marked, names] : groups) {
    const char* advice =
        is_marked ? "They are marked as missing. Does a client have each point, with coordinates?"
                  : "They stand there as NaN (CF has no missing values in coordinate variables). "
                    "Does a client have each point, with coordinates?";
    remarks_.push_back({spec_.path,
                        fmt::format("{}: no client gives {}", united.what, fmt::join(names, ", ")),
                        gaps.points, gaps.examples, advice});
  }
}

void CfElements::add_variable(const SharedElement& shared, const ElementPlan& united,
                              const PlannedVariable& planned) {
  VariableSpec variable;
  variable.name = planned.name;
  variable.kind = planned.kind;
  variable.attributes = planned.attributes;
  Extents shape;
  for (const PlannedDimension& its : planned.dimensions) {
    variable.dimensions.push_back(dimension(its));
    shape.push_back(spec_.dimensions[as_index(variable.dimensions.back())].length);
  }
  variable.fixed = part_of(planned, shape, slab_of(shared.members[planned.giver]));
  variable.marks_unset =
      variable.kind != ValueKind::text && !belongs_to_coordinate_variable(united, planned);
  compare(shared, planned, shape);
  spec_.variables.push_back(std::move(variable));
}

int CfElements::dimension(const PlannedDimension& planned) {
  if (planned.role == Role::bound) return bounds_dimension();
  if (planned.role == Role::text) return dimension(names_.text_dimension(), text_bytes_);
  return dimension(planned.name, planned.length);
}

int CfElements::bounds_dimension() { return dimension(names_.bounds_dimension(), 2); }

int CfElements::dimension(const std::string& name, std::int64_t length) {
  const auto known = std::find_if(spec_.dimensions.begin(), spec_.dimensions.end(),
                                  [&](const DimensionSpec& d) { return d.name == name; });
  const auto number = static_cast<int>(known - spec_.dimensions.begin());
  if (known == spec_.dimensions.end()) {
    spec_.dimensions.push_back({name, length});
  } else if (known->length != length) {
    throw Error(ErrorCode::internal,
                fmt::format("file '{}': dimension '{}' has {} and {} points. Please report this?",
                            spec_.path, name, known->length, length));
  }
  return number;
}

const CoordinateSlab* CfElements::slab_of(const Element& element) const {
  const auto found = std::find_if(slabs_.begin(), slabs_.end(), [&](const CoordinateSlab* slab) {
    return slab->element == element;
  });
  return found == slabs_.end() ? nullptr : *found;
}

void CfElements::compare(const SharedElement& shared, const PlannedVariable& planned,
                         const Extents& shape) {
  const Element& giver = shared.members[planned.giver];
  const FixedPart given = part_of(planned, shape, slab_of(giver));
  for (const Element& member : shared.members) {
    if (member == giver || !has_list(forms_.of(member), planned.list)) continue;
    const FixedPart own = part_of(planned, shape, slab_of(member));
    Differences different;
    add_differences(given.numbers, own.numbers, different);
    add_differences(given.texts, own.texts, different);
    if (different.count == 0) continue;
    remarks_.push_back(
        {spec_.path,
         fmt::format(
             "'{}' differs between {} and {}, which share it (same name, size and attributes),",
             planned.name, title(giver), title(member)),
         different.count,
         {different.example},
         fmt::format("Those of {} are written. Give one of the two another name?", title(giver))});
  }
}

std::string CfElements::title(const Element& element) const {
  return plan(element, {}, names_.of(element).names).what;
}

const CfElements::Placed& CfElements::placed(const Element& element) const {
  return nth(placed_, &names_.of(element) - names_.elements().data());
}

std::vector<int> CfElements::dimensions(int grid) const {
  std::vector<int> out;
  const auto& elements = nth(model_.grids, grid).elements;
  // The file's slowest dimension is the model's last.
  const std::vector<config::GridElement> in_file_order(elements.rbegin(), elements.rend());
  for (const auto& element : in_file_order) {
    const std::vector<int>& own = placed(element).dimensions;
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}

std::vector<std::string> CfElements::auxiliary(int grid) const {
  std::vector<std::string> out;
  for (const auto& element : nth(model_.grids, grid).elements) {
    add_new(placed(element).auxiliary, out);
  }
  return out;
}

std::vector<FileAttribute> CfElements::mesh(int grid) const {
  std::vector<const Placed*> mapped;
  for (const auto& element : nth(model_.grids, grid).elements) {
    const Placed& its = placed(element);
    if (!its.mesh.empty()) return {{"mesh", its.mesh}, {"location", its.location}};
    if (!its.grid_mapping.empty()) mapped.push_back(&its);
  }
  if (mapped.empty()) return {};
  if (mapped.size() == 1) return {{"grid_mapping", mapped.front()->grid_mapping}};
  std::vector<std::string> mappings;  // CF 5.6: of several, each with its coordinates
  for (const Placed* its : mapped) {
    mappings.push_back(fmt::format("{}: {}", its->grid_mapping, fmt::join(its->auxiliary, " ")));
  }
  return {{"grid_mapping", fmt::format("{}", fmt::join(mappings, " "))}};
}

bool CfElements::has_pixels() const {
  return std::any_of(placed_.begin(), placed_.end(),
                     [](const Placed& its) { return !its.grid_mapping.empty(); });
}

std::vector<std::string> CfElements::areas(int grid) const {
  std::vector<std::string> out;
  for (const auto& element : nth(model_.grids, grid).elements) add_new(placed(element).areas, out);
  return out;
}

}  // namespace epios::io
