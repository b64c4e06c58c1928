// What a run says of cells that are none, and of weights of another grid: with element, number of
// the cell and place in the XML, counted, once for any clients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <ep/ep.hpp>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "../client/shared_scratch.hpp"
#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "file/weights_file.hpp"
#include "grid/part.hpp"
#include "space/steps.hpp"

namespace epios::io::bad_cells_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Silent final : public StepWatch {
 public:
  void begin(const std::string& /*what*/) override {}
  void check(const StepRun& /*waiting*/) override {}
  void end() override {}
};

constexpr std::int64_t columns = 6, rows = 6, cells = columns * rows, corners = 4;

/// Polygons of 60 by 30 degrees.
struct Mesh {
  std::vector<double> lon, lat;
  Mesh() {
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      const double west = 60.0 * static_cast<double>(cell % columns);
      const double south = -90 + 30.0 * static_cast<double>(cell / columns);
      lon.insert(lon.end(), {west, west + 60, west + 60, west});
      lat.insert(lat.end(), {south, south, south + 30, south + 30});
    }
  }
  void set(std::int64_t cell, const std::vector<std::pair<double, double>>& to) {
    for (std::size_t v = 0; v < corners; ++v) {
      lon[static_cast<std::size_t>(cell * corners) + v] = to[v].first;
      lat[static_cast<std::size_t>(cell * corners) + v] = to[v].second;
    }
  }
};

std::string iodef(const std::string& how, const std::string& to = R"(ni_glo="12" nj_glo="12")") {
  return R"(<simulation><context id="c">
  <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
  <domain_definition>
    <domain id="mesh" type="unstructured" ni_glo="36" nvertex="4"/>
    <domain id="to" type="rectilinear" )" +
         to + R"(><generate_rectilinear_domain/>
      <interpolate_domain )" +
         how + R"(/>
    </domain>
    <domain id="again" type="rectilinear" ni_glo="2" nj_glo="1"><generate_rectilinear_domain/>
      <interpolate_domain order="1"/>
    </domain>
  </domain_definition>
  <field_definition operation="instant"><field id="t" domain_ref="mesh"/></field_definition>
  <file_definition><file id="f" output_freq="1h">
    <field field_ref="t" name="t_to" domain_ref="to"/>
    <field field_ref="t" name="t_again" domain_ref="again"/>
  </file></file_definition>
</context></simulation>)";
}

std::vector<std::string> remarks_on(const config::Definitions& definitions, const ep::Comm& world) {
  config::Model model = definitions.resolve("c");
  Silent watch;
  shape_elements(model, world);
  const LocalParts parts(model);
  const auto files = weights_in_files();
  const StepPlans plans(model, parts, world, files.get(), watch);
  return plans.remarks();
}

/// What is said of a mesh that is dealt out cell by cell, some cells to two clients.
/// `call`: who gives its coordinates.
std::vector<std::string> remarks_on(const Mesh& mesh, const std::string& xml,
                                    const char* call = "test") {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const config::SourceTexts texts{{"iodef.xml", xml}};
  config::Definitions definitions{config::Document(texts)};
  config::value::integers index{{}, {0}};
  config::value::reals lon{{}, {corners, 0}};
  config::value::reals lat{{}, {corners, 0}};
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    if (cell % world.size() != world.rank() && cell % 9 != 0) continue;  // some on all clients
    index.values.push_back(cell);
    for (std::int64_t v = corners * cell; v < corners * (cell + 1); ++v) {
      lon.values.push_back(mesh.lon[static_cast<std::size_t>(v)]);
      lat.values.push_back(mesh.lat[static_cast<std::size_t>(v)]);
    }
  }
  const auto count = static_cast<std::int64_t>(index.values.size());
  index.shape = {count};
  lon.shape = lat.shape = {corners, count};
  const auto set = [&](const char* name, config::Value value) {
    definitions.set("c", config::ElementKind::domain, "mesh", name, std::move(value), call);
  };
  set("ni", count);
  set("i_index", index);
  set("bounds_lon_1d", lon);
  set("bounds_lat_1d", lat);
  return remarks_on(definitions, world);
}

