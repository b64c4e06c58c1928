#include "config/element_names.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "sample.hpp"

namespace epios::config::element_names_test {
namespace {

using Kind = GridElement::Kind;

/// One file with a field, `v0`, `v1` ..., on each list of elements.
struct Case {
  Model model;
  File file;

  int axis(const std::string& name, std::int64_t size,
           const std::optional<std::string>& dimension = std::nullopt) {
    Axis axis;
    axis.id = axis.name = name;
    axis.attributes.n_glo = size;
    axis.attributes.dim_name = dimension;
    model.axes.push_back(axis);
    return static_cast<int>(model.axes.size()) - 1;
  }
  int domain(const std::string& name, std::int64_t ni, std::int64_t nj,
             const std::string& type = "rectilinear") {
    Domain domain;
    domain.id = domain.name = name;
    domain.attributes.type = type;
    domain.attributes.ni_glo = ni;
    domain.attributes.nj_glo = nj;
    model.domains.push_back(domain);
    return static_cast<int>(model.domains.size()) - 1;
  }
  void field(std::vector<GridElement> elements) {
    Stream stream;
    stream.name = "v" + std::to_string(model.streams.size());
    stream.grid = model.grids.end_id();
    model.grids.push_back({"", std::move(elements)});
    file.streams.push_back(model.streams.end_id());
    model.streams.push_back(std::move(stream));
  }

