// Checks a file against the rules of UGRID 1.0 with the distribution's serial NetCDF, and that its
// connectivities say the same about one closed sphere; and that all files number it alike.
//   check_ugrid <file>...
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <deque>
#include <exception>
#include <map>
#include <numbers>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "../integration/netcdf_file.hpp"

namespace {

using toy::NetcdfFile;
using Indices = std::vector<std::vector<int>>;

void expect(bool condition, const std::string& what) {
  if (!condition) throw std::runtime_error(what);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> out;
  for (std::string word; stream >> word;) out.push_back(word);
  return out;
}

/// Names of dimensions and their lengths.
std::vector<std::pair<std::string, int>> dimensions(const NetcdfFile& file,
                                                    const std::string& variable) {
  std::vector<std::pair<std::string, int>> out;
  const auto parts = words(file.shape(file.find(variable)));
  for (std::size_t i = 2; i < parts.size(); ++i) {
    const auto place = parts[i].find('=');
    out.emplace_back(parts[i].substr(0, place), std::stoi(parts[i].substr(place + 1)));
  }
  return out;
}

class Mesh {
 public:
  Mesh(const NetcdfFile& file, const std::string& name) : file_(file), name_(name) {
    expect(file.text(name, "cf_role") == "mesh_topology", name + " is no mesh");
    topology_ = static_cast<int>(file.number(name, "topology_dimension", -1));
    expect(topology_ == 1 || topology_ == 2, name + " has no topology_dimension");
    read_positions("node");
    expect(sizes_.contains("node"), name + " has no nodes");
    edge_nodes_ = links("edge_node_connectivity", "node", "edge");
    expect(!edge_nodes_.empty(), name + " has no edges");
    read_positions("edge");
    if (topology_ == 2) check_faces();
    check_edges();
  }

  /// Whether both number nodes, edges and faces alike, as far as they have them.
  void check_same(const Mesh& other) const {
    expect(nodes_ == other.nodes_, "nodes are numbered otherwise than in another file");
    expect(edge_nodes_ == other.edge_nodes_, "edges are numbered otherwise than in another file");
    expect(face_nodes_.empty() || other.face_nodes_.empty() || face_nodes_ == other.face_nodes_,
           "faces are numbered otherwise than in another file");
  }

  /// Whether a field says where it is.
  void check_field(const std::string& field) const {
    const std::string location = file_.text(field, "location");
    expect(sizes_.contains(location), field + " is at '" + location + "'");
    const auto own = dimensions(file_, field).back();
    expect(own.second == sizes_.at(location) && own.first == names_.at(location),
           field + " is not on the " + location + "s");
  }

 private:
  void read_positions(const std::string& location) {
    const std::string attribute = file_.text(name_, location + "_coordinates");
    if (attribute == "(none)") return;
    const auto names = words(attribute);
    expect(names.size() == 2, location + "_coordinates");
    std::vector<std::vector<double>> both;
    for (const std::string& name : names) {
      const auto own = dimensions(file_, name);
      expect(own.size() == 1, name + " is no list");
      note(location, own[0]);
      both.push_back(file_.values(name));
    }
    expect(file_.text(names[0], "standard_name") == "longitude" &&
               file_.text(names[0], "units") == "degrees_east" &&
               file_.text(names[1], "standard_name") == "latitude" &&
               file_.text(names[1], "units") == "degrees_north",
           location + "_coordinates have no names of CF");
    if (location == "node") nodes_ = both;
  }

  void note(const std::string& location, const std::pair<std::string, int>& dimension) {
    const auto [place, is_new] = sizes_.emplace(location, dimension.second);
    expect(is_new || place->second == dimension.second, "two numbers of " + location + "s");
    names_.emplace(location, dimension.first);
    expect(names_.at(location) == dimension.first, "two dimensions of " + location + "s");
  }

