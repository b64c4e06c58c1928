// From a model to what the distribution's reader says of the file.
#include "file/cf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "cf/coordinates.hpp"
#include "cf/models.hpp"
#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::test::cf_test {
namespace {

using config::Operation;
using Kind = GridElement::Kind;

// 3 longitudes, 2 latitudes, 2 depths; a mean 3-D field, a mean scalar, an instant 2-D field.
config::Model ocean() {
  config::Model model = empty_model();
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
  file.streams = {config::StreamId(0), config::StreamId(1), config::StreamId(2)};
  file.attributes.description = "test of CF";
  config::Variable child{"project", "project", {}, "none"};
  file.variables = {child};
  model.streams[2].variables = {{"level", "level", {}, " 7 "}};
  model.streams[2].variables[0].attributes.type = "int";
  model.files = {file};
  return model;
}

Coordinates coordinates(const config::Model& model) {
  Coordinates out(model);
  for (std::size_t a = 0; a < model.axes.size(); ++a) {
    CoordinateSlab& slab = out.whole_of(axis_of(static_cast<int>(a)));
    slab.values = {5, 15};
    slab.bounds = {0, 10, 10, 20};
  }
  CoordinateSlab& slab = out.whole_of(domain_of(0));
  slab.lon = {0, 120, 240};
  slab.lat = {-45, 45};
  slab.bounds_lon = {-60, 60, 60, 180, 180, 300};
  slab.bounds_lat = {-90, 0, 0, 90};
  return out;
}

std::string dump(const config::Model& model, const std::string& options) {
  const Scratch scratch;
  config::Model placed = model;
  placed.files[0].path = scratch.file("a.nc");
  const auto file = create_netcdf4(describe(placed, coordinates(placed)).cf.spec, nullptr);
  file->seal(0);
  file->publish();
  return ncdump(options, placed.files[0].path);
}

std::string configuration_error(const config::Model& model) {
  try {
    describe(model, coordinates(model));
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::configuration);
    return e.what();
  }
  return {};
}

std::string times_of(const config::UserCalendar& user) {
  config::Model model = ocean();
  model.calendar_type = config::CalendarType::user_defined;
  model.user_calendar = user;
  const std::string text = dump(model, "-h");
  std::string out;
  for (const char* name : {"calendar", "units", "month_lengths", "leap_month", "leap_year",
                           "day_length", "year_length"}) {
    const std::string begin = std::string("time_counter:") + name + " = ";
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) continue;
    out += text.substr(at + 13, text.find('\n', at) - at - 13) + "\n";
  }
  return out;
}

// CF-1.11 4.4.1.
TEST(Cf, a_calendar_without_a_name_describes_itself) {
  config::UserCalendar user;
  user.month_lengths = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  user.leap_month = 12;
  user.leap_drift = 0.25;
  user.leap_drift_offset = 0.5;
  EXPECT_EQ(times_of(user),
            "calendar = \"user_defined\" ;\n"
            "units = \"seconds since 1999-12-17 00:00:00\" ;\n"
            "month_lengths = 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 ;\n"
            "leap_month = 12 ;\n"
            "leap_year = 1 ;\n");
  user = {};
  user.day_length_s = 88'775;
  user.year_length_s = 59'355'000;
  EXPECT_EQ(times_of(user),
            "calendar = \"user_defined\" ;\n"
            "units = \"seconds since 1063-221 02:21:40\" ;\n"
            "day_length = 88775LL ;\n"
            "year_length = 59355000LL ;\n");
}

