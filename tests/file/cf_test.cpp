// From a model to what the distribution's reader says of the file.
#include "file/cf.hpp"

#include <cmath>

#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::test {
namespace {

using config::GridElement;
using config::Operation;
using Kind = GridElement::Kind;

config::Duration hours(double count) { return {.hour = count}; }

config::Stream stream(const std::string& name, int grid, Operation operation,
                      const std::string& word) {
  config::Stream out;
  out.id = out.name = name;
  out.grid = grid;
  out.sampling = {operation, hours(1), {}, hours(6)};
  if (operation == Operation::instant) out.sampling.freq_op = hours(6);
  out.attributes.operation = word;
  return out;
}

// 3 longitudes, 2 latitudes, 2 depths; a mean 3-D field, a mean scalar, an instant 2-D field.
config::Model ocean() {
  config::Model model;
  model.calendar_type = config::CalendarType::gregorian;
  model.timestep = {.minute = 30};
  model.time_origin = model.calendar().instant({2000, 1, 1});
  model.start_date = model.time_origin;
  model.domains.push_back({"grid_T", "grid_T", {}});
  model.domains[0].attributes.ni_glo = 3;
  model.domains[0].attributes.nj_glo = 2;
  model.axes.push_back({"depth", "deptht", {}});
  auto& axis = model.axes[0].attributes;
  axis.n_glo = 2;
  axis.axis_type = "Z";
  axis.standard_name = "depth";
  axis.unit = "m";
  axis.positive = "down";
  model.scalars.push_back({"height", "height", {}});
  auto& scalar = model.scalars[0].attributes;
  scalar.value = 2;
  scalar.unit = "m";
  scalar.positive = "up";
  scalar.prec = 8;
  model.grids.push_back({"3d", {{Kind::domain, 0}, {Kind::axis, 0}}});
  model.grids.push_back({"none", {}});
  model.grids.push_back({"2d", {{Kind::domain, 0}, {Kind::scalar, 0}}});
  model.streams = {stream("thetao", 0, Operation::average, "average"),
                   stream("mean_sst", 1, Operation::maximum, "maximum"),
                   stream("tas", 2, Operation::instant, "instant")};
  auto& thetao = model.streams[0].attributes;
  thetao.standard_name = "sea_water_potential_temperature";
  thetao.long_name = "Temperature";
  thetao.unit = "degC";
  thetao.valid_min = -2.5;
  thetao.default_value = 1e20;
  model.streams[1].attributes.prec = 8;
  config::File file;
  file.id = "f1";
  file.streams = {0, 1, 2};
  file.attributes.description = "test of CF";
  config::Variable child{"project", "project", {}, "none"};
  file.variables = {child};
  model.streams[2].variables = {{"level", "level", {}, " 7 "}};
  model.streams[2].variables[0].attributes.type = "int";
  model.files = {file};
  return model;
}

ElementCoordinates coordinates() {
  ElementCoordinates out;
  out.axes.push_back({{5, 15}, {0, 10, 10, 20}});
  out.lon.push_back({{0, 120, 240}, {-60, 60, 60, 180, 180, 300}});
  out.lat.push_back({{-45, 45}, {}});
  return out;
}

CfFile describe(const config::Model& model, const ElementCoordinates& values) {
  std::vector<StreamPlacement> placements;
  for (const int s : model.files[0].streams) {
    placements.push_back(place_stream(model, s, FilePlacement{{0}}));
  }
  return describe_file(model, 0, values, placements);
}

std::string dump(const config::Model& model, const ElementCoordinates& values,
                 const std::string& options) {
  const Scratch scratch;
  config::Model placed = model;
  placed.files[0].path = scratch.file("a.nc");
  const auto file = create_netcdf4(describe(placed, values).spec, nullptr);
  file->seal(0);
  file->publish();
  return ncdump(options, placed.files[0].path);
}

std::string configuration_error(const config::Model& model) {
  try {
    describe(model, coordinates());
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::configuration);
    return e.what();
  }
  return {};
}

