// Fields between domains in whole runs: weights from and to files, bilinear and nearest values, and
// what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <epios/epios.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::domains_test {
namespace {

using ::testing::DoubleNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

constexpr int ni = 36, nj = 18, points = 300;

std::string context(const std::string& id, const std::string& smooth, const std::string& near,
                    const std::string& between) {
  return "<context id=\"" + id + R"("><calendar type="NoLeap" timestep="1h"
    start_date="2000-01-01"/>
    <domain_definition>
      <domain id="fine" ni_glo="36" nj_glo="18" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="cloud" ni_glo="300" type="unstructured"/>
      <domain id="smooth" ni_glo="24" nj_glo="10" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain )" +
         smooth + R"(/>
      </domain>
      <domain id="near" ni_glo="24" nj_glo="10" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain method="nearest" )" +
         near + R"(/>
      </domain>
      <domain id="between" ni_glo="50" nj_glo="31" type="rectilinear">
        <generate_rectilinear_domain bounds_lon_start="10" bounds_lon_end="350"/>
        <interpolate_domain method="bilinear" )" +
         between + R"(/>
      </domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="2" value="(0,1)[1 2]"/></axis_definition>
    <grid_definition>
      <grid id="deep"><domain domain_ref="fine"/><axis axis_ref="z"/></grid>
      <grid id="deep_smooth"><domain domain_ref="smooth"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" default_value="-999">
      <field id="t" domain_ref="fine"/>
      <field id="d" grid_ref="deep"/>
      <field id="c" domain_ref="cloud"/>
    </field_definition>
    <file_definition>
      <file id=")" +
         id + R"(" output_freq="1h">
        <field field_ref="t" name="t_smooth" domain_ref="smooth"/>
        <field field_ref="d" name="d_smooth" grid_ref="deep_smooth"/>
        <field field_ref="t" name="t_between" domain_ref="between"/>
        <field field_ref="c" name="c_near" domain_ref="near"/>
      </file>
    </file_definition></context>)";
}

