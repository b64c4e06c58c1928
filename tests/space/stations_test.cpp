// <stations>: fields at stations and along sections, compared with what a loop over all cells
// finds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

#include "space_run.hpp"

namespace epios::client::stations_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr int ni = 36, nj = 18, levels = 3;
constexpr double degree = std::numbers::pi / 180, radius_km = 6371.229;

double lon_of(int i) { return 10 * i + 5; }
double lat_of(int j) { return 10 * j - 85; }
bool is_land(int i, int j) { return (i < 6 && j > 11 && j < 15) || (i * 7 + j * 3) % 11 == 0; }
double value(int i, int j, int k, int step) { return i + 100.0 * j + 10000 * k + 0.25 * step; }

struct Station {
  std::string name;
  double lon, lat;
};
const std::vector<Station>& stations() {
  static const std::vector<Station> all{{"brest", 355.5, 48.4},   {"inland", 24, 46},
                                        {"north pole", 2, 89},    {"date line", -179.5, -4},
                                        {"on a centre", 205, 15}, {"greenwich", 0.25, -61}};
  return all;
}

double distance_km(double lon, double lat, double other_lon, double other_lat) {
  const double a = std::sin((other_lat - lat) * degree / 2);
  const double b = std::sin((other_lon - lon) * degree / 2);
  const double h =
      a * a + std::cos(lat * degree) * std::cos(other_lat * degree) * b * b;  // haversine
  return 2 * radius_km * std::asin(std::sqrt(std::min(1.0, h)));
}

struct Cell {
  int i = -1, j = -1;
  double km = std::numeric_limits<double>::infinity();
};
/// Of equally near ones the first, as documented.
Cell nearest_cell(double lon, double lat, bool is_wet) {
  Cell best;
  for (int j = 0; j < nj; ++j) {
    for (int i = 0; i < ni; ++i) {
      if (is_wet && is_land(i, j)) continue;
      const double km = distance_km(lon, lat, lon_of(i), lat_of(j));
      if (km < best.km - 1e-6) best = {i, j, km};
    }
  }
  return best;
}

/// Between four centres, in degrees; NaN where one of them is land.
double between(double lon, double lat, int step) {
  const double x = std::fmod(lon + 360 - 5, 360) / 10;
  const double y = (lat + 85) / 10;
  const int i = static_cast<int>(x);
  const int j = static_cast<int>(y);
  const double a = x - i;
  const double b = y - j;
  const int east = (i + 1) % ni;
  if (is_land(i, j) || is_land(east, j) || is_land(i, j + 1) || is_land(east, j + 1)) {
    return std::nan("");
  }
  return (1 - a) * (1 - b) * value(i, j, 0, step) + a * (1 - b) * value(east, j, 0, step) +
         (1 - a) * b * value(i, j + 1, 0, step) + a * b * value(east, j + 1, 0, step);
}

const char* const definitions = R"(
    <domain_definition>
      <domain id="ocean" ni_glo="36" nj_glo="18" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="bay" ni_glo="6" nj_glo="3" type="rectilinear">
        <generate_rectilinear_domain bounds_lon_start="0" bounds_lon_end="60"
                                     bounds_lat_start="30" bounds_lat_end="60"/>
      </domain>
      <domain id="near"><stations file="stations.csv" write_distance="true"/></domain>
      <domain id="wet"><stations file="stations.csv" method="nearest_wet" write_distance="true"/></domain>
      <domain id="served"><stations file="stations.csv" method="nearest_wet" place="server" write_distance="true"/></domain>
      <domain id="linear"><stations file="stations.csv" method="bilinear"/></domain>
      <domain id="close"><stations file="stations.csv" method="nearest_wet" max_distance_km="508"/></domain>
      <domain id="regional"><stations lon="(0,2)[9 -20 33]" lat="(0,2)[41 40 45]" names="(0,2)[in west middle]"/></domain>
      <domain id="line">
        <stations section="true" spacing_km="500" lon="(0,2)[170 -170 -150]" lat="(0,2)[-30 -30 -50]" method="nearest_wet"/>
      </domain>
    </domain_definition>
    <axis_definition><axis id="z" n_glo="3" value="(0,2)[5 50 500]" positive="down" unit="m"/></axis_definition>
    <grid_definition>
      <grid id="g"><domain domain_ref="ocean"/><axis axis_ref="z"/></grid>
      <grid id="g_wet"><domain domain_ref="wet"/><axis axis_ref="z"/></grid>
    </grid_definition>
    <field_definition operation="instant" prec="8" default_value="-999">
      <field id="t" domain_ref="ocean"/><field id="u" grid_ref="g"/><field id="b" domain_ref="bay"/>
    </field_definition>
    <file_definition output_freq="1h">
      <file id="near"><field field_ref="t" domain_ref="near"/></file>
      <file id="wet"><field field_ref="t" domain_ref="wet"/></file>
      <file id="wet_zarr" format="zarr"><field field_ref="t" domain_ref="wet"/></file>
      <file id="wet_cdf" format="cdf5"><field field_ref="t" domain_ref="wet"/></file>
      <file id="served"><field field_ref="t" domain_ref="served"/></file>
      <file id="linear"><field field_ref="t" domain_ref="linear"/></file>
      <file id="close"><field field_ref="t" domain_ref="close"/></file>
      <file id="regional"><field field_ref="b" domain_ref="regional"/></file>
      <file id="line"><field field_ref="t" domain_ref="line"/></file>
      <file id="profiles"><field field_ref="u" grid_ref="g_wet"/></file>
      <file id="mixed">
        <field field_ref="t" domain_ref="wet"/><field field_ref="t" name="t_ocean"/>
        <field field_ref="t" name="mean" domain_ref="wet" operation="average"/>
      </file>
    </file_definition>)";

