// Longitudes and latitudes of <generate_rectilinear_domain>, from whatever is given of their ends.
#include <gtest/gtest.h>

#include <algorithm>
#include <epios/epios.hpp>
#include <string>
#include <vector>

#include "../client/scratch.hpp"
#include "space_run.hpp"

namespace epios::client::generated_domains_test {
namespace {

/// A line of 12 columns or 6 rows: what is given, its first and last edge.
struct Given {
  const char* attributes;
  double first, last;
};

const std::vector<Given> columns{
    {"", 0, 360},
    // One end: once round.
    {R"(lon_start="-175")", -190, 170},
    {R"(lon_end="165")", -180, 180},
    {R"(bounds_lon_start="-180")", -180, 180},
    {R"(bounds_lon_end="180")", -180, 180},
    {R"(lon_start="-175" bounds_lon_start="-180")", -190, 170},
    {R"(lon_end="165" bounds_lon_end="170")", -180, 180},
    // Both: from one to the other.
    {R"(lon_start="5" lon_end="115")", 0, 120},
    {R"(lon_start="5" bounds_lon_end="120")", 0, 120},
    {R"(bounds_lon_start="0" lon_end="115")", 0, 120},
    {R"(bounds_lon_start="0" bounds_lon_end="120")", 0, 120},
    {R"(lon_start="5" lon_end="115" bounds_lon_start="-9" bounds_lon_end="200")", 0, 120},
};

const std::vector<Given> rows{
    {"", -90, 90},
    // One end: to a pole. That is the other one where it begins at the one it would go to.
    {R"(lat_start="-75")", -90, 90},
    {R"(lat_end="75")", -90, 90},
    {R"(lat_start="75")", 90, -90},
    {R"(lat_end="-75")", 90, -90},
    {R"(bounds_lat_start="90")", 90, -90},
    {R"(bounds_lat_end="-90")", 90, -90},
    {R"(bounds_lat_start="30")", 30, 90},
    {R"(bounds_lat_end="30")", -90, 30},
    {R"(lat_start="35")", 30, 90},
    {R"(lat_end="-35")", -90, -30},
    // Rows around both poles.
    {R"(lat_start="-90")", -108, 108},
    {R"(lat_start="90")", 108, -108},
    {R"(lat_end="90")", -108, 108},
    {R"(lat_start="-90" lat_end="90")", -108, 108},
    {R"(lat_start="90" bounds_lat_start="90")", 108, -108},
};

std::string domain(const std::string& id, const char* attributes) {
  return "<domain id=\"" + id +
         "\" type=\"rectilinear\" prec=\"8\" ni_glo=\"12\" "
         "nj_glo=\"6\"><generate_rectilinear_domain " +
         attributes + "/></domain>\n";
}

std::string iodef() {
  std::string domains;
  std::string fields;
  std::string files;
  const auto add = [&](const std::string& id, const char* attributes) {
    domains += domain(id, attributes);
    fields += "<field id=\"f_" + id + "\" domain_ref=\"" + id + "\" operation=\"instant\"/>\n";
    files += "<field field_ref=\"f_" + id + "\"/>\n";
  };
  for (std::size_t k = 0; k < columns.size(); ++k) {
    add("lon" + std::to_string(k), columns[k].attributes);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) add("lat" + std::to_string(k), rows[k].attributes);
  return R"(<simulation><context id="c">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition>)" +
         domains + "</domain_definition><field_definition>" + fields +
         R"(</field_definition><file_definition><file id="out" output_freq="1h">)" + files +
         "</file></file_definition></context></simulation>";
}

void expect_line(const std::string& text, const std::string& id, const Given& given,
                 const std::string& direction, int n) {
  SCOPED_TRACE(given.attributes);
  const std::vector<double> values = test::values(text, direction + "_" + id);
  const std::vector<double> bounds = test::values(text, "bounds_" + direction + "_" + id);
  ASSERT_EQ(values.size(), static_cast<std::size_t>(n));
  ASSERT_EQ(bounds.size(), static_cast<std::size_t>(2 * n));
  const bool is_latitude = direction == "lat";
  for (int k = 0; k < n; ++k) {
    const auto at = [&](double place) {
      return given.first + (given.last - given.first) * place / n;
    };
    const auto on_sphere = [&](double edge) {
      return is_latitude ? std::clamp(edge, -90.0, 90.0) : edge;
    };
    const auto cell = static_cast<std::size_t>(k);
    EXPECT_NEAR(values[cell], at(k + 0.5), 1e-12) << "cell " << k;
    EXPECT_NEAR(bounds[2 * cell], on_sphere(at(k)), 1e-12) << "cell " << k;
    EXPECT_NEAR(bounds[2 * cell + 1], on_sphere(at(k + 1)), 1e-12) << "cell " << k;
  }
}

TEST(GeneratedDomains, go_on_from_what_is_given_of_either_end) {
  const Scratch scratch(iodef());
  Session session("c");
  Client client(session);
  Context context = client.open_context("c");
  context.close_definition();
  context.finalize();
  client.close();
  session.close();
  const std::string text = test::dumped("out.nc");
  for (std::size_t k = 0; k < columns.size(); ++k) {
    expect_line(text, "lon" + std::to_string(k), columns[k], "lon", 12);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    expect_line(text, "lat" + std::to_string(k), rows[k], "lat", 6);
  }
}

}  // namespace
}  // namespace epios::client::generated_domains_test
