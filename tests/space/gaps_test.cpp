// What is masked, not sent, or on some clients only, on the way through transformations: what of it
// is in the files, for any clients.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::gaps_test {
namespace {

using test::context;
using test::dumped;
using ::testing::HasSubstr;

// The same cells are masked by a domain and by a grid; two levels, of which the second has no mask
// by the grid.
const std::string masks = context("masks", R"(
    <domain_definition>
      <domain id="masked" ni_glo="24" nj_glo="12" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="whole" ni_glo="24" nj_glo="12" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="first" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>
      <domain id="scaled" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1" renormalize="true"/>
      </domain>
      <domain id="between" ni_glo="25" nj_glo="14" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain method="bilinear"/>
      </domain>
      <domain id="shared" ni_glo="25" nj_glo="14" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain method="bilinear" quantity="true"/>
      </domain>
      <domain id="second" ni_glo="10" nj_glo="5" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="2"/>
      </domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="2"/></axis_definition>
    <grid_definition>
      <grid id="to_between"><domain domain_ref="between"/><axis axis_ref="z"/></grid>
      <grid id="to_shared"><domain domain_ref="shared"/><axis axis_ref="z"/></grid>
      <grid id="by_domain"><domain domain_ref="masked"/></grid>
      <grid id="by_grid"><domain domain_ref="whole"/><axis axis_ref="z"/></grid>
      <grid id="to_first"><domain domain_ref="first"/><axis axis_ref="z"/></grid>
      <grid id="to_scaled"><domain domain_ref="scaled"/><axis axis_ref="z"/></grid>
      <grid id="to_second"><domain domain_ref="second"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" default_value="-999">
      <field id="d" grid_ref="by_domain"/>
      <field id="g" grid_ref="by_grid"/>
      <field id="seven" grid_ref="by_grid"/>
    </field_definition>
    <file_definition>
      <file id="masks" output_freq="1h">
        <field field_ref="d" name="d_first" domain_ref="first" grid_ref="_reset_"/>
        <field field_ref="d" name="d_scaled" domain_ref="scaled" grid_ref="_reset_"/>
        <field field_ref="g" name="g_first" grid_ref="to_first"/>
        <field field_ref="g" name="g_scaled" grid_ref="to_scaled"/>
        <field field_ref="g" name="g_second" grid_ref="to_second"/>
        <field field_ref="seven" name="seven_between" grid_ref="to_between"/>
        <field field_ref="seven" name="seven_shared" grid_ref="to_shared"/>
      </file>
    </file_definition>)");

bool is_masked(int i, int j) { return (i >= 5 && i < 12 && j >= 3 && j < 8) || i * j % 7 == 3; }
double value(int i, int j, int k) { return std::sin(0.3 * i) * std::cos(0.5 * j) + k; }

void run_masks(Client& client) {
  Context context = client.open_context("masks");
  const int first = 12 * client.rank() / client.size();
  const int rows = 12 * (client.rank() + 1) / client.size() - first;
  std::vector<unsigned char> of_domain;
  std::vector<unsigned char> of_grid;
  std::vector<double> values;
  for (int k = 0; k < 2; ++k) {
    for (int j = first; j < first + rows; ++j) {
      for (int i = 0; i < 24; ++i) {
        if (k == 0) of_domain.push_back(is_masked(i, j) ? 0 : 1);
        of_grid.push_back(k == 0 && is_masked(i, j) ? 0 : 1);
        // What is masked is no number of the field's.
        values.push_back(k == 0 && is_masked(i, j) ? 1e30 : value(i, j, k));
      }
    }
  }
  const auto set_part = [&](const char* domain) {
    context.at("domain", domain)
        .set("ibegin", 0)
        .set("ni", 24)
        .set("jbegin", first)
        .set("nj", rows);
  };
  set_part("masked");
  set_part("whole");
  const auto cells = static_cast<std::size_t>(24 * rows);
  context.at("domain", "masked").set("mask_1d", std::span<const unsigned char>(of_domain));
  context.at("grid", "by_grid")
      .set("mask_3d", std::span<const unsigned char>(of_grid), {24, rows, 2});
  context.close_definition();
  context.update_calendar(1);
  context.send("d", std::vector<double>(values.begin(), values.begin() + static_cast<long>(cells)));
  context.send("g", values);
  for (double& value : values) value = value == 1e30 ? 1e30 : 7;
  context.send("seven", values);
  context.finalize();
}

/// "_" for what is missing.
std::vector<std::string> words(const std::string& text, const std::string& name) {
  std::vector<std::string> out;
  const std::string begin = " " + name + " =";
  const std::size_t at = text.find(begin);
  if (at == std::string::npos) return out;
  std::string numbers = text.substr(at + begin.size(), text.find(';', at) - at - begin.size());
  std::replace(numbers.begin(), numbers.end(), ',', ' ');
  std::istringstream in(numbers);
  for (std::string word; in >> word;) out.push_back(word);
  return out;
}

void check_masks() {
  const std::string text = dumped("-p 9,17 masks.nc");
  const auto d = words(text, "d_first");
  const auto g = words(text, "g_first");
  ASSERT_EQ(d.size(), 50U);
  ASSERT_EQ(g.size(), 100U);
  const auto d_scaled = words(text, "d_scaled");
  const auto g_scaled = words(text, "g_scaled");
  const auto g_second = words(text, "g_second");
  ASSERT_EQ(g_scaled.size(), 100U);
  ASSERT_EQ(g_second.size(), 100U);
  // Between points a constant stays what it is, as long as one of them has a value.
  const auto between = words(text, "seven_between");
  ASSERT_EQ(between.size(), 700U);
  EXPECT_EQ(std::count(between.begin(), between.end(), "7") +
                std::count(between.begin(), between.end(), "_"),
            700);
  EXPECT_EQ(std::count(between.begin() + 350, between.end(), "_"), 0);
  EXPECT_GT(std::count(between.begin(), between.end(), "_"), 0);
  EXPECT_EQ(words(text, "seven_shared"), between) << "quantity is of conservative weights alone";
  int missing = 0;
  for (std::size_t cell = 0; cell < 50; ++cell) {
    ASSERT_EQ(d[cell] == "_", g[cell] == "_");
    if (d[cell] != "_") {
      EXPECT_NEAR(std::stod(d[cell]), std::stod(g[cell]), 1e-15);
    }
    EXPECT_EQ(d_scaled[cell] == "_", g_scaled[cell] == "_");
    EXPECT_EQ(d[cell] == "_", g_second[cell] == "_");
    missing += d[cell] == "_" ? 1 : 0;
    EXPECT_NE(g_second[50 + cell], "_") << "nothing is masked on that level";
    if (d_scaled[cell] == "_" || g_scaled[cell] == "_") continue;
    EXPECT_NEAR(std::stod(d_scaled[cell]), std::stod(g_scaled[cell]), 1e-14);
    EXPECT_LE(std::abs(std::stod(g_scaled[cell])), 1);
  }
  EXPECT_GT(missing, 0);
  EXPECT_LT(missing, 20);
}

// An axis dealt out; one of its points, which one client alone has, over time.
const std::string points = context("points", R"(
    <axis_definition>
      <axis id="x" n_glo="6"/>
      <axis id="hours" n_glo="2"><temporal_splitting/></axis>
    </axis_definition>
    <scalar_definition>
      <scalar id="last"><extract_axis position="5"/></scalar>
      <scalar id="own"><reduce_axis operation="sum" local="true"/></scalar>
      <scalar id="most"><reduce_axis operation="max"/></scalar>
      <scalar id="least"><reduce_axis operation="min"/></scalar>
      <scalar id="value"/>
    </scalar_definition>
    <field_definition operation="instant" prec="8" default_value="-1">
      <field id="t" axis_ref="x"/>
      <field id="t_last" field_ref="t" axis_ref="_reset_" scalar_ref="last"/>
      <field id="t_hours" field_ref="t_last" scalar_ref="_reset_" axis_ref="hours"/>
      <field id="t_max" field_ref="t" axis_ref="_reset_" scalar_ref="most"/>
      <field id="t_min" field_ref="t" axis_ref="_reset_" scalar_ref="least"/>
      <field id="greatest" field_ref="t_max" scalar_ref="value"/>
      <field id="smallest" field_ref="t_min" scalar_ref="value"/>
      <field id="range" expr="greatest - smallest"/>
    </field_definition>
    <file_definition>
      <file id="points" output_freq="2h"><field field_ref="t_hours"/><field field_ref="range"/></file>
      <file id="last" output_freq="4h"><field field_ref="t_last"/></file>
    </file_definition>)");

void run_points(Client& client) {
  Context context = client.open_context("points");
  const int first = 6 * client.rank() / client.size();
  const int n = 6 * (client.rank() + 1) / client.size() - first;
  const Element x = context.at("axis", "x").set("begin", first).set("n", n);
  std::vector<double> places;
  std::string labels;
  for (int k = first; k < first + n; ++k) {
    places.push_back(-10 * k);
    labels += (labels.empty() ? "point" : " point") + std::to_string(k);
  }
  x.set("value", places).set("label", "(0," + std::to_string(n - 1) + ")[" + labels + "]");
  context.close_definition();
  for (int step = 1; step <= 4; ++step) {
    context.update_calendar(step);
    std::vector<double> t;
    for (int k = first; k < first + n; ++k) t.push_back(10 * step + k);
    context.send("t", t);
  }
  context.finalize();
}

void check_points() {
  EXPECT_THAT(dumped("points.nc"), HasSubstr(" t_hours =\n  15, 25,\n  35, 45 ;"));
  EXPECT_THAT(dumped("points.nc"), HasSubstr(" range = 5, 5 ;"));
  // Would have found that the label of the point was nowhere.
  const std::string last = dumped("last.nc");
  EXPECT_THAT(last, HasSubstr(" last = -50 ;"));
  EXPECT_THAT(last, HasSubstr(" last_label = \"point5\" ;"));
  EXPECT_THAT(last, HasSubstr(" t_last = 45 ;"));
}

// A ring around the sphere: its columns go on, whatever client has them.
const std::string rings = context("rings", R"(
    <domain_definition>
      <domain id="d" ni_glo="4" nj_glo="3" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="ring"><expand_domain i_periodic="true"/></domain>
    </domain_definition>
    <field_definition operation="instant" prec="8" default_value="-1">
      <field id="t" domain_ref="d"/>
    </field_definition>
    <file_definition>
      <file id="rings" output_freq="1h"><field field_ref="t" domain_ref="ring"/></file>
    </file_definition>)");

void run_rings(Client& client) {
  Context context = client.open_context("rings");
  context.close_definition();
  const int first = 3 * client.rank() / client.size();
  const int rows = 3 * (client.rank() + 1) / client.size() - first;
  context.update_calendar(1);
  std::vector<double> t;
  for (int cell = 4 * first; cell < 4 * (first + rows); ++cell) t.push_back(cell);
  context.send("t", t);
  context.finalize();
}

void check_rings() {
  const std::string text = dumped("rings.nc");
  EXPECT_THAT(text, HasSubstr(" lon = -45, 45, 135, 225, 315, 405 ;"));
  EXPECT_THAT(text,
              HasSubstr(" t =\n  _, _, _, _, _, _,\n  3, 0, 1, 2, 3, 0,\n  7, 4, 5, 6, 7, 4,\n"
                        "  11, 8, 9, 10, 11, 8,\n  _, _, _, _, _, _ ;"));
}

// Tiles of a domain that is transformed: nothing is taken before the last one has come.
const std::string tiles = context("tiles", R"(
    <domain_definition>
      <domain id="d" ni_glo="12" nj_glo="6" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="window"><extract_domain ibegin="4" ni="3" jbegin="2" nj="2"/></domain>
      <domain id="coarse" ni_glo="4" nj_glo="2" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>
    </domain_definition>
    <scalar_definition><scalar id="sum"><reduce_domain operation="sum"/></scalar></scalar_definition>
    <field_definition operation="instant" prec="8">
      <field id="t" domain_ref="d"/>
      <field id="t_sum" field_ref="t" domain_ref="_reset_" scalar_ref="sum" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id="tiles" output_freq="2h">
        <field field_ref="t" name="t_window" domain_ref="window" operation="average"/>
        <field field_ref="t" name="t_coarse" domain_ref="coarse"/>
        <field field_ref="t_sum" operation="maximum"/>
      </file>
    </file_definition>)");

void run_tiles(Client& client) {
  using I = std::vector<std::int64_t>;
  Context context = client.open_context("tiles");
  const std::int64_t first = 6 * client.rank() / client.size();
  const std::int64_t rows = 6 * (client.rank() + 1) / client.size() - first;
  const auto domain = context.at("domain", "d");
  domain.set("ibegin", 0).set("ni", 12).set("jbegin", first).set("nj", rows);
  domain.set("data_dim", 2).set("ntiles", 2).set("tile_only", true);
  domain.set("tile_ibegin", I{0, 5}).set("tile_ni", I{5, 7});
  domain.set("tile_jbegin", I{0, 0}).set("tile_nj", I{rows, rows});
  context.close_definition();
  const Field t = context.field("t");
  for (int step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    for (const int tile : {1, 0}) {
      std::vector<double> values;
      for (std::int64_t j = first; j < first + rows; ++j) {
        for (int i = tile == 0 ? 0 : 5; i < (tile == 0 ? 5 : 12); ++i) {
          values.push_back(step * (10.0 * static_cast<double>(j) + i));
        }
      }
      t.send_tile(tile, values);
    }
    double sum = 0;
    context.receive("t_sum", std::span<double>(&sum, 1));
    EXPECT_EQ(sum, step * 72 * 30.5);
  }
  context.finalize();
}

void check_tiles() {
  const std::string text = dumped("tiles.nc");
  EXPECT_THAT(text, HasSubstr(" t_window =\n  36, 37.5, 39,\n  51, 52.5, 54 ;"));
  EXPECT_THAT(text, HasSubstr(" t_sum = 4392 ;"));
  const std::vector<double> coarse = test::values(text, "t_coarse");
  ASSERT_EQ(coarse.size(), 8U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(coarse[4 + i] + coarse[i], 2 * 2 * (25 + 1 + 3.0 * static_cast<double>(i)), 1e-9);
  }
}

TEST(Gaps, are_the_same_for_any_clients) {
  const std::string iodef = "<simulation>" + masks + points + rings + tiles + "</simulation>";
  test::run_clients(
      iodef, 3,
      [](Client& client) {
        run_masks(client);
        run_points(client);
        run_rings(client);
        run_tiles(client);
      },
      [] {
        check_masks();
        check_points();
        check_rings();
        check_tiles();
      });
}

}  // namespace
}  // namespace epios::client::gaps_test
