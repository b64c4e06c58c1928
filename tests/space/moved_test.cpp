// Fields whose values come from others of the grid, on several clients: what is in the files, what
// is received, and what is asked of the model.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::moved_test {
namespace {

using test::context;
using test::dumped;
using test::values;
using ::testing::HasSubstr;
using ::testing::Not;

// Twelve columns and two rows on three levels; each client has some columns.
const std::string reductions = context("reductions", R"(
    <domain_definition>
      <domain id="d" type="rectilinear" ni_glo="12" nj_glo="2" data_dim="2"/>
    </domain_definition>
    <axis_definition>
      <axis id="z" n_glo="3" value="(0,2)[5 10 20]"/>
      <axis id="zonal"><reduce_domain operation="average" direction="jDir"/></axis>
      <axis id="twice" n_glo="2"><duplicate_scalar/></axis>
    </axis_definition>
    <scalar_definition>
      <scalar id="plain"/>
      <scalar id="sum"><reduce_domain operation="sum"/></scalar>
      <scalar id="column"><reduce_axis operation="max"/></scalar>
    </scalar_definition>
    <grid_definition>
      <grid id="all"><domain domain_ref="d"/><axis axis_ref="z"/></grid>
      <grid id="sums"><scalar scalar_ref="sum"/><axis axis_ref="z"/></grid>
      <grid id="weights"><scalar scalar_ref="plain"/><axis axis_ref="z"/></grid>
      <grid id="zonals"><axis axis_ref="zonal"/><axis axis_ref="z"/></grid>
      <grid id="largest"><domain domain_ref="d"/><scalar scalar_ref="column"/></grid>
      <grid id="one"><scalar scalar_ref="sum"/><scalar scalar_ref="column"/></grid>
      <grid id="two"><axis axis_ref="twice"/><scalar scalar_ref="column"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" cell_methods="%cells%" cell_methods_mode="prefix">
      <field id="t" grid_ref="all"/>
      <field id="t_sum" field_ref="t" grid_ref="sums"/>
      <field id="weight" grid_ref="weights"/>
      <field id="weighted" grid_ref="sums"> t_sum * weight </field>
      <field id="t_largest" field_ref="t" grid_ref="largest"/>
      <field id="t_one" field_ref="t_largest" grid_ref="one"/>
      <field id="t_two" field_ref="t_one" grid_ref="two"/>
      <field id="back" field_ref="weighted" grid_ref="sums" read_access="true"/>
    </field_definition>
    <file_definition>
      <file id="reductions" output_freq="2h">
        <field field_ref="t_sum" operation="average"/>
        <field field_ref="t" name="t_zonal" grid_ref="zonals"/>
        <field field_ref="weighted"/>
        <field field_ref="t_largest"/>
        <field field_ref="t_one" operation="maximum"/>
        <field field_ref="t_two"/>
      </file>
    </file_definition>)");

// A field on 36 x 18 cells and four levels, to other levels and to a coarser grid of the sphere.
const std::string interpolations = context("interpolations", R"(
    <domain_definition>
      <domain id="fine" ni_glo="36" nj_glo="18" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="coarse" ni_glo="12" nj_glo="6" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>
      <domain id="smooth" ni_glo="72" nj_glo="36" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="2"/>
      </domain>
    </domain_definition>
    <axis_definition>
      <axis id="z" n_glo="4" value="(0,3)[0 10 20 40]"/>
      <axis id="levels" n_glo="5" value="(0,4)[5 10 30 40 50]"><interpolate_axis order="1"/></axis>
      <axis id="cubic" n_glo="2" value="(0,1)[5 30]"><interpolate_axis order="3"/></axis>
    </axis_definition>
    <scalar_definition><scalar id="all"><reduce_domain operation="average"/></scalar></scalar_definition>
    <grid_definition>
      <grid id="column"><axis axis_ref="z"/></grid>
      <grid id="box"><domain domain_ref="fine"/><axis axis_ref="z"/></grid>
      <grid id="box_levels"><domain domain_ref="fine"/><axis axis_ref="levels"/></grid>
      <grid id="means"><scalar scalar_ref="all"/><axis axis_ref="levels"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" cell_methods="%cells%" cell_methods_mode="prefix" default_value="-999">
      <field id="p" grid_ref="column"/>
      <field id="t" domain_ref="fine"/>
      <field id="b" grid_ref="box"/>
      <field id="b_levels" field_ref="b" grid_ref="box_levels"/>
      <field id="t_coarse" field_ref="t" domain_ref="coarse"/>
    </field_definition>
    <file_definition>
      <file id="interpolations" output_freq="1h">
        <field field_ref="p" name="p_levels" axis_ref="levels"/>
        <field field_ref="p" name="p_cubic" axis_ref="cubic"/>
        <field field_ref="b_levels" name="b_mean" grid_ref="means"/>
        <field field_ref="t_coarse"/>
        <field field_ref="t" name="t_smooth" domain_ref="smooth"/>
      </file>
    </file_definition>)");

// Three hours beside each other.
const std::string splitting = context("splitting", R"(
    <scalar_definition><scalar id="one"/></scalar_definition>
    <axis_definition>
      <axis id="hours" n_glo="3" value="(0,2)[1 2 3]"><temporal_splitting/></axis>
      <axis id="sums" n_glo="3"><temporal_splitting/></axis>
    </axis_definition>
    <field_definition operation="instant" prec="8" default_value="-1">
      <field id="x" scalar_ref="one"/>
      <field id="y" scalar_ref="one" operation="accumulate"/>
      <field id="y_two" scalar_ref="one" freq_op="2h"> @y </field>
      <field id="y_sums" field_ref="y_two" scalar_ref="_reset_" axis_ref="sums" operation="instant"/>
      <field id="late" scalar_ref="one"/>
      <field id="x_late" field_ref="late" scalar_ref="_reset_" axis_ref="hours"/>
      <field id="x_hours" field_ref="x" scalar_ref="_reset_" axis_ref="hours"/>
    </field_definition>
    <file_definition>
      <file id="splitting" output_freq="3h"><field field_ref="x_hours"/><field field_ref="x_late"/></file>
      <file id="splitting_sums" output_freq="6h"><field field_ref="y_sums"/></file>
      <file id="splitting_mean" output_freq="12h"><field field_ref="y_sums" operation="average"/></file>
    </file_definition>)");

void run_splitting(Client& client) {
  Context context = client.open_context("splitting");
  context.close_definition();
  for (int step = 1; step <= 13; ++step) {
    context.update_calendar(step);
    EXPECT_TRUE(context.is_active("x")) << step;
    EXPECT_TRUE(context.is_active("y")) << step;
    if (step != 6) context.send("late", std::vector<double>{1.0 * step});
    if (step != 5) context.send("x", std::vector<double>{1.0 * step});
    if (step != 1 && step != 6) context.send("y", std::vector<double>{1.0 * step});
  }
  context.finalize();
}

void check_splitting() {
  const std::string text =
      dumped("splitting.nc") + dumped("splitting_sums.nc") + dumped("splitting_mean.nc");
  // A slot whose date the model leaves out is missing; the others stay where they are.
  EXPECT_THAT(text, HasSubstr(" x_hours =\n  1, 2, 3,\n  4, _, 6,\n  7, 8, 9,\n  10, 11, 12 ;"));
  // Sums of two hours, without that of the hours 5 and 6, which has one sample.
  EXPECT_THAT(text, HasSubstr(" y_sums =\n  2, 7, 5,\n  15, 19, 23 ;"));
  EXPECT_THAT(text, HasSubstr(" y_sums =\n  8.5, 13, 14 ;"));
}

// The same in two jobs, of which the first one ends within an array: the dates that it had are lost
// (a warning says so), those of the second one stay in their slots.
const std::string cut = R"(<context id="cut" statistics_file="cut_state">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <scalar_definition><scalar id="one"/></scalar_definition>
    <axis_definition><axis id="hours" n_glo="3"><temporal_splitting/></axis></axis_definition>
    <field_definition operation="instant" prec="8" default_value="-1">
      <field id="x" scalar_ref="one"/>
      <field id="x_hours" field_ref="x" scalar_ref="_reset_" axis_ref="hours"/>
    </field_definition>
    <file_definition>
      <file id="cut" output_freq="3h"><field field_ref="x_hours"/></file>
      <file id="cut_means" output_freq="6h"><field field_ref="x" operation="average"/></file>
    </file_definition></context>)";

