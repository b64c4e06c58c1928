// Curvilinear domains in whole runs, with corners and without: what a run makes of a field is what
// `epios remap` makes of its file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <epios/epios.hpp>
#include <numbers>
#include <span>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::curvilinear_test {
namespace {

constexpr int ni = 36, nj = 18;
constexpr double radian = std::numbers::pi / 180;

struct Place {
  double lon, lat;
};

/// Columns and rows around a pole that lies elsewhere.
Place turned(double i, double j) {
  const double lon = 360 * i / ni * radian;
  const double lat = (180 * j / nj - 90) * radian;
  const double c = std::cos(0.6);
  const double s = std::sin(0.6);
  const double x = std::cos(lat) * std::cos(lon);
  const double y = std::cos(lat) * std::sin(lon);
  const double z = std::sin(lat);
  return {std::atan2(y, c * x + s * z) / radian, std::asin(c * z - s * x) / radian};
}
/// Straight rows and columns.
Place straight(double i, double j) { return {10 * i - 180, 10 * j - 90}; }

/// Bent columns; the outermost rows are less than half a step from the poles.
Place bent(double i, double j) {
  return {10 * i - 180 + 2 * std::sin(j), -86 + 172 * (j - 0.5) / (nj - 1)};
}
/// As turned(), but for a block of land whose centres were never filled in.
bool is_land(int i, int j) { return i >= 10 && i < 16 && j >= 5 && j < 8; }
Place with_land(double i, double j) {
  return is_land(static_cast<int>(i), static_cast<int>(j)) ? Place{0, 0} : turned(i, j);
}

double value_at(int i, int j) { return std::sin(0.3 * i) + 0.1 * j * j; }

struct Case {
  const char* id;
  Place (*place)(double, double);
  bool has_corners = false;
  bool has_columns = false;  ///< clients have columns, otherwise rows
  bool has_land = false;
};
const std::vector<Case> cases{{"turned_bare", turned, false},
                              {"straight_bare", straight, false},
                              {"turned_given", turned, true},
                              {"straight_given", straight, true},
                              {"bent_columns", bent, false, true},
                              {"land_rows", with_land, false, false, true},
                              {"land_columns", with_land, false, true, true}};

std::string definitions(const Case& one) {
  const std::string id = one.id;
  return test::context(id, R"(<domain_definition>
      <domain id="c" ni_glo="36" nj_glo="18" type="curvilinear" prec="8")" +
                               std::string(one.has_corners ? " nvertex=\"4\"" : "") + R"(/>
      <domain id="to" ni_glo="24" nj_glo="10" type="rectilinear">
        <generate_rectilinear_domain lon_start="0"/><interpolate_domain order="1" renormalize="true"/>
      </domain>
    </domain_definition>
    <field_definition operation="instant" prec="8" default_value="-999">
      <field id="f" domain_ref="c"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id=")" + id + R"("><field field_ref="f"/></file>
      <file id=")" + id + R"(_to"><field field_ref="f" domain_ref="to"/></file>
    </file_definition>)");
}

void run_case(Client& client, const Case& one) {
  Context context = client.open_context(one.id);
  const int all = one.has_columns ? ni : nj;
  const int first = all * client.rank() / client.size();
  const int lines = all * (client.rank() + 1) / client.size() - first;
  const int first_column = one.has_columns ? first : 0;
  const int columns = one.has_columns ? lines : ni;
  const int first_row = one.has_columns ? 0 : first;
  const int rows = one.has_columns ? nj : lines;
  std::vector<double> lon;
  std::vector<double> lat;
  std::vector<double> corner_lon;
  std::vector<double> corner_lat;
  std::vector<double> values;
  std::vector<unsigned char> mask;
  for (int j = first_row; j < first_row + rows; ++j) {
    for (int i = first_column; i < first_column + columns; ++i) {
      mask.push_back(one.has_land && is_land(i, j) ? 0 : 1);
      const Place centre = one.place(i + 0.5, j + 0.5);
      lon.push_back(centre.lon);
      lat.push_back(centre.lat);
      values.push_back(value_at(i, j));
      for (const auto& [k, l] : {std::pair(0, 0), {1, 0}, {1, 1}, {0, 1}}) {
        const Place corner = one.place(i + k, j + l);
        corner_lon.push_back(corner.lon);
        corner_lat.push_back(corner.lat);
      }
    }
  }
  context.set("domain", "c", "ibegin", first_column);
  context.set("domain", "c", "ni", columns);
  context.set("domain", "c", "jbegin", first_row);
  context.set("domain", "c", "nj", rows);
  context.set("domain", "c", "lonvalue_2d", lon, {columns, rows});
  context.set("domain", "c", "latvalue_2d", lat, {columns, rows});
  if (one.has_land) {
    context.at("domain", "c").set("mask_2d", std::span<const unsigned char>(mask), {columns, rows});
  }
  if (one.has_corners) {
    context.set("domain", "c", "bounds_lon_2d", corner_lon, {4, columns, rows});
    context.set("domain", "c", "bounds_lat_2d", corner_lat, {4, columns, rows});
  }
  context.close_definition();
  context.update_calendar(1);
  context.send("f", values);
  context.finalize();
}

TEST(Curvilinear, runs_and_the_command_make_the_same) {
  std::string iodef = "<simulation>";
  for (const Case& one : cases) iodef += definitions(one);
  test::run_three_or_one(
      iodef + "</simulation>",
      [](Client& client) {
        for (const Case& one : cases) run_case(client, one);
      },
      [] {
        for (const Case& one : cases) {
          SCOPED_TRACE(one.id);
          const std::string id = one.id;
          const std::string command =
              EPIOS_COMMAND " remap " + id + ".nc --to r24x10 -o " + id + "_command.nc 2>said.txt";
          ASSERT_EQ(std::system(command.c_str()), 0);
          const auto of_run = test::values(test::dumped(id + "_to.nc"), "f");
          const auto of_command = test::values(test::dumped(id + "_command.nc"), "f");
          ASSERT_EQ(of_run.size(), 240U);
          ASSERT_EQ(of_command.size(), 240U);
          for (std::size_t k = 0; k < of_run.size(); ++k) {
            EXPECT_NEAR(of_run[k], of_command[k], 1e-11) << "cell " << k;
          }
          const bool says = std::system(
                                "grep -q 'amid the centres of neighbours: areas may be "
                                "off by up to' said.txt") == 0;
          EXPECT_EQ(says, !one.has_corners);
        }
        // The same grid, whether it gives its corners or not.
        for (const std::string kind : {"turned", "straight"}) {
          SCOPED_TRACE(kind);
          const auto bare = test::values(test::dumped(kind + "_bare_to.nc"), "f");
          const auto given = test::values(test::dumped(kind + "_given_to.nc"), "f");
          ASSERT_EQ(bare.size(), given.size());
          for (std::size_t k = 0; k < bare.size(); ++k) {
            EXPECT_NEAR(bare[k], given[k], kind == "straight" ? 1e-11 : 0.1) << "cell " << k;
          }
        }
      });
}

}  // namespace
}  // namespace epios::client::curvilinear_test
