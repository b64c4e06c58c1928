// What readers see of each kind of element, written by one writer or several.
#include <limits>
#include <sstream>

#include "cf/coordinates.hpp"
#include "cf/models.hpp"
#include "together.hpp"

namespace epios::io::test::kinds_of_grids_test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Writes one record of every field (numbers of points) into the first file of a model, each writer
/// its share.
void write(const Together& all, const config::Model& model, const Coordinates& coordinates) {
  const Described described = describe(model, coordinates, all.rank(), all.size());
  const auto file = create_netcdf4(described.cf.spec, all.writers());
  file->reserve(1);
  FilePlacement placement;
  placement.writers.resize(static_cast<std::size_t>(all.size()));
  for (std::size_t s = 0; s < model.streams.size(); ++s) {
    const StreamPlacement placed = place_stream(model, static_cast<int>(s), placement);
    const Box& mine = placed.slabs[static_cast<std::size_t>(all.rank())];
    std::vector<float> values(static_cast<std::size_t>(volume(placed.shape)));
    std::iota(values.begin(), values.end(), 0.0F);
    std::vector<float> share(static_cast<std::size_t>(mine.volume()));
    if (!mine.is_empty()) {
      copy_region(std::span<const float>(values), whole(placed.shape), std::span(share), mine,
                  mine);
    }
    file->write({described.cf.stream_variables[s], 0, mine, bytes(share)});
  }
  if (all.is_owner()) {
    for (const auto& time : described.cf.times) {
      const bool is_bounds = time.part == CfFile::TimeVariable::Part::bounds;
      const std::vector<double> values(is_bounds ? 2 : 1, 21600.0);
      file->write({time.variable, 0, is_bounds ? whole({2}) : Box{}, bytes(values)});
    }
  }
  file->seal(1);
  file->publish();
  all.wait();
}

/// A context with one file that has no times beside its counter.
config::Model model_of_file(const Together& all) {
  config::Model model = empty_model();
  config::File file;
  file.id = "f";
  file.path = all.file("f.nc");
  file.attributes.time_counter = "exclusive";
  model.files = {file};
  return model;
}

/// What a dump says of elements, and which elements it says a field has.
std::string about_elements(const std::string& dump) {
  std::istringstream in(dump);
  std::string out;
  bool is_time = false;  // values of times go on to the next empty line
  for (std::string line; std::getline(in, line);) {
    const auto has = [&](const char* text) { return line.find(text) != std::string::npos; };
    if (line.rfind(" time_counter", 0) == 0) is_time = true;
    if (line.empty()) is_time = false;
    if (is_time || line.empty() || has("double time_counter") || has("\t\ttime_counter:") ||
        has(":online_operation") || has(":interval_") || has(":cell_methods") || has("// global") ||
        line.rfind("\t\t:", 0) == 0) {
      continue;
    }
    out += line + "\n";
  }
  return out;
}

config::Model rectilinear(const Together& all) {
  config::Model model = model_of_file(all);
  model.domains.push_back({"d", "d", {}});
  auto& a = model.domains[0].attributes;
  a.type = "rectilinear";
  a.ni_glo = 3;
  a.nj_glo = 2;
  add_field(model, "tas", {domain_of(0)});
  return model;
}

Coordinates rectilinear_coordinates(const config::Model& model) {
  Coordinates out(model);
  CoordinateSlab& slab = out.whole_of(domain_of(0));
  slab.lon = {0, 120, 240};
  slab.lat = {-45, 45};
  slab.bounds_lon = {-60, 60, 60, 180, 180, 300};
  slab.bounds_lat = {-90, 0, 0, 90};
  slab.area = {1, 2, 3, 4, 5, 6};
  return out;
}

