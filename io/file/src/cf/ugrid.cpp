// Adds the meshes of a file by UGRID: collects domains at nodes, edges and faces by name, finds the
// topology from their corners, and writes positions and connectivity as variables.
#include "cf/ugrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "cf/cf_plan.hpp"
#include "cf/cf_text.hpp"
#include "cf/ugrid_mesh.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "grid/index.hpp"
#include "grid/mesh.hpp"
#include "grid/part.hpp"

namespace epios::io {

namespace {

using config::GridElement;

constexpr std::size_t node = 0;
constexpr std::size_t edge = 1;
constexpr std::size_t face = 2;
constexpr std::array<const char*, 3> location_names{"node", "edge", "face"};
/// Marks missing indices; valid ones begin at 0.
constexpr double no_index = -999;

FileAttribute text(const char* name, std::string value) { return {name, std::move(value)}; }

}  // namespace

/// Domains of one name.
struct Ugrid::Mesh {
  std::string name;
  std::array<std::optional<GridElement>, 3> domains{};  // by location
  std::array<bool, 3> is_lent{};                        // of them: not in the file itself
  MeshTopology topology{};
  std::int64_t vertices = 0;
  std::array<MeshPlace, 3> places{};
};

void Ugrid::refuse(const std::string& what, const std::string& why,
                   const std::string& suggestion) const {
  throw Error(ErrorCode::configuration,
              fmt::format("file '{}' with convention=\"UGRID\": {} ({}). {}", spec_.path, what, why,
                          suggestion));
}

const CoordinateSlab& Ugrid::slab_of(const GridElement& element) const {
  const auto found = std::find_if(slabs_.begin(), slabs_.end(),
                                  [&](const auto* slab) { return slab->element == element; });
  if (found != slabs_.end() && !(*found)->lon.empty() && !(*found)->lat.empty()) return **found;
  refuse(fmt::format("domain '{}' has no coordinates", model_.domains[element.domain()].id),
         "positions are what a mesh is made of", "Give it lonvalue_1d and latvalue_1d?");
}

Ugrid::Mesh& Ugrid::mesh_of(const GridElement& element, std::vector<Mesh>& meshes) const {
  const config::Domain& domain = model_.domains[element.domain()];
  const std::string what = fmt::format("domain '{}'", domain.id);
  if (domain.attributes.type.value_or("") != "unstructured") {
    refuse(what + fmt::format(" is {}", domain.attributes.type.value_or("of no type")),
           "meshes are unstructured", "Use convention=\"CF\"?");
  }
  const std::int64_t vertices = domain.attributes.nvertex.value_or(0);
  if (vertices < 1) {
    refuse(what + " has no nvertex", "1 says that it has nodes, 2 edges, 3 and more faces",
           "Set nvertex?");
  }
  auto mesh = std::find_if(meshes.begin(), meshes.end(),
                           [&](const Mesh& m) { return m.name == domain.name; });
  if (mesh == meshes.end()) {
    mesh = meshes.insert(meshes.end(), Mesh{});
    mesh->name = domain.name;
    check_name(spec_.path, "mesh", domain.name);
  }
  const auto location = static_cast<std::size_t>(*mesh_location(domain));
  std::optional<GridElement>& own = mesh->domains.at(location);
  if (own) {
    refuse(fmt::format("domains '{}' and '{}' are both the {}s of mesh '{}'",
                       model_.domains[own->domain()].id, domain.id, location_names.at(location),
                       domain.name),
           "a mesh has one set of each, and domains of one name are one mesh",
           "Give one of them another name?");
  }
  const CoordinateForm& form = forms_.of(element);
  if (location != node && (!form.has_bounds_lon || !form.has_bounds_lat)) {
    refuse(what + " has no bounds",
           fmt::format("the {}s of a mesh are known by their corners", location_names.at(location)),
           "Give it bounds_lon_1d and bounds_lat_1d?");
  }
  own = element;
  if (location == face) mesh->vertices = vertices;
  return *mesh;
}

void Ugrid::lend(const GridElement& element, std::vector<Mesh>& meshes) const {
  const config::Domain& domain = model_.domains[element.domain()];
  const auto location = static_cast<std::size_t>(*mesh_location(domain));
  const CoordinateForm& form = forms_.of(element);
  const bool has_all = form.has_lon && form.has_lat &&
                       (location == node || (form.has_bounds_lon && form.has_bounds_lat));
  const auto mesh = std::find_if(meshes.begin(), meshes.end(),
                                 [&](const Mesh& m) { return m.name == domain.name; });
  const bool is_here = std::any_of(slabs_.begin(), slabs_.end(), [&](const auto* slab) {
    return slab->element == element && !slab->lon.empty();
  });
  if (!has_all || !is_here || mesh == meshes.end() || mesh->domains.at(location)) return;
  mesh->domains.at(location) = element;
  mesh->is_lent.at(location) = true;
}

std::vector<MeshPlace> Ugrid::add(const std::vector<GridElement>& domains,
                                  const std::vector<GridElement>& lent) {
  std::vector<Mesh> meshes;
  for (const GridElement& element : domains) static_cast<void>(mesh_of(element, meshes));
  for (const GridElement& element : lent) lend(element, meshes);
  for (Mesh& mesh : meshes) add(mesh);
  std::vector<MeshPlace> out;
  for (const GridElement& element : domains) {
    for (const Mesh& mesh : meshes) {
      for (std::size_t l = 0; l < mesh.domains.size(); ++l) {
        if (mesh.domains.at(l) == element) out.push_back(mesh.places.at(l));
      }
    }
  }
  return out;
}

int Ugrid::add_dimension(const std::string& name, std::int64_t length) {
  auto& dimensions = spec_.dimensions;
  const auto known = std::find_if(dimensions.begin(), dimensions.end(),
                                  [&](const DimensionSpec& d) { return d.name == name; });
  const auto number = static_cast<int>(known - dimensions.begin());
  if (known == dimensions.end()) {
    check_name(spec_.path, "dimension", name);
    dimensions.push_back({name, length});
  } else if (known->length != length) {
    refuse(fmt::format("dimension '{}' has {} and {} points", name, known->length, length),
           "two meshes, or a mesh and an axis, want the name", "Give one another name?");
  }
  return number;
}

void Ugrid::add_variable(const std::string& name, ValueKind kind, std::vector<int> dimensions,
                         std::span<const double> numbers, std::vector<FileAttribute> attributes) {
  VariableSpec variable;
  variable.name = name;
  variable.kind = kind;
  variable.dimensions = std::move(dimensions);
  variable.attributes = std::move(attributes);
  if (kind == ValueKind::int32 && !variable.dimensions.empty()) variable.fill = no_index;
  Extents shape;
  for (const int d : variable.dimensions) shape.push_back(spec_.dimensions[as_index(d)].length);
  variable.fixed.box = whole(shape);
  variable.fixed.numbers = numbers;
  spec_.variables.push_back(std::move(variable));
}

/// Connectivity, and the attribute of the mesh that names it.
void Ugrid::add_links(const std::string& name, const char* role, const std::string& text_of_it,
                      std::vector<int> dimensions, std::vector<double> numbers,
                      std::vector<FileAttribute>& of_mesh) {
  own_.push_back(std::move(numbers));
  add_variable(name, ValueKind::int32, std::move(dimensions), own_.back(),
               {text("cf_role", role),
                text("long_name", text_of_it),
                {"start_index", std::vector<std::int32_t>{0}}});
  of_mesh.push_back(text(role, name));
}

MeshTopology Ugrid::topology_of(const Mesh& mesh) const {
  MeshCorners corners;
  if (mesh.domains[node]) {
    const CoordinateSlab& slab = slab_of(*mesh.domains[node]);
    corners.node_x = slab.lon;
    corners.node_y = slab.lat;
  }
  if (mesh.domains[edge]) {
    const CoordinateSlab& slab = slab_of(*mesh.domains[edge]);
    corners.edge_x = slab.bounds_lon;
    corners.edge_y = slab.bounds_lat;
  }
  if (mesh.domains[face]) {
    const CoordinateSlab& slab = slab_of(*mesh.domains[face]);
    corners.face_x = slab.bounds_lon;
    corners.face_y = slab.bounds_lat;
    corners.vertices = mesh.vertices;
  }
  return mesh_topology(corners);
}

void Ugrid::find_topology(Mesh& mesh) {
  mesh.topology = topology_of(mesh);
  if (mesh.topology.strays == 0) return;
  std::vector<std::string> lenders;
  for (std::size_t l = 0; l < mesh.domains.size(); ++l) {
    if (!mesh.is_lent.at(l)) continue;
    lenders.push_back(fmt::format("'{}'", model_.domains[mesh.domains.at(l)->domain()].id));
    mesh.domains.at(l).reset();
  }
  if (lenders.empty()) return;
  const bool is_one = lenders.size() == 1;
  remarks_.push_back(
      {spec_.path,
       fmt::format("mesh '{}' is numbered by itself, not as domain{} {} of that name {} it: its "
                   "cells have other corners or sides",
                   mesh.name, is_one ? "" : "s", fmt::join(lenders, " and "),
                   is_one ? "has" : "have"),
       mesh.topology.strays,
       {},
       "Is that another mesh? Give it another name."});
  mesh.topology = topology_of(mesh);
}

void Ugrid::add(Mesh& mesh) {
  find_topology(mesh);
  if (mesh.domains[face] && mesh.topology.edges == 0) {
    refuse(fmt::format("no cell of domain '{}' has corners",
                       model_.domains[mesh.domains[face]->domain()].id),
           "all of its bounds are missing", "Do clients give it bounds_lon_1d and bounds_lat_1d?");
  }
  if (mesh.topology.strays > 0) {
    remarks_.push_back(
        {spec_.path,
         fmt::format("mesh '{}': corners and sides of cells that are none of its nodes "
                     "and edges are left out",
                     mesh.name),
         mesh.topology.strays,
         {},
         "Are the domains of that name parts of one mesh, with positions in one unit?"});
  }
  std::vector<FileAttribute> attributes{
      text("cf_role", "mesh_topology"),
      text("long_name", "Topology of mesh " + mesh.name),
      {"topology_dimension",
       std::vector<std::int32_t>{mesh.domains[face] ? 2 : (mesh.domains[edge] ? 1 : 0)}}};
  const std::size_t place =
      spec_.variables.size();  // place of the mesh, before the variables that it names
  own_.push_back({0});
  add_variable(mesh.name, ValueKind::int32, {}, own_.back(), {});
  for (const std::size_t location : {node, edge, face}) {
    mesh.places.at(location).mesh = mesh.name;
    mesh.places.at(location).location = location_names.at(location);
  }
  add_topology(mesh, attributes);
  spec_.variables[place].attributes = std::move(attributes);
}

void Ugrid::add_topology(Mesh& mesh, std::vector<FileAttribute>& attributes) {
  const std::string& name = mesh.name;
  MeshTopology& topology = mesh.topology;
  const auto dimension_name = [&](const char* what) { return fmt::format("n{}_{}", name, what); };
  const int nodes = add_dimension(dimension_name("node"), topology.nodes);
  mesh.places[node].dimension = nodes;
  if (!mesh.domains[node]) {
    own_.push_back(std::move(topology.node_x));
    own_.push_back(std::move(topology.node_y));
  }
  add_positions(mesh, node, attributes, mesh.places[node]);
  if (topology.edges == 0) return;
  const int edges = add_dimension(dimension_name("edge"), topology.edges);
  const int two = add_dimension("Two", 2);
  mesh.places[edge].dimension = edges;
  attributes.push_back(text("edge_dimension", dimension_name("edge")));
  if (mesh.domains[edge]) add_positions(mesh, edge, attributes, mesh.places[edge]);
  add_links(name + "_edge_nodes", "edge_node_connectivity", "Nodes of each edge", {edges, two},
            std::move(topology.edge_nodes), attributes);
  if (!mesh.domains[face]) return;
  const int faces =
      add_dimension(dimension_name("face"),
                    static_cast<std::int64_t>(topology.face_nodes.size()) / mesh.vertices);
  const int vertices = add_dimension(dimension_name("vertex"), mesh.vertices);
  mesh.places[face].dimension = faces;
  attributes.push_back(text("face_dimension", dimension_name("face")));
  add_positions(mesh, face, attributes, mesh.places[face]);
  add_links(name + "_face_nodes", "face_node_connectivity", "Nodes of each face", {faces, vertices},
            std::move(topology.face_nodes), attributes);
  add_links(name + "_face_edges", "face_edge_connectivity", "Edges of each face", {faces, vertices},
            std::move(topology.face_edges), attributes);
  add_links(name + "_face_links", "face_face_connectivity", "Faces beside each face",
            {faces, vertices}, std::move(topology.face_faces), attributes);
  add_links(name + "_edge_face_links", "edge_face_connectivity", "Faces on the sides of each edge",
            {edges, two}, std::move(topology.edge_faces), attributes);
}

void Ugrid::add_positions(const Mesh& mesh, std::size_t location,
                          std::vector<FileAttribute>& attributes, MeshPlace& place) {
  const std::optional<GridElement>& domain = mesh.domains.at(location);
  const char* const what = location_names.at(location);
  // Nodes without a domain of their own use what was kept last.
  std::span<const double> x;
  std::span<const double> y;
  const GridElement& giver =
      domain ? *domain : (mesh.domains[edge] ? *mesh.domains[edge] : *mesh.domains[face]);
  const auto& prec = model_.domains[giver.domain()].attributes.prec;
  if (domain) {
    x = slab_of(*domain).lon;
    y = slab_of(*domain).lat;
  } else {
    x = own_[own_.size() - 2];
    y = own_.back();
  }
  const bool is_planar = mesh.topology.is_planar;
  const std::array<const char*, 2> letters{"x", "y"};
  const std::array<const char*, 2> standard =
      is_planar ? std::array{"projection_x_coordinate", "projection_y_coordinate"}
                : std::array{"longitude", "latitude"};
  const std::array<const char*, 2> units =
      is_planar ? std::array{"m", "m"} : std::array{"degrees_east", "degrees_north"};
  const std::array<std::span<const double>, 2> numbers{x, y};
  for (std::size_t d = 0; d < letters.size(); ++d) {
    const std::string name = fmt::format("{}_{}_{}", mesh.name, what, letters.at(d));
    add_variable(name, coordinate_kind(prec), {place.dimension}, numbers.at(d),
                 {text("standard_name", standard.at(d)),
                  text("long_name",
                       fmt::format("{} of the {}s of mesh {}", standard.at(d), what, mesh.name)),
                  text("units", units.at(d))});
    spec_.variables.back().marks_unset = true;
    place.coordinates.push_back(name);
  }
  attributes.push_back({fmt::format("{}_coordinates", what),
                        fmt::format("{} {}", place.coordinates[0], place.coordinates[1])});
  if (!domain || mesh.is_lent.at(location) || !forms_.of(*domain).has_area) return;
  const std::string name = fmt::format("{}_{}_area", mesh.name, what);
  add_variable(name, coordinate_kind(prec), {place.dimension}, slab_of(*domain).area,
               {text("standard_name", "cell_area"), text("units", "m2"), text("mesh", mesh.name),
                text("location", what)});
  spec_.variables.back().marks_unset = true;
  place.areas.push_back(name);
}

}  // namespace epios::io
