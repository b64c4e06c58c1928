// Which numbers nodes and edges of a mesh have in its files.
#include <algorithm>
#include <numeric>

#include "cf/coordinates.hpp"
#include "cf/models.hpp"
#include "scratch.hpp"

namespace epios::io::test::ugrid_test {
namespace {

using Numbers = std::vector<double>;

/// Two squares beside each other; the model numbers nodes and edges from the far end:
///   2 1 0
///   5 4 3
struct Strip {
  config::Model model = empty_model();

  /// Nothing is on nodes and edges in this file.
  Strip() {
    for (const auto& [id, vertices, cells] :
         {std::tuple{"face", 4, 2}, std::tuple{"edge", 2, 7}, std::tuple{"node", 1, 6}}) {
      model.domains.push_back({id, "mesh", {}});
      auto& a = model.domains.back().attributes;
      a.type = "unstructured";
      a.nvertex = vertices;
      a.ni_glo = cells;
      a.nj_glo = 1;
    }
    add_field(model, "f", {domain_of(0)});
    model.files[0].attributes.convention = "UGRID";
    model.files[0].attributes.time_counter = "none";
  }

  Described described() const {
    Coordinates all(model);
    CoordinateSlab& face = all.whole_of(domain_of(0));
    face.lon = {5, 15};
    face.lat = {5, 5};
    face.area = {1, 1};
    face.bounds_lon = {0, 10, 10, 0, 10, 20, 20, 10};
    face.bounds_lat = {0, 0, 10, 10, 0, 0, 10, 10};
    CoordinateSlab& edge = all.whole_of(domain_of(1));
    edge.bounds_lon = {20, 20, 20, 10, 20, 10, 10, 10, 10, 0, 10, 0, 0, 0};
    edge.bounds_lat = {0, 10, 10, 10, 0, 0, 0, 10, 10, 10, 0, 0, 0, 10};
    edge.lon = edge.lat = edge.area = Numbers(7, 3);
    CoordinateSlab& node = all.whole_of(domain_of(2));
    node.lon = {20, 10, 0, 20, 10, 0};
    node.lat = {10, 10, 10, 0, 0, 0};
    return describe(model, all);
  }
};

Numbers numbers(const Described& file, const std::string& variable) {
  for (const VariableSpec& one : file.cf.spec.variables) {
    if (one.name == variable) return {one.fixed.numbers.begin(), one.fixed.numbers.end()};
  }
  return {};
}

TEST(Ugrid, files_without_nodes_and_edges_number_them_as_the_model_does) {
  const Strip strip;
  const Described file = strip.described();
  EXPECT_EQ(numbers(file, "mesh_face_nodes"), (Numbers{5, 4, 1, 2, 4, 3, 0, 1}));
  EXPECT_EQ(numbers(file, "mesh_face_edges"), (Numbers{5, 3, 4, 6, 2, 0, 1, 3}));
  EXPECT_EQ(numbers(file, "mesh_edge_nodes"), (Numbers{3, 0, 0, 1, 3, 4, 4, 1, 1, 2, 4, 5, 5, 2}));
  EXPECT_EQ(numbers(file, "mesh_node_x"), (Numbers{20, 10, 0, 20, 10, 0}));
  EXPECT_EQ(numbers(file, "mesh_edge_x"), Numbers(7, 3));
  EXPECT_EQ(numbers(file, "mesh_face_area"), (Numbers{1, 1}));
  EXPECT_EQ(numbers(file, "mesh_edge_area"), Numbers());
  EXPECT_TRUE(file.cf.remarks.empty());
}

TEST(Ugrid, another_mesh_of_that_name_lends_no_numbers) {
  Strip strip;
  strip.model.domains[1].attributes.nvertex = 3;  // no edges: other cells
  strip.model.domains[2].attributes.ni_glo = 5;   // no node at the last corner
  Coordinates all(strip.model);
  CoordinateSlab& face = all.whole_of(domain_of(0));
  face.lon = {5, 15};
  face.lat = {5, 5};
  face.bounds_lon = {0, 10, 10, 0, 10, 20, 20, 10};
  face.bounds_lat = {0, 0, 10, 10, 0, 0, 10, 10};
  CoordinateSlab& node = all.whole_of(domain_of(2));
  node.lon = {20, 10, 0, 20, 10};
  node.lat = {10, 10, 10, 0, 0};
  const Described file = describe(strip.model, all);
  EXPECT_EQ(numbers(file, "mesh_face_nodes"), (Numbers{0, 1, 2, 3, 1, 4, 5, 2}));
  EXPECT_EQ(numbers(file, "mesh_node_x"), (Numbers{0, 10, 10, 0, 20, 20}));
  ASSERT_EQ(file.cf.remarks.size(), 1U);
  EXPECT_EQ(sentences(file.cf.remarks).front(),
            "file 'f.nc': mesh 'mesh' is numbered by itself, not as domain 'node' of that name has "
            "it: its cells have other corners or sides at 1 point. Is that another mesh? Give it "
            "another name.");
}

TEST(Ugrid, a_part_of_a_mesh_has_nodes_of_its_own) {
  Strip strip;
  strip.model.domains[0].transformations.emplace_back();
  const Described file = strip.described();
  EXPECT_EQ(numbers(file, "mesh_face_nodes"), (Numbers{0, 1, 2, 3, 1, 4, 5, 2}));
  EXPECT_TRUE(file.cf.remarks.empty());
}

TEST(Ugrid, what_transformations_made_lends_no_numbers) {
  Strip strip;
  strip.model.domains[1].transformations.emplace_back();
  const Described file = strip.described();
  EXPECT_EQ(numbers(file, "mesh_face_nodes"), (Numbers{5, 4, 1, 2, 4, 3, 0, 1}));
  EXPECT_EQ(numbers(file, "mesh_face_edges"), (Numbers{0, 1, 2, 3, 4, 5, 6, 1}));
}

}  // namespace
}  // namespace epios::io::test::ugrid_test