TEST(Cf, a_file_with_everything) {
  EXPECT_EQ(dump(ocean(), coordinates(), "-v lat,lon,bounds_lon,deptht,deptht_bounds,height"),
            R"cdl(netcdf f {
dimensions:
	lat = 2 ;
	lon = 3 ;
	axis_nbounds = 2 ;
	deptht = 2 ;
	time_counter = UNLIMITED ; // (0 currently)
variables:
	float lat(lat) ;
		lat:axis = "Y" ;
		lat:standard_name = "latitude" ;
		lat:long_name = "Latitude" ;
		lat:units = "degrees_north" ;
	float lon(lon) ;
		lon:axis = "X" ;
		lon:standard_name = "longitude" ;
		lon:long_name = "Longitude" ;
		lon:units = "degrees_east" ;
		lon:bounds = "bounds_lon" ;
	float bounds_lon(lon, axis_nbounds) ;
	float deptht(deptht) ;
		deptht:axis = "Z" ;
		deptht:standard_name = "depth" ;
		deptht:units = "m" ;
		deptht:positive = "down" ;
		deptht:bounds = "deptht_bounds" ;
	float deptht_bounds(deptht, axis_nbounds) ;
	double height ;
		height:units = "m" ;
		height:positive = "up" ;
	double time_instant(time_counter) ;
		time_instant:standard_name = "time" ;
		time_instant:long_name = "Time axis" ;
		time_instant:calendar = "standard" ;
		time_instant:units = "seconds since 2000-01-01 00:00:00" ;
		time_instant:time_origin = "2000-01-01 00:00:00" ;
		time_instant:bounds = "time_instant_bounds" ;
	double time_instant_bounds(time_counter, axis_nbounds) ;
	double time_centered(time_counter) ;
		time_centered:standard_name = "time" ;
		time_centered:long_name = "Time axis" ;
		time_centered:calendar = "standard" ;
		time_centered:units = "seconds since 2000-01-01 00:00:00" ;
		time_centered:time_origin = "2000-01-01 00:00:00" ;
		time_centered:bounds = "time_centered_bounds" ;
	double time_centered_bounds(time_counter, axis_nbounds) ;
	double time_counter(time_counter) ;
		time_counter:axis = "T" ;
		time_counter:standard_name = "time" ;
		time_counter:long_name = "Time axis" ;
		time_counter:calendar = "standard" ;
		time_counter:units = "seconds since 2000-01-01 00:00:00" ;
		time_counter:time_origin = "2000-01-01 00:00:00" ;
		time_counter:bounds = "time_counter_bounds" ;
	double time_counter_bounds(time_counter, axis_nbounds) ;
	float thetao(time_counter, deptht, lat, lon) ;
		thetao:standard_name = "sea_water_potential_temperature" ;
		thetao:long_name = "Temperature" ;
		thetao:units = "degC" ;
		thetao:valid_min = -2.5f ;
		thetao:online_operation = "average" ;
		thetao:interval_operation = "1h" ;
		thetao:interval_write = "6h" ;
		thetao:cell_methods = "time: mean (interval: 1 hour)" ;
		thetao:_FillValue = 1.e+20f ;
		thetao:missing_value = 1.e+20f ;
		thetao:coordinates = "time_centered" ;
	double mean_sst(time_counter) ;
		mean_sst:online_operation = "maximum" ;
		mean_sst:interval_operation = "1h" ;
		mean_sst:interval_write = "6h" ;
		mean_sst:cell_methods = "time: maximum (interval: 1 hour)" ;
		mean_sst:coordinates = "time_centered" ;
	float tas(time_counter, lat, lon) ;
		tas:online_operation = "instant" ;
		tas:interval_operation = "6h" ;
		tas:interval_write = "6h" ;
		tas:cell_methods = "time: point" ;
		tas:coordinates = "time_instant height" ;
		tas:level = 7 ;

// global attributes:
		:name = "f1" ;
		:description = "test of CF" ;
		:title = "test of CF" ;
		:Conventions = "CF-1.11" ;
		:project = "none" ;
data:

 lat = -45, 45 ;

 lon = 0, 120, 240 ;

 bounds_lon =
  -60, 60,
  60, 180,
  180, 300 ;

 deptht = 5, 15 ;

 deptht_bounds =
  0, 10,
  10, 20 ;

 height = 2 ;
}
)cdl");
}

