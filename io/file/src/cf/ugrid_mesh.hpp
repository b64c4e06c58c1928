/// @file
/// The topology of an unstructured mesh, from the positions of corners. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace epios::io {

/// Positions as clients gave them; NaN: not given. Degrees on a sphere, where longitudes are the
/// same a turn apart and at poles; or, when some are none, lengths in a plane.
struct MeshCorners {
  std::span<const double> node_x, node_y;  ///< nodes that have a domain; else empty
  std::span<const double> edge_x, edge_y;  ///< two of each edge that has a domain; else empty
  std::span<const double> face_x, face_y;  ///< `vertices` of each face
  std::int64_t vertices = 0;
};

/// Indices from 0; NaN: there is none. As doubles, for FixedPart.
struct MeshTopology {
  bool is_planar = false;
  std::vector<double> node_x, node_y;  ///< nodes without a domain; else empty
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  std::vector<double> edge_nodes;  ///< two per edge
  std::vector<double> face_nodes;  ///< `vertices` per face, in the order that was given
  std::vector<double> face_edges;  ///< parallel: from this node to the next
  std::vector<double> face_faces;  ///< parallel: behind that edge
  std::vector<double> edge_faces;  ///< two per edge
  std::int64_t strays = 0;         ///< corners of edges and faces that are none of the given nodes,
                                   ///< and sides of faces that are none of the given edges
};

/// Nodes and edges with a domain keep their numbers; others are numbered as they come. Corners are
/// one node when they are as near as rounding in single precision leaves them. O(corners).
MeshTopology mesh_topology(const MeshCorners& corners);

}  // namespace epios::io