std::string refusal(const Mesh& mesh, const std::string& xml) {
  try {
    remarks_on(mesh, xml);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(BadCells, good_ones_are_not_talked_of) {
  EXPECT_THAT(remarks_on({}, iodef("order=\"1\"")), IsEmpty());
  EXPECT_THAT(remarks_on({}, iodef("order=\"2\"")), IsEmpty());
  EXPECT_THAT(remarks_on({}, iodef("method=\"bilinear\"")), IsEmpty());
}

TEST(BadCells, are_named_with_place_and_number_and_counted) {
  Mesh mesh;
  mesh.set(9, {{0, 0}, {5, 0}, {0, 0}, {5, 0}});
  mesh.set(11, {{0, 0}, {5, 0}, {0, 0}, {5, 0}});
  mesh.set(12, {{0, -91}, {5, 0}, {5, 5}, {0, 5}});
  mesh.set(14, {{0, 0}, {5, 5}, {5, 95}, {0, 5}});
  mesh.set(16, {{120, 0}, {130, 0}, {140, 0}, {125, 0}});
  mesh.set(17, {{0, 0}, {120, 0}, {240, 0}, {240, 0}});
  mesh.set(18, {{0, 0}, {60, 30}, {60, 0}, {0, 30}});
  mesh.set(19, {{60, 0}, {120, 0}, {70, 30}, {110, 30}});
  mesh.set(20, {{120, 0}, {120, 30}, {180, 30}, {180, 0}});
  mesh.set(26, {{60, 30}, {120, 30}, {120, 60}, {60, 60}});
  const std::string step = "iodef.xml:6:7: <interpolate_domain> of domain 'to': ";
  const std::string of = step + "of domain 'mesh': ";
  EXPECT_THAT(
      remarks_on(mesh, iodef("order=\"1\"")),
      ElementsAre(
          of + "2 cells have fewer than 3 different corners (the first is cell 9)",
          of + "2 cells have corners that are no points of the sphere (the first is cell 12)",
          of + "2 cells have no area: their corners lie on one line, or their halves cross over "
               "(the first is cell 16)",
          of + "cell 17 has corners around half of the sphere or more: nothing tells its inside",
          of + "cell 19 has edges that cross or touch each other",
          of + "cell 20 goes round clockwise, unlike most: its smaller side is taken",
          AllOf(HasSubstr(step),
                HasSubstr("of its 144 cells have no source in domain 'mesh' (the "
                          "first is cell "),
                HasSubstr("): they are missing")),
          AllOf(HasSubstr(step), HasSubstr("cells of domain 'mesh' lie over each other (over "),
                HasSubstr("): means of all are taken"))));
}

TEST(BadCells, that_go_round_unlike_most_are_named_among_boxes_too) {
  Mesh mesh;
  mesh.set(20, {{120, 0}, {120, 30}, {180, 30}, {180, 0}});
  EXPECT_THAT(remarks_on(mesh, iodef("order=\"1\"")),
              ElementsAre("iodef.xml:6:7: <interpolate_domain> of domain 'to': of domain 'mesh': "
                          "cell 20 goes round clockwise, unlike most: its smaller side is taken"));
}

TEST(BadCells, of_no_numbers_are_errors) {
  if (ep::Comm::from_mpi(MPI_COMM_WORLD).size() > 1) return;
  Mesh mesh;
  mesh.set(12, {{std::numeric_limits<double>::quiet_NaN(), 0}, {5, 0}, {5, 5}, {0, 5}});
  EXPECT_THAT(refusal(mesh, iodef("order=\"1\"")),
              HasSubstr("attribute 'bounds_lon_1d' of domain 'mesh' (value 48 is nan)"));
}

/// Would have found that cells with fewer corners than others, whose places files fill up with
/// missing values, had no weights.
TEST(BadCells, are_not_those_with_fewer_corners) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Mesh mesh;
  for (std::int64_t cell = 0; cell < columns; ++cell) {
    const double west = 60.0 * static_cast<double>(cell);
    mesh.set(cell, {{west, -90}, {west + 60, -60}, {west, -60}, {none, none}});
  }
  EXPECT_THAT(remarks_on(mesh, iodef("order=\"1\""), "file 'mesh.nc'"), IsEmpty());
}

/// Would have found that the bounds which some clients gave were ignored without a word.
TEST(BadCells, bounds_of_some_clients_that_do_not_count_are_named) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  std::string xml = iodef("order=\"1\"");
  const std::string mesh = R"(type="unstructured" ni_glo="36" nvertex="4")";
  xml.replace(xml.find(mesh), mesh.size(), R"(type="rectilinear" ni_glo="6" nj_glo="6")");
  const config::SourceTexts texts{{"iodef.xml", xml}};
  config::Definitions definitions{config::Document(texts)};
  const auto set = [&](const char* name, config::Value value) {
    definitions.set("c", config::ElementKind::domain, "mesh", name, std::move(value), "test");
  };
  const std::int64_t first = rows * world.rank() / world.size();
  const std::int64_t count = rows * (world.rank() + 1) / world.size() - first;
  config::value::reals lon{{}, {columns}};
  config::value::reals lat{{}, {count}};
  config::value::reals bounds_lon{{}, {2, columns}};
  config::value::reals bounds_lat{{}, {2, count}};
  const auto add = [](double begin, double width, config::value::reals& centres,
                      config::value::reals& bounds) {
    centres.values.push_back(begin + width / 2);
    bounds.values.insert(bounds.values.end(), {begin, begin + width});
  };
  for (std::int64_t i = 0; i < columns; ++i)
    add(60.0 * static_cast<double>(i), 60, lon, bounds_lon);
  for (std::int64_t j = first; j < first + count; ++j) {
    add(-90 + 30.0 * static_cast<double>(j), 30, lat, bounds_lat);
  }
  set("ibegin", std::int64_t{0});
  set("ni", columns);
  set("jbegin", first);
  set("nj", count);
  set("lonvalue_1d", lon);
  set("latvalue_1d", lat);
  set("bounds_lat_1d", bounds_lat);
  if (world.rank() == 0) set("bounds_lon_1d", bounds_lon);
  const std::vector<std::string> said = remarks_on(definitions, world);
  const std::string warning =
      "iodef.xml:6:7: <interpolate_domain> of domain 'to': bounds_lon of domain 'mesh' count for "
      "nothing (of " +
      std::to_string(world.size()) +
      " clients with cells 1 have them): its cells reach half way to the centres of their "
      "neighbours. Give them on each client?";
  EXPECT_EQ(said, world.size() == 1 ? std::vector<std::string>() : std::vector{warning});
}