TEST(KindsOfGrids, rectilinear) {
  const Together all;
  const config::Model model = rectilinear(all);
  write(all, model, rectilinear_coordinates(model));
  if (!all.is_owner()) return;
  EXPECT_EQ(about_elements(ncdump("", all.file("f.nc"))), R"(netcdf f {
dimensions:
	lat = 2 ;
	lon = 3 ;
	axis_nbounds = 2 ;
	time_counter = UNLIMITED ; // (1 currently)
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
	float area(lat, lon) ;
		area:standard_name = "cell_area" ;
		area:units = "m2" ;
	float tas(time_counter, lat, lon) ;
		tas:cell_measures = "area: area" ;
data:
 lat = -45, 45 ;
 bounds_lat =
  -90, 0,
  0, 90 ;
 lon = 0, 120, 240 ;
 bounds_lon =
  -60, 60,
  60, 180,
  180, 300 ;
 area =
  1, 2, 3,
  4, 5, 6 ;
 tas =
  0, 1, 2,
  3, 4, 5 ;
}
)");
}

/// What only one of the two sides has is no reason to make up the other.
TEST(KindsOfGrids, rectilinear_with_one_side) {
  const Together all;
  const config::Model model = rectilinear(all);
  Coordinates given(model);
  given.whole_of(domain_of(0)).lat = {-45, 45};
  given.whole_of(domain_of(0)).bounds_lon = {-60, 60, 60, 180, 180, 300};
  write(all, model, given);
  const Described described = describe(model, given, all.rank(), all.size());
  if (!all.is_owner()) return;
  EXPECT_EQ(sentences(described.cf.remarks),
            std::vector<std::string>{"file '" + all.file("f.nc") +
                                     "': domain 'd' has bounds but no values: 'bounds_lon' belongs "
                                     "to no coordinate. Give it values, too?"});
  EXPECT_EQ(about_elements(ncdump("", all.file("f.nc"))), R"(netcdf f {
dimensions:
	lat = 2 ;
	lon = 3 ;
	axis_nbounds = 2 ;
	time_counter = UNLIMITED ; // (1 currently)
variables:
	float lat(lat) ;
		lat:axis = "Y" ;
		lat:standard_name = "latitude" ;
		lat:long_name = "Latitude" ;
		lat:units = "degrees_north" ;
	float bounds_lon(lon, axis_nbounds) ;
	float tas(time_counter, lat, lon) ;
data:
 lat = -45, 45 ;
 bounds_lon =
  -60, 60,
  60, 180,
  180, 300 ;
 tas =
  0, 1, 2,
  3, 4, 5 ;
}
)");
}

/// Gaps of a coordinate variable and of auxiliary coordinates.
TEST(KindsOfGrids, points_without_coordinates) {
  const Together all;
  config::Model model = rectilinear(all);
  model.domains.push_back({"cells", "cells", {}});
  model.domains[1].attributes.type = "unstructured";
  model.domains[1].attributes.ni_glo = 6;
  model.domains[1].attributes.nj_glo = 1;
  add_field(model, "sst", {domain_of(1)});
  Coordinates given(model);
  given.whole_of(domain_of(0)).lat = {-45, 45};
  given.whole_of(domain_of(0)).lon = {0, nan, 240};
  CoordinateSlab& cells = given.whole_of(domain_of(1));
  cells.lon = {0, 1, nan, nan, nan, nan};
  cells.lat = {0, 1, nan, nan, nan, nan};
  cells.area = {1, 1, 1, 1, 1, nan};
  write(all, model, given);
  std::vector<Remark> remarks;
  for (int writer = 0; writer < all.size(); ++writer) {
    const Described described = describe(model, given, writer, all.size());
    remarks.insert(remarks.end(), described.cf.remarks.begin(), described.cf.remarks.end());
  }
  const std::string file = "file '" + all.file("f.nc") + "': ";
  const std::string question = "Does a client have each point, with coordinates?";
  const auto texts = sentences(remarks);
  EXPECT_NE(std::find(texts.begin(), texts.end(),
                      file +
                          "domain 'd': no client gives 'lon_d' at 1 point ((1)). They stand there "
                          "as NaN (CF has no missing values in coordinate variables). " +
                          question),
            texts.end())
      << texts.front();
  if (all.size() == 1) {
    EXPECT_EQ(texts[1], file +
                            "domain 'cells': no client gives 'lat_cells', 'lon_cells' at 4 "
                            "points (among them (2), (3), (4)). They are marked as missing. " +
                            question);
    EXPECT_EQ(texts[2], file +
                            "domain 'cells': no client gives 'area_cells' at 1 point ((5)). "
                            "They are marked as missing. " +
                            question);
  }
  if (!all.is_owner()) return;
  const std::string dump = ncdump("-h", all.file("f.nc"));
  for (const char* marked : {"lat_cells", "lon_cells", "area_cells"}) {
    EXPECT_NE(dump.find(std::string(marked) + ":_FillValue = NaNf"), std::string::npos) << dump;
  }
  for (const char* coordinate : {"lat_d", "lon_d"}) {
    EXPECT_EQ(dump.find(std::string(coordinate) + ":_FillValue"), std::string::npos) << dump;
  }
}

