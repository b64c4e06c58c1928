/// @file
/// Meshes (convention="UGRID"): unstructured domains of one name are the nodes, edges and faces of
/// one mesh.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/grid_element.hpp"
#include "config/model_fwd.hpp"

namespace epios::io {

enum class MeshLocation : std::uint8_t { node, edge, face };

/// By its nvertex of 1, 2 and more; none: it is no part of a mesh.
std::optional<MeshLocation> mesh_location(const config::Domain& domain);

/// Domains that number the nodes and edges of a file's meshes without being in the file: a file
/// with faces numbers edges and nodes as the model does, one with edges the nodes, so that files of
/// one run number them alike. Of several at one location the first; none for what transformations
/// have made, which may be a part of the mesh. In order of their location. Empty for files without
/// meshes. O(domains × streams of the file).
std::vector<config::GridElement> lent_domains(const config::Model& model, const config::File& file);

}  // namespace epios::io
