// Columns with coordinates of their own that change with time, in whole runs: whole columns on each
// client, and columns of which clients have some levels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::columns_test {
namespace {

constexpr int ni = 6, nj = 2, levels = 4, steps = 2;

// On pressure levels; between layers of a thickness that moves; and from layers to layers.
const std::string definitions = R"(
    <domain_definition><domain id="d" ni_glo="6" nj_glo="2" type="rectilinear"/></domain_definition>
    <axis_definition>
      <axis id="z" n_glo="4"/>
      <axis id="w" n_glo="3"/>
      <axis id="on_p" n_glo="3" value="(0,2)[15 35 500]">
        <interpolate_axis coordinate_src="p" extrapolate="false"/>
      </axis>
      <axis id="beyond" n_glo="1" value="(0,0)[500]"><interpolate_axis coordinate="p"/></axis>
      <axis id="bent" n_glo="2" value="(0,1)[15 35]"><interpolate_axis coordinate_src="p" order="2"/></axis>
      <axis id="layers" n_glo="3"><interpolate_axis coordinate_src="twice_p" coordinate_dst="q"/></axis>
      <axis id="moved" n_glo="3"><interpolate_axis coordinate_dst="q_of_z"/></axis>
    </axis_definition>
    <grid_definition>
      <grid id="box"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="box_w"><domain domain_ref="d"/><axis axis_ref="w"/></grid>
      <grid id="box_p"><domain domain_ref="d"/><axis axis_ref="on_p"/></grid>
      <grid id="box_beyond"><domain domain_ref="d"/><axis axis_ref="beyond"/></grid>
      <grid id="box_bent"><domain domain_ref="d"/><axis axis_ref="bent"/></grid>
      <grid id="box_layers"><domain domain_ref="d"/><axis axis_ref="layers"/></grid>
      <grid id="box_moved"><domain domain_ref="d"/><axis axis_ref="moved"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" default_value="-999">
      <field id="t" grid_ref="box"/>
      <field id="p" grid_ref="box"/>
      <field id="q" grid_ref="box_w"/>
      <field id="twice_p" grid_ref="box"> 2 * p </field>
      <field id="q_of_z" grid_ref="box_w"> q / 100 </field>
    </field_definition>)";

std::string context(const std::string& id) {
  return "<context id=\"" + id +
         R"("><calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>)" + definitions +
         "<file_definition><file id=\"" + id + R"(" output_freq="1h">
        <field field_ref="t" name="t_p" grid_ref="box_p"/>
        <field field_ref="t" name="t_beyond" grid_ref="box_beyond"/>
        <field field_ref="t" name="t_bent" grid_ref="box_bent"/>
        <field field_ref="t" name="t_layers" grid_ref="box_layers"/>
        <field field_ref="t" name="t_moved" grid_ref="box_moved"/>
        <field field_ref="t"/>
        <field field_ref="p" operation="average"/>
      </file></file_definition></context>)";
}

/// Falls with height, differs from column to column and from hour to hour.
double p_at(int step, int column, int level) {
  return 10 * (levels - level) + column * 0.5 + (step - 1) * 0.25;
}
/// Of the second column one level has no value.
double t_at(int step, int column, int level) {
  if (column == 1 && level == 2) return std::nan("");
  const double p = p_at(step, column, level);
  return 3 * p + 100 * column;
}
double q_at(int step, int column, int layer) { return 30 + 20 * layer + column + step; }

