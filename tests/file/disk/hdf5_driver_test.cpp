// The driver under HDF5 and the lives of files.
#include "disk/hdf5_driver.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "scratch.hpp"

namespace epios::io::hdf5_driver_test {
namespace {

// HDF5 looks into the driver after it has let go of that of a file that is closed.
TEST(Hdf5Driver, outlives_the_last_file_that_uses_it) {
  const test::Scratch scratch;
  const std::string path = scratch.file("file.h5");
  ASSERT_GE(H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)), 0);
  DriverState state;
  state.end_of_space = std::filesystem::file_size(path);
  const hid_t access = make_driver_access(&state);
  ASSERT_GE(access, 0);
  const hid_t driver = H5Pget_driver(access);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
  ASSERT_GE(file, 0);
  ASSERT_GE(H5Pclose(access), 0);
  ASSERT_GE(H5Fclose(file), 0);
  EXPECT_GT(H5Iis_valid(driver), 0);
  DriverState other;
  const hid_t again = make_driver_access(&other);
  EXPECT_EQ(H5Pget_driver(again), driver) << "drivers pile up";
  EXPECT_GE(H5Pclose(again), 0);
}

}  // namespace
}  // namespace epios::io::hdf5_driver_test