/// Takes its list from a file of the first context.
const char* const again = R"(
    <domain_definition>
      <domain id="ocean" ni_glo="36" nj_glo="18" type="rectilinear"><generate_rectilinear_domain/></domain>
      <domain id="wet"><stations file="wet.nc" method="nearest_wet"/></domain>
    </domain_definition>
    <field_definition operation="instant" prec="8"><field id="t" domain_ref="ocean"/></field_definition>
    <file_definition output_freq="1h"><file id="again"><field field_ref="t" domain_ref="wet"/></file></file_definition>)";

/// Rows of the ocean that a client has; some have none.
struct Rows {
  int first = 0, end = 0;
};
Rows set_ocean(Client& client, Context& context) {
  const Rows rows{nj * client.rank() / client.size(), nj * (client.rank() + 1) / client.size()};
  std::vector<unsigned char> mask;
  for (int j = rows.first; j < rows.end; ++j) {
    for (int i = 0; i < ni; ++i) mask.push_back(is_land(i, j) ? 0 : 1);
  }
  context.at("domain", "ocean")
      .set("ibegin", 0)
      .set("ni", ni)
      .set("jbegin", rows.first)
      .set("nj", rows.end - rows.first)
      .set("mask_1d", std::span<const unsigned char>(mask));
  return rows;
}

std::vector<double> values_of(const Rows& rows, int count, int step) {
  std::vector<double> out;
  for (int k = 0; k < count; ++k) {
    for (int j = rows.first; j < rows.end; ++j) {
      for (int i = 0; i < ni; ++i) out.push_back(is_land(i, j) ? 1e30 : value(i, j, k, step));
    }
  }
  return out;
}

void run(Client& client) {
  if (client.rank() == 0) {
    std::ofstream list("stations.csv");
    list << "# where tide gauges are\nlatitude;Name;longitude\n\n";
    for (const Station& s : stations())
      list << s.lat << ";\"" << s.name << "\"; " << s.lon << "\r\n";
  }
  Context context = client.open_context("s");
  const Rows rows = set_ocean(client, context);
  context.close_definition();
  const auto number = [&](const char* name) {
    return context.at("domain", "bay").get<std::int64_t>(name).value_or(-1);
  };
  std::vector<double> b;
  for (std::int64_t j = number("jbegin"); j < number("jbegin") + number("nj"); ++j) {
    for (std::int64_t i = number("ibegin"); i < number("ibegin") + number("ni"); ++i) {
      b.push_back(static_cast<double>(10 * j + i));
    }
  }
  for (int step = 1; step <= 2; ++step) {
    context.update_calendar(step);
    context.send("t", values_of(rows, 1, step));
    context.send("u", values_of(rows, levels, step));
    context.send("b", b);
  }
  context.finalize();
  for (const FileReport& report : context.file_reports())
    EXPECT_EQ(report.error, "") << report.path;
  Context second = client.open_context("again");
  const Rows same = set_ocean(client, second);
  second.close_definition();
  second.update_calendar(1);
  second.send("t", values_of(same, 1, 1));
  second.finalize();
}

void expect_same(double found, double wanted, const std::string& what) {
  if (std::isnan(wanted)) {
    EXPECT_TRUE(std::isnan(found)) << what << ": " << found;
  } else {
    EXPECT_NEAR(found, wanted, 1e-9) << what;
  }
}