config::Model curvilinear(const Together& all) {
  config::Model model = model_of_file(all);
  model.domains.push_back({"grid_T", "grid_T", {}});
  auto& a = model.domains[0].attributes;
  a.type = "curvilinear";
  a.ni_glo = 2;
  a.nj_glo = 3;
  a.nvertex = 4;
  add_field(model, "sst", {domain_of(0)});
  return model;
}

/// Squares of one degree, sheared.
Coordinates curvilinear_coordinates(const config::Model& model) {
  Coordinates out(model);
  CoordinateSlab& slab = out.whole_of(domain_of(0));
  for (int j = 0; j < 3; ++j) {
    for (int i = 0; i < 2; ++i) {
      const double x = i + 0.25 * j;
      slab.lon.push_back(x);
      slab.lat.push_back(j);
      for (const double d : {-0.5, 0.5, 0.5, -0.5}) slab.bounds_lon.push_back(x + d);
      for (const double d : {-0.5, -0.5, 0.5, 0.5}) slab.bounds_lat.push_back(j + d);
      slab.area.push_back(10 * j + i);
    }
  }
  return out;
}

TEST(KindsOfGrids, curvilinear) {
  const Together all;
  const config::Model model = curvilinear(all);
  write(all, model, curvilinear_coordinates(model));
  if (!all.is_owner()) return;
  EXPECT_EQ(about_elements(ncdump("", all.file("f.nc"))), R"(netcdf f {
dimensions:
	y = 3 ;
	x = 2 ;
	nvertex = 4 ;
	time_counter = UNLIMITED ; // (1 currently)
	axis_nbounds = 2 ;
variables:
	float nav_lat(y, x) ;
		nav_lat:standard_name = "latitude" ;
		nav_lat:long_name = "Latitude" ;
		nav_lat:units = "degrees_north" ;
		nav_lat:bounds = "bounds_nav_lat" ;
	float bounds_nav_lat(y, x, nvertex) ;
	float nav_lon(y, x) ;
		nav_lon:standard_name = "longitude" ;
		nav_lon:long_name = "Longitude" ;
		nav_lon:units = "degrees_east" ;
		nav_lon:bounds = "bounds_nav_lon" ;
	float bounds_nav_lon(y, x, nvertex) ;
	float area(y, x) ;
		area:standard_name = "cell_area" ;
		area:units = "m2" ;
	float sst(time_counter, y, x) ;
		sst:cell_measures = "area: area" ;
		sst:coordinates = "nav_lat nav_lon" ;
data:
 nav_lat =
  0, 0,
  1, 1,
  2, 2 ;
 bounds_nav_lat =
  -0.5, -0.5, 0.5, 0.5,
  -0.5, -0.5, 0.5, 0.5,
  0.5, 0.5, 1.5, 1.5,
  0.5, 0.5, 1.5, 1.5,
  1.5, 1.5, 2.5, 2.5,
  1.5, 1.5, 2.5, 2.5 ;
 nav_lon =
  0, 1,
  0.25, 1.25,
  0.5, 1.5 ;
 bounds_nav_lon =
  -0.5, 0.5, 0.5, -0.5,
  0.5, 1.5, 1.5, 0.5,
  -0.25, 0.75, 0.75, -0.25,
  0.75, 1.75, 1.75, 0.75,
  0, 1, 1, 0,
  1, 2, 2, 1 ;
 area =
  0, 1,
  10, 11,
  20, 21 ;
 sst =
  0, 1,
  2, 3,
  4, 5 ;
}
)");
}

