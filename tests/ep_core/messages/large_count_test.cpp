// Counts and displacements that no int holds, one test for each family of functions.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

#include "layouts.hpp"
#include "messages/large_memory.hpp"

namespace ep::test::large_count_test {
namespace {

TEST(LargeCounts, of_messages) {
  run_endpoints(2, [](const Comm& comm) {
    const Zeros data(bytes);
    if (comm.rank() == 0) {
      write_samples(data);
      check(EP_Send_c(data.data(), bytes, MPI_BYTE, 1, 3, comm.get()));
      return;
    }
    EP_Status status;
    check(EP_Recv_c(data.data(), bytes, MPI_BYTE, 0, 3, comm.get(), &status));
    expect_samples(data);
    MPI_Count count = 0;
    check(EP_Get_count_c(&status, MPI_BYTE, &count));
    EXPECT_EQ(count, bytes);
    check(EP_Get_elements_c(&status, MPI_BYTE, &count));
    EXPECT_EQ(count, bytes);
    int small = 0;
    check(EP_Get_count(&status, MPI_BYTE, &small));
    EXPECT_EQ(small, EP_UNDEFINED);
  });
}

TEST(LargeCounts, of_persistent_messages_and_exchanges) {
  run_endpoints(2, [](const Comm& comm) {
    const Zeros data(bytes);
    EP_Request request = EP_REQUEST_NULL;
    if (comm.rank() == 0) {
      write_samples(data);
      check(EP_Send_init_c(data.data(), bytes, MPI_BYTE, 1, 0, comm.get(), &request));
    } else {
      check(EP_Recv_init_c(data.data(), bytes, MPI_BYTE, 0, 0, comm.get(), &request));
    }
    check(EP_Start(&request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    check(EP_Request_free(&request));
    expect_samples(data);
    // And back, with one number the other way.
    std::uint8_t one = 17;
    if (comm.rank() == 0) {
      for (const std::int64_t i : samples()) data[i] = 0;
      check(EP_Isendrecv_c(&one, 1, MPI_BYTE, 1, 1, data.data(), bytes, MPI_BYTE, 1, 1, comm.get(),
                           &request));
    } else {
      check(EP_Isendrecv_c(data.data(), bytes, MPI_BYTE, 0, 1, &one, 1, MPI_BYTE, 0, 1, comm.get(),
                           &request));
    }
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    expect_samples(data);
  });
}

TEST(LargeCounts, of_collectives_that_move) {
  run_endpoints(2, [](const Comm& comm) {
    const Zeros data(bytes);
    if (comm.rank() == 1) write_samples(data);
    check(EP_Bcast_c(data.data(), bytes, MPI_BYTE, 1, comm.get()));
    expect_samples(data);
    // One block far behind the other.
    const std::array<MPI_Count, 2> counts{1, 3};
    const std::array<MPI_Aint, 2> places{0, bytes - 3};
    const std::array<std::uint8_t, 3> mine{7, 8, 9};
    check(EP_Allgatherv_c(mine.data(), counts[static_cast<std::size_t>(comm.rank())], MPI_BYTE,
                          data.data(), counts.data(), places.data(), MPI_BYTE, comm.get()));
    EXPECT_EQ(data[0], 7);
    EXPECT_EQ(data[bytes - 3], 7);
    EXPECT_EQ(data[bytes - 1], 9);
    std::array<std::uint8_t, 3> back{};
    check(EP_Scatterv_c(data.data(), counts.data(), places.data(), MPI_BYTE, back.data(),
                        counts[static_cast<std::size_t>(comm.rank())], MPI_BYTE, 0, comm.get()));
    EXPECT_EQ(back[0], 7);
    EXPECT_EQ(back[2], comm.rank() == 1 ? 9 : 0);
  });
}

TEST(LargeCounts, of_reductions) {
  run_endpoints(2, [](const Comm& comm) {
    const Zeros mine(bytes);
    const Zeros all(bytes);
    if (comm.rank() == 0) write_samples(mine);
    check(EP_Allreduce_c(mine.data(), all.data(), bytes, MPI_BYTE, MPI_BOR, comm.get()));
    expect_samples(all);
  });
}

TEST(LargeCounts, of_neighbours) {
  run_endpoints(2, [](const Comm& comm) {
    const std::array<int, 1> dims{2};
    const std::array<int, 1> periods{1};
    EP_Comm ring = EP_COMM_NULL;
    check(EP_Cart_create(comm.get(), 1, dims.data(), periods.data(), 0, &ring));
    const Zeros data(bytes);
    const std::array<MPI_Count, 2> counts{2, 2};
    const std::array<MPI_Aint, 2> places{2, bytes - 2};
    const std::array<MPI_Aint, 2> near{0, 2};
    const auto rank = static_cast<std::uint8_t>(comm.rank());
    const std::array<std::uint8_t, 4> out{rank, 1, rank, 2};
    check(EP_Neighbor_alltoallv_c(out.data(), counts.data(), near.data(), MPI_BYTE, data.data(),
                                  counts.data(), places.data(), MPI_BYTE, ring));
    EXPECT_EQ(data[2], 1 - comm.rank());
    EXPECT_EQ(data[bytes - 2], 1 - comm.rank());
    EXPECT_EQ(data[3] + data[bytes - 1], 3);
    check(EP_Comm_free(&ring));
  });
}

TEST(LargeCounts, of_windows) {
  run_endpoints(2, [](const Comm& comm) {
    const Zeros part(comm.rank() == 1 ? bytes : 8);
    // A unit that no int holds: displacement 1 is the last byte but two.
    const MPI_Aint unit = bytes - 3;
    EP_Win win = EP_WIN_NULL;
    check(EP_Win_create_c(part.data(), comm.rank() == 1 ? bytes : 8, unit, MPI_INFO_NULL,
                          comm.get(), &win));
    check(EP_Win_fence(0, win));
    const std::array<std::uint8_t, 3> end{4, 5, 6};
    if (comm.rank() == 0) {
      const Zeros data(bytes - 3);
      for (const std::int64_t i : samples()) {
        if (i < bytes - 3) data[i] = sample(i);
      }
      check(EP_Put_c(data.data(), bytes - 3, MPI_BYTE, 1, 0, bytes - 3, MPI_BYTE, win));
      check(EP_Put_c(end.data(), 3, MPI_BYTE, 1, 1, 3, MPI_BYTE, win));
      check(EP_Win_fence(0, win));
    } else {
      check(EP_Win_fence(0, win));
      for (const std::int64_t i : samples()) {
        if (i >= bytes - 3) continue;
        ASSERT_EQ(part[i], sample(i)) << i;
      }
      EXPECT_EQ(part[bytes - 3], 4);
      EXPECT_EQ(part[bytes - 1], 6);
    }
    check(EP_Win_free(&win));
  });
}

TEST(LargeCounts, of_packing) {
  if (processes() > 1) GTEST_SKIP() << "local";
  run_endpoints(1, [](const Comm& comm) {
    const Zeros data(bytes);
    write_samples(data);
    MPI_Count size = 0;
    check(EP_Pack_size_c(bytes, MPI_BYTE, comm.get(), &size));
    EXPECT_EQ(size, bytes);
    int small = 0;
    check(EP_Pack_size(1, MPI_BYTE, comm.get(), &small));
    const Zeros packed(bytes + 1);
    MPI_Count position = 1;
    check(EP_Pack_c(data.data(), bytes, MPI_BYTE, packed.data(), bytes + 1, &position, comm.get()));
    EXPECT_EQ(position, bytes + 1);
    for (const std::int64_t i : samples()) data[i] = 0;
    position = 1;
    check(
        EP_Unpack_c(packed.data(), bytes + 1, &position, data.data(), bytes, MPI_BYTE, comm.get()));
    expect_samples(data);
  });
}

}  // namespace
}  // namespace ep::test::large_count_test
