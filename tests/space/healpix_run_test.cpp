// Domains of type healpix in whole runs: as target of interpolations and as the model's own grid.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::healpix_run_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int ni = 36, nj = 18, pixels = 192;
constexpr double degree = std::numbers::pi / 180;

double smooth(double lon, double lat) {
  return 3 + std::cos(lon * degree) * std::cos(lat * degree) + std::pow(std::sin(lat * degree), 3);
}

const char* const definitions = R"(
    <domain_definition>
      <domain id="fine" ni_glo="36" nj_glo="18" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="first" type="healpix" nside="4" prec="8"><interpolate_domain order="1"/></domain>
      <domain id="second" type="healpix" nside="4" prec="8"><interpolate_domain order="2"/></domain>
      <domain id="served" type="healpix" nside="4" prec="8">
        <interpolate_domain order="1" place="server"/>
      </domain>
      <domain id="near" type="healpix" nside="4" order="ring" prec="8">
        <interpolate_domain method="nearest"/>
      </domain>
      <domain id="own" type="healpix" nside="4" order="ring" prec="8"/>
      <domain id="back" ni_glo="36" nj_glo="18" type="rectilinear">
        <generate_rectilinear_domain/><interpolate_domain order="1"/>
      </domain>
      <domain id="north"><extract_domain ibegin="0" ni="4"/></domain>
    </domain_definition>
    <field_definition operation="instant" prec="8" default_value="-999">
      <field id="t" domain_ref="fine"/>
      <field id="p" domain_ref="own"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="first"><field field_ref="t" domain_ref="first"/></file>
      <file id="second"><field field_ref="t" domain_ref="second"/></file>
      <file id="served"><field field_ref="t" domain_ref="served"/></file>
      <file id="near"><field field_ref="t" domain_ref="near"/></file>
      <file id="own"><field field_ref="p"/></file>
      <file id="back"><field field_ref="p" domain_ref="back"/></file>
      <file id="north"><field field_ref="p" domain_ref="north"/></file>
      <file id="two">
        <field field_ref="t" name="t_first" domain_ref="first"/><field field_ref="p"/>
      </file>
    </file_definition>)";

/// What the clients have of a domain, in global indices.
struct Part {
  std::int64_t ibegin = 0, ni = 0, jbegin = 0, nj = 0;
};
Part part_of(Context& context, const char* domain) {
  const auto number = [&](const char* name) {
    return context.at("domain", domain).get<std::int64_t>(name).value_or(-1);
  };
  return {number("ibegin"), number("ni"), number("jbegin"), number("nj")};
}