// Bounds of the first column lie across the meridian at which longitudes begin anew, as files have
// them.
const std::string wrapped = test::context("wrapped", R"(
    <domain_definition>
      <domain id="wrapped" ni_glo="4" nj_glo="2" type="rectilinear" nvertex="2"
              lonvalue_1d="(0,3)[0 90 180 270]" latvalue_1d="(0,1)[-45 45]"
              bounds_lon_1d="(0,1) x (0,3)[315 45 45 135 135 225 225 315]"
              bounds_lat_1d="(0,1) x (0,1)[-90 0 0 90]"/>
      <domain id="onto" ni_glo="8" nj_glo="2" type="rectilinear">
        <generate_rectilinear_domain bounds_lon_start="-45" bounds_lon_end="315"/>
        <interpolate_domain order="1"/>
      </domain>
      <domain id="back" domain_ref="wrapped"><interpolate_domain order="1"/></domain>
      <domain id="nearly" ni_glo="3" nj_glo="1" type="rectilinear" nvertex="2"
              lonvalue_1d="(0,2)[60 180 300]" latvalue_1d="(0,0)[0]"
              bounds_lon_1d="(0,1) x (0,2)[0 120 120 240 240 359.99]"
              bounds_lat_1d="(0,1) x (0,0)[-90 90]"/>
      <domain id="over_seam" ni_glo="3" nj_glo="1" type="rectilinear">
        <generate_rectilinear_domain bounds_lon_start="-60" bounds_lon_end="300"/>
        <interpolate_domain order="1"/>
      </domain>
      <domain id="columns" ni_glo="2" nj_glo="2" type="rectilinear"
              lonvalue_1d="(0,1)[45 225]" latvalue_1d="(0,1)[-45 45]"
              bounds_lon_1d="(0,1) x (0,1)[0 90 90 360]"/>
      <domain id="listed" ni_glo="2" nj_glo="2" type="rectilinear" ni="4" nj="1"
              i_index="(0,3)[1 0 0 1]" j_index="(0,3)[0 0 1 1]"
              lonvalue_1d="(0,3)[225 45 45 225]" latvalue_1d="(0,3)[-45 -45 45 45]"
              bounds_lon_1d="(0,1) x (0,3)[90 360 0 90 0 90 90 360]"
              bounds_lat_1d="(0,1) x (0,3)[-90 0 -90 0 0 90 0 90]"/>
      <domain id="listed_corners" domain_ref="listed" nvertex="4"/>
      <domain id="rows" ni_glo="2" nj_glo="2" type="rectilinear"
              lonvalue_1d="(0,1)[90 270]" latvalue_1d="(0,1)[-45 45]"
              bounds_lat_1d="(0,1) x (0,1)[-90 -30 -30 90]"/>
      <domain id="fine_columns" ni_glo="4" nj_glo="2" type="rectilinear">
        <generate_rectilinear_domain bounds_lon_start="0" bounds_lon_end="360"/>
        <interpolate_domain order="1"/>
      </domain>
      <domain id="fine_rows" ni_glo="2" nj_glo="6" type="rectilinear">
        <generate_rectilinear_domain bounds_lon_start="0" bounds_lon_end="360"/>
        <interpolate_domain order="1"/>
      </domain>
      <domain id="corners" ni_glo="4" nj_glo="1" type="rectilinear" nvertex="4"
              lonvalue_1d="(0,3)[180 -90 0 90]" latvalue_1d="(0,0)[0]"
              bounds_lon_2d="(0,3) x (0,3) x (0,0)[135 -135 -135 135  -135 -45 -45 -135
                                                   -45 45 45 -45  45 135 135 45]"
              bounds_lat_2d="(0,3) x (0,3) x (0,0)[-9 -9 9 9  -9 -9 9 9  -9 -9 9 9  -9 -9 9 9]"/>
    </domain_definition>
    <field_definition operation="instant" prec="8">
      <field id="t" domain_ref="wrapped"/>
      <field id="c" domain_ref="corners"/>
      <field id="seven" domain_ref="nearly"/>
      <field id="of_columns" domain_ref="columns"/>
      <field id="of_rows" domain_ref="rows"/>
      <field id="of_listed" domain_ref="listed"/>
      <field id="of_corners" domain_ref="listed_corners"/>
      <field id="t_onto" field_ref="t" domain_ref="onto"/>
      <field id="t_back" field_ref="t_onto" domain_ref="back"/>
    </field_definition>
    <file_definition>
      <file id="wrapped" output_freq="1h"><field field_ref="t_onto"/><field field_ref="t_back"/></file>
      <file id="corners" output_freq="1h"><field field_ref="c"/></file>
      <file id="seam" output_freq="1h"><field field_ref="seven" domain_ref="over_seam"/></file>
      <file id="one_side" output_freq="1h">
        <field field_ref="of_columns" domain_ref="fine_columns"/>
        <field field_ref="of_rows" domain_ref="fine_rows"/>
        <field field_ref="of_listed" domain_ref="fine_columns"/>
        <field field_ref="of_corners" domain_ref="fine_columns"/>
      </file>
    </file_definition>)");

void run_wrapped(Client& client) {
  Context context = client.open_context("wrapped");
  context.close_definition();
  context.update_calendar(1);
  context.send("t", std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8});
  context.send("c", std::vector<double>{1, 2, 3, 4});
  context.send("seven", std::vector<double>{7, 7, 7});
  context.send("of_columns", std::vector<double>{1, 2, 3, 4});
  context.send("of_rows", std::vector<double>{1, 2, 3, 4});
  for (const char* field : {"of_listed", "of_corners"}) {
    context.send(field, std::vector<double>{2, 1, 3, 4});
  }
  context.finalize();
}