void run_cut(Client& client) {
  constexpr int in_first_job = 4;
  constexpr int all = 9;
  for (const bool goes_on : {false, true}) {
    Context context = client.open_context("cut");
    if (goes_on) {
      context.set("calendar", "", "start_date", "2000-01-01 04:00:00");
      for (const char* const file : {"cut", "cut_means"}) {
        context.set("file", file, "name_suffix", "_on");
      }
    }
    context.close_definition();
    const int before = goes_on ? in_first_job : 0;
    for (int step = before + 1; step <= (goes_on ? all : in_first_job); ++step) {
      context.update_calendar(step - before);
      context.send("x", std::vector<double>{1.0 * step});
    }
    context.finalize();
  }
}

void check_cut() {
  EXPECT_THAT(dumped("cut.nc"), HasSubstr(" x_hours =\n  1, 2, 3 ;"));
  EXPECT_THAT(dumped("cut_on.nc"), HasSubstr(" x_hours =\n  _, 5, 6,\n  7, 8, 9 ;"));
  EXPECT_THAT(dumped("cut_means_on.nc"), HasSubstr(" x = 3.5 ;"));
}

void run_interpolations(Client& client) {
  Context context = client.open_context("interpolations");
  context.close_definition();
  const int rows = 18 * (client.rank() + 1) / client.size() - 18 * client.rank() / client.size();
  const int first = 18 * client.rank() / client.size();
  context.update_calendar(1);
  context.send("p", std::vector<double>{0, 1, 2, 8});
  std::vector<double> t;
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < 36; ++i) t.push_back(100 * (first + j) + i);
  }
  context.send("t", t);
  std::vector<double> b;
  for (int k = 0; k < 4; ++k) b.insert(b.end(), t.size(), k);
  context.send("b", b);
  context.finalize();
}

