// Which names elements get in a file, and who shares them.
#include <algorithm>
#include <optional>

#include "cf/coordinates.hpp"
#include "cf/models.hpp"
#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::test::names_test {
namespace {

/// Dimensions of a file but that of its records: "lat=2 lon=3".
std::string dimensions(const FileSpec& spec) {
  std::string out;
  for (const DimensionSpec& dimension : spec.dimensions) {
    if (dimension.length == 0) continue;
    out += (out.empty() ? "" : " ") + dimension.name + "=" + std::to_string(dimension.length);
  }
  return out;
}

std::string shape(const FileSpec& spec, const VariableSpec& variable) {
  std::string out;
  for (const int d : variable.dimensions) {
    const DimensionSpec& dimension = spec.dimensions[static_cast<std::size_t>(d)];
    if (dimension.length != 0) out += (out.empty() ? "" : ",") + dimension.name;
  }
  return variable.name + "(" + out + ")";
}

/// Variables of elements: "lat(lat) lon(lon)".
std::string coordinates(const FileSpec& spec) {
  std::string out;
  for (const VariableSpec& variable : spec.variables) {
    const auto is_record = [&](int d) {
      return spec.dimensions[static_cast<std::size_t>(d)].length == 0;
    };
    if (!variable.dimensions.empty() && is_record(variable.dimensions[0])) continue;
    out += (out.empty() ? "" : " ") + shape(spec, variable);
  }
  return out;
}

const VariableSpec* find(const FileSpec& spec, const std::string& name) {
  for (const VariableSpec& variable : spec.variables) {
    if (variable.name == name) return &variable;
  }
  ADD_FAILURE() << "no variable " << name;
  return nullptr;
}

std::string text(const VariableSpec* variable, const std::string& name) {
  if (variable == nullptr) return "";
  for (const FileAttribute& attribute : variable->attributes) {
    if (attribute.name == name) return std::get<std::string>(attribute.value);
  }
  return "";
}

/// The dimensions and elements of a field: "tas(lat,lon) lat lon".
std::string field(const FileSpec& spec, const std::string& name) {
  const VariableSpec* variable = find(spec, name);
  if (variable == nullptr) return "";
  const std::string all = text(variable, "coordinates");
  return shape(spec, *variable) + " " + all;
}

/// One file whose only time is its counter.
config::Model one_file() {
  config::Model model = empty_model();
  config::File file;
  file.id = "f";
  file.path = "f.nc";
  file.attributes.time_counter = "exclusive";
  model.files = {file};
  return model;
}

config::GridElement add_domain(config::Model& model, const std::string& id, const std::string& name,
                               const char* type, std::int64_t ni, std::int64_t nj) {
  model.domains.push_back({id, name, {}});
  auto& a = model.domains.back().attributes;
  a.type = type;
  a.ni_glo = ni;
  a.nj_glo = nj;
  a.nvertex = 4;
  return domain_of(static_cast<int>(model.domains.size()) - 1);
}

config::GridElement add_axis(config::Model& model, const std::string& id, const std::string& name,
                             std::int64_t n) {
  model.axes.push_back({id, name, {}});
  model.axes.back().attributes.n_glo = n;
  return axis_of(static_cast<int>(model.axes.size()) - 1);
}

/// Values 0, 1, ... of an axis and, if wanted, bounds.
void give_axis(Coordinates& coordinates, const config::GridElement& axis, bool with_bounds) {
  CoordinateSlab& slab = coordinates.whole_of(axis);
  for (int k = 0; k < slab.window.size[0]; ++k) {
    slab.values.push_back(k);
    if (with_bounds) slab.bounds.insert(slab.bounds.end(), {k - 0.5, k + 0.5});
  }
}

/// Everything that a domain can have, of cells with four vertices.
void give_domain(Coordinates& coordinates, const config::GridElement& domain, double lon = 1) {
  CoordinateSlab& slab = coordinates.whole_of(domain);
  const auto cells = static_cast<std::size_t>(slab.window.volume());
  slab.lon.assign(cells, lon);
  slab.lat.assign(cells, 2);
  slab.bounds_lon.assign(4 * cells, 3);
  slab.bounds_lat.assign(4 * cells, 4);
  slab.area.assign(cells, 5);
}

TEST(Names, can_all_be_chosen) {
  config::Model model = one_file();
  const auto domain = add_domain(model, "d", "d", "curvilinear", 3, 2);
  auto& a = model.domains[0].attributes;
  a.lon_name = "longitude";
  a.lat_name = "latitude";
  a.dim_i_name = "i";
  a.dim_j_name = "j";
  a.bounds_lon_name = "lon_vertices";
  a.bounds_lat_name = "lat_vertices";
  a.nvertex_name = "corner";
  const auto axis = add_axis(model, "z", "z", 2);
  model.axes[0].attributes.dim_name = "layer";
  model.axes[0].attributes.bounds_name = "edges";
  add_field(model, "tas", {domain, axis});
  Coordinates given(model);
  give_domain(given, domain);
  give_axis(given, axis, true);
  const Described described = describe(model, given);
  const FileSpec& spec = described.cf.spec;
  EXPECT_EQ(dimensions(spec), "j=2 i=3 corner=4 layer=2 axis_nbounds=2");
  EXPECT_EQ(coordinates(spec),
            "latitude(j,i) lat_vertices(j,i,corner) longitude(j,i) lon_vertices(j,i,corner) "
            "area(j,i) z(layer) edges(layer,axis_nbounds)");
  EXPECT_EQ(field(spec, "tas"), "tas(layer,j,i) latitude longitude z");
  EXPECT_EQ(text(find(spec, "latitude"), "bounds"), "lat_vertices");
}

TEST(Names, of_dimensions_of_a_rectilinear_domain_make_auxiliary_coordinates) {
  config::Model model = one_file();
  const auto domain = add_domain(model, "d", "d", "rectilinear", 3, 2);
  model.domains[0].attributes.lon_name = "nav_lon";
  model.domains[0].attributes.dim_i_name = "x";
  model.domains[0].attributes.prec = 8;
  add_field(model, "tas", {domain});
  Coordinates given(model);
  CoordinateSlab& slab = given.whole_of(domain);
  slab.lon = {0, 1, 2};
  slab.lat = {0, 1};
  const Described described = describe(model, given);
  EXPECT_EQ(coordinates(described.cf.spec), "lat(lat) nav_lon(x)");
  EXPECT_EQ(field(described.cf.spec, "tas"), "tas(lat,x) nav_lon");
  EXPECT_EQ(find(described.cf.spec, "nav_lon")->kind, ValueKind::float64);
}

TEST(Names, of_several_domains_end_in_that_of_the_domain) {
  config::Model model = one_file();
  const auto ocean = add_domain(model, "o", "ocean", "curvilinear", 3, 2);
  const auto ice = add_domain(model, "i", "ice", "unstructured", 5, 1);
  const auto land = add_domain(model, "l", "land", "rectilinear", 3, 2);
  add_field(model, "sst", {ocean});
  add_field(model, "sic", {ice});
  add_field(model, "mrro", {land});
  Coordinates given(model);
  give_domain(given, ocean);
  give_domain(given, ice);
  const Described described = describe(model, given);
  const FileSpec& spec = described.cf.spec;
  EXPECT_EQ(dimensions(spec),
            "y_ocean=2 x_ocean=3 nvertex_ocean=4 cell_ice=5 nvertex_ice=4 lat_land=2 lon_land=3 "
            "axis_nbounds=2");
  EXPECT_EQ(coordinates(spec),
            "nav_lat_ocean(y_ocean,x_ocean) "
            "bounds_nav_lat_ocean(y_ocean,x_ocean,nvertex_ocean) "
            "nav_lon_ocean(y_ocean,x_ocean) "
            "bounds_nav_lon_ocean(y_ocean,x_ocean,nvertex_ocean) area_ocean(y_ocean,x_ocean) "
            "lat_ice(cell_ice) bounds_lat_ice(cell_ice,nvertex_ice) lon_ice(cell_ice) "
            "bounds_lon_ice(cell_ice,nvertex_ice) area_ice(cell_ice)");
  EXPECT_EQ(field(spec, "sst"), "sst(y_ocean,x_ocean) nav_lat_ocean nav_lon_ocean");
  EXPECT_EQ(text(find(spec, "sst"), "cell_measures"), "area: area_ocean");
  EXPECT_EQ(field(spec, "sic"), "sic(cell_ice) lat_ice lon_ice");
  // Without values there is no coordinate.
  EXPECT_EQ(field(spec, "mrro"), "mrro(lat_land,lon_land) ");
  EXPECT_EQ(text(find(spec, "mrro"), "cell_measures"), "");
}

std::string global(const FileSpec& spec, const std::string& name) {
  for (const FileAttribute& attribute : spec.attributes) {
    if (attribute.name == name) return std::get<std::string>(attribute.value);
  }
  return "none";
}

// Areas in another file, in this one, and both.
TEST(Names, of_measures_in_other_files_are_external) {
  config::Model model = one_file();
  const auto ocean = add_domain(model, "ocean", "ocean", "curvilinear", 3, 2);
  const auto ice = add_domain(model, "ice", "ice", "unstructured", 5, 1);
  add_field(model, "sst", {ocean});
  add_field(model, "ssh", {ocean});
  add_field(model, "sic", {ice});
  add_field(model, "volcello", {ocean});
  const auto set = [&model](int stream, const char* measures) {
    model.streams[config::StreamId(stream)].attributes.cell_measures = measures;
  };
  Coordinates given(model);
  give_domain(given, ocean);
  give_domain(given, ice);
  EXPECT_EQ(global(describe(model, given).cf.spec, "external_variables"), "none");
  set(0, "area: areacello volume: volcello");
  set(1, "area: areacello");
  set(2, "area: areacelli");
  const auto external = [&](const char* areas) {
    const Described described = describe(model, given);
    const FileSpec& spec = described.cf.spec;
    EXPECT_EQ(text(find(spec, "sst"), "cell_measures"), "area: areacello volume: volcello");
    EXPECT_EQ(coordinates(spec).find("area_ice"), std::string::npos);
    EXPECT_EQ(coordinates(spec).find("area_ocean") != std::string::npos, *areas != '\0');
    return global(spec, "external_variables");
  };
  EXPECT_EQ(external("ocean"), "areacello areacelli");  // of volcello
  set(3, "area: areacello");
  EXPECT_EQ(external(""), "areacello areacelli");
  set(3, "area: area_ocean");
  EXPECT_EQ(external("ocean"), "areacello areacelli");
}

// A model with three descriptions of its horizontal grid: with a wide halo, a small one, and none.
TEST(Names, are_shared_by_domains_of_one_name_and_size) {
  config::Model model = one_file();
  const auto wide = add_domain(model, "grid_T", "grid_T", "curvilinear", 3, 2);
  const auto narrow = add_domain(model, "grid_T_narrow", "grid_T", "curvilinear", 3, 2);
  const auto inner = add_domain(model, "grid_T_inner", "grid_T", "curvilinear", 3, 2);
  model.domains[0].attributes.nvertex.reset();
  add_field(model, "a", {wide});
  add_field(model, "b", {narrow});
  add_field(model, "c", {inner});
  Coordinates given(model);
  give_domain(given, inner);
  CoordinateSlab& slab = given.whole_of(narrow);
  slab.lon.assign(6, 1);
  slab.lat.assign(6, 2);
  const Described described = describe(model, given);
  const FileSpec& spec = described.cf.spec;
  EXPECT_EQ(dimensions(spec), "y=2 x=3 nvertex=4 axis_nbounds=2");
  EXPECT_EQ(coordinates(spec),
            "nav_lat(y,x) bounds_nav_lat(y,x,nvertex) nav_lon(y,x) bounds_nav_lon(y,x,nvertex) "
            "area(y,x)");
  for (const char* name : {"a", "b", "c"}) {
    EXPECT_EQ(field(spec, name), std::string(name) + "(y,x) nav_lat nav_lon");
    EXPECT_EQ(text(find(spec, name), "cell_measures"), "area: area");
  }
  EXPECT_EQ(find(spec, "nav_lon")->fixed.numbers.data(), described.slabs[1].lon.data());
  EXPECT_EQ(find(spec, "area")->fixed.numbers.data(), described.slabs[0].area.data());
  // The one that gives coordinates gives all of them.
  EXPECT_EQ(sentences(described.cf.remarks), std::vector<std::string>{});
}

TEST(Names, values_that_differ_where_they_are_shared_are_told) {
  config::Model model = one_file();
  const auto one = add_axis(model, "soil", "depth", 3);
  const auto two = add_axis(model, "snow", "depth", 3);
  add_field(model, "a", {one});
  add_field(model, "b", {two});
  Coordinates given(model);
  given.whole_of(one).values = {1, 2, 3};
  given.whole_of(two).values = {1, 2, 3};
  EXPECT_EQ(sentences(describe(model, given).cf.remarks), std::vector<std::string>{});
  given.whole_of(two).values = {1, 2.5, 4};
  const Described described = describe(model, given);
  EXPECT_EQ(coordinates(described.cf.spec), "depth(depth)");
  EXPECT_EQ(
      sentences(described.cf.remarks),
      std::vector<std::string>{
          "file 'f.nc': 'depth' differs between axis 'soil' and axis 'snow', which share it "
          "(same name, size and attributes), at 2 points (among them 2 and 2.5). Those of axis "
          "'soil' are written. Give one of the two another name?"});
  // Of two writers one sees it.
  EXPECT_EQ(describe(model, given, 0, 2).cf.remarks.size(), 1U);
  given.whole_of(two).values = {1, 2, 4};
  EXPECT_EQ(describe(model, given, 0, 2).cf.remarks.size(), 0U);
  EXPECT_EQ(describe(model, given, 1, 2).cf.remarks.size(), 1U);
}

TEST(Names, bounds_alone_are_told) {
  config::Model model = one_file();
  const auto axis = add_axis(model, "z", "z", 1);
  add_field(model, "a", {axis});
  Coordinates given(model);
  given.whole_of(axis).bounds = {1, 2};
  const Described described = describe(model, given);
  EXPECT_EQ(coordinates(described.cf.spec), "z_bounds(z,axis_nbounds)");
  EXPECT_EQ(sentences(described.cf.remarks),
            std::vector<std::string>{"file 'f.nc': axis 'z' has bounds but no values: 'z_bounds' "
                                     "belongs to no coordinate. Give it values, too?"});
}

TEST(Names, of_an_element_that_is_another_get_a_number) {
  config::Model model = one_file();
  const auto three = add_axis(model, "three", "depth", 3);
  const auto four = add_axis(model, "four", "depth", 4);
  const auto other = add_axis(model, "other", "depth", 3);
  const auto same = add_axis(model, "same", "depth", 4);
  model.axes[2].attributes.unit = "Pa";
  add_field(model, "a", {three});
  add_field(model, "b", {four, other});
  add_field(model, "c", {same});
  Coordinates given(model);
  for (const auto& axis : {three, four, other, same}) give_axis(given, axis, axis == four);
  given.whole_of(four).labels = {"a", "b", "c", "d"};
  const Described described = describe(model, given);
  const FileSpec& spec = described.cf.spec;
  EXPECT_EQ(dimensions(spec), "depth=3 depth_2=4 axis_nbounds=2 str_len=1 depth_3=3");
  EXPECT_EQ(coordinates(spec),
            "depth(depth) depth_2(depth_2) depth_2_bounds(depth_2,axis_nbounds) "
            "depth_2_label(depth_2,str_len) depth_3(depth_3)");
  EXPECT_EQ(text(find(spec, "depth_2"), "bounds"), "depth_2_bounds");
  EXPECT_EQ(field(spec, "b"), "b(depth_3,depth_2) depth_2_label");
  EXPECT_EQ(field(spec, "c"), "c(depth_2) depth_2_label");
}

// Node, edge and face domains of one mesh have one name.
TEST(Names, of_domains_of_one_name_and_other_sizes_get_a_number) {
  config::Model model = one_file();
  const auto faces = add_domain(model, "faces", "mesh", "unstructured", 3, 1);
  const auto nodes = add_domain(model, "nodes", "mesh", "unstructured", 5, 1);
  add_field(model, "a", {faces});
  add_field(model, "b", {nodes});
  Coordinates given(model);
  give_domain(given, faces);
  give_domain(given, nodes);
  const Described described = describe(model, given);
  EXPECT_EQ(dimensions(described.cf.spec),
            "cell_mesh=3 nvertex_mesh=4 cell_mesh_2=5 axis_nbounds=2");
  EXPECT_EQ(field(described.cf.spec, "b"), "b(cell_mesh_2) lat_mesh_2 lon_mesh_2");
  EXPECT_EQ(text(find(described.cf.spec, "b"), "cell_measures"), "area: area_mesh_2");
}

TEST(Names, of_dimensions_are_shared_by_axes_of_one_size) {
  config::Model model = one_file();
  const auto centers = add_axis(model, "zt", "zt", 3);
  const auto edges = add_axis(model, "zw", "zw", 3);
  const auto longer = add_axis(model, "zf", "zf", 4);
  for (auto& axis : model.axes) axis.attributes.dim_name = "z";
  add_field(model, "a", {centers});
  add_field(model, "b", {edges});
  add_field(model, "c", {longer});
  Coordinates given(model);
  for (const auto& axis : {centers, edges, longer}) give_axis(given, axis, false);
  const Described described = describe(model, given);
  EXPECT_EQ(coordinates(described.cf.spec), "zt(z) zw(z) zf_2(z_2)");
  EXPECT_EQ(field(described.cf.spec, "b"), "b(z) zw");
}

TEST(Names, of_dimensions_are_not_shared_where_a_coordinate_would_be) {
  config::Model model = one_file();
  const auto metres = add_axis(model, "metres", "z", 3);
  const auto pressure = add_axis(model, "pressure", "z", 3);
  const auto domain = add_domain(model, "d", "d", "curvilinear", 3, 3);
  model.axes[1].attributes.unit = "Pa";
  add_field(model, "a", {metres});
  add_field(model, "b", {pressure});
  Coordinates given(model);
  give_axis(given, pressure, false);
  // Values of the second would be read as those of the first.
  EXPECT_EQ(coordinates(describe(model, given).cf.spec), "z_2(z_2)");
  EXPECT_EQ(dimensions(describe(model, given).cf.spec), "z=3 z_2=3 axis_nbounds=2");
  // Names do not depend on what clients gave.
  EXPECT_EQ(dimensions(describe(model, Coordinates(model)).cf.spec), "z=3 z_2=3 axis_nbounds=2");
  // An axis is no direction of a domain, nor is one direction the other.
  model.axes[1].name = "x";
  add_field(model, "c", {domain});
  EXPECT_EQ(dimensions(describe(model, Coordinates(model)).cf.spec),
            "z=3 x=3 y_2=3 x_2=3 axis_nbounds=2");
}

TEST(Names, of_scalars_with_another_value_get_a_number) {
  config::Model model = one_file();
  model.scalars = {{"at_2m", "height", {}}, {"at_10m", "height", {}}, {"at_2m_too", "height", {}}};
  model.scalars[0].attributes.value = 2;
  model.scalars[1].attributes.value = 10;
  model.scalars[2].attributes.value = 2;
  add_field(model, "tas", {scalar_of(0)});
  add_field(model, "wind", {scalar_of(1)});
  add_field(model, "huss", {scalar_of(2)});
  const Described described = describe(model, Coordinates(model));
  EXPECT_EQ(coordinates(described.cf.spec), "height() height_2()");
  EXPECT_EQ(field(described.cf.spec, "wind"), "wind() height_2");
  EXPECT_EQ(field(described.cf.spec, "huss"), "huss() height");
}

TEST(Names, of_times_are_not_for_elements) {
  config::Model model = one_file();
  const auto axis = add_axis(model, "time_counter", "time_counter", 2);
  add_field(model, "a", {axis});
  Coordinates given(model);
  give_axis(given, axis, true);
  const Described described = describe(model, given);
  EXPECT_EQ(coordinates(described.cf.spec),
            "time_counter_2(time_counter_2) time_counter_2_bounds(time_counter_2,axis_nbounds)");
  EXPECT_EQ(field(described.cf.spec, "a"), "a(time_counter_2) ");
}

TEST(Names, of_areas_make_way_for_fields) {
  config::Model model = one_file();
  const auto domain = add_domain(model, "d", "d", "unstructured", 3, 1);
  add_field(model, "area", {domain});
  add_field(model, "area_2", {domain});
  Coordinates given(model);
  give_domain(given, domain);
  const Described described = describe(model, given);
  EXPECT_EQ(coordinates(described.cf.spec),
            "lat(cell) bounds_lat(cell,nvertex) lon(cell) bounds_lon(cell,nvertex) area_3(cell)");
  EXPECT_EQ(text(find(described.cf.spec, "area"), "cell_measures"), "area: area_3");
}

TEST(Names, two_elements_of_one_grid_are_never_the_same) {
  config::Model model = one_file();
  const auto one = add_axis(model, "one", "lev", 3);
  const auto two = add_axis(model, "two", "lev", 3);
  add_field(model, "covariance", {one, two});
  Coordinates given(model);
  give_axis(given, one, false);
  give_axis(given, two, false);
  const Described described = describe(model, given);
  EXPECT_EQ(coordinates(described.cf.spec), "lev(lev) lev_2(lev_2)");
  EXPECT_EQ(field(described.cf.spec, "covariance"), "covariance(lev_2,lev) ");
}

TEST(Names, of_the_files_own_dimensions_are_not_for_elements) {
  config::Model model = one_file();
  const auto bounds = add_axis(model, "a", "axis_nbounds", 2);
  const auto texts = add_axis(model, "b", "str_len", 5);
  add_field(model, "t", {bounds, texts});
  Coordinates given(model);
  give_axis(given, bounds, true);
  given.whole_of(texts).labels = {"one", "two", "three", "four", "five"};
  EXPECT_EQ(dimensions(describe(model, given).cf.spec),
            "axis_nbounds_2=2 axis_nbounds=2 str_len_2=5 str_len=5");
  model.files[0].attributes.time_counter_name = "axis_nbounds";
  EXPECT_EQ(dimensions(describe(model, Coordinates(model)).cf.spec),
            "axis_nbounds_3=2 str_len_2=5 axis_nbounds_2=2");
}

std::string configuration_error(const config::Model& model, const Coordinates& given) {
  try {
    describe(model, given);
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::configuration);
    return e.what();
  }
  return {};
}