/// Would have found that the column from 315 to 45 degrees was taken for the one from 45 to 315.
void check_wrapped() {
  const std::string text = test::dumped("wrapped.nc");
  EXPECT_EQ(test::values(text, "t_onto"),
            (std::vector<double>{1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8}));
  EXPECT_EQ(test::values(text, "t_back"), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  // Would have found a stripe of lower values, 6.9994, where bounds in single precision do not
  // meet.
  EXPECT_EQ(test::values(test::dumped("seam.nc"), "seven"), (std::vector<double>{7, 7, 7}));
  // Would have found that bounds of columns alone, or of rows alone, were ignored: columns met at
  // 135 degrees, rows at the equator.
  const std::string one_side = test::dumped("one_side.nc");
  // Of listed cells: that these could not have the bounds of their columns and rows.
  for (const char* field : {"of_columns", "of_listed", "of_corners"}) {
    EXPECT_THAT(test::values(one_side, field),
                Pointwise(DoubleNear(1e-12), {1, 2, 2, 2, 3, 4, 4, 4}))
        << field;
  }
  EXPECT_THAT(test::values(one_side, "of_rows"),
              Pointwise(DoubleNear(1e-12), {1, 2, 1, 2, 3, 4, 3, 4, 3, 4, 3, 4}));
  // Of four corners: would have found -135 to 135 around 180.
  EXPECT_EQ(test::values(test::dumped("corners.nc"), "bounds_lon"),
            (std::vector<double>{135, 225, -135, -45, -45, 45, 45, 135}));
}

/// The latitude, but for one cell.
double t_at(int i, int j) { return i == 20 && j == 9 ? std::nan("") : -85.0 + 10 * j; }

/// Points all over the sphere.
double cloud_lat(int p) { return std::asin(-1 + (2.0 * p + 1) / points) * 180 / std::acos(-1.0); }
double cloud_lon(int p) { return std::fmod(p * 137.50776405, 360.0); }

void run_one(Client& client, const std::string& id) {
  Context context = client.open_context(id);
  // Every so manieth point.
  std::vector<std::int64_t> index;
  std::vector<double> lon;
  std::vector<double> lat;
  std::vector<double> c;
  for (int p = client.rank(); p < points; p += client.size()) {
    index.push_back(p);
    lon.push_back(cloud_lon(p));
    lat.push_back(cloud_lat(p));
    c.push_back(p);
  }
  context.at("domain", "cloud")
      .set("ni", static_cast<std::int64_t>(index.size()))
      .set("i_index", index)
      .set("lonvalue_1d", lon)
      .set("latvalue_1d", lat);
  context.close_definition();
  const int rows = nj * (client.rank() + 1) / client.size() - nj * client.rank() / client.size();
  const int first = nj * client.rank() / client.size();
  context.update_calendar(1);
  std::vector<double> t;
  for (int j = first; j < first + rows; ++j) {
    for (int i = 0; i < ni; ++i) t.push_back(t_at(i, j));
  }
  context.send("t", t);
  context.send("c", c);
  t.insert(t.end(), t.begin(), t.end());
  context.send("d", t);
  context.finalize();
}

void check_near(const std::string& text) {
  const std::vector<double> near = test::values(text, "c_near");
  ASSERT_EQ(near.size(), 240U);
  const double radian = std::acos(-1.0) / 180;
  for (int j = 0; j < 10; ++j) {
    for (int i = 0; i < 24; ++i) {
      const double lon = 15 * i + 7.5;
      const double lat = 18 * j - 81;
      int best = -1;
      double most = -2;
      for (int p = 0; p < points; ++p) {
        const double cosine = std::sin(lat * radian) * std::sin(cloud_lat(p) * radian) +
                              std::cos(lat * radian) * std::cos(cloud_lat(p) * radian) *
                                  std::cos((lon - cloud_lon(p)) * radian);
        if (cosine > most) best = p;
        most = std::max(most, cosine);
      }
      EXPECT_EQ(near[static_cast<std::size_t>(24 * j + i)], best) << lon << " " << lat;
    }
  }
}

/// Between the centres of rows a latitude stays what it is, unless a value is missing.
void check_between(const std::string& text) {
  const std::vector<double> between = test::values(text, "t_between");
  ASSERT_EQ(between.size(), 1550U);
  for (int j = 0; j < 31; ++j) {
    for (int i = 0; i < 50; ++i) {
      const double lon = 10 + 6.8 * (i + 0.5);
      const double lat = 180.0 / 31 * (j + 0.5) - 90;
      const double value = between[static_cast<std::size_t>(50 * j + i)];
      const bool is_near = std::abs(lon - 205) < 10 && std::abs(lat - 5) < 10;
      if (is_near) {
        EXPECT_TRUE(std::isnan(value)) << lon << " " << lat;
      } else if (std::abs(lat) <= 85) {
        EXPECT_NEAR(value, lat, 1e-11) << lon;
      } else {
        EXPECT_LE(std::abs(std::abs(value) - 85), 1e-11) << lat;
      }
    }
  }
}

/// Rows of 18 degrees, of which the missing cell has a part in few.
void check_smooth(const std::string& text) {
  const std::vector<double> smooth = test::values(text, "t_smooth");
  ASSERT_EQ(smooth.size(), 240U);
  EXPECT_EQ(std::count_if(smooth.begin(), smooth.end(), [](double v) { return std::isnan(v); }), 0);
  std::vector<double> twice = smooth;
  twice.insert(twice.end(), smooth.begin(), smooth.end());
  EXPECT_EQ(test::values(text, "d_smooth"), twice);
}

TEST(Domains, weights_are_written_read_and_the_same) {
  const std::string kept = " detect_missing_value=\"true\" weight_filename=\"smooth.nc\"";
  const std::vector<std::string> ids{"made", "taken", "perhaps", "again"};
  const std::string iodef =
      "<simulation>" +
      context("made", "write_weight=\"true\"" + kept,
              "write_weight=\"true\" weight_filename=\"near.nc\"",
              R"(write_weight="true" weight_filename="between.nc" read_write_convention="c")") +
      context("taken", "mode=\"read\"" + kept, "mode=\"read\" weight_filename=\"near.nc\"",
              R"(mode="read" weight_filename="between.nc" read_write_convention="c")") +
      context("perhaps", "mode=\"read_or_compute\"" + kept,
              "mode=\"read_or_compute\" write_weight=\"true\"", "mode=\"read_or_compute\"") +
      context("again", kept, "", "") + wrapped + "</simulation>";
  test::run_three_or_one(
      iodef,
      [&](Client& client) {
        for (const std::string& id : ids) run_one(client, id);
        run_wrapped(client);
      },
      [&] {
        check_wrapped();
        const std::string made = test::dumped("made.nc");
        check_near(made);
        check_between(made);
        check_smooth(made);
        for (const std::string& id : ids) {
          const std::string text = test::dumped(id + ".nc");
          for (const char* name : {"t_smooth", "d_smooth", "t_between", "c_near"}) {
            const std::size_t at = made.find(std::string(" ") + name + " =");
            ASSERT_NE(at, std::string::npos);
            EXPECT_THAT(text, HasSubstr(made.substr(at, made.find(';', at) - at))) << id;
          }
        }
        EXPECT_TRUE(std::filesystem::exists("xios_interpolation_weights_perhaps_cloud_near.nc"));
        EXPECT_FALSE(std::filesystem::exists("xios_interpolation_weights_perhaps_fine_between.nc"));
        EXPECT_FALSE(std::filesystem::exists("xios_interpolation_weights_again_cloud_near.nc"));
        EXPECT_THAT(test::dumped("-h smooth.nc"),
                    ::testing::AllOf(HasSubstr("n_src = 648"), HasSubstr("n_dst = 240"),
                                     HasSubstr("int src_idx(n_weight)"),
                                     HasSubstr("double weight(n_weight)"),
                                     HasSubstr("epios_weights = \"conservative order=2\"")));
      });
}

}  // namespace
}  // namespace epios::client::domains_test
