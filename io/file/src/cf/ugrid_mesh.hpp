/// @file
/// The topology of an unstructured mesh, from the positions of corners. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace epios::io {

/// Positions as clients gave them; NaN if not given. They are degrees on a sphere, where longitudes
/// are equal after a full turn and at poles, or lengths in a plane if some are no angles.
struct MeshCorners {
  std::span<const double> node_x, node_y;  ///< nodes that have a domain; else empty
  std::span<const double> edge_x, edge_y;  ///< two for each edge that has a domain; else empty
  std::span<const double> face_x, face_y;  ///< `vertices` for each face
  std::int64_t vertices = 0;
};

/// Indices from 0, as doubles for FixedPart; NaN for none.
struct MeshTopology {
  bool is_planar = false;
  std::vector<double> node_x, node_y;  ///< nodes without a domain; else empty
  std::int64_t nodes = 0;
  std::int64_t edges = 0;
  std::vector<double> edge_nodes;  ///< two for each edge
  std::vector<double> face_nodes;  ///< `vertices` for each face, in the given order
  std::vector<double> face_edges;  ///< parallel: the edge from this node to the next
  std::vector<double> face_faces;  ///< parallel: the face behind that edge
  std::vector<double> edge_faces;  ///< two for each edge
  std::int64_t strays = 0;  ///< corners of edges and faces that are not among the given nodes, and
                            ///< sides of faces that are not among the given edges
};

/// Finds the topology. Nodes and edges with a domain keep their numbers; others are numbered in
/// order of appearance. Corners are one node if they are as near as the rounding of single
/// precision. O(corners).
MeshTopology mesh_topology(const MeshCorners& corners);

}  // namespace epios::io