  std::string names(const FileNames& names) const {
    std::string text;
    for (const SharedElement& element : names.elements()) {
      text += std::to_string(element.members.size()) + ":";
      for (const std::string& name : element.names.dimensions) text += " " + name;
      text += " |";
      for (const std::string& name : element.names.coordinates) text += " " + name;
      text += "\n";
    }
    return text;
  }
  std::string names() const { return names(FileNames(model, file)); }
};

TEST(FileNames, of_one_of_each_are_plain) {
  Case c;
  c.field({{Kind::domain, c.domain("globe", 8, 4)}, {Kind::axis, c.axis("depth", 3)}});
  EXPECT_EQ(c.names(), "1: lat lon | lat lon\n1: depth | depth\n");
  c.model.domains[0].attributes.dim_i_name = "x";
  c.model.domains[0].attributes.lat_name = "nav_lat";
  c.model.axes[0].attributes.dim_name = "z";
  EXPECT_EQ(c.names(), "1: nav_lat x | nav_lat lon\n1: z | depth\n");
  const FileNames names(c.model, c.file);
  EXPECT_EQ(names.of({Kind::axis, 0}).names.bounds, std::vector<std::string>{"depth_bounds"});
  EXPECT_EQ(names.of({Kind::domain, 0}).names.bounds,
            (std::vector<std::string>{"bounds_nav_lat", "bounds_lon"}));
}

TEST(FileNames, follow_the_kind_of_the_domain) {
  Case c;
  c.field({{Kind::domain, c.domain("ocean", 8, 4, "curvilinear")}});
  EXPECT_EQ(c.names(), "1: y x | nav_lat nav_lon\n");
  c.model.domains[0].attributes.type = "unstructured";
  EXPECT_EQ(c.names(), "1: cell | lat lon\n");
}

TEST(FileNames, elements_that_are_the_same_share_all) {
  Case c;
  // With halos of different width, as a model may have it.
  c.field({{Kind::domain, c.domain("globe", 8, 4)}, {Kind::axis, c.axis("depth", 3)}});
  c.field({{Kind::domain, c.domain("globe", 8, 4)}, {Kind::axis, c.axis("depth", 3)}});
  c.model.domains[1].attributes.data_ibegin = -2;
  EXPECT_EQ(c.names(), "2: lat lon | lat lon\n2: depth | depth\n");
  const FileNames names(c.model, c.file);
  EXPECT_EQ(&names.of({Kind::domain, 0}), &names.of({Kind::domain, 1}));
}

TEST(FileNames, another_size_is_another_element) {
  Case c;
  c.field({{Kind::axis, c.axis("depth", 3)}});
  c.field({{Kind::axis, c.axis("depth", 4)}});
  c.field({{Kind::axis, c.axis("depth", 5)}});
  c.field({{Kind::axis, c.axis("depth", 4)}});
  EXPECT_EQ(c.names(), "1: depth | depth\n2: depth_2 | depth_2\n1: depth_3 | depth_3\n");
  Case domains;
  domains.field({{Kind::domain, domains.domain("globe", 8, 4)}});
  domains.field({{Kind::domain, domains.domain("globe", 16, 8)}});
  EXPECT_EQ(domains.names(),
            "1: lat_globe lon_globe | lat_globe lon_globe\n"
            "1: lat_globe_2 lon_globe_2 | lat_globe_2 lon_globe_2\n");
}

TEST(FileNames, other_values_or_units_are_another_element) {
  Case c;
  c.field({{Kind::axis, c.axis("lev", 2)}});
  c.field({{Kind::axis, c.axis("lev", 2)}});
  c.model.axes[0].attributes.value = value::reals{{1, 2}, {2}};
  EXPECT_EQ(c.names(), "2: lev | lev\n") << "one says nothing";
  c.model.axes[1].attributes.value = value::reals{{1, 3}, {2}};
  EXPECT_EQ(c.names(), "1: lev | lev\n1: lev_2 | lev_2\n");
  const auto any = [](const GridElement&, const GridElement&) { return true; };
  EXPECT_EQ(c.names(FileNames(c.model, c.file, any)), "2: lev | lev\n");
  c.model.axes[1].attributes.unit = "Pa";
  EXPECT_EQ(c.names(FileNames(c.model, c.file, any)), "1: lev | lev\n1: lev_2 | lev_2\n");
}

TEST(FileNames, a_third_element_does_not_bring_two_different_ones_together) {
  Case c;
  for (int i = 0; i < 3; ++i) c.field({{Kind::axis, c.axis("lev", 2)}});
  c.model.axes[1].attributes.value = value::reals{{1, 2}, {2}};
  c.model.axes[2].attributes.value = value::reals{{1, 3}, {2}};
  EXPECT_EQ(c.names(), "2: lev | lev\n1: lev_2 | lev_2\n");
}

TEST(FileNames, a_dimension_alone_is_shared_by_kind_and_size) {
  Case c;
  c.field({{Kind::axis, c.axis("full", 10, "z")}});
  c.field({{Kind::axis, c.axis("half", 10, "z")}});
  c.field({{Kind::axis, c.axis("soil", 4, "z")}});
  EXPECT_EQ(c.names(), "1: z | full\n1: z | half\n1: z_2 | soil_2\n");
  Case domain;
  domain.field({{Kind::domain, domain.domain("globe", 8, 4)}});
  domain.field({{Kind::axis, domain.axis("lon", 8)}});
  EXPECT_EQ(domain.names(), "1: lat lon | lat lon\n1: lon_2 | lon_2\n");
}

TEST(FileNames, what_a_transformation_leaves_shares_with_nobody) {
  Case c;
  c.field({{Kind::axis, c.axis("depth", 75)}});
  c.field({{Kind::axis, c.axis("depth", 75)}});
  c.model.axes[1].transformations.push_back(
      {{}, ElementKind::extract_axis, {{"n", Value(std::int64_t{35})}}, {}, {}});
  EXPECT_EQ(c.names(), "1: depth | depth\n1: depth_2 | depth_2\n");
  c.model.axes[0].transformations = c.model.axes[1].transformations;
  EXPECT_EQ(c.names(), "2: depth | depth\n");
}

TEST(FileNames, no_variable_has_a_dimension_twice) {
  Case c;
  c.field({{Kind::axis, c.axis("lev", 3)}, {Kind::axis, c.axis("lev", 3)}});
  EXPECT_EQ(c.names(), "1: lev | lev\n1: lev_2 | lev_2\n");
  Case named;
  named.field({{Kind::axis, named.axis("a", 3, "z")}, {Kind::axis, named.axis("b", 3, "z")}});
  named.field({{Kind::axis, named.axis("c", 3, "z")}});
  EXPECT_EQ(named.names(), "1: z | a\n1: z_2 | b_2\n1: z | c\n");
}

TEST(FileNames, make_way_for_times_bounds_and_fields) {
  Case c;
  c.field({{Kind::axis, c.axis("time_counter", 3)}});
  c.field({{Kind::axis, c.axis("axis_nbounds", 2)}});
  c.field({{Kind::axis, c.axis("time_instant", 5)}});
  c.field({{Kind::axis, c.axis("z", 5)}});
  c.field({{Kind::axis, c.axis("z", 6)}});
  c.field({{Kind::axis, c.axis("z_2", 7)}});
  c.model.streams[0].name = "z_3";
  EXPECT_EQ(c.names(),
            "1: time_counter_2 | time_counter_2\n1: axis_nbounds_2 | axis_nbounds_2\n"
            "1: time_instant_2 | time_instant_2\n1: z | z\n1: z_4 | z_4\n1: z_2 | z_2\n");
}

TEST(FileNames, of_vertices_areas_and_labels) {
  Case c;
  c.field({{Kind::domain, c.domain("ocean", 8, 4, "curvilinear")}});
  EXPECT_EQ(FileNames(c.model, c.file).elements()[0].names.vertices, "") << "has it bounds?";
  c.model.domains[0].attributes.nvertex = 4;
  c.model.domains[0].attributes.bounds_lat_name = "lat_edges";
  c.field({{Kind::axis, c.axis("basin", 3)}});
  const auto plain = FileNames(c.model, c.file).elements();
  EXPECT_EQ(plain[0].names.vertices, "nvertex");
  EXPECT_EQ(plain[0].names.area, "area");
  EXPECT_EQ(plain[0].names.bounds, (std::vector<std::string>{"lat_edges", "bounds_nav_lon"}));
  EXPECT_EQ(plain[1].names.labels, "basin_label");

  // Another number of vertices is another element, none is any number.
  c.field({{Kind::domain, c.domain("ocean", 8, 4, "curvilinear")}});
  c.model.domains[1].attributes.bounds_lat_name = "lat_edges";
  EXPECT_EQ(FileNames(c.model, c.file).elements()[0].members.size(), 2U);
  c.model.domains[1].attributes.nvertex = 3;
  const auto two = FileNames(c.model, c.file).elements();
  EXPECT_EQ(two[0].names.vertices, "nvertex_ocean");
  EXPECT_EQ(two[2].names.vertices, "nvertex_ocean_2");
  EXPECT_EQ(two[2].names.area, "area_ocean_2");
  EXPECT_EQ(two[2].names.bounds,
            (std::vector<std::string>{"lat_edges_ocean_2", "bounds_nav_lon_ocean_2"}));
  c.model.streams[0].name = "area_ocean";
  EXPECT_EQ(FileNames(c.model, c.file).elements()[0].names.area, "area_ocean_2");
  EXPECT_EQ(FileNames(c.model, c.file).elements()[2].names.area, "area_ocean_2_2");
}

TEST(FileNames, of_the_files_own_dimensions) {
  Case c;
  c.field({{Kind::axis, c.axis("str_len", 5)}});
  EXPECT_EQ(c.names(), "1: str_len_2 | str_len_2\n");
  EXPECT_EQ(FileNames(c.model, c.file).text_dimension(), "str_len");
  EXPECT_EQ(FileNames(c.model, c.file).bounds_dimension(), "axis_nbounds");
  c.file.attributes.time_counter_name = "axis_nbounds";
  EXPECT_EQ(FileNames(c.model, c.file).bounds_dimension(), "axis_nbounds_2");
}

TEST(FileNames, scalars_share_by_value) {
  Case c;
  for (const double value : {2.0, 10.0, 2.0}) {
    Scalar scalar;
    scalar.id = scalar.name = "height";
    scalar.attributes.value = value;
    c.field({{Kind::scalar, static_cast<int>(c.model.scalars.size())}});
    c.model.scalars.push_back(scalar);
  }
  EXPECT_EQ(c.names(), "2: | height\n1: | height_2\n");
}

}  // namespace
}  // namespace epios::config::element_names_test