TEST(Cf, own_names_of_dimensions_make_auxiliary_coordinates) {
  config::Model model = ocean();
  model.files[0].streams = {2};
  model.domains[0].attributes.lon_name = "nav_lon";
  model.domains[0].attributes.dim_i_name = "x";
  model.domains[0].attributes.prec = 8;
  model.files[0].attributes.time_counter_name = "time";
  model.files[0].attributes.time_units = "days";
  const std::string text = dump(model, coordinates(), "-h");
  EXPECT_NE(text.find("double nav_lon(x) ;"), std::string::npos) << text;
  EXPECT_NE(text.find("float tas(time, lat, x) ;"), std::string::npos) << text;
  EXPECT_NE(text.find("tas:coordinates = \"time_instant nav_lon height\""), std::string::npos);
  EXPECT_NE(text.find("time:units = \"days since 2000-01-01 00:00:00\""), std::string::npos);
  EXPECT_NE(text.find("time:bounds = \"time_bounds\""), std::string::npos) << text;
  EXPECT_EQ(text.find("time_centered"), std::string::npos) << text;
}

TEST(Cf, several_domains_carry_their_names) {
  config::Model model = ocean();
  model.domains.push_back(model.domains[0]);
  model.domains[1].id = model.domains[1].name = "atm";
  model.grids.push_back({"other", {{Kind::domain, 1}}});
  model.streams.push_back(stream("ps", 3, Operation::instant, "instant"));
  model.files[0].streams = {2, 3};
  ElementCoordinates values = coordinates();
  values.lon.push_back({});
  values.lat.push_back({});
  const std::string text = dump(model, values, "-h");
  EXPECT_NE(text.find("float tas(time_counter, lat_grid_T, lon_grid_T) ;"), std::string::npos)
      << text;
  EXPECT_NE(text.find("float ps(time_counter, lat_atm, lon_atm) ;"), std::string::npos) << text;
  EXPECT_EQ(text.find("float lat_atm("), std::string::npos) << text;  // no values, no coordinate
}

TEST(Cf, no_time_counter_keeps_the_dimension) {
  config::Model model = ocean();
  model.files[0].streams = {1};
  model.files[0].attributes.time_counter = "none";
  const std::string text = dump(model, coordinates(), "-h");
  EXPECT_NE(text.find("time_counter = UNLIMITED"), std::string::npos);
  EXPECT_EQ(text.find("double time_counter("), std::string::npos);
  EXPECT_NE(text.find("double time_centered(time_counter) ;"), std::string::npos);
}

// Readers that know one time per file complain about a second one.
TEST(Cf, exclusive_time_counter_is_the_only_time) {
  config::Model model = ocean();
  model.files[0].attributes.time_counter = "exclusive";
  for (const int stream : {1, 2}) {
    model.files[0].streams = {stream};
    const std::string text = dump(model, coordinates(), "-h");
    EXPECT_NE(text.find("double time_counter(time_counter) ;"), std::string::npos) << text;
    EXPECT_EQ(text.find("time_centered"), std::string::npos) << text;
    EXPECT_EQ(text.find("time_instant"), std::string::npos) << text;
  }
  model.files[0].streams = {1, 2};  // both kinds: the other one must be told
  const std::string text = dump(model, coordinates(), "-h");
  EXPECT_NE(text.find("double time_instant(time_counter) ;"), std::string::npos) << text;
  EXPECT_NE(text.find("tas:coordinates = \"time_instant height\""), std::string::npos) << text;
  EXPECT_EQ(text.find("time_centered"), std::string::npos) << text;
}

