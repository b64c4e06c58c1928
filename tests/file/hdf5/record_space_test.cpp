// What HDF5 holds of a file under construction.
#include <malloc.h>

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

}  // namespace
}  // namespace epios::io::test::record_space_test