  /// A connectivity from `from` (rows) to `to`; indices there are not are left out.
  Indices links(const std::string& role, const std::string& to, const std::string& from) {
    const std::string variable = file_.text(name_, role);
    if (variable == "(none)") return {};
    expect(file_.text(variable, "cf_role") == role, variable + " has another cf_role");
    const auto shape = dimensions(file_, variable);
    expect(shape.size() == 2, variable + " is no table");
    note(from, shape[0]);
    const std::string type = file_.shape(file_.find(variable));
    expect(type.starts_with("type 4 "), variable + " holds no integers");
    const int start = static_cast<int>(file_.number(variable, "start_index", 0));
    const double fill = file_.number(variable, "_FillValue", NAN);
    expect(!(fill >= start), variable + " has a _FillValue that is an index");
    const std::vector<double> values = file_.values(variable);
    Indices out(static_cast<std::size_t>(shape[0].second));
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == fill) continue;
      const int index = static_cast<int>(values[i]) - start;
      expect(index >= 0 && (!sizes_.contains(to) || index < sizes_.at(to)),
             variable + " has an index outside");
      out[i / static_cast<std::size_t>(shape[1].second)].push_back(index);
    }
    return out;
  }

  void check_edges() const {
    std::set<std::set<int>> known;
    for (const auto& edge : edge_nodes_) {
      const std::set<int> pair(edge.begin(), edge.end());
      expect(pair.size() == 2, "an edge without two nodes");
      expect(known.insert(pair).second, "an edge twice");
      expect(length(edge[0], edge[1]) < 1, "an edge that is too long");
    }
  }

  void check_faces() {
    face_nodes_ = links("face_node_connectivity", "node", "face");
    expect(!face_nodes_.empty(), "no faces");
    read_positions("face");
    const Indices face_edges = links("face_edge_connectivity", "edge", "face");
    const Indices face_faces = links("face_face_connectivity", "face", "face");
    const Indices edge_faces = links("edge_face_connectivity", "face", "edge");
    std::map<std::set<int>, int> edge_of;
    for (std::size_t e = 0; e < edge_nodes_.size(); ++e) {
      edge_of[{edge_nodes_[e].begin(), edge_nodes_[e].end()}] = static_cast<int>(e);
    }
    std::vector<std::set<int>> beside(edge_nodes_.size());
    for (std::size_t f = 0; f < face_nodes_.size(); ++f) {
      const auto& ring = face_nodes_[f];
      expect(std::set<int>(ring.begin(), ring.end()).size() == ring.size() && ring.size() >= 3,
             "a face with a node twice, or of less than three");
      expect(face_edges[f].size() == ring.size(), "a face with another number of edges");
      for (std::size_t v = 0; v < ring.size(); ++v) {
        const int edge = edge_of.at({ring[v], ring[(v + 1) % ring.size()]});
        expect(face_edges[f][v] == edge, "a face's edge is not between its nodes");
        beside[static_cast<std::size_t>(edge)].insert(static_cast<int>(f));
      }
    }
    for (std::size_t e = 0; e < beside.size(); ++e) {
      expect(beside[e].size() == 2, "a side of the sphere has not two faces");
      expect(beside[e] == std::set<int>(edge_faces[e].begin(), edge_faces[e].end()),
             "edge_face_connectivity says something else");
    }
    for (std::size_t f = 0; f < face_nodes_.size(); ++f) {
      expect(face_faces[f].size() == face_edges[f].size(), "a face with another number of faces");
      for (std::size_t v = 0; v < face_edges[f].size(); ++v) {
        const std::set<int> both{static_cast<int>(f), face_faces[f][v]};
        expect(beside[static_cast<std::size_t>(face_edges[f][v])] == both,
               "face_face_connectivity says something else");
      }
    }
    expect(sizes_.at("node") - sizes_.at("edge") + sizes_.at("face") == 2, "no sphere (Euler)");
  }

  double length(int a, int b) const {
    const auto point = [this](int n) {
      const auto i = static_cast<std::size_t>(n);
      const double lon = nodes_[0][i] * std::numbers::pi / 180;
      const double lat = nodes_[1][i] * std::numbers::pi / 180;
      return std::vector<double>{std::cos(lat) * std::cos(lon), std::cos(lat) * std::sin(lon),
                                 std::sin(lat)};
    };
    const auto p = point(a);
    const auto q = point(b);
    return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
  }

  const NetcdfFile& file_;
  std::string name_;
  int topology_ = 0;
  std::map<std::string, int> sizes_;  // by location
  std::map<std::string, std::string> names_;
  std::vector<std::vector<double>> nodes_;
  Indices edge_nodes_, face_nodes_;
};

/// Meshes by name, as the first file has them.
using Meshes = std::map<std::string, Mesh>;

void check_file(const NetcdfFile& file, Meshes& meshes) {
  expect(file.text("", "Conventions").find("UGRID-1.0") != std::string::npos, "no UGRID");
  int fields = 0;
  for (int v = 0; v < file.variable_count(); ++v) {
    const std::string name = file.variable_name(v);
    const std::string mesh = file.text(name, "mesh");
    if (mesh == "(none)") continue;
    ++fields;
    const Mesh found(file, mesh);
    found.check_field(name);
    found.check_same(meshes.try_emplace(mesh, found).first->second);
  }
  expect(fields > 0, "no field on a mesh");
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> paths(argv + 1, argv + argc);
  Meshes meshes;
  std::deque<NetcdfFile> files;
  int status = 0;
  for (const std::string& path : paths) {
    try {
      check_file(files.emplace_back(path), meshes);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "check_ugrid: %s: %s\n", path.c_str(), error.what());
      status = 1;
    }
  }
  return status;
}