TEST(Cf, one_exclusive_time_leaves_the_other_kind) {
  config::Model model = ocean();
  model.files[0].streams = {1, 2};
  model.files[0].attributes.time_counter = "instant_exclusive";
  const std::string text = dump(model, coordinates(), "-h");
  EXPECT_NE(text.find("double time_counter(time_counter) ;"), std::string::npos) << text;
  EXPECT_NE(text.find("double time_centered(time_counter) ;"), std::string::npos) << text;
  EXPECT_EQ(text.find("time_instant"), std::string::npos) << text;
}

TEST(Cf, cell_methods_and_intervals) {
  config::Model model = ocean();
  const auto method = [&] {
    const CfFile cf = describe(model, coordinates());
    for (const FileAttribute& a : cf.spec.variables.back().attributes) {
      if (a.name == "cell_methods") return std::get<std::string>(a.value);
    }
    return std::string();
  };
  model.files[0].streams = {1};
  model.streams[1].sampling.freq_op = {.timestep = 2};
  EXPECT_EQ(method(), "time: maximum (interval: 60 minute)");
  model.streams[1].sampling.freq_op = {.day = 1, .hour = 12};
  EXPECT_EQ(method(), "time: maximum (interval: 129600 s)");
  model.streams[1].sampling.freq_op = {.month = 1, .hour = 12};
  EXPECT_EQ(method(), "time: maximum");
  model.streams[1].attributes.cell_methods = "area: mean";
  EXPECT_EQ(method(), "area: mean");
}

TEST(Cf, mistakes_are_configuration_errors) {
  config::Model model = ocean();
  model.files[0].path = "a.nc";
  model.streams[1].name = "thetao";
  EXPECT_EQ(configuration_error(model),
            "file 'a.nc': two variables are called 'thetao' (names of fields and coordinates share "
            "one space). Set another name on one of them?");
  model.streams[1].name = "a/b";
  EXPECT_EQ(configuration_error(model),
            "file 'a.nc': 'a/b' cannot be the name of a field (NetCDF wants a letter, digit or "
            "underscore first and no '/'). Choose another with the attribute name?");
  model = ocean();
  model.files[0].path = "a.nc";
  model.axes[0].name = "lat";
  EXPECT_EQ(configuration_error(model),
            "file 'a.nc': dimension 'lat' of axis 'depth' exists already (two elements share a "
            "name). Give one of them another name?");
  model = ocean();
  model.streams[2].variables[0].text = "seven";
  EXPECT_EQ(configuration_error(model),
            "field 'tas': variable 'level' cannot be written ('seven' is no value of type int). Is "
            "its type string?");
  model.streams[2].variables[0].attributes.type = "bool";
  EXPECT_EQ(configuration_error(model),
            "field 'tas': variable 'level' cannot be written (NetCDF has no type bool). Use int or "
            "string?");
}

TEST(Cf, time_values_of_a_record) {
  config::Model model = ocean();
  const CfFile cf = describe(model, coordinates());
  const std::int64_t hour = 3600000;
  const config::RecordTime record = {{model.start_date.ms + 6 * hour},
                                     {model.start_date.ms + 12 * hour}};
  std::vector<std::string> seen;
  for (const auto& time : cf.times) {
    std::string text = cf.spec.variables[static_cast<std::size_t>(time.variable)].name;
    for (const double v : time_values(model, model.files[0], time, record)) {
      text += " " + std::to_string(static_cast<int>(v));
    }
    seen.push_back(text);
  }
  EXPECT_EQ(seen,
            (std::vector<std::string>{"time_instant 43200", "time_instant_bounds 43200 43200",
                                      "time_centered 32400", "time_centered_bounds 21600 43200",
                                      "time_counter 32400", "time_counter_bounds 21600 43200"}));
  model.files[0].attributes.time_units = "days";
  EXPECT_EQ(time_values(model, model.files[0], cf.times[2], record), std::vector<double>{0.375});
}

TEST(Cf, durability) {
  config::Model model = ocean();
  EXPECT_FALSE(describe(model, coordinates()).spec.to_disk);
  model.files[0].attributes.durability = "disk";
  EXPECT_TRUE(describe(model, coordinates()).spec.to_disk);
}

}  // namespace
}  // namespace epios::io::test