void run_one(Client& client, const std::string& id, bool are_levels_shared) {
  Context context = client.open_context(id);
  const auto share = [&](int size) {
    const int first = size * client.rank() / client.size();
    return std::pair(first, size * (client.rank() + 1) / client.size() - first);
  };
  const auto [ibegin, columns] = are_levels_shared ? std::pair(0, ni) : share(ni);
  const auto [begin, n] = are_levels_shared ? share(levels) : std::pair(0, levels);
  context.at("domain", "d")
      .set("ibegin", ibegin)
      .set("ni", columns)
      .set("jbegin", 0)
      .set("nj", nj)
      .set("lonvalue_1d", std::vector<double>(static_cast<std::size_t>(columns), 0.0))
      .set("latvalue_1d", std::vector<double>{-45, 45});
  std::vector<double> heights;
  for (int level = begin; level < begin + n; ++level) heights.push_back(level);
  context.at("axis", "z").set("begin", begin).set("n", n).set("value", heights);
  context.close_definition();
  for (int step = 1; step <= steps; ++step) {
    context.update_calendar(step);
    EXPECT_TRUE(context.is_active("t"));
    EXPECT_TRUE(context.is_active("p"));
    EXPECT_TRUE(context.is_active("q"));
    std::vector<double> t;
    std::vector<double> p;
    std::vector<double> q;
    for (int level = 0; level < levels; ++level) {
      for (int j = 0; j < nj; ++j) {
        for (int i = ibegin; i < ibegin + columns; ++i) {
          if (level < 3) q.push_back(q_at(step, i + ni * j, level));
          if (level < begin || level >= begin + n) continue;
          t.push_back(t_at(step, i + ni * j, level));
          p.push_back(p_at(step, i + ni * j, level));
        }
      }
    }
    // In any order.
    if (step == 1) context.send("q", q);
    context.send("t", t);
    context.send("p", p);
    if (step == 2) context.send("q", q);
  }
  context.finalize();
}

void check(const std::string& id) {
  const std::string text = test::dumped(id + ".nc");
  const auto on_p = test::values(text, "t_p");
  const auto beyond = test::values(text, "t_beyond");
  const auto bent = test::values(text, "t_bent");
  const auto layers = test::values(text, "t_layers");
  const auto moved = test::values(text, "t_moved");
  constexpr int columns = ni * nj;
  ASSERT_EQ(on_p.size(), static_cast<std::size_t>(steps * 3 * columns));
  ASSERT_EQ(beyond.size(), static_cast<std::size_t>(steps * columns));
  ASSERT_EQ(bent.size(), static_cast<std::size_t>(steps * 2 * columns));
  ASSERT_EQ(layers.size(), on_p.size());
  ASSERT_EQ(moved.size(), on_p.size());
  const auto at = [](int step, int count, int level, int column) {
    return static_cast<std::size_t>(((step - 1) * count + level) * columns + column);
  };
  for (int step = 1; step <= steps; ++step) {
    for (int c = 0; c < columns; ++c) {
      // Linear in the pressure, whatever points are there.
      const auto linear = [c](double p) { return 3 * p + 100 * c; };
      const double least = p_at(step, c, levels - 1);
      const double most = p_at(step, c, 0);
      const double wanted[3] = {15, 35, 500};
      for (int k = 0; k < 3; ++k) {
        const double found = on_p[at(step, 3, k, c)];
        if (wanted[k] < least || wanted[k] > most) {
          EXPECT_TRUE(std::isnan(found)) << wanted[k];
        } else {
          EXPECT_NEAR(found, linear(wanted[k]), 1e-11);
        }
        if (k < 2) {
          EXPECT_NEAR(bent[at(step, 2, k, c)], linear(wanted[k]), 1e-10);
        }
        EXPECT_NEAR(layers[at(step, 3, k, c)], linear(q_at(step, c, k) / 2), 1e-10);
        // Along the axis a height of h has the pressure of 10 (4 - h) and more.
        const double height = q_at(step, c, k) / 100;
        EXPECT_NEAR(moved[at(step, 3, k, c)], linear(p_at(step, c, 0) - 10 * height), 1e-10);
      }
      EXPECT_NEAR(beyond[at(step, 1, 0, c)], linear(500), 1e-9);
    }
  }
}

TEST(Columns, have_coordinates_of_their_own) {
  test::run_three_or_one(
      "<simulation>" + context("whole") + context("shared") + "</simulation>",
      [](Client& client) {
        run_one(client, "whole", false);
        run_one(client, "shared", true);
      },
      [] {
        check("whole");
        check("shared");
      });
}

}  // namespace
}  // namespace epios::client::columns_test
