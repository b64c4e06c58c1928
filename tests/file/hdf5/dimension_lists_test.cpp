// Dimensions of variables as HDF5's own library for dimension scales sees them.
#include <hdf5.h>
#include <hdf5_hl.h>

#include <string>

#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::test::dimension_lists_test {
namespace {

TEST(DimensionLists, every_variable_has_its_dimensions_attached) {
  const Scratch scratch;
  FileSpec spec;
  spec.path = scratch.file("a.nc");
  spec.dimensions = {{"time", 0}, {"lat", 2}, {"lon", 3}, {"unused", 4}};
  const std::vector<double> latitudes = {-45, 45};
  VariableSpec lat;
  lat.name = "lat";
  lat.kind = ValueKind::float64;
  lat.dimensions = {1};
  lat.fixed = {whole({2}), latitudes};
  spec.variables = {lat};
  for (const char* name :
       {"a", "b", "lon"}) {  // the last one is no coordinate: it begins with time
    VariableSpec field;
    field.name = name;
    field.dimensions = {0, 1, 2};
    spec.variables.push_back(field);
  }
  VariableSpec square;
  square.name = "square";
  square.dimensions = {2, 2};
  const std::vector<double> numbers(9, 1);
  square.fixed = {whole({3, 3}), numbers};
  spec.variables.push_back(square);
  const auto output = create_netcdf4(spec, nullptr);
  output->seal(0);
  output->publish();

  const hid_t file = H5Fopen(spec.path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  const auto is_attached = [&](const char* variable, const char* scale, unsigned dimension) {
    const hid_t v = H5Dopen2(file, variable, H5P_DEFAULT);
    const hid_t s = H5Dopen2(file, scale, H5P_DEFAULT);
    EXPECT_GT(H5DSis_scale(s), 0) << scale;
    const htri_t out = H5DSis_attached(v, s, dimension);
    H5Dclose(v);
    H5Dclose(s);
    return out;
  };
  for (const char* field : {"a", "b", "_nc4_non_coord_lon"}) {
    EXPECT_EQ(is_attached(field, "time", 0), 1) << field;
    EXPECT_EQ(is_attached(field, "lat", 1), 1) << field;
    EXPECT_EQ(is_attached(field, "lon", 2), 1) << field;
    EXPECT_EQ(is_attached(field, "lon", 1), 0) << field;
    EXPECT_EQ(is_attached(field, "unused", 0), 0) << field;
  }
  EXPECT_EQ(is_attached("square", "lon", 0), 1);
  EXPECT_EQ(is_attached("square", "lon", 1), 1);
  EXPECT_EQ(H5Fclose(file), 0);
  EXPECT_NE(ncdump("-h", spec.path).find("float lon(time, lat, lon)"), std::string::npos);
}

}  // namespace
}  // namespace epios::io::test::dimension_lists_test
