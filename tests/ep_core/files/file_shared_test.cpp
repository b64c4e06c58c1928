// Shared pointers, ordered access, sequential and appended files.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ep/ep.hpp>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "files/shared_file.hpp"
#include "layouts.hpp"

namespace ep::test::file_shared_test {
namespace {

constexpr int endpoints = 4;

TEST(FileShared, pointers_give_everybody_a_place_of_its_own) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    check(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    constexpr int times = 20;
    for (int i = 0; i < times; ++i) {
      const std::array<int, 3> record{comm.rank(), i, comm.rank() + i};
      if (i % 2 == 0) {
        check(EP_File_write_shared(file, record.data(), 3, MPI_INT, EP_STATUS_IGNORE));
      } else {
        EP_Request request = EP_REQUEST_NULL;
        check(EP_File_iwrite_shared(file, record.data(), 3, MPI_INT, &request));
        check(EP_Wait(&request, EP_STATUS_IGNORE));
      }
    }
    shared.barrier();
    MPI_Offset position = -1;
    check(EP_File_get_position_shared(file, &position));
    EXPECT_EQ(position, 3 * times * comm.size());
    const std::vector<int> all = ints_of(shared);
    std::vector<int> next(static_cast<std::size_t>(comm.size()), 0);
    for (std::size_t i = 0; i + 2 < all.size(); i += 3) {
      ASSERT_LT(all[i], comm.size());
      EXPECT_EQ(all[i + 1], next[static_cast<std::size_t>(all[i])]++) << "in order of calls";
      EXPECT_EQ(all[i + 2], all[i] + all[i + 1]);
    }
    EXPECT_EQ(next, std::vector<int>(next.size(), times));
    check(EP_File_seek_shared(file, -3, EP_SEEK_END));
    int seen = 0;
    std::array<int, 3> record{-1, -1, -1};
    EP_Status status{};
    check(EP_File_read_shared(file, record.data(), 3, MPI_INT, &status));
    const int mine = count_of(status, MPI_INT);
    check(EP_Allreduce(&mine, &seen, 1, MPI_INT, MPI_SUM, comm.get()));
    EXPECT_EQ(seen, 3) << "one reads the last, the others the end";
    EXPECT_EQ(EP_File_seek_shared(file, comm.rank(), EP_SEEK_SET), EP_ERR_NOT_SAME);
    EXPECT_TRUE(last_error_says({"the offset of EP_File_seek_shared"}));
    EXPECT_EQ(EP_File_seek_shared(file, -1, EP_SEEK_SET), EP_ERR_ARG);
    check(EP_File_close(&file));
    EXPECT_EQ(shared.entries(), 1) << "no hidden file stays";
  });
}

TEST(FileShared, ordered_access_follows_the_ranks) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open();
    check(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    const int count = comm.rank() + 1;
    const int before = comm.rank() * (comm.rank() + 1) / 2;
    const int total = comm.size() * (comm.size() + 1) / 2;
    std::vector<int> mine = numbers(before, count);
    check(EP_File_write_ordered(file, mine.data(), count, MPI_INT, EP_STATUS_IGNORE));
    for (int& n : mine) n += total;
    check(EP_File_write_ordered_begin(file, mine.data(), count, MPI_INT));
    check(EP_File_write_ordered_end(file, mine.data(), EP_STATUS_IGNORE));
    shared.barrier();
    EXPECT_EQ(ints_of(shared), numbers(0, 2 * total));
    check(EP_File_seek_shared(file, 0, EP_SEEK_SET));
    std::vector<int> back(mine.size());
    check(EP_File_read_ordered(file, back.data(), count, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_EQ(back, numbers(before, count));
    EP_Status status{};
    check(EP_File_read_ordered_begin(file, back.data(), count, MPI_INT));
    check(EP_File_read_ordered_end(file, back.data(), &status));
    EXPECT_EQ(back, mine);
    EXPECT_EQ(count_of(status, MPI_INT), count);
    check(EP_File_close(&file));
    EXPECT_EQ(shared.entries(), 1);
  });
}

TEST(FileShared, sequential_files_have_nothing_else) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open(EP_MODE_WRONLY | EP_MODE_CREATE | EP_MODE_SEQUENTIAL);
    int n = comm.rank();
    check(EP_File_write_ordered(file, &n, 1, MPI_INT, EP_STATUS_IGNORE));
    EXPECT_EQ(EP_File_write(file, &n, 1, MPI_INT, EP_STATUS_IGNORE), EP_ERR_UNSUPPORTED_OPERATION);
    EXPECT_TRUE(last_error_says({"EP_MODE_SEQUENTIAL", "Use the shared pointer"}));
    EXPECT_EQ(EP_File_write_at_all(file, 0, &n, 1, MPI_INT, EP_STATUS_IGNORE),
              EP_ERR_UNSUPPORTED_OPERATION);
    EXPECT_EQ(EP_File_seek(file, 0, EP_SEEK_SET), EP_ERR_UNSUPPORTED_OPERATION);
    EXPECT_EQ(EP_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL),
              EP_ERR_UNSUPPORTED_OPERATION);
    check(
        EP_File_set_view(file, EP_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    n += comm.size();
    check(EP_File_write_ordered(file, &n, 1, MPI_INT, EP_STATUS_IGNORE));
    shared.barrier();
    EXPECT_EQ(ints_of(shared), numbers(0, 2 * comm.size()));
    check(EP_File_close(&file));
  });
}

// Somebody still writes while the others set the view already.
TEST(FileShared, the_current_displacement_is_that_after_all_have_come) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    EP_File file = shared.open(EP_MODE_WRONLY | EP_MODE_CREATE | EP_MODE_SEQUENTIAL);
    int n = 7;
    if (comm.rank() == comm.size() - 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      check(EP_File_write_shared(file, &n, 1, MPI_INT, EP_STATUS_IGNORE));
    }
    check(
        EP_File_set_view(file, EP_DISPLACEMENT_CURRENT, MPI_INT, MPI_INT, "native", MPI_INFO_NULL));
    MPI_Offset displacement = -1;
    MPI_Datatype etype = MPI_DATATYPE_NULL;
    MPI_Datatype filetype = MPI_DATATYPE_NULL;
    std::array<char, EP_MAX_DATAREP_STRING> representation{};
    check(EP_File_get_view(file, &displacement, &etype, &filetype, representation.data()));
    EXPECT_EQ(displacement, 4);
    check(EP_File_close(&file));
  });
}

TEST(FileShared, append_begins_at_the_end) {
  run_endpoints(endpoints, [](const Comm& comm) {
    const SharedFile shared(comm);
    if (comm.rank() == 0) std::ofstream(shared.name()) << "0123";
    shared.barrier();
    EP_File file = shared.open(EP_MODE_RDWR | EP_MODE_APPEND);
    MPI_Offset position = -1;
    check(EP_File_get_position(file, &position));
    EXPECT_EQ(position, 4);
    const auto mine = static_cast<char>('a' + comm.rank());
    check(EP_File_write_ordered(file, &mine, 1, MPI_CHAR, EP_STATUS_IGNORE));
    const std::vector<unsigned char> bytes = shared.bytes();
    EXPECT_EQ(std::string(bytes.begin(), bytes.end()), "0123abcd");
    check(EP_File_close(&file));
  });
}

}  // namespace
}  // namespace ep::test::file_shared_test