/// `wanted` of a station and a step.
template <class Wanted>
void expect_values(const std::string& file, const Wanted& wanted) {
  SCOPED_TRACE(file);
  const std::size_t count = stations().size();
  const std::vector<double> found = test::values(test::dumped(file), "t");
  ASSERT_EQ(found.size(), 2 * count);
  for (std::size_t k = 0; k < found.size(); ++k) {
    const Station& station = stations()[k % count];
    expect_same(found[k], wanted(station, k < count ? 1 : 2), station.name);
  }
}

double of_nearest(const Station& s, int step, bool is_wet, double most_km) {
  const Cell cell = nearest_cell(s.lon, s.lat, is_wet);
  if (cell.km > most_km || (!is_wet && is_land(cell.i, cell.j))) return std::nan("");
  return value(cell.i, cell.j, 0, step);
}

/// Distances that were computed by one client for its own stations alone would be gaps here.
void look_at_distances() {
  for (const char* const file : {"near.nc", "wet.nc", "wet_cdf.nc", "served.nc"}) {
    SCOPED_TRACE(file);
    const std::string text = test::dumped(file);
    EXPECT_THAT(text, HasSubstr("double station_distance(station) ;"));
    EXPECT_THAT(text, HasSubstr(R"(station_distance:units = "km" ;)"));
    const std::vector<double> found = test::values(text, "station_distance");
    ASSERT_EQ(found.size(), stations().size());
    for (std::size_t s = 0; s < found.size(); ++s) {
      const Station& station = stations()[s];
      const bool is_wet = std::string(file) != "near.nc";
      EXPECT_NEAR(found[s], nearest_cell(station.lon, station.lat, is_wet).km, 1e-6)
          << station.name;
    }
  }
  EXPECT_THAT(test::dumped("mixed.nc"), HasSubstr("double station_distance_wet(station_wet) ;"));
  EXPECT_THAT(test::dumped("close.nc"), Not(HasSubstr("station_distance")));
}

void look_at_stations() {
  constexpr double any = 1e9;
  expect_values("near.nc",
                [](const Station& s, int step) { return of_nearest(s, step, false, any); });
  const auto wet = [](const Station& s, int step) { return of_nearest(s, step, true, any); };
  expect_values("wet.nc", wet);
  expect_values("wet_cdf.nc", wet);
  expect_values("served.nc", wet);
  expect_values("close.nc",
                [](const Station& s, int step) { return of_nearest(s, step, true, 508); });
  const std::vector<double> linear = test::values(test::dumped("linear.nc"), "t");
  ASSERT_EQ(linear.size(), 2 * stations().size());
  int compared = 0;
  for (const std::size_t s : {0U, 1U, 3U, 4U, 5U}) {  // none beside the pole
    const double wanted = between(stations()[s].lon, stations()[s].lat, 1);
    if (std::isnan(wanted)) continue;  // beside land: what is there of the four
    expect_same(linear[s], wanted, stations()[s].name);
    ++compared;
  }
  EXPECT_GE(compared, 2);
  EXPECT_TRUE(std::isnan(linear[1]));  // in a masked cell
  const std::string command = std::string(EPIOS_COMMAND) + " diff wet.nc wet_zarr.zarr > /dev/null";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_EQ(test::values(test::dumped("regional.nc"), "b").size(), 6U);
  const std::vector<double> bay = test::values(test::dumped("regional.nc"), "b");
  EXPECT_EQ(bay[0], 10);
  EXPECT_TRUE(std::isnan(bay[1]));
  EXPECT_EQ(bay[2], 13);
}

void look_at_profiles() {
  const std::string text = test::dumped("profiles.nc");
  EXPECT_THAT(text, HasSubstr(R"(:featureType = "timeSeriesProfile" ;)"));
  EXPECT_THAT(text, HasSubstr("double u(time_counter, z, station) ;"));
  const std::vector<double> found = test::values(text, "u");
  const std::size_t count = stations().size();
  ASSERT_EQ(found.size(), 2 * levels * count);
  for (std::size_t n = 0; n < found.size(); ++n) {
    const Station& s = stations()[n % count];
    const Cell cell = nearest_cell(s.lon, s.lat, true);
    const auto k = static_cast<int>(n / count % levels);
    EXPECT_EQ(found[n], value(cell.i, cell.j, k, n < levels * count ? 1 : 2)) << n;
  }
}

