// Rings of cells that form no rows, and who is beside whom, in whole runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::meshes_test {
namespace {

using ::testing::HasSubstr;

// A band around the sphere: eight columns, four rows, as a mesh.
constexpr int ni = 8, nj = 4, cells = ni * nj;

std::set<std::int64_t> around(std::int64_t cell, bool by_corner) {
  std::set<std::int64_t> out;
  for (int dj = -1; dj <= 1; ++dj) {
    for (int di = -1; di <= 1; ++di) {
      const auto i = (cell % ni + di + ni) % ni;
      const auto j = cell / ni + dj;
      const bool is_there = j >= 0 && j < nj && (di != 0 || dj != 0);
      if (is_there && (by_corner || di == 0 || dj == 0)) out.insert(j * ni + i);
    }
  }
  return out;
}

std::string context(const std::string& type) {
  return "<context id=\"" + type +
         R"("><calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>
      <domain id="mesh" ni_glo="32" type="unstructured"/>
      <domain id="wide" domain_ref="mesh">
        <expand_domain type=")" +
         type + R"("/><compute_connectivity_domain id="beside" type=")" + type + R"("/>
      </domain>
    </domain_definition>
    <field_definition operation="instant" prec="8" default_value="-999">
      <field id="t" domain_ref="mesh"/>
      <field id="t_wide" field_ref="t" domain_ref="wide" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id=")" +
         type + R"(" output_freq="1h"><field field_ref="t_wide"/></file>
    </file_definition></context>)";
}

void describe(Context& context, const std::vector<std::int64_t>& mine) {
  std::vector<double> lon;
  std::vector<double> lat;
  std::vector<double> lon_corners;
  std::vector<double> lat_corners;
  for (const std::int64_t cell : mine) {
    const double west = 45.0 * static_cast<double>(cell % ni);
    const double south = 20.0 * static_cast<double>(cell / ni) - 40;
    lon.push_back(west + 22.5);
    lat.push_back(south + 10);
    // Across the meridian at which longitudes begin anew, and not to the last bit.
    lon_corners.insert(lon_corners.end(),
                       {west, west == 315 ? 0 : west + 45, west + 45 + 1e-9, west});
    lat_corners.insert(lat_corners.end(), {south, south, south + 20, south + 20});
  }
  const auto count = static_cast<std::int64_t>(mine.size());
  context.at("domain", "mesh")
      .set("ni", count)
      .set("i_index", mine)
      .set("nvertex", 4)
      .set("lonvalue_1d", lon)
      .set("latvalue_1d", lat)
      .set("bounds_lon_1d", std::span<const double>(lon_corners), {4, count})
      .set("bounds_lat_1d", std::span<const double>(lat_corners), {4, count});
}

void run_one(Client& client, const std::string& type) {
  const bool by_corner = type == "node";
  Context context = client.open_context(type);
  std::vector<std::int64_t> mine;
  for (std::int64_t cell = client.rank(); cell < cells; cell += client.size()) mine.push_back(cell);
  std::set<std::int64_t> known(mine.begin(), mine.end());
  describe(context, mine);
  context.close_definition();
  std::set<std::int64_t> ring;
  for (const std::int64_t cell : mine) ring.merge(around(cell, by_corner));
  std::vector<double> wanted(mine.begin(), mine.end());
  for (const std::int64_t cell : ring) {
    if (!known.contains(cell)) wanted.push_back(static_cast<double>(cell));
  }
  context.update_calendar(1);
  context.send("t", std::vector<double>(mine.begin(), mine.end()));
  ASSERT_EQ(context.at("domain", "wide").get<std::int64_t>("ni"),
            static_cast<std::int64_t>(wanted.size()));
  std::vector<double> got(wanted.size());
  context.receive("t_wide", std::span<double>(got));
  EXPECT_EQ(got, wanted);

  // All neighbours of the cells that this client had before are here.
  const Element beside = context.at("compute_connectivity_domain", "beside");
  using Numbers = std::vector<std::int64_t>;
  const std::int64_t most = beside.get<std::int64_t>("n_neighbor_max").value_or(-1);
  const Numbers counts = beside.get<Numbers>("n_neighbor").value_or(Numbers());
  const Numbers lists = beside.get<Numbers>("local_neighbor").value_or(Numbers());
  EXPECT_EQ(beside.shape("local_neighbor"),
            (Numbers{most, static_cast<std::int64_t>(wanted.size())}));
  ASSERT_EQ(counts.size(), wanted.size());
  ASSERT_EQ(lists.size(), wanted.size() * static_cast<std::size_t>(most));
  EXPECT_EQ(most, *std::max_element(counts.begin(), counts.end()));
  for (std::size_t c = 0; c < wanted.size(); ++c) {
    std::set<std::int64_t> found;
    for (std::int64_t n = 0; n < most; ++n) {
      const std::int64_t place =
          lists[c * static_cast<std::size_t>(most) + static_cast<std::size_t>(n)];
      EXPECT_EQ(place >= 0, n < counts[c]);
      if (place >= 0)
        found.insert(static_cast<std::int64_t>(wanted.at(static_cast<std::size_t>(place))));
    }
    std::set<std::int64_t> expected;
    for (const std::int64_t n : around(static_cast<std::int64_t>(wanted[c]), by_corner)) {
      if (std::find(wanted.begin(), wanted.end(), static_cast<double>(n)) != wanted.end())
        expected.insert(n);
    }
    EXPECT_EQ(found, expected) << wanted[c];
  }
  context.finalize();
}

TEST(Meshes, have_rings_and_neighbours) {
  test::run_three_or_one(
      "<simulation>" + context("edge") + context("node") + "</simulation>",
      [](Client& client) {
        run_one(client, "edge");
        run_one(client, "node");
      },
      [] {
        for (const char* const name : {"edge.nc", "node.nc"}) {
          const std::vector<double> all = test::values(test::dumped(name), "t_wide");
          ASSERT_EQ(all.size(), static_cast<std::size_t>(cells)) << name;
          for (int cell = 0; cell < cells; ++cell) {
            EXPECT_EQ(all[static_cast<std::size_t>(cell)], cell);
          }
        }
      });
}

}  // namespace
}  // namespace epios::client::meshes_test