/// All cells that are left have two longitudes and two latitudes: none reaches over its row.
TEST(BadCells, targets_without_source_are_counted_once_for_any_clients) {
  Mesh mesh;
  for (std::int64_t cell = 0; cell < columns; ++cell) {
    mesh.set(cell, {{0, 89}, {0, 89}, {0, 89}, {0, 89}});
  }
  const std::string step = "iodef.xml:6:7: <interpolate_domain> of domain 'to': ";
  EXPECT_THAT(remarks_on(mesh, iodef("order=\"1\"", R"(ni_glo="3" nj_glo="12")")),
              ElementsAre(step + "of domain 'mesh': 6 cells have fewer than 3 different corners "
                                 "(the first is cell 0)",
                          step + "6 of its 36 cells have no source in domain 'mesh' (the first is "
                                 "cell 0): they are missing"));
}

TEST(BadCells, are_named_where_weights_are_read_too) {
  const client::SharedScratch scratch("");
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  Mesh mesh;
  mesh.set(9, {{0, 0}, {5, 0}, {0, 0}, {5, 0}});
  const std::string kept = R"(order="1" weight_filename="kept.nc" )";
  const auto made = remarks_on(mesh, iodef(kept + R"(write_weight="true")"));
  ep::check(EP_Barrier(world.get()));
  EXPECT_EQ(made.size(), 2U);
  EXPECT_EQ(remarks_on(mesh, iodef(kept + R"(mode="read")")), made);
  ep::check(EP_Barrier(world.get()));
}

TEST(BadWeights, of_another_grid_are_refused_with_the_place) {
  const client::SharedScratch scratch("");
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const std::string kept = R"(order="1" weight_filename="kept.nc" )";
  remarks_on({}, iodef(kept + R"(write_weight="true")"));
  ep::check(EP_Barrier(world.get()));
  EXPECT_EQ(refusal({}, iodef(kept + R"(mode="read")")), "no error");
  EXPECT_THAT(refusal({}, iodef(kept + R"(mode="read")", R"(ni_glo="10" nj_glo="12")")),
              AllOf(HasSubstr("iodef.xml:6:7: error: <interpolate_domain> of domain 'to' cannot be "
                              "worked out: "),
                    HasSubstr("kept.nc"), HasSubstr("144"), HasSubstr("120")));
  Mesh moved;
  moved.set(20, {{120, 0}, {180, 0}, {180, 29}, {120, 30}});
  EXPECT_THAT(refusal(moved, iodef(kept + R"(mode="read")")),
              AllOf(HasSubstr("iodef.xml:6:7: error: <interpolate_domain> of domain 'to'"),
                    HasSubstr("kept.nc"), HasSubstr("source")));
  EXPECT_THAT(refusal({}, iodef(R"(order="1" weight_filename="none.nc" mode="read")")),
              AllOf(HasSubstr("iodef.xml:6:7: error: "), HasSubstr("none.nc")));
}

}  // namespace
}  // namespace epios::io::bad_cells_test
