// OpenMP threads as endpoints, by handle and by attachment, through a year of days: messages to the
// next endpoint and collectives, between the barriers of OpenMP or without any. What one thread
// wrote another reads only because a message or a collective told it to: Archer would see where
// none orders them (scripts/archer). It has a main of its own, which chooses the endpoints.
#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <ep/ep.hpp>
#include <numeric>
#include <vector>

#include "programs/start_endpoints.hpp"

namespace {

constexpr int endpoints = 3;
constexpr int days = 365;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// What an endpoint of this process tells another one without a message: plain memory.
using Board = std::array<int, endpoints>;

void pass_to_the_next(EP_Comm comm, int rank, int size, int day) {
  const int next = (rank + 1) % size;
  const int previous = (rank + size - 1) % size;
  const std::array<int, 2> out = {rank, day};
  std::array<int, 2> in = {-1, -1};
  EP_Request sending = EP_REQUEST_NULL;
  ep::check(EP_Isend(out.data(), 2, MPI_INT, next, day, comm, &sending));
  ep::check(EP_Recv(in.data(), 2, MPI_INT, previous, day, comm, EP_STATUS_IGNORE));
  ep::check(EP_Wait(&sending, EP_STATUS_IGNORE));
  EXPECT_EQ(in, (std::array<int, 2>{previous, day}));
}

void add_up(EP_Comm comm, int rank, int size, int day) {
  const int mine = rank + day;
  int sum = 0;
  EP_Request summing = EP_REQUEST_NULL;
  if (day % 2 == 0) {
    ep::check(EP_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm));
  } else {
    ep::check(EP_Iallreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm, &summing));
    ep::check(EP_Wait(&summing, EP_STATUS_IGNORE));
  }
  EXPECT_EQ(sum, size * day + size * (size - 1) / 2);
}

/// More than what is combined or copied at once: siblings read each other's buffers.
void at_the_end_of_a_month(EP_Comm comm, int rank, int size, int day) {
  constexpr int count = 20'000;
  const int root = day % size;
  std::vector<int> field(count, -1);
  if (rank == root) std::iota(field.begin(), field.end(), day);
  ep::check(EP_Bcast(field.data(), count, MPI_INT, root, comm));
  EXPECT_EQ(field.front(), day);
  EXPECT_EQ(field.back(), day + count - 1);

  std::vector<int> total(count, -1);
  ep::check(EP_Allreduce(field.data(), total.data(), count, MPI_INT, MPI_SUM, comm));
  EXPECT_EQ(total.back(), size * (day + count - 1));

  std::vector<int> ranks(index(size), -1);
  ep::check(EP_Allgather(&rank, 1, MPI_INT, ranks.data(), 1, MPI_INT, comm));
  for (int i = 0; i < size; ++i) EXPECT_EQ(ranks[index(i)], i);
}

/// A token goes from endpoint to endpoint of the process; who has it writes on the board and reads
/// what those before wrote.
void relay(EP_Comm comm, int rank, int local, int day, Board& board) {
  if (local > 0) {
    ep::check(EP_Recv(nullptr, 0, MPI_INT, rank - 1, day, comm, EP_STATUS_IGNORE));
    EXPECT_EQ(board[index(local - 1)], day);
  }
  board[index(local)] = day;
  if (local < endpoints - 1) ep::check(EP_Send(nullptr, 0, MPI_INT, rank + 1, day, comm));
}

void live_a_year(EP_Comm comm, int local, Board& board) {
  int rank = -1;
  int size = -1;
  ep::check(EP_Comm_rank(comm, &rank));
  ep::check(EP_Comm_size(comm, &size));
  for (int day = 1; day <= days; ++day) {
    pass_to_the_next(comm, rank, size, day);
    relay(comm, rank, local, day, board);
    add_up(comm, rank, size, day);
    EXPECT_EQ(board[index((local + 1) % endpoints)], day);
    if (day % 30 == 0) at_the_end_of_a_month(comm, rank, size, day);
    if (day % 7 == 0) {
#pragma omp barrier
    } else {
      ep::check(EP_Barrier(comm));  // nobody writes on the board before all have read
    }
  }
}

TEST(OpenMp, ThreadsLiveAYearByTheirHandles) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const std::vector<ep::Comm> mine = world.create_endpoints(endpoints);
  Board board{};
#pragma omp parallel num_threads(endpoints)
  {
    const int local = omp_get_thread_num();
    live_a_year(mine[index(local)].get(), local, board);
  }
  EXPECT_EQ(board, (Board{days, days, days}));
}

TEST(OpenMp, ThreadsLiveAYearWhereTheyAreAttached) {
  Board board{};
#pragma omp parallel num_threads(endpoints)
  {
    const int local = omp_get_thread_num();
    const ep::AttachScope scope(local);
    live_a_year(EP_COMM_ENDPOINTS, local, board);
  }
  EXPECT_EQ(board, (Board{days, days, days}));
}

// A region per day, as models have it: threads of the runtime are other endpoints the next day.
TEST(OpenMp, ARegionPerDayMayTurnThreadsRound) {
  Board board{};
  for (int day = 1; day <= days; ++day) {
#pragma omp parallel num_threads(endpoints)
    {
      const int local = (omp_get_thread_num() + day) % endpoints;
      const ep::AttachScope scope(local);
      int rank = -1;
      int size = -1;
      ep::check(EP_Comm_rank(EP_COMM_ENDPOINTS, &rank));
      ep::check(EP_Comm_size(EP_COMM_ENDPOINTS, &size));
      relay(EP_COMM_ENDPOINTS, rank, local, day, board);
      add_up(EP_COMM_ENDPOINTS, rank, size, day);
    }
  }
  EXPECT_EQ(board, (Board{days, days, days}));
}

}  // namespace

int main(int argc, char** argv) {
  return ep::test::run_tests_at(endpoints, MPI_THREAD_MULTIPLE, argc, argv);
}