void check_interpolations() {
  const std::string text = dumped("-p 9,17 interpolations.nc");
  EXPECT_THAT(text, HasSubstr("p_levels:cell_methods = \"time: point\""));
  EXPECT_THAT(text, HasSubstr("b_mean:cell_methods = \"area: mean (unweighted) time: point\""));
  EXPECT_THAT(text, HasSubstr("t_coarse:cell_methods = \"area: mean time: point\""));
  EXPECT_THAT(text, HasSubstr(" p_levels =\n  0.5, 1, 5, 8, _ ;"));
  // Through all four points: f(5) and f(30) of the cubic one.
  EXPECT_THAT(text, HasSubstr(" p_cubic =\n  0.5625, 4 ;")) << text.substr(0, 100);
  EXPECT_THAT(text, HasSubstr(" b_mean =\n  0.5, 1, 2.5, 3, _ ;"));
  EXPECT_THAT(text, HasSubstr(" lat_coarse = -75, -45, -15, 15, 45, 75 ;"));
  // Means over three columns and three rows, by area: sines of latitudes.
  const std::vector<double> coarse = values(text, "t_coarse");
  ASSERT_EQ(coarse.size(), 72U);
  const auto sine = [](int row) { return std::sin((row * 10 - 90) * std::acos(-1.0) / 180); };
  for (int j = 0; j < 6; ++j) {
    double rows = 0;
    for (int r = 3 * j; r < 3 * j + 3; ++r) rows += 100 * r * (sine(r + 1) - sine(r));
    for (int i = 0; i < 12; ++i) {
      EXPECT_NEAR(coarse[static_cast<std::size_t>(12 * j + i)],
                  rows / (sine(3 * j + 3) - sine(3 * j)) + 3 * i + 1, 1e-9);
    }
  }
  // The total stays.
  const std::vector<double> smooth = values(text, "t_smooth");
  ASSERT_EQ(smooth.size(), 72U * 36U);
  double total = 0;
  double wanted = 0;
  for (int j = 0; j < 36; ++j) {
    const double area = std::sin((5 * j - 85) * std::acos(-1.0) / 180) -
                        std::sin((5 * j - 90) * std::acos(-1.0) / 180);
    for (int i = 0; i < 72; ++i) {
      total += area * smooth[static_cast<std::size_t>(72 * j + i)];
      wanted += area * (100 * (j / 2) + i / 2);
    }
  }
  EXPECT_NEAR(total / wanted, 1, 1e-13);
}

