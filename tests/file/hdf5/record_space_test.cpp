// What HDF5 holds of a file under construction.
#include <malloc.h>

#include <algorithm>

#include "../scratch.hpp"

namespace epios::io::test::record_space_test {
namespace {

std::size_t bytes_in_use() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

/// A chunk takes HDF5 about 500 bytes of memory, and there are 20,000 chunks in the end.
TEST(RecordSpace, memory_does_not_grow_with_the_chunks_of_a_file) {
  constexpr std::int64_t step = 20'000;
  const Scratch scratch;
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 10, 10), nullptr);
  for (std::int64_t record = 0; record < 2; ++record) {
    file->reserve(record + 1);
    write_record(*file, record, 10, 10);
  }
  std::vector<std::size_t> in_use;
  for (std::int64_t records = step; records <= 10 * step; records += step) {
    file->reserve(records);
    file->sync();
    in_use.push_back(bytes_in_use());
  }
  EXPECT_LT(static_cast<double>(in_use.back()), static_cast<double>(in_use.front()) + 5e6);
  // All of the index is looked at once more.
  file->seal(2);
  file->publish();
  const std::string dump = ncdump("", scratch.file("a.nc"));
  EXPECT_NE(dump.find("time = UNLIMITED ; // (2 currently)"), std::string::npos) << dump;
  EXPECT_NE(dump.find("190, 191, 192, 193, 194, 195, 196, 197, 198, 199 ;"), std::string::npos)
      << dump;
}

/// A model without sync points may write for a century into one file. Here the structure of
/// 20,000 chunks took 10 MB, and what was known of records that are complete 8 bytes for each
/// variable.
TEST(RecordSpace, memory_does_not_grow_without_syncs) {
  constexpr std::int64_t step = 20'000;
  const Scratch scratch;
  FileSpec spec = small_spec(scratch.file("a.nc"), 4, 4);
  spec.variables[1].compression.level = 1;  // a record is a chunk
  const auto file = create_netcdf4(spec, nullptr);
  std::vector<std::size_t> most;
  for (std::int64_t record = 0; record < 4 * step; ++record) {
    file->reserve(record + 1);
    write_record(*file, record, 4, 4);
    if (record % step == 0) most.push_back(0);
    if (record % 100 == 0) most.back() = std::max(most.back(), bytes_in_use());
  }
  EXPECT_LT(static_cast<double>(most.back()), static_cast<double>(most[1]) + 2e5);
  file->seal(4 * step);
  file->publish();
  const std::string dump = ncdump("-v time", scratch.file("a.nc"));
  EXPECT_NE(dump.find("79998.5, 79999.5 ;"), std::string::npos) << dump.substr(dump.size() - 99);
}

/// What is known of records that are complete is forgotten: one that is written again would go
/// anywhere in the file.
TEST(RecordSpace, a_record_that_is_complete_is_not_written_again) {
  const Scratch scratch;
  const auto file = create_netcdf4(small_spec(scratch.file("a.nc"), 2, 3), nullptr);
  file->reserve(1);
  write_record(*file, 0, 2, 3);
  file->sync();
  EXPECT_THROW(write_record(*file, 0, 2, 3), Error);
  file->reserve(2);
  write_record(*file, 1, 2, 3);
  file->seal(2);
  file->publish();
  EXPECT_NE(ncdump("-v time", scratch.file("a.nc")).find("time = 0.5, 1.5 ;"), std::string::npos);
}

}  // namespace
}  // namespace epios::io::test::record_space_test
