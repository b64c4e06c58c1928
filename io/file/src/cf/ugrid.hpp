/// @file
/// convention="UGRID": the domains of a file as meshes (UGRID 1.0, ugrid-conventions.github.io).
#pragma once

#include <deque>
#include <span>
#include <string>
#include <vector>

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"
#include "file/output_file.hpp"
#include "grid/coordinates.hpp"
#include "grid/remark.hpp"

namespace epios::io {

struct MeshTopology;

/// Numbers that a description refers to, at stable addresses.
using OwnNumbers = std::deque<std::vector<double>>;

/// The place of a domain in a mesh.
struct MeshPlace {
  int dimension = -1;
  std::vector<std::string> coordinates;  ///< its variables with positions
  std::vector<std::string> areas;
  std::string mesh;      ///< variable that describes the mesh
  std::string location;  ///< "node", "edge" or "face"
};

/// Adds the meshes of a file to its description. Domains with one name are the nodes, edges and
/// faces of one mesh, by their nvertex of 1, 2 and more. Nodes and edges without a domain are found
/// from the corners of the others. `domains` has one entry per domain of the file, and the places
/// are parallel to it. `slabs` are those of whole domains. Throws Error{configuration} if they form
/// no mesh.
class Ugrid {
 public:
  Ugrid(const config::Model& model, const CoordinateForms& forms,
        std::span<const CoordinateSlab* const> slabs, FileSpec& spec, OwnNumbers& own)
      : model_(model), forms_(forms), slabs_(slabs), spec_(spec), own_(own) {}

  /// `lent` are domains that number nodes and edges of these meshes. They are ignored, with a
  /// remark, if the corners of the meshes are not among them.
  std::vector<MeshPlace> add(const std::vector<config::GridElement>& domains,
                             const std::vector<config::GridElement>& lent);
  const std::vector<Remark>& remarks() const { return remarks_; }

 private:
  struct Mesh;
  Mesh& mesh_of(const config::GridElement& element, std::vector<Mesh>& meshes) const;
  void lend(const config::GridElement& element, std::vector<Mesh>& meshes) const;
  MeshTopology topology_of(const Mesh& mesh) const;
  void find_topology(Mesh& mesh);
  void add(Mesh& mesh);
  void add_topology(Mesh& mesh, std::vector<FileAttribute>& attributes);
  void add_positions(const Mesh& mesh, std::size_t location, std::vector<FileAttribute>& attributes,
                     MeshPlace& place);
  int add_dimension(const std::string& name, std::int64_t length);
  void add_variable(const std::string& name, ValueKind kind, std::vector<int> dimensions,
                    std::span<const double> numbers, std::vector<FileAttribute> attributes);
  void add_links(const std::string& name, const char* role, const std::string& text,
                 std::vector<int> dimensions, std::vector<double> numbers,
                 std::vector<FileAttribute>& of_mesh);
  const CoordinateSlab& slab_of(const config::GridElement& element) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& why,
                           const std::string& suggestion) const;

  const config::Model& model_;
  const CoordinateForms& forms_;
  std::span<const CoordinateSlab* const> slabs_;
  FileSpec& spec_;
  OwnNumbers& own_;
  std::vector<Remark> remarks_;
};

}  // namespace epios::io
