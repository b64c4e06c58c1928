// <interpolate_domain cover="...">: cells of which too little is covered are missing. And files
// that protect one of their name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::cover_test {
namespace {

using ::testing::HasSubstr;

// Half of the sphere; rows from 60 degrees North on are missing at the second step. Targets begin
// at 10 degrees, so that two columns are covered in part.
const char* const definitions = R"(
    <domain_definition>
      <domain id="half" ni_glo="18" nj_glo="18" type="rectilinear">
        <generate_rectilinear_domain bounds_lon_start="0" bounds_lon_end="180"/>
      </domain>
      <domain_group type="rectilinear" ni_glo="10" nj_glo="4">
        <domain id="much">
          <generate_rectilinear_domain bounds_lon_start="10"/>
          <interpolate_domain order="1" renormalize="true" detect_missing_value="true" cover="0.8"/>
        </domain>
        <domain id="some">
          <generate_rectilinear_domain bounds_lon_start="10"/>
          <interpolate_domain order="1" renormalize="true" detect_missing_value="true" cover="0.5"/>
        </domain>
        <domain id="served">
          <generate_rectilinear_domain bounds_lon_start="10"/>
          <interpolate_domain order="1" renormalize="true" detect_missing_value="true" cover="0.5"
                              place="server"/>
        </domain>
        <domain id="second">
          <generate_rectilinear_domain bounds_lon_start="10"/>
          <interpolate_domain order="2" renormalize="true" detect_missing_value="true" cover="0.5"/>
        </domain>
        <domain id="part">
          <generate_rectilinear_domain bounds_lon_start="10"/>
          <interpolate_domain order="1" cover="0.5"/>
        </domain>
      </domain_group>
    </domain_definition>
    <field_definition operation="instant" prec="8" default_value="-999" detect_missing_value="true">
      <field id="t" domain_ref="half"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="much"><field field_ref="t" domain_ref="much"/></file>
      <file id="some"><field field_ref="t" domain_ref="some"/></file>
      <file id="served"><field field_ref="t" domain_ref="served"/></file>
      <file id="second"><field field_ref="t" domain_ref="second"/></file>
      <file id="part"><field field_ref="t" domain_ref="part"/></file>
      <file id="old" overwrite="never"><field field_ref="t"/></file>
      <file id="replaced"><field field_ref="t"/></file>
      <file id="new" overwrite="never"><field field_ref="t"/></file>
    </file_definition>)";

void run(Client& client) {
  if (client.rank() == 0) {
    std::ofstream("old.nc") << "kept";
    std::ofstream("replaced.nc") << "not kept";
  }
  Context context = client.open_context("v");
  context.close_definition();
  const auto number = [&](const char* name) {
    return context.at("domain", "half").get<std::int64_t>(name).value_or(-1);
  };
  for (int step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    std::vector<double> t;
    for (std::int64_t j = number("jbegin"); j < number("jbegin") + number("nj"); ++j) {
      const double value = step == 2 && j >= 15 ? -999 : 7;
      t.insert(t.end(), static_cast<std::size_t>(number("ni")), value);
    }
    context.send("t", t);
  }
  context.finalize();
  for (const FileReport& report : context.file_reports()) {
    if (report.path != "old.nc") {
      EXPECT_EQ(report.error, "") << report.path;
      continue;
    }
    EXPECT_THAT(report.error, HasSubstr("file 'old.nc': it exists (overwrite=\"never\")"));
    EXPECT_EQ(report.records_lost, 2);
  }
}

double sine(double lat) { return std::sin(lat * std::numbers::pi / 180); }

/// Part of a target cell that has values.
double covered(int step, int column, int row) {
  double out = column < 4 ? 1 : column == 4 ? 26 / 36.0 : column == 9 ? 10 / 36.0 : 0;
  if (step == 2 && row == 3) out *= (sine(60) - sine(45)) / (1 - sine(45));
  return out;
}

void expect_values(const std::string& file, double least) {
  SCOPED_TRACE(file);
  const std::vector<double> values = test::values(test::dumped(file), "t");
  ASSERT_EQ(values.size(), 80U);
  for (std::size_t k = 0; k < values.size(); ++k) {
    const auto cell = static_cast<int>(k % 40);
    const double part = covered(k < 40 ? 1 : 2, cell % 10, cell / 10);
    if (part < least) {
      EXPECT_TRUE(std::isnan(values[k])) << k;
    } else {
      EXPECT_NEAR(values[k], 7, 1e-12) << k;
    }
  }
}

void look() {
  expect_values("much.nc", 0.8);
  expect_values("some.nc", 0.5);
  expect_values("served.nc", 0.5);
  expect_values("second.nc", 0.5);
  // Neither renormalised nor without missing values.
  const std::vector<double> part = test::values(test::dumped("part.nc"), "t");
  ASSERT_EQ(part.size(), 80U);
  EXPECT_NEAR(part[4], 7 * 26 / 36.0, 1e-12);
  EXPECT_TRUE(std::isnan(part[9]));
  EXPECT_TRUE(std::isnan(part[70]));
  EXPECT_NEAR(part[60], 7, 1e-12);
  std::string old;
  std::ifstream("old.nc") >> old;
  EXPECT_EQ(old, "kept");
  EXPECT_EQ(test::values(test::dumped("replaced.nc"), "t").size(), 648U);
  EXPECT_EQ(test::values(test::dumped("new.nc"), "t").size(), 648U);
}

TEST(Cover, decides_which_cells_are_missing) {
  test::run_three_or_one("<simulation>" + test::context("v", definitions) + "</simulation>", run,
                         look);
}

}  // namespace
}  // namespace epios::client::cover_test