TEST(Cf, a_file_with_everything) {
  EXPECT_EQ(dump(ocean(), "-v lat,lon,bounds_lon,deptht,deptht_bounds,height"),
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
		lat:bounds = "bounds_lat" ;
	float bounds_lat(lat, axis_nbounds) ;
	float lon(lon) ;
		lon:axis = "X" ;
		lon:standard_name = "longitude" ;
		lon:long_name = "Longitude" ;
		lon:units = "degrees_east" ;
		lon:bounds = "bounds_lon" ;
	float bounds_lon(lon, axis_nbounds) ;
	float deptht(deptht) ;
		deptht:name = "deptht" ;
		deptht:axis = "Z" ;
		deptht:standard_name = "depth" ;
		deptht:units = "m" ;
		deptht:positive = "down" ;
		deptht:bounds = "deptht_bounds" ;
	float deptht_bounds(deptht, axis_nbounds) ;
		deptht_bounds:units = "m" ;
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
		thetao:interval_operation = "1 h" ;
		thetao:interval_write = "6 h" ;
		thetao:cell_methods = "time: mean (interval: 1 h)" ;
		thetao:_FillValue = 1.e+20f ;
		thetao:missing_value = 1.e+20f ;
		thetao:coordinates = "time_centered" ;
	double mean_sst(time_counter) ;
		mean_sst:online_operation = "maximum" ;
		mean_sst:interval_operation = "1 h" ;
		mean_sst:interval_write = "6 h" ;
		mean_sst:cell_methods = "time: maximum (interval: 1 h)" ;
		mean_sst:coordinates = "time_centered" ;
	float tas(time_counter, lat, lon) ;
		tas:online_operation = "instant" ;
		tas:interval_operation = "6 h" ;
		tas:interval_write = "6 h" ;
		tas:cell_methods = "time: point" ;
		tas:coordinates = "time_instant height" ;
		tas:level = 7 ;

// global attributes:
		:name = "f1" ;
		:description = "test of CF" ;
		:title = "test of CF" ;
		:Conventions = "CF-1.11" ;
		:timeStamp = "" ;
		:uuid = "" ;
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

TEST(Cf, no_time_counter_keeps_the_dimension) {
  config::Model model = ocean();
  model.files[0].streams = {config::StreamId(1)};
  model.files[0].attributes.time_counter = "none";
  const std::string text = dump(model, "-h");
  EXPECT_NE(text.find("time_counter = UNLIMITED"), std::string::npos);
  EXPECT_EQ(text.find("double time_counter("), std::string::npos);
  EXPECT_NE(text.find("double time_centered(time_counter) ;"), std::string::npos);
}

// Readers that know one time per file complain about a second one.
TEST(Cf, exclusive_time_counter_is_the_only_time) {
  config::Model model = ocean();
  model.files[0].attributes.time_counter = "exclusive";
  for (const int stream : {1, 2}) {
    model.files[0].streams = {config::StreamId(stream)};
    const std::string text = dump(model, "-h");
    EXPECT_NE(text.find("double time_counter(time_counter) ;"), std::string::npos) << text;
    EXPECT_EQ(text.find("time_centered"), std::string::npos) << text;
    EXPECT_EQ(text.find("time_instant"), std::string::npos) << text;
  }
  model.files[0].streams = {config::StreamId(1),
                            config::StreamId(2)};  // both kinds: the other one must be told
  const std::string text = dump(model, "-h");
  EXPECT_NE(text.find("double time_instant(time_counter) ;"), std::string::npos) << text;
  EXPECT_NE(text.find("tas:coordinates = \"time_instant height\""), std::string::npos) << text;
  EXPECT_EQ(text.find("time_centered"), std::string::npos) << text;
}

TEST(Cf, one_exclusive_time_leaves_the_other_kind) {
  config::Model model = ocean();
  model.files[0].streams = {config::StreamId(1), config::StreamId(2)};
  model.files[0].attributes.time_counter = "instant_exclusive";
  const std::string text = dump(model, "-h");
  EXPECT_NE(text.find("double time_counter(time_counter) ;"), std::string::npos) << text;
  EXPECT_NE(text.find("double time_centered(time_counter) ;"), std::string::npos) << text;
  EXPECT_EQ(text.find("time_instant"), std::string::npos) << text;
}

TEST(Cf, cell_methods_and_intervals) {
  config::Model model = ocean();
  const auto attribute = [&](const std::string& name) {
    const CfFile cf = describe(model, coordinates(model)).cf;
    for (const FileAttribute& a : cf.spec.variables.back().attributes) {
      if (a.name == name) return std::get<std::string>(a.value);
    }
    return std::string();
  };
  const auto method = [&] { return attribute("cell_methods"); };
  model.files[0].streams = {config::StreamId(1)};
  model.streams[1].sampling.freq_op = {.timestep = 2};
  EXPECT_EQ(method(), "time: maximum (interval: 60 min)");
  model.streams[1].sampling.freq_op = {.month = 1};
  EXPECT_EQ(method(), "time: maximum (interval: 1 month)");
  model.streams[1].sampling.freq_op = {.day = 1, .hour = 12};
  EXPECT_EQ(method(), "time: maximum (interval: 129600 s)");
  model.streams[1].sampling.freq_op = {.month = 1, .hour = 12};
  EXPECT_EQ(method(), "time: maximum");
  model.streams[1].sampling.output_freq = {.hour = 6};
  for (const config::Duration& same : {config::Duration{.minute = 360}, {.timestep = 12}}) {
    model.streams[1].sampling.freq_op = same;
    EXPECT_EQ(method(), "time: maximum");
  }
  // As XIOS says them, since scripts split there.
  model.streams[1].sampling.freq_op = {.minute = 10};
  model.streams[1].sampling.output_freq = {.month = 1};
  EXPECT_EQ(attribute("interval_operation"), "10 min");
  EXPECT_EQ(attribute("interval_write"), "1 month");
  model.streams[1].sampling.freq_op = {.day = 1, .hour = 6};
  model.streams[1].sampling.output_freq = {.year = 5};
  EXPECT_EQ(attribute("interval_operation"), "1 d 6 h");
  EXPECT_EQ(attribute("interval_write"), "5 yr");
  model.streams[1].sampling.freq_op = {.timestep = 12};
  model.streams[1].sampling.output_freq = {.hour = 6};
  EXPECT_EQ(attribute("interval_operation"), "360 min");
  model.streams[1].attributes.cell_methods = "area: mean";
  EXPECT_EQ(method(), "area: mean");
  model.streams[1].attributes.cell_methods_mode = "prefix";
  EXPECT_EQ(method(), "area: mean time: maximum");
  model.streams[1].attributes.cell_methods_mode = "suffix";
  EXPECT_EQ(method(), "time: maximum area: mean");
  model.streams[1].attributes.cell_methods = "%cells%";  // nothing was done to them
  EXPECT_EQ(method(), "time: maximum");
  model.streams[1].attributes.cell_methods_mode = "none";
  EXPECT_EQ(method(), "time: maximum");
}

/// What is written once has no time, and nothing to say of it.
TEST(Cf, cell_methods_of_what_is_written_once) {
  config::Model model = ocean();
  model.files[0].streams = {config::StreamId(1)};
  model.streams[1].sampling.operation = config::Operation::once;
  model.streams[1].attributes.operation = "once";
  const auto method = [&]() -> std::string {
    const CfFile cf = describe(model, coordinates(model)).cf;
    for (const FileAttribute& a : cf.spec.variables.back().attributes) {
      if (a.name == "cell_methods") return std::get<std::string>(a.value);
    }
    return "none written";
  };
  EXPECT_EQ(method(), "none written");
  auto& attributes = model.streams[1].attributes;
  attributes.cell_methods = "area: mean";
  for (const char* const mode : {"overwrite", "prefix", "suffix"}) {
    attributes.cell_methods_mode = mode;
    EXPECT_EQ(method(), "area: mean");
  }
  attributes.cell_methods_mode = "none";
  EXPECT_EQ(method(), "none written");
  attributes.cell_methods_mode = "prefix";
  attributes.cell_methods = "%cells%";
  EXPECT_EQ(method(), "none written") << "nothing was done to the cells";
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
  model.streams[2].variables[0].text = "seven";
  EXPECT_EQ(configuration_error(model),
            "field 'tas': variable 'level' cannot be written ('seven' is no value of type int). Is "
            "its type string?");
  model.streams[2].variables[0].attributes.type = "bool";
  EXPECT_EQ(
      configuration_error(model),
      "field 'tas': variable 'level' cannot be written ('seven' is no value of type bool). Use "
      "true or false?");
}

TEST(Cf, variables_are_read_with_the_spellings_of_fortran) {
  config::Model model = ocean();
  config::Variable& variable = model.streams[2].variables[0];
  const auto written = [&](const char* type, const char* text) {
    variable.attributes.type = type;
    variable.text = text;
    const CfFile cf = describe(model, coordinates(model)).cf;
    for (const VariableSpec& spec : cf.spec.variables) {
      for (const FileAttribute& a : spec.attributes) {
        if (a.name == "level") return a.value;
      }
    }
    return decltype(FileAttribute::value){};
  };
  using Doubles = std::vector<double>;
  using Ints = std::vector<std::int32_t>;
  EXPECT_EQ(std::get<Doubles>(written("double", " 0.5D0 ")), Doubles{0.5});
  EXPECT_EQ(std::get<Doubles>(written("double", "+1d-1")), Doubles{0.1});
  EXPECT_EQ(std::get<std::vector<float>>(written("float", "2.5d1")), std::vector<float>{25});
  EXPECT_EQ(std::get<Ints>(written("int", " +7 ")), Ints{7});
  EXPECT_EQ(std::get<Ints>(written("bool", ".True.")), Ints{1});
  EXPECT_EQ(std::get<Ints>(written("bool", "no")), Ints{0});
  variable.attributes.type = "int16";
  variable.text = "70000";
  EXPECT_NE(configuration_error(model).find("'70000' is no value of type int16"),
            std::string::npos);
}

/// Value of an attribute of the file.
std::string global_text(const CfFile& cf, const std::string& name) {
  for (const FileAttribute& a : cf.spec.attributes) {
    if (a.name == name) return std::get<std::string>(a.value);
  }
  return "no " + name;
}

TEST(Cf, a_mesh_whose_cells_have_no_corners_is_refused) {
  config::Model model = empty_model();
  model.domains.push_back({"cells", "cells", {}});
  config::DomainAttributes& domain = model.domains[0].attributes;
  domain.type = "unstructured";
  domain.ni_glo = 2;
  domain.nvertex = 3;
  add_field(model, "tos", {domain_of(0)});
  model.files[0].attributes.convention = "UGRID";
  Coordinates none(model);
  CoordinateSlab& slab = none.whole_of(domain_of(0));
  slab.lon = {0, 10};
  slab.lat = {0, 10};
  slab.bounds_lon = std::vector<double>(6, std::nan(""));
  slab.bounds_lat = slab.bounds_lon;
  try {
    describe(model, none);
    ADD_FAILURE() << "described";
  } catch (const Error& error) {
    EXPECT_STREQ(
        error.what(),
        "file 'f.nc' with convention=\"UGRID\": no cell of domain 'cells' has corners (all "
        "of its bounds are missing). Do clients give it bounds_lon_1d and bounds_lat_1d?");
  }
}

TEST(Cf, says_when_a_file_was_made_and_which_one_it_is) {
  config::Model model = ocean();
  config::FileAttributes& a = model.files[0].attributes;
  CfFile cf = describe(model, coordinates(model)).cf;
  constexpr std::int64_t second = 951'782'400;
  stamp(cf, model.files[0], second, "f81d4fae-7dec-41d0-a765-00a0c91e6bf6");
  EXPECT_EQ(global_text(cf, "timeStamp"), "2000-Feb-29 00:00:00 GMT");
  EXPECT_EQ(global_text(cf, "uuid"), "f81d4fae-7dec-41d0-a765-00a0c91e6bf6");
  a.time_stamp_name = "creation_date";
  a.time_stamp_format = "%Y-%m-%dT%H:%M:%SZ";
  a.uuid_name = "tracking_id";
  a.uuid_format = "hdl:21.14100/%uuid%";
  a.convention_str = "CF-1.7 CMIP-6.2";
  cf = describe(model, coordinates(model)).cf;
  stamp(cf, model.files[0], second, "1-2");
  EXPECT_EQ(global_text(cf, "creation_date"), "2000-02-29T00:00:00Z");
  EXPECT_EQ(global_text(cf, "tracking_id"), "hdl:21.14100/1-2");
  EXPECT_EQ(global_text(cf, "Conventions"), "CF-1.7 CMIP-6.2");
  EXPECT_EQ(global_text(cf, "timeStamp"), "no timeStamp");
  a.uuid_name = "a/b";
  a.output_freq = config::Duration{.hour = 6};
  EXPECT_NE(configuration_error(model).find("'a/b' cannot be the name of a global attribute"),
            std::string::npos)
      << configuration_error(model);
}

TEST(Cf, uuids_are_random_and_of_version_4) {
  const std::string one = random_uuid();
  std::string form = one;
  for (char& c : form) {
    if (std::string_view("0123456789abcdef").find(c) != std::string_view::npos) c = 'x';
  }
  EXPECT_EQ(form, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx");
  EXPECT_EQ(one[14], '4');
  EXPECT_NE(std::string_view("89ab").find(one[19]), std::string_view::npos) << one;
  EXPECT_NE(one, random_uuid());
}

TEST(Cf, records_can_be_numbered) {
  config::Model model = ocean();
  model.files[0].attributes.time_counter = "record";
  const CfFile cf = describe(model, coordinates(model)).cf;
  const CfFile::TimeVariable& counter = cf.times.back();
  const VariableSpec& variable = cf.spec.variables[static_cast<std::size_t>(counter.variable)];
  EXPECT_EQ(variable.name, "time_counter");
  for (const FileAttribute& a : variable.attributes) {
    EXPECT_TRUE(a.name != "units" && a.name != "bounds") << a.name;
  }
  EXPECT_EQ(time_values(model, model.files[0], counter, {}, 7), std::vector<double>{7});
  EXPECT_EQ(cf.times.size(), 5U)
      << "the instants and the middles with their bounds, and the number";
}

TEST(Cf, variables_of_any_type_are_attributes) {
  config::Model model = ocean();
  model.files[0].variables.clear();
  const std::pair<const char*, const char*> known[] = {
      {"bool", "true"}, {"int16", "-3"},  {"int", "4"},      {"int32", "5"},
      {"int64", "6"},   {"float", "7.5"}, {"double", "8.5"}, {"string", "nine"}};
  for (const auto& [type, text] : known) {
    config::Variable& variable = model.files[0].variables.emplace_back();
    variable.name = std::string("of_") + type;
    variable.attributes.type = type;
    variable.text = text;
  }
  const std::string text = dump(model, "-h");
  EXPECT_NE(text.find(R"(		:of_bool = 1 ;
		:of_int16 = -3s ;
		:of_int = 4 ;
		:of_int32 = 5 ;
		:of_int64 = 6LL ;
		:of_float = 7.5f ;
		:of_double = 8.5 ;
		:of_string = "nine" ;
)"),
            std::string::npos)
      << text;
}

TEST(Cf, time_values_of_a_record) {
  config::Model model = ocean();
  const CfFile cf = describe(model, coordinates(model)).cf;
  const std::int64_t hour = 3600000;
  const config::RecordTime record = {{model.start_date.ms + 6 * hour},
                                     {model.start_date.ms + 12 * hour}};
  std::vector<std::string> seen;
  for (const auto& time : cf.times) {
    std::string text = cf.spec.variables[static_cast<std::size_t>(time.variable)].name;
    for (const double v : time_values(model, model.files[0], time, record, 0)) {
      text += " " + std::to_string(static_cast<int>(v));
    }
    seen.push_back(text);
  }
  EXPECT_EQ(seen,
            (std::vector<std::string>{"time_instant 43200", "time_instant_bounds 43200 43200",
                                      "time_centered 32400", "time_centered_bounds 21600 43200",
                                      "time_counter 32400", "time_counter_bounds 21600 43200"}));
  model.files[0].attributes.time_units = "days";
  EXPECT_EQ(time_values(model, model.files[0], cf.times[2], record, 0), std::vector<double>{0.375});
}

// Clients that have cells, and none of another element of one of the grids, make the points of an
// element differ. Would have found values of the second field at the places of the first one.
TEST(Cf, points_that_differ_between_fields_have_dimensions_of_their_own) {
  config::Model model = ocean();
  const auto lists = [&](const std::vector<std::int64_t>& first,
                         const std::vector<std::int64_t>& second) {
    CfFile cf = describe(model, coordinates(model)).cf;
    gather(cf, model, 0, std::vector<GatheredStream>{{0, {first, {}}}, {2, {second, {}}}});
    std::vector<std::string> out;
    for (const int stream : {0, 2}) {
      const auto number =
          static_cast<std::size_t>(cf.stream_variables[static_cast<std::size_t>(stream)]);
      const int dimension = cf.spec.variables[number].dimensions.back();
      const std::string& name = nth(cf.spec.dimensions, dimension).name;
      const auto list = std::find_if(cf.spec.variables.begin(), cf.spec.variables.end(),
                                     [&](const auto& v) { return v.name == name; });
      const std::span<const double> numbers = list->fixed.numbers;
      out.push_back(fmt::format("{}: {}", name, fmt::join(numbers.begin(), numbers.end(), " ")));
    }
    return out;
  };
  EXPECT_EQ(lists({1, 4}, {0, 2}),
            (std::vector<std::string>{"grid_T_points: 1 4", "grid_T_points_2: 0 2"}));
  EXPECT_EQ(lists({1, 4}, {1, 4}),
            (std::vector<std::string>{"grid_T_points: 1 4", "grid_T_points: 1 4"}));
}

TEST(Cf, durability) {
  config::Model model = ocean();
  EXPECT_FALSE(describe(model, coordinates(model)).cf.spec.to_disk);
  model.files[0].attributes.durability = "disk";
  EXPECT_TRUE(describe(model, coordinates(model)).cf.spec.to_disk);
}

}  // namespace
}  // namespace epios::io::test::cf_test
