// A disk that has no space for blocks of records, without rights to mount one: this program's own
// posix_fallocate stands before the system's.
#include <dlfcn.h>
#include <fcntl.h>

#include <atomic>
#include <cerrno>

#include "together.hpp"

namespace {

/// Files may be set aside up to here.
std::atomic<off_t> space{0};
/// Attempts that found no space.
std::atomic<int> refusals{0};

}  // namespace

extern "C" int posix_fallocate(int file, off_t offset, off_t length) {
  static const auto system =
      reinterpret_cast<int (*)(int, off_t, off_t)>(dlsym(RTLD_NEXT, "posix_fallocate"));
  if (space == 0 || offset + length <= space) return system(file, offset, length);
  ++refusals;
  return ENOSPC;
}

namespace epios::io::test::little_space_test {
namespace {

constexpr std::int64_t ny = 10;
constexpr std::int64_t nx = 100;  // 4 kB per record

/// Writes records until one fails; how many could be written.
std::int64_t write_records(OutputFile& file, std::int64_t records, std::string& error) {
  std::int64_t record = 0;
  error = io_error([&] {
    for (; record < records; ++record) {
      file.reserve(record + 1);
      const std::vector<float> values(ny * nx, static_cast<float>(record));
      file.write({0, record, {}, bytes(std::vector<double>{static_cast<double>(record)})});
      file.write({1, record, whole({ny, nx}), bytes(values)});
    }
  });
  return record;
}

TEST(LittleSpace, less_than_a_block_is_enough) {
  const Together all;
  FileSpec spec = small_spec(all.file("a.nc"), ny, nx, {ny, nx});
  spec.records_per_block = 64;
  const auto file = create_netcdf4(spec, nullptr);
  space = 200'000;
  refusals = 0;
  std::string error;
  EXPECT_EQ(write_records(*file, 5, error), 5) << error;
  EXPECT_EQ(refusals, 1);
  file->seal(5);
  EXPECT_LT(file->publish(), 200'000);
  space = 0;
  const std::string dump = ncdump("-v time", spec.path);
  EXPECT_NE(dump.find("time = 0, 1, 2, 3, 4 ;"), std::string::npos) << dump;
}

TEST(LittleSpace, less_than_is_needed_is_an_error) {
  const Together all;
  FileSpec spec = small_spec(all.file("a.nc"), ny, nx, {ny, nx});
  spec.records_per_block = 2;
  const auto file = create_netcdf4(spec, nullptr);
  space = 90'000;
  refusals = 0;
  std::string error;
  const std::int64_t written = write_records(*file, 40, error);
  EXPECT_LT(written, 40);
  EXPECT_GE(refusals, 2);
  space = 0;
  EXPECT_NE(error.find("cannot set aside 0.0 MB for record " + std::to_string(written)),
            std::string::npos)
      << error;
  EXPECT_NE(error.find("(No space left on device)"), std::string::npos) << error;
  file->abandon();
}

}  // namespace
}  // namespace epios::io::test::little_space_test