void run(Client& client) {
  Context context = client.open_context("h");
  context.close_definition();
  context.update_calendar(1);
  const Part fine = part_of(context, "fine");
  std::vector<double> t;
  for (std::int64_t j = fine.jbegin; j < fine.jbegin + fine.nj; ++j) {
    for (std::int64_t i = fine.ibegin; i < fine.ibegin + fine.ni; ++i) {
      t.push_back(smooth(10 * static_cast<double>(i) + 5, 10 * static_cast<double>(j) - 85));
    }
  }
  context.send("t", t);
  const Part own = part_of(context, "own");
  EXPECT_EQ(own.nj, 1);
  std::vector<double> p(static_cast<std::size_t>(own.ni));
  std::iota(p.begin(), p.end(), static_cast<double>(own.ibegin));
  context.send("p", p);
  context.finalize();
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double mean_of_rows(const std::vector<double>& values) {
  double sum = 0;
  double weights = 0;
  for (std::size_t c = 0; c < values.size(); ++c) {
    const auto row = static_cast<double>(c / ni);
    const double weight = std::sin((10 * row - 80) * degree) - std::sin((10 * row - 90) * degree);
    sum += weight * values[c];
    weights += weight;
  }
  return sum / weights;
}

void look_at_values() {
  std::vector<double> fine;
  for (int c = 0; c < ni * nj; ++c) fine.push_back(smooth(10 * (c % ni) + 5, 10 * (c / ni) - 85));
  const double exact = mean_of_rows(fine);
  const std::vector<double> first = test::values(test::dumped("first.nc"), "t");
  const std::vector<double> second = test::values(test::dumped("second.nc"), "t");
  ASSERT_EQ(first.size(), static_cast<std::size_t>(pixels));
  ASSERT_EQ(second.size(), first.size());
  EXPECT_NEAR(mean(first), exact, 1e-10);
  EXPECT_NEAR(mean(second), exact, 1e-10);
  EXPECT_EQ(test::values(test::dumped("served.nc"), "t"), first);
  const std::string near = test::dumped("near.nc");
  const std::vector<double> lon = test::values(near, "lon");
  const std::vector<double> lat = test::values(near, "lat");
  const std::vector<double> nearest = test::values(near, "t");
  ASSERT_EQ(nearest.size(), static_cast<std::size_t>(pixels));
  double worst = 0;
  for (std::size_t c = 0; c < nearest.size(); ++c) {
    worst = std::max(worst, std::abs(nearest[c] - smooth(lon.at(c), lat.at(c))));
  }
  EXPECT_LT(worst, 0.25);
  EXPECT_NEAR(mean_of_rows(test::values(test::dumped("back.nc"), "p")), (pixels - 1) / 2.0, 1e-9);
}

void look_at_conventions() {
  const std::string nested = test::dumped("first.nc");
  EXPECT_THAT(nested, HasSubstr("cell = 192 ;"));
  EXPECT_THAT(nested, HasSubstr("double t(time_counter, cell) ;"));
  EXPECT_THAT(nested, HasSubstr(R"(t:grid_mapping = "crs" ;)"));
  EXPECT_THAT(nested, HasSubstr(R"(t:coordinates = "time_instant lat lon" ;)"));
  EXPECT_THAT(nested, HasSubstr(R"(crs:grid_mapping_name = "healpix" ;)"));
  EXPECT_THAT(nested, HasSubstr(R"(crs:indexing_scheme = "nested" ;)"));
  EXPECT_THAT(nested, HasSubstr("crs:refinement_level = 2 ;"));
  EXPECT_THAT(nested, HasSubstr("crs:healpix_nside = 4 ;"));
  EXPECT_THAT(nested, HasSubstr(R"(crs:healpix_order = "nest" ;)"));
  EXPECT_THAT(nested, HasSubstr("crs:earth_radius = 6371229. ;"));
  EXPECT_THAT(nested, HasSubstr("int cell(cell) ;"));
  EXPECT_THAT(nested, HasSubstr(R"(cell:standard_name = "healpix_index" ;)"));
  EXPECT_THAT(nested, HasSubstr(R"(:Conventions = "CF-1.13" ;)"));
  EXPECT_THAT(nested, Not(HasSubstr("bounds_lon")));
  const std::vector<double> numbers = test::values(nested, "cell");
  const std::string own = test::dumped("own.nc");
  EXPECT_THAT(own, HasSubstr(R"(crs:indexing_scheme = "ring" ;)"));
  EXPECT_THAT(own, HasSubstr(R"(crs:healpix_order = "ring" ;)"));
  ASSERT_EQ(numbers.size(), static_cast<std::size_t>(pixels));
  for (std::size_t c = 0; c < numbers.size(); ++c) EXPECT_EQ(numbers[c], static_cast<double>(c));
  EXPECT_EQ(test::values(own, "p"), numbers);
  EXPECT_EQ(test::values(own, "cell"), numbers);
  // The first pixel of the ring in the north.
  EXPECT_NEAR(test::values(own, "lon").front(), 45, 1e-12);
  EXPECT_NEAR(test::values(own, "lat").front(), std::asin(1 - 1 / 48.0) / degree, 1e-12);
  // Some of them are cells with coordinates, no HEALPix.
  const std::string north = test::dumped("north.nc");
  EXPECT_EQ(test::values(north, "p"), (std::vector<double>{0, 1, 2, 3}));
  EXPECT_EQ(test::values(north, "lon"), (std::vector<double>{45, 135, 225, 315}));
  EXPECT_THAT(north, Not(HasSubstr("grid_mapping")));
  const std::string two = test::dumped("two.nc");
  EXPECT_THAT(two, HasSubstr(R"(t_first:grid_mapping = "crs_first" ;)"));
  EXPECT_THAT(two, HasSubstr(R"(p:grid_mapping = "crs_own" ;)"));
}

TEST(HealpixRun, is_a_target_and_a_grid_of_the_model) {
  test::run_three_or_one("<simulation>" + test::context("h", definitions) + "</simulation>", run,
                         [] {
                           look_at_values();
                           look_at_conventions();
                         });
}

}  // namespace
}  // namespace epios::client::healpix_run_test