void run_reductions(Client& client) {
  Context context = client.open_context("reductions");
  const int columns = 12 / client.size();
  context.at("domain", "d")
      .set("ibegin", columns * client.rank())
      .set("ni", columns)
      .set("jbegin", 0)
      .set("nj", 2)
      .set("latvalue_1d", std::vector<double>{-45, 45})
      .set("lonvalue_1d", std::vector<double>(static_cast<std::size_t>(columns), 0.0));
  context.close_definition();
  for (int step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    EXPECT_TRUE(context.is_active("t"));
    EXPECT_TRUE(context.is_active("weight"));
    std::vector<double> t;
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 2; ++j) {
        for (int i = 0; i < columns; ++i) {
          t.push_back(step * (100 * k + 10 * j + i + columns * client.rank()));
        }
      }
    }
    context.send("t", t);
    EXPECT_TRUE(context.is_active("weight")) << "what is coming counts as there";
    context.send("weight", std::vector<double>{1, 2, 3});
    std::vector<double> back(3);
    context.receive("back", std::span<double>(back));
    // 24 points: 132 + 120, and 2400 more for each level.
    EXPECT_EQ(back, (std::vector<double>{252.0 * step, 2 * 2652.0 * step, 3 * 5052.0 * step}));
  }
  context.finalize();
}

void check_reductions() {
  const std::string text = dumped("reductions.nc");
  EXPECT_THAT(text, HasSubstr(" t_sum =\n  378, 3978, 7578 ;"));
  EXPECT_THAT(text, HasSubstr(" zonal = -45, 45 ;"));
  EXPECT_THAT(text, HasSubstr(" t_zonal =\n  11, 31,\n  211, 231,\n  411, 431 ;"));
  EXPECT_THAT(text, HasSubstr(" weighted =\n  504, 10608, 30312 ;"));
  EXPECT_THAT(text, HasSubstr(" t_largest =\n  400, 402, 404, 406, 408, 410, 412, 414, 416, 418, "
                              "420, 422,\n  420, 422,"));
  EXPECT_THAT(text, HasSubstr(" t_one = 10104 ;"));
  EXPECT_THAT(text, HasSubstr(" t_two =\n  10104, 10104 ;"));
  const auto has_methods = [&](const std::string& field, const std::string& methods) {
    EXPECT_THAT(text, HasSubstr("\t" + field + ":cell_methods = \"" + methods + "\" ;"));
  };
  has_methods("t_sum", "area: sum time: mean (interval: 1 h)");
  has_methods("t_zonal", "longitude: mean time: point");
  has_methods("weighted", "time: point");
  has_methods("t_largest", "z: maximum time: point");
  has_methods("t_one", "z: maximum area: sum time: maximum (interval: 1 h)");
}

TEST(Moved, files_are_the_same_for_any_clients) {
  const std::string iodef =
      "<simulation>" + reductions + interpolations + splitting + cut + "</simulation>";
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ::testing::internal::CaptureStderr();
  test::run_clients(
      iodef, 3,
      [](Client& client) {
        run_reductions(client);
        run_interpolations(client);
        run_splitting(client);
        run_cut(client);
      },
      [] {
        check_reductions();
        check_interpolations();
        check_splitting();
        check_cut();
      });
  const std::string told = ::testing::internal::GetCapturedStderr();
  if (rank != 0) return;
  EXPECT_THAT(told,
              HasSubstr("warning: context 'splitting': field 'x_hours' (<temporal_splitting>): the "
                        "run ends with values of 1 date, which make no whole array"));
  EXPECT_THAT(told,
              HasSubstr("field 'x_hours' (<temporal_splitting>): 1 array with missing values"));
  EXPECT_THAT(told,
              HasSubstr("field 'x_late' (<temporal_splitting>): 1 array not written, since no "
                        "values came for the last date"));
  EXPECT_THAT(told,
              HasSubstr("context 'cut': field 'x_hours' (<temporal_splitting>): the run ends with "
                        "values of 1 date, which make no whole array"));
  EXPECT_THAT(told, HasSubstr("context 'cut': field 'x_hours' (<temporal_splitting>): 1 array with "
                              "missing values"));
  EXPECT_THAT(told, HasSubstr("epios: report: component 'c': transformations: "));
  // Would have found that each date at which no array is full counted as missing where freq_op,
  // here that of the sums, is not a time step.
  EXPECT_THAT(told, Not(HasSubstr("'y_sums' of file 'splitting_mean'")));
}

}  // namespace
}  // namespace epios::client::moved_test