/// Triangles; one is not there.
Coordinates cell_coordinates(const config::Model& model) {
  Coordinates out(model);
  CoordinateSlab& slab = out.whole_of(domain_of(0));
  slab.lon = {0, 10, 20, nan, 40};
  slab.lat = {5, -5, 5, nan, 5};
  for (const double x : slab.lon) {
    for (const double d : {-10, 10, 0}) slab.bounds_lon.push_back(x + d);
  }
  for (const double y : slab.lat) {
    for (const double d : {-5, -5, 5}) slab.bounds_lat.push_back(y < 0 ? y - d : y + d);
  }
  slab.area = {1, 2, 3, nan, 5};
  return out;
}

config::Model cells(const Together& all, const char* type) {
  config::Model model = model_of_file(all);
  model.domains.push_back({"mesh", "mesh", {}});
  auto& a = model.domains[0].attributes;
  a.type = type;
  a.ni_glo = 5;
  a.nj_glo = 1;
  a.nvertex = 3;
  a.prec = 8;
  model.axes.push_back({"level", "level", {}});
  model.axes[0].attributes.n_glo = 2;
  add_field(model, "ta", {domain_of(0), axis_of(0)});
  add_field(model, "column", {axis_of(0), domain_of(0)});
  return model;
}

TEST(KindsOfGrids, unstructured_and_gaussian) {
  const Together all;
  for (const char* type : {"unstructured", "gaussian"}) {
    const config::Model model = cells(all, type);
    write(all, model, cell_coordinates(model));
    if (!all.is_owner()) continue;
    EXPECT_EQ(about_elements(ncdump("", all.file("f.nc"))), R"(netcdf f {
dimensions:
	cell = 5 ;
	nvertex = 3 ;
	level = 2 ;
	time_counter = UNLIMITED ; // (1 currently)
	axis_nbounds = 2 ;
variables:
	double lat(cell) ;
		lat:standard_name = "latitude" ;
		lat:long_name = "Latitude" ;
		lat:units = "degrees_north" ;
		lat:bounds = "bounds_lat" ;
		lat:_FillValue = NaN ;
	double bounds_lat(cell, nvertex) ;
		bounds_lat:_FillValue = NaN ;
	double lon(cell) ;
		lon:standard_name = "longitude" ;
		lon:long_name = "Longitude" ;
		lon:units = "degrees_east" ;
		lon:bounds = "bounds_lon" ;
		lon:_FillValue = NaN ;
	double bounds_lon(cell, nvertex) ;
		bounds_lon:_FillValue = NaN ;
	double area(cell) ;
		area:standard_name = "cell_area" ;
		area:units = "m2" ;
		area:_FillValue = NaN ;
	float ta(time_counter, level, cell) ;
		ta:cell_measures = "area: area" ;
		ta:coordinates = "lat lon" ;
	float column(time_counter, cell, level) ;
		column:cell_measures = "area: area" ;
		column:coordinates = "lat lon" ;
data:
 lat = 5, -5, 5, _, 5 ;
 bounds_lat =
  0, 0, 10,
  0, 0, -10,
  0, 0, 10,
  _, _, _,
  0, 0, 10 ;
 lon = 0, 10, 20, _, 40 ;
 bounds_lon =
  -10, 10, 0,
  0, 20, 10,
  10, 30, 20,
  _, _, _,
  30, 50, 40 ;
 area = 1, 2, 3, _, 5 ;
 ta =
  0, 1, 2, 3, 4,
  5, 6, 7, 8, 9 ;
 column =
  0, 1,
  2, 3,
  4, 5,
  6, 7,
  8, 9 ;
}
)");
  }
}

