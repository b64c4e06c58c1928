#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "layouts.hpp"

namespace ep::test::buffer_misuse_test {
namespace {

/// A call with buffers that MPI forbids, at every endpoint; `n` is the number of ranks.
struct Misuse {
  const char* what;
  std::function<int(EP_Comm, int* buf, int n)> call;
};

void expect_errors(const std::vector<Misuse>& table, int expected, const Comm& comm) {
  // Room for two elements of every rank on both sides.
  std::vector<int> memory(static_cast<std::size_t>(4 * comm.size() + 4));
  for (const Misuse& misuse : table) {
    EXPECT_EQ(misuse.call(comm.get(), memory.data(), comm.size()), expected)
        << misuse.what << ": " << EP_Last_error();
  }
  // Nothing of it disturbed the communicator.
  int one = 1;
  int sum = 0;
  check(EP_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm.get()));
  EXPECT_EQ(sum, comm.size());
}

EP_Status* const no_status = EP_STATUS_IGNORE;

std::vector<Misuse> wrongly_in_place() {
  return {
      {"send",
       [](EP_Comm c, int*, int) { return EP_Send(EP_IN_PLACE, 1, MPI_INT, EP_PROC_NULL, 0, c); }},
      {"recv", [](EP_Comm c, int*,
                  int) { return EP_Recv(EP_IN_PLACE, 1, MPI_INT, EP_PROC_NULL, 0, c, no_status); }},
      {"bcast", [](EP_Comm c, int*, int) { return EP_Bcast(EP_IN_PLACE, 1, MPI_INT, 0, c); }},
      {"allgather", [](EP_Comm c, int* b,
                       int) { return EP_Allgather(b, 1, MPI_INT, EP_IN_PLACE, 1, MPI_INT, c); }},
      {"allreduce",
       [](EP_Comm c, int* b, int) { return EP_Allreduce(b, EP_IN_PLACE, 1, MPI_INT, MPI_SUM, c); }},
      {"pack",
       [](EP_Comm c, int* b, int) {
         int position = 0;
         return EP_Pack(EP_IN_PLACE, 1, MPI_INT, b, 4, &position, c);
       }},
      {"first of reduce_local",
       [](EP_Comm, int* b, int) { return EP_Reduce_local(EP_IN_PLACE, b, 1, MPI_INT, MPI_SUM); }},
      {"second of reduce_local",
       [](EP_Comm, int* b, int) { return EP_Reduce_local(b, EP_IN_PLACE, 1, MPI_INT, MPI_SUM); }},
  };
}

std::vector<Misuse> overlapping_messages() {
  return {
      {"sendrecv",
       [](EP_Comm c, int* b, int) {
         return EP_Sendrecv(b, 2, MPI_INT, EP_PROC_NULL, 0, b + 1, 2, MPI_INT, EP_PROC_NULL, 0, c,
                            no_status);
       }},
      {"pack",
       [](EP_Comm c, int* b, int) {
         int position = 4;
         return EP_Pack(b, 2, MPI_INT, b, 12, &position, c);
       }},
      {"unpack",
       [](EP_Comm c, int* b, int) {
         int position = 0;
         return EP_Unpack(b, 8, &position, b, 2, MPI_INT, c);
       }},
      {"reduce_local",
       [](EP_Comm, int* b, int) { return EP_Reduce_local(b, b, 1, MPI_INT, MPI_SUM); }},
  };
}

std::vector<Misuse> overlapping_collectives() {
  return {
      {"allgather of its own block",
       [](EP_Comm c, int* b, int n) {
         return EP_Allgather(b + n - 1, 1, MPI_INT, b, 1, MPI_INT, c);
       }},
      {"allgatherv",
       [](EP_Comm c, int* b, int n) {
         const std::vector<int> counts(static_cast<std::size_t>(n), 2);
         std::vector<int> places;
         for (int i = 0; i < n; ++i) places.push_back(2 * i);
         return EP_Allgatherv(b + 2 * n - 1, 1, MPI_INT, b, counts.data(), places.data(), MPI_INT,
                              c);
       }},
      {"alltoall", [](EP_Comm c, int* b,
                      int n) { return EP_Alltoall(b, 2, MPI_INT, b + 2 * n - 1, 2, MPI_INT, c); }},
      {"alltoallv",
       [](EP_Comm c, int* b, int n) {
         const std::vector<int> ones(static_cast<std::size_t>(n), 1);
         std::vector<int> places;
         for (int i = 0; i < n; ++i) places.push_back(i);
         return EP_Alltoallv(b, ones.data(), places.data(), MPI_INT, b, ones.data(), places.data(),
                             MPI_INT, c);
       }},
      {"allreduce",
       [](EP_Comm c, int* b, int) { return EP_Allreduce(b, b, 1, MPI_INT, MPI_SUM, c); }},
      {"reduce_scatter_block",
       [](EP_Comm c, int* b, int n) {
         return EP_Reduce_scatter_block(b, b + n - 1, 1, MPI_INT, MPI_SUM, c);
       }},
      {"scan", [](EP_Comm c, int* b, int) { return EP_Scan(b, b + 1, 2, MPI_INT, MPI_SUM, c); }},
      {"exscan", [](EP_Comm c, int* b, int) { return EP_Exscan(b, b, 1, MPI_INT, MPI_SUM, c); }},
  };
}

class BufferMisuse : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, BufferMisuse, testing::Values(1, 2, 3));