TEST(Names, that_no_file_can_have_are_errors) {
  config::Model model = one_file();
  add_field(model, "a", {add_domain(model, "d", "d", "curvilinear", 3, 2)});
  model.domains[0].attributes.dim_i_name = "y";
  EXPECT_EQ(configuration_error(model, Coordinates(model)),
            "file 'f.nc': domain 'd' has two dimensions of the name 'y'. Choose another with "
            "dim_i_name, dim_j_name or nvertex_name?");
  model.domains[0].attributes.dim_i_name = "a/b";
  EXPECT_EQ(configuration_error(model, Coordinates(model)),
            "file 'f.nc': 'a/b' cannot be the name of a dimension (NetCDF wants a letter, digit or "
            "underscore first and no '/'). Choose another with the attribute name?");
  model = one_file();
  const auto axis = add_axis(model, "lev", "lev", 3);
  add_field(model, "lev", {axis});
  Coordinates given(model);
  EXPECT_EQ(configuration_error(model, given), "");
  give_axis(given, axis, false);
  EXPECT_EQ(configuration_error(model, given),
            "file 'f.nc': two variables are called 'lev' (names of fields and coordinates share "
            "one space). Set another name on one of them?");
}

TEST(Names, and_attributes_are_the_same_on_all_writers) {
  config::Model model = one_file();
  const auto ocean = add_domain(model, "o", "ocean", "curvilinear", 3, 4);
  const auto ice = add_domain(model, "i", "ice", "unstructured", 7, 1);
  const auto axis = add_axis(model, "z", "z", 5);
  add_field(model, "sst", {ocean, axis});
  add_field(model, "sic", {ice});
  Coordinates given(model);
  give_domain(given, ocean);
  give_domain(given, ice);
  give_axis(given, axis, true);
  given.whole_of(axis).labels = {"1", "2", "3", "4", "five"};
  const Described whole = describe(model, given);
  for (const int writers : {2, 3, 7}) {
    std::vector<std::int64_t> points(whole.cf.spec.variables.size());
    for (int writer = 0; writer < writers; ++writer) {
      const Described described = describe(model, given, writer, writers);
      const FileSpec& spec = described.cf.spec;
      ASSERT_EQ(spec.variables.size(), points.size());
      EXPECT_EQ(dimensions(spec), dimensions(whole.cf.spec));
      for (std::size_t v = 0; v < points.size(); ++v) {
        const VariableSpec& variable = spec.variables[v];
        EXPECT_EQ(variable.name, whole.cf.spec.variables[v].name);
        EXPECT_EQ(variable.dimensions, whole.cf.spec.variables[v].dimensions);
        EXPECT_EQ(variable.attributes, whole.cf.spec.variables[v].attributes);
        points[v] += variable.fixed.box.volume();
      }
    }
    for (std::size_t v = 0; v < points.size(); ++v) {
      EXPECT_EQ(points[v], whole.cf.spec.variables[v].fixed.box.volume());
    }
  }
}

}  // namespace
}  // namespace epios::io::test::names_test
