// The driver under HDF5 and the lives of files.
#include "disk/hdf5_driver.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
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

// The owner of a file has opened and checked it. By the time HDF5 opens it, the name may lead
// elsewhere.
TEST(Hdf5Driver, opens_the_file_that_it_is_given_and_not_what_has_its_name) {
  const test::Scratch scratch;
  const std::string path = scratch.file("file.h5");
  ASSERT_GE(H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)), 0);
  PosixFile checked;
  ASSERT_EQ(checked.open_own(path), 0);
  std::ofstream(scratch.file("victim")) << "victim";
  std::filesystem::remove(path);
  std::filesystem::create_symlink(scratch.file("victim"), path);
  DriverState state;
  ASSERT_EQ(checked.size(state.end_of_space), 0);
  state.file = &checked;
  const hid_t access = make_driver_access(&state);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, access);
  EXPECT_GE(file, 0);
  EXPECT_GE(H5Fclose(file), 0);
  // A name alone is not followed.
  state.file = nullptr;
  H5E_BEGIN_TRY { EXPECT_LT(H5Fopen(path.c_str(), H5F_ACC_RDWR, access), 0); }
  H5E_END_TRY
  EXPECT_EQ(state.error, ELOOP);
  EXPECT_GE(H5Pclose(access), 0);
  EXPECT_EQ(test::read_text(scratch.file("victim")), "victim");
}

}  // namespace
}  // namespace epios::io::hdf5_driver_test
