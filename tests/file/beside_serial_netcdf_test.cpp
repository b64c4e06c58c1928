// A model that links the distribution's serial NetCDF shares its process with the one inside
// io/file.
#include <dlfcn.h>
#include <netcdf.h>

#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::test::beside_serial_netcdf_test {
namespace {

void write_record(OutputFile& file, std::int64_t record) {
  file.reserve(record + 1);
  file.write({0, record, {}, bytes(std::vector<double>{static_cast<double>(record)})});
  file.write({1, record, whole({1, 2}), bytes(std::vector<float>{1, static_cast<float>(record)})});
}

// Reads tos with the library that this program links itself.
std::vector<float> read(const std::string& path) {
  int file = 0;
  int variable = 0;
  int dimension = 0;
  std::size_t records = 0;
  EXPECT_EQ(nc_open(path.c_str(), NC_NOWRITE, &file), NC_NOERR);
  EXPECT_EQ(nc_inq_unlimdim(file, &dimension), NC_NOERR);
  EXPECT_EQ(nc_inq_dimlen(file, dimension, &records), NC_NOERR);
  EXPECT_EQ(nc_inq_varid(file, "tos", &variable), NC_NOERR);
  std::vector<float> out(records * 2);
  EXPECT_EQ(nc_get_var_float(file, variable, out.data()), NC_NOERR);
  EXPECT_EQ(nc_close(file), NC_NOERR);
  return out;
}

TEST(BesideSerialNetcdf, one_reads_while_the_other_writes) {
  const Scratch scratch;
  int own = 0;
  ASSERT_EQ(nc_create(scratch.file("own.nc").c_str(), NC_NETCDF4, &own), NC_NOERR);
  const auto first = create_netcdf4(small_spec(scratch.file("a.nc"), 1, 2), nullptr);
  write_record(*first, 0);
  first->seal(1);
  first->publish();

  const auto second = create_netcdf4(small_spec(scratch.file("b.nc"), 1, 2), nullptr);
  write_record(*second, 0);
  EXPECT_EQ(read(scratch.file("a.nc")), (std::vector<float>{1, 0}));
  write_record(*second, 1);
  second->sync();
  EXPECT_EQ(read(scratch.file("a.nc")), (std::vector<float>{1, 0}));
  second->seal(2);
  second->publish();
  EXPECT_EQ(read(scratch.file("b.nc")), (std::vector<float>{1, 0, 1, 1}));
  EXPECT_EQ(nc_close(own), NC_NOERR);
}

std::string library_of(const void* symbol) {
  Dl_info where = {};
  EXPECT_NE(::dladdr(symbol, &where), 0);
  return where.dli_fname == nullptr ? "" : where.dli_fname;
}

TEST(BesideSerialNetcdf, ours_is_hidden) {
  for (const char* name : {"nc_create", "nc_create_mem", "nc_create_par"}) {
    const std::string library = library_of(::dlsym(RTLD_DEFAULT, name));
    EXPECT_NE(library.find("libnetcdf.so"), std::string::npos) << name << " is in " << library;
  }
  const std::string ours = library_of(reinterpret_cast<const void*>(&create_netcdf4));
  const CommandResult symbols = run("nm -D --defined-only '" + ours + "'");
  EXPECT_EQ(symbols.status, 0) << symbols.output;
  EXPECT_EQ(symbols.output.find(" nc_"), std::string::npos) << symbols.output;
}

}  // namespace
}  // namespace epios::io::test::beside_serial_netcdf_test