TEST(KindsOfGrids, axes_and_scalars) {
  const Together all;
  config::Model model = model_of_file(all);
  model.axes = {{"lev", "lev", {}}, {"basin", "basin", {}}, {"band", "band", {}}};
  auto& lev = model.axes[0].attributes;
  lev.n_glo = 3;
  lev.axis_type = "Z";
  lev.standard_name = "atmosphere_hybrid_sigma_pressure_coordinate";
  lev.unit = "1";
  lev.positive = "down";
  lev.dim_name = "z";
  lev.bounds_name = "lev_edges";
  lev.formula = "p = a + b*ps";
  lev.formula_term = "a: a b: b ps: ps";
  lev.formula_bounds = "p = a_bnds + b_bnds*ps";
  lev.formula_term_bounds = "a: a_bnds b: b_bnds ps: ps";
  lev.prec = 8;
  model.axes[1].attributes.n_glo = 4;
  model.axes[1].attributes.standard_name = "region";
  model.axes[2].attributes.n_glo = 3;
  model.axes[2].attributes.unit = "nm";
  model.axes[2].attributes.prec = 2;
  model.scalars = {{"height", "height", {}}, {"type", "type", {}}, {"edges", "edges", {}}};
  model.scalars[0].attributes.value = 2;
  model.scalars[0].attributes.label = "at 2 m";
  model.scalars[0].attributes.unit = "m";
  model.scalars[1].attributes.label = "sea_ice";
  model.scalars[1].attributes.standard_name = "area_type";
  model.scalars[2].attributes.value = 5;
  model.scalars[2].attributes.bounds = config::value::reals{{0, 10}, {2}};
  model.scalars[2].attributes.bounds_name = "layer";
  add_field(model, "a", {axis_of(0), axis_of(1), scalar_of(0)});
  add_field(model, "b", {axis_of(2), scalar_of(1), scalar_of(2)});
  Coordinates coordinates(model);
  coordinates.whole_of(axis_of(0)).values = {0.1, 0.5, 0.9};
  coordinates.whole_of(axis_of(0)).bounds = {0, 0.25, 0.25, 0.75, 0.75, 1};
  coordinates.whole_of(axis_of(1)).labels = {"atlantic", "", "indian_pacific", "global"};
  coordinates.whole_of(axis_of(2)).values = {400.4, 555.5, nan};
  coordinates.whole_of(axis_of(2)).labels = {"blue", "green", "red"};
  write(all, model, coordinates);
  if (!all.is_owner()) return;
  EXPECT_EQ(about_elements(ncdump("", all.file("f.nc"))), R"(netcdf f {
dimensions:
	z = 3 ;
	axis_nbounds = 2 ;
	basin = 4 ;
	str_len = 14 ;
	band = 3 ;
	time_counter = UNLIMITED ; // (1 currently)
variables:
	double lev(z) ;
		lev:name = "lev" ;
		lev:axis = "Z" ;
		lev:standard_name = "atmosphere_hybrid_sigma_pressure_coordinate" ;
		lev:units = "1" ;
		lev:positive = "down" ;
		lev:formula = "p = a + b*ps" ;
		lev:formula_terms = "a: a b: b ps: ps" ;
		lev:bounds = "lev_edges" ;
	double lev_edges(z, axis_nbounds) ;
		lev_edges:units = "1" ;
		lev_edges:formula = "p = a_bnds + b_bnds*ps" ;
		lev_edges:formula_terms = "a: a_bnds b: b_bnds ps: ps" ;
	char basin(basin, str_len) ;
		basin:standard_name = "region" ;
	float height ;
		height:units = "m" ;
	char height_label(str_len) ;
	short band(band) ;
		band:name = "band" ;
		band:units = "nm" ;
	char band_label(band, str_len) ;
	char type(str_len) ;
		type:standard_name = "area_type" ;
	float edges ;
		edges:bounds = "layer" ;
	float layer(axis_nbounds) ;
	float a(time_counter, basin, z) ;
		a:coordinates = "lev basin height height_label" ;
	float b(time_counter, band) ;
		b:coordinates = "band_label type edges" ;
data:
 lev = 0.1, 0.5, 0.9 ;
 lev_edges =
  0, 0.25,
  0.25, 0.75,
  0.75, 1 ;
 basin =
  "atlantic",
  "",
  "indian_pacific",
  "global" ;
 height = 2 ;
 height_label = "at 2 m" ;
 band = 400, 556, _ ;
 band_label =
  "blue",
  "green",
  "red" ;
 type = "sea_ice" ;
 edges = 5 ;
 layer = 0, 10 ;
 a =
  0, 1, 2,
  3, 4, 5,
  6, 7, 8,
  9, 10, 11 ;
 b =
  0, 1, 2 ;
}
)");
}