void look_at_section() {
  const std::string text = test::dumped("line.nc");
  EXPECT_THAT(text, HasSubstr("double t(time_counter, distance) ;"));
  EXPECT_THAT(text, HasSubstr("double distance(distance) ;"));
  EXPECT_THAT(text, HasSubstr(R"(distance:units = "km" ;)"));
  EXPECT_THAT(text, HasSubstr(R"(t:coordinates = "time_instant lat lon" ;)"));
  EXPECT_THAT(text, Not(HasSubstr("featureType")));
  const std::vector<double> lon = test::values(text, "lon");
  const std::vector<double> lat = test::values(text, "lat");
  const std::vector<double> km = test::values(text, "distance");
  const std::vector<double> found = test::values(text, "t");
  const double legs[2] = {distance_km(170, -30, 190, -30), distance_km(190, -30, 210, -50)};
  const auto parts = [](double leg) { return static_cast<std::size_t>(std::ceil(leg / 500)); };
  ASSERT_EQ(km.size(), 1 + parts(legs[0]) + parts(legs[1]));
  ASSERT_EQ(lon.size(), km.size());
  ASSERT_EQ(found.size(), 2 * km.size());
  EXPECT_EQ(km.front(), 0);
  EXPECT_NEAR(km[parts(legs[0])], legs[0], 1e-6);
  EXPECT_NEAR(km.back(), legs[0] + legs[1], 1e-6);
  for (std::size_t p = 0; p < km.size(); ++p) {
    if (p > 0) {
      const bool is_first = p <= parts(legs[0]);
      const double leg = is_first ? legs[0] : legs[1];
      EXPECT_NEAR(km[p] - km[p - 1], leg / static_cast<double>(parts(leg)), 1e-6);
      // Points lie on the great circle: parts are as long as the way. Coordinates are floats.
      EXPECT_NEAR(distance_km(lon[p - 1], lat[p - 1], lon[p], lat[p]), km[p] - km[p - 1], 0.01);
    }
    const Cell cell = nearest_cell(lon[p], lat[p], true);
    EXPECT_EQ(found[p], value(cell.i, cell.j, 0, 1)) << p;
  }
}

void look_at_conventions() {
  const std::string text = test::dumped("wet.nc");
  EXPECT_THAT(text, HasSubstr("station = 6 ;"));
  EXPECT_THAT(text, HasSubstr("double t(time_counter, station) ;"));
  EXPECT_THAT(text, HasSubstr("char station_name(station, str_len) ;"));
  EXPECT_THAT(text, HasSubstr(R"(station_name:cf_role = "timeseries_id" ;)"));
  EXPECT_THAT(text, HasSubstr(R"(t:coordinates = "time_instant lat lon station_name" ;)"));
  EXPECT_THAT(text, HasSubstr("float lat(station) ;"));
  EXPECT_THAT(text, HasSubstr(R"(:featureType = "timeSeries" ;)"));
  for (const Station& s : stations()) EXPECT_THAT(text, HasSubstr('"' + s.name + '"'));
  const std::string mixed = test::dumped("mixed.nc");
  EXPECT_THAT(mixed, HasSubstr("station_name_wet(station_wet, str_len) ;"));
  EXPECT_THAT(mixed, HasSubstr("double mean(time_counter, station_wet) ;"));
  EXPECT_THAT(mixed, Not(HasSubstr("featureType")));
  const std::string again_text = test::dumped("again.nc");
  EXPECT_THAT(again_text, HasSubstr(R"("north pole")"));
  std::vector<double> first = test::values(text, "t");
  first.resize(stations().size());
  EXPECT_EQ(test::values(again_text, "t"), first);
}

TEST(Stations, have_what_a_loop_over_all_cells_finds) {
  int rank = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ::testing::internal::CaptureStderr();
  test::run_three_or_one("<simulation>" + test::context("s", definitions) +
                             test::context("again", again) + "</simulation>",
                         run, [] {
                           look_at_stations();
                           look_at_distances();
                           look_at_profiles();
                           look_at_section();
                           look_at_conventions();
                         });
  const std::string told = ::testing::internal::GetCapturedStderr();
  if (rank != 0) return;
  EXPECT_THAT(told, HasSubstr("<stations> of domain 'near': 1 of its 6 stations is missing in what "
                              "is made of domain 'ocean': 'inland' (its cell is masked"));
  EXPECT_THAT(told, HasSubstr("Use method=\"nearest_wet\"?"));
  EXPECT_THAT(told, HasSubstr("<stations> of domain 'regional': 1 of its 3 stations is missing in "
                              "what is made of domain 'bay': 'west' (it lies in no cell, nearest "
                              "centre "));
  EXPECT_THAT(told, HasSubstr("of domain 'close': 2 of its 6 stations are missing"));
  EXPECT_THAT(told, HasSubstr("'date line' (its cell is too far away"));
  EXPECT_THAT(told, HasSubstr("has stations, but no featureType, because of field 't_ocean'"));
  EXPECT_THAT(told, Not(HasSubstr("of domain 'wet'")));
}

}  // namespace
}  // namespace epios::client::stations_test
