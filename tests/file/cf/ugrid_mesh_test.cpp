// Topology from corners; tests/fortran/mesh checks whole files of a sphere.
#include "cf/ugrid_mesh.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace epios::io::ugrid_mesh_test {
namespace {

constexpr double none = -1;  // NaN, so that lists can be compared

std::vector<double> shown(std::vector<double> list) {
  for (double& value : list) {
    if (std::isnan(value)) value = none;
  }
  return list;
}

/// Two squares beside each other, and a triangle on the second:
///   2 5
///   0 1 4   with positions (x, y)
struct Patch {
  std::vector<double> x = {0, 1, 1, 0, 1, 2, 2, 1, 1, 2, 1.5, 1.5};
  std::vector<double> y = {0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 2, 2};
  MeshTopology build(double scale = 1) {
    for (auto* list : {&x, &y}) {
      for (double& value : *list) value *= scale;
    }
    MeshCorners corners;
    corners.face_x = x;
    corners.face_y = y;
    corners.vertices = 4;
    return mesh_topology(corners);
  }
};

TEST(UgridMesh, nodes_and_edges_are_found_in_faces) {
  const MeshTopology mesh = Patch().build();
  EXPECT_FALSE(mesh.is_planar);
  EXPECT_EQ(mesh.nodes, 7);
  EXPECT_EQ(mesh.node_x, (std::vector<double>{0, 1, 1, 0, 2, 2, 1.5}));
  EXPECT_EQ(shown(mesh.face_nodes), (std::vector<double>{0, 1, 2, 3, 1, 4, 5, 2, 2, 5, 6, none}));
  EXPECT_EQ(mesh.edges, 9);
  EXPECT_EQ(shown(mesh.face_edges), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 1, 6, 7, 8, none}));
  EXPECT_EQ(shown(mesh.face_faces),
            (std::vector<double>{none, 1, none, none, none, none, 2, 0, 1, none, none, none}));
  EXPECT_EQ(shown(mesh.edge_faces), (std::vector<double>{0, none, 0, 1, 0, none, 0, none, 1, none,
                                                         1, none, 1, 2, 2, none, 2, none}));
  EXPECT_EQ(mesh.strays, 0);
}

TEST(UgridMesh, lengths_in_a_plane_are_no_longitudes) {
  // 360 m apart is not the same place.
  const MeshTopology mesh = Patch().build(360);
  EXPECT_TRUE(mesh.is_planar);
  EXPECT_EQ(mesh.nodes, 7);
}

TEST(UgridMesh, corners_are_one_where_single_precision_tells_them_apart) {
  Patch patch;
  patch.x[4] = std::nextafter(1.0F, 2.0F);
  patch.y[4] = 1e-6;
  EXPECT_EQ(patch.build().nodes, 7);
}

TEST(UgridMesh, poles_and_turns_are_one_place) {
  const std::vector<double> x = {0, 120, 77, 120, 240, -5, 240, 360, 400};
  const std::vector<double> y = {80, 80, 90, 80, 80, 90, 80, 80, 90};
  MeshCorners corners;
  corners.face_x = x;
  corners.face_y = y;
  corners.vertices = 3;
  const MeshTopology mesh = mesh_topology(corners);
  EXPECT_EQ(mesh.nodes, 4);
  EXPECT_EQ(shown(mesh.face_nodes), (std::vector<double>{0, 1, 2, 1, 3, 2, 3, 0, 2}));
}

TEST(UgridMesh, given_nodes_and_edges_keep_their_numbers) {
  Patch patch;
  const std::vector<double> node_x = {1.5, 2, 2, 0, 1, 1, 0};
  const std::vector<double> node_y = {2, 1, 0, 1, 1, 0, 0};
  const std::vector<double> edge_x = {1, 1};  // one of the nine
  const std::vector<double> edge_y = {1, 0};
  MeshCorners corners;
  corners.node_x = node_x;
  corners.node_y = node_y;
  corners.edge_x = edge_x;
  corners.edge_y = edge_y;
  corners.face_x = patch.x;
  corners.face_y = patch.y;
  corners.vertices = 4;
  const MeshTopology mesh = mesh_topology(corners);
  EXPECT_EQ(mesh.nodes, 7);
  EXPECT_TRUE(mesh.node_x.empty());
  EXPECT_EQ(shown(mesh.face_nodes), (std::vector<double>{6, 5, 4, 3, 5, 2, 1, 4, 4, 1, 0, none}));
  EXPECT_EQ(mesh.edges, 1);
  EXPECT_EQ(mesh.edge_nodes, (std::vector<double>{4, 5}));
  EXPECT_EQ(shown(mesh.edge_faces), (std::vector<double>{0, 1}));
  EXPECT_EQ(mesh.strays, 9);  // sides that are none of the edges
}

// As meshes have them that come from files. Would have found a triangle without a node among cells
// of four corners, and none of its sides.
TEST(UgridMesh, places_without_a_corner_fill_up_faces) {
  Patch patch;
  patch.x[11] = patch.y[11] = std::nan("");
  const MeshTopology mesh = patch.build();
  EXPECT_EQ(mesh.nodes, 7);
  EXPECT_EQ(mesh.edges, 9);
  EXPECT_EQ(shown(mesh.face_nodes), (std::vector<double>{0, 1, 2, 3, 1, 4, 5, 2, 2, 5, 6, none}));
  EXPECT_EQ(shown(mesh.face_edges), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 1, 6, 7, 8, none}));
}

TEST(UgridMesh, what_nobody_gives_is_left_out) {
  Patch patch;
  for (std::size_t v = 4; v < 8; ++v) patch.x[v] = std::nan("");
  const MeshTopology mesh = patch.build();
  EXPECT_EQ(shown(mesh.face_nodes),
            (std::vector<double>{0, 1, 2, 3, none, none, none, none, 2, 4, 5, none}));
  EXPECT_EQ(mesh.strays, 0);
}

}  // namespace
}  // namespace epios::io::ugrid_mesh_test