/// What CDO says of the file's grid and of its contents.
std::string cdo(const Together& all) {
  std::string out;
  for (const char* command : {"griddes", "sinfo"}) {
    const CommandResult result =
        run(std::string("cdo -s ") + command + " '" + all.file("f.nc") + "'");
    EXPECT_EQ(result.status, 0) << result.output;
    out += result.output;
  }
  return out;
}

void expect_lines(const std::string& text, const std::vector<std::string>& lines) {
  for (const std::string& line : lines) {
    EXPECT_NE(text.find(line), std::string::npos) << "no '" << line << "' in\n" << text;
  }
}

#define EPIOS_SKIP_WITHOUT_CDO() \
  if (run("command -v cdo").status != 0) GTEST_SKIP() << "CDO is not installed"

TEST(KindsOfGrids, cdo_knows_a_rectilinear_one) {
  EPIOS_SKIP_WITHOUT_CDO();
  const Together all;
  const config::Model model = rectilinear(all);
  write(all, model, rectilinear_coordinates(model));
  if (!all.is_owner()) return;
  expect_lines(cdo(all), {"gridtype  = lonlat", "xbounds   = -60 60", "ybounds   = -90 0",
                          "area      = 1 2 3 4 5 6", "available : cellbounds area"});
}

TEST(KindsOfGrids, cdo_knows_a_curvilinear_one) {
  EPIOS_SKIP_WITHOUT_CDO();
  const Together all;
  const config::Model model = curvilinear(all);
  write(all, model, curvilinear_coordinates(model));
  if (!all.is_owner()) return;
  expect_lines(cdo(all),
               {"gridtype  = curvilinear", "xsize     = 2", "ysize     = 3", "xname     = nav_lon",
                "xvals     = 0 1 0.25 1.25 0.5 1.5", "ybounds   = -0.5 -0.5 0.5 0.5",
                "area      = 0 1 10 11 20 21", "curvilinear              : points=6 (2x3)"});
}

TEST(KindsOfGrids, cdo_knows_an_unstructured_one) {
  EPIOS_SKIP_WITHOUT_CDO();
  const Together all;
  config::Model model = cells(all, "unstructured");
  model.streams.resize(1);  // CDO wants levels before cells
  model.files[0].streams = {config::StreamId(0)};
  model.axes[0].attributes.axis_type = "Z";
  Coordinates coordinates = cell_coordinates(model);
  coordinates.whole_of(axis_of(0)).values = {1, 2};
  write(all, model, coordinates);
  if (!all.is_owner()) return;
  expect_lines(cdo(all), {"gridtype  = unstructured", "nvertex   = 3", "xvals     = 0 10 20 nan 40",
                          "ybounds   = 0 0 10", "area      = 1 2 3 nan 5", "points=5  nvertex=3",
                          "level : 1 to 2"});
}

}  // namespace
}  // namespace epios::io::test::kinds_of_grids_test
