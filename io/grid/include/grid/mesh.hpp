/// @file
/// Meshes (UGRID 1.0, convention="UGRID"): unstructured domains with one name are the nodes, edges
/// and faces of one mesh.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"

namespace epios::io {

enum class MeshLocation : std::uint8_t { node, edge, face };

/// Returns the location that nvertex (1, 2 or more) gives a domain, or nothing if it is not part of
/// a mesh.
std::optional<MeshLocation> mesh_location(const config::Domain& domain);

/// Returns domains that number the nodes and edges of the meshes of a file without being in the
/// file. A file with faces numbers edges and nodes as the model does, a file with edges the nodes,
/// so that all files of a run number them alike. Among several domains at one location it is the
/// first. Results of transformations get none, because they may be a part of the mesh. Ordered by
/// location; empty for files without meshes. O(domains × streams of the file).
std::vector<config::GridElement> lent_domains(const config::Model& model, const config::File& file);

}  // namespace epios::io
