// What has large counts beside the ways of file_ways.cpp: the shared pointer, and extents.

#include <gtest/gtest.h>

#include <algorithm>
#include <ep/ep.hpp>
#include <numeric>
#include <vector>

#include "files/shared_file.hpp"
#include "layouts.hpp"

namespace ep::test::file_large_test {
namespace {

constexpr int endpoints = 4;

std::vector<int> sorted_ints_of(const SharedFile& shared) {
  std::vector<int> all = ints_of(shared);
  std::sort(all.begin(), all.end());
  return all;
}

// Whoever comes first: all segments are there, each whole and once.
TEST(FileLargeCounts, pieces_by_the_shared_pointer) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    check(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    const std::vector<int> mine = numbers(10 * comm.rank(), 10);
    EP_Status status{};
    check(EP_File_write_shared_c(file, mine.data(), 4, MPI_INT, &status));
    EXPECT_EQ(count_of(status, MPI_INT), 4);
    EP_Request request = EP_REQUEST_NULL;
    check(EP_File_iwrite_shared_c(file, mine.data() + 4, 6, MPI_INT, &request));
    check(EP_Wait(&request, &status));
    EXPECT_EQ(count_of(status, MPI_INT), 6);
    shared.barrier();
    std::vector<int> expected(static_cast<std::size_t>(10 * comm.size()));
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(sorted_ints_of(shared), expected);

    check(EP_File_seek_shared(file, 0, EP_SEEK_SET));
    std::vector<int> read(10, -1);
    check(EP_File_read_shared_c(file, read.data(), 4, MPI_INT, &status));
    check(EP_File_iread_shared_c(file, read.data() + 4, 6, MPI_INT, &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    const int sum = std::accumulate(read.begin(), read.end(), 0);
    int all = 0;
    check(EP_Allreduce(&sum, &all, 1, MPI_INT, MPI_SUM, comm.get()));
    EXPECT_EQ(all, std::accumulate(expected.begin(), expected.end(), 0));
    check(EP_File_close(&file));
  });
}

TEST(FileLargeCounts, pieces_in_the_order_of_ranks) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    check(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    const std::vector<int> mine = numbers(10 * comm.rank(), 10);
    EP_Status status{};
    check(EP_File_write_ordered_c(file, mine.data(), 10, MPI_INT, &status));
    EXPECT_EQ(count_of(status, MPI_INT), 10);
    check(EP_File_write_ordered_begin_c(file, mine.data(), 10, MPI_INT));
    check(EP_File_write_ordered_end(file, mine.data(), &status));
    shared.barrier();
    std::vector<int> expected(static_cast<std::size_t>(10 * comm.size()));
    std::iota(expected.begin(), expected.end(), 0);
    expected.insert(expected.end(), expected.begin(), expected.begin() + 10 * comm.size());
    EXPECT_EQ(ints_of(shared), expected);
    for (const bool split : {false, true}) {
      std::vector<int> read(10, -1);
      check(EP_File_seek_shared(file, 0, EP_SEEK_SET));
      if (split) {
        check(EP_File_read_ordered_begin_c(file, read.data(), 10, MPI_INT));
        check(EP_File_read_ordered_end(file, read.data(), &status));
      } else {
        check(EP_File_read_ordered_c(file, read.data(), 10, MPI_INT, &status));
      }
      EXPECT_EQ(read, mine);
    }
    check(EP_File_close(&file));
  });
}

TEST(FileLargeCounts, extents_and_wrong_counts) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    check(EP_File_set_errhandler(file, EP_ERRORS_RETURN));
    MPI_Count extent = 0;
    check(EP_File_get_type_extent_c(file, MPI_DOUBLE, &extent));
    EXPECT_EQ(extent, 8);
    int one = 0;
    EXPECT_EQ(EP_File_write_at_c(file, 0, &one, -1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_COUNT);
    EXPECT_EQ(EP_File_write_shared_c(file, &one, -1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_COUNT);
    check(EP_File_close(&file));
  });
}

}  // namespace
}  // namespace ep::test::file_large_test