TEST_P(BufferMisuse, in_place_where_it_may_not_be) {
  run_endpoints(GetParam(),
                [](const Comm& comm) { expect_errors(wrongly_in_place(), EP_ERR_BUFFER, comm); });
}

TEST_P(BufferMisuse, buffers_that_overlap) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    expect_errors(overlapping_messages(), EP_ERR_BUFFER, comm);
    expect_errors(overlapping_collectives(), EP_ERR_BUFFER, comm);
  });
}

// Only the root has two buffers: the others come to the next collective.
TEST_P(BufferMisuse, buffers_of_a_root_that_overlap_in_a_world_of_one) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EP_Comm alone = EP_COMM_NULL;
    check(EP_Comm_split(comm.get(), comm.rank(), 0, &alone));
    std::array<int, 4> b{};
    EXPECT_EQ(EP_Gather(b.data(), 2, MPI_INT, b.data() + 1, 2, MPI_INT, 0, alone), EP_ERR_BUFFER);
    EXPECT_EQ(EP_Scatter(b.data(), 2, MPI_INT, b.data() + 1, 2, MPI_INT, 0, alone), EP_ERR_BUFFER);
    EXPECT_EQ(EP_Reduce(b.data(), b.data(), 2, MPI_INT, MPI_SUM, 0, alone), EP_ERR_BUFFER);
    check(EP_Comm_free(&alone));
  });
}

TEST_P(BufferMisuse, neighbours_and_gaps_are_none) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::array<int, 8> b{1, 2, 3, 4, 5, 6, 7, 8};
    EP_Comm alone = EP_COMM_NULL;
    check(EP_Comm_split(comm.get(), comm.rank(), 0, &alone));
    check(EP_Allreduce(b.data(), b.data() + 1, 1, MPI_INT, MPI_SUM, alone));
    EXPECT_EQ(b[1], 1);
    check(EP_Allreduce(b.data(), b.data(), 0, MPI_INT, MPI_SUM, alone));  // nothing at all
    // The even elements to the odd ones.
    MPI_Datatype second = MPI_DATATYPE_NULL;
    check(MPI_Type_vector(3, 1, 2, MPI_INT, &second));
    check(MPI_Type_commit(&second));
    check(EP_Sendrecv(b.data(), 1, second, 0, 0, b.data() + 1, 1, second, 0, 0, alone, no_status));
    EXPECT_EQ(b, (std::array<int, 8>{1, 1, 3, 3, 5, 5, 7, 8}));
    EXPECT_EQ(EP_Sendrecv(b.data(), 1, second, 0, 0, b.data(), 1, second, 0, 0, alone, no_status),
              EP_ERR_BUFFER);
    check(MPI_Type_free(&second));
    check(EP_Comm_free(&alone));
  });
}

TEST_P(BufferMisuse, datatypes_that_nobody_committed) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    MPI_Datatype pair = MPI_DATATYPE_NULL;
    check(MPI_Type_contiguous(2, MPI_INT, &pair));
    std::array<int, 2> mine{comm.rank(), 7};
    std::array<int, 2> theirs{};
    const auto send = [&] {
      return EP_Sendrecv(mine.data(), 1, pair, comm.rank(), 0, theirs.data(), 2, MPI_INT,
                         comm.rank(), 0, comm.get(), no_status);
    };
    int size = 0;
    EXPECT_EQ(send(), EP_ERR_TYPE);
    EXPECT_STREQ(EP_Last_error(), "the datatype is not committed. Call MPI_Type_commit first?");
    EXPECT_EQ(EP_Bcast(mine.data(), 1, pair, 0, comm.get()), EP_ERR_TYPE);
    EXPECT_EQ(EP_Pack_size(1, pair, comm.get(), &size), EP_ERR_TYPE);
    // How elements lie may be asked.
    EP_Status status{};
    EXPECT_EQ(EP_Status_set_elements(&status, pair, 4), EP_SUCCESS);
    EXPECT_EQ(EP_Get_count(&status, pair, &size), EP_SUCCESS);
    EXPECT_EQ(size, 2);
    EXPECT_EQ(send(), EP_ERR_TYPE);
    check(MPI_Type_commit(&pair));
    EXPECT_EQ(send(), EP_SUCCESS);
    EXPECT_EQ(theirs, mine);
    check(MPI_Type_free(&pair));
  });
}

}  // namespace
}  // namespace ep::test::buffer_misuse_test
