#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test {
namespace {

constexpr int messages = 150;

std::uint32_t seed() {
  const char* const given = std::getenv("EP_TEST_SEED");
  return given != nullptr ? static_cast<std::uint32_t>(std::atol(given)) : 20240607U;
}

struct Letter {
  int count;
  int tag;
};

// What `source` sends to `dest`, known to both.
std::vector<Letter> letters(int source, int dest) {
  std::mt19937 random(seed() + static_cast<std::uint32_t>(977 * source + dest));
  std::vector<Letter> out;
  for (int i = 0; i < messages; ++i) {
    const bool is_long = random() % 10 == 0;
    const bool wide_tag = random() % 8 == 0;
    out.push_back({static_cast<int>(random() % (is_long ? 40'000U : 300U)) + 2,
                   static_cast<int>(random() % 5U) + (wide_tag ? 1'500'000'000 : 0)});
  }
  return out;
}

// Each message carries its number among those of its sender: a receive by any mix of wildcards must
// see the numbers of every (source, tag) in rising order, each exactly once, with untouched
// content.
void exchange_letters(const Comm& comm) {
  const int size = comm.size();
  const int rank = comm.rank();
  std::vector<std::vector<int>> buffers;
  std::vector<EP_Request> sends;
  for (int i = 0; i < messages; ++i) {
    for (int dest = 0; dest < size; ++dest) {
      const Letter letter = letters(rank, dest)[static_cast<std::size_t>(i)];
      std::vector<int>& data = buffers.emplace_back(static_cast<std::size_t>(letter.count), i);
      EP_Request& request = sends.emplace_back(EP_REQUEST_NULL);
      check(EP_Isend(data.data(), letter.count, MPI_INT, dest, letter.tag, comm.get(), &request));
    }
  }
  std::mt19937 random(seed() + static_cast<std::uint32_t>(rank));
  std::vector<std::vector<bool>> seen(static_cast<std::size_t>(size), std::vector<bool>(messages));
  std::vector<std::vector<Letter>> expected;
  for (int source = 0; source < size; ++source) expected.push_back(letters(source, rank));
  std::vector<int> in(41'000);
  for (int left = size * messages; left > 0; --left) {
    int source = EP_ANY_SOURCE;
    EP_Status status;
    if (random() % 2 == 0) {
      check(EP_Probe(EP_ANY_SOURCE, EP_ANY_TAG, comm.get(), &status));
      source = status.EP_SOURCE;
    }
    check(EP_Recv(in.data(), 41'000, MPI_INT, source, EP_ANY_TAG, comm.get(), &status));
    const auto from = static_cast<std::size_t>(status.EP_SOURCE);
    const auto number = static_cast<std::size_t>(in[0]);
    ASSERT_LT(number, static_cast<std::size_t>(messages));
    ASSERT_FALSE(seen[from][number]) << "twice";
    seen[from][number] = true;
    for (std::size_t before = 0; before < number; ++before) {
      ASSERT_TRUE(seen[from][before]) << "overtaken: " << before << " by " << number;
    }
    const Letter& letter = expected[from][number];
    int count = 0;
    check(EP_Get_count(&status, MPI_INT, &count));
    ASSERT_EQ(count, letter.count);
    ASSERT_EQ(status.EP_TAG, letter.tag);
    ASSERT_EQ(in[static_cast<std::size_t>(count) - 1], in[0]);
  }
  check(EP_Waitall(static_cast<int>(sends.size()), sends.data(), EP_STATUSES_IGNORE));
}

class Stress : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Stress, testing::Values(2, 3, 5));

TEST_P(Stress, random_messages_arrive_once_and_in_order) {
  SCOPED_TRACE("EP_TEST_SEED=" + std::to_string(seed()));
  run_endpoints(GetParam(), exchange_letters);
}

// With few tag bits everything travels in headers, bodies share raw tags, and nothing else changes.
TEST_P(Stress, the_same_with_hardly_any_tag_bits) {
  SCOPED_TRACE("EP_TEST_SEED=" + std::to_string(seed()));
  for (const char* const bound : {"3", "15", "32767"}) {
    ASSERT_EQ(setenv("EP_TEST_TAG_UB", bound, 1), 0);
    run_endpoints(GetParam(), exchange_letters);
  }
  ASSERT_EQ(unsetenv("EP_TEST_TAG_UB"), 0);
}

TEST_P(Stress, collectives_in_a_row) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::mt19937 random(seed());  // the same choices everywhere
    for (int i = 0; i < 200; ++i) {
      const int root = static_cast<int>(random() % static_cast<unsigned>(comm.size()));
      int value = comm.rank() == root ? i : -1;
      switch (random() % 4) {
        case 0:
          check(EP_Barrier(comm.get()));
          break;
        case 1:
          check(EP_Bcast(&value, 1, MPI_INT, root, comm.get()));
          ASSERT_EQ(value, i);
          break;
        case 2: {
          check(EP_Allreduce(EP_IN_PLACE, &value, 1, MPI_INT, MPI_MAX, comm.get()));
          ASSERT_EQ(value, i);
          break;
        }
        default: {
          std::vector<int> all(static_cast<std::size_t>(comm.size()), -7);
          check(EP_Allgather(&value, 1, MPI_INT, all.data(), 1, MPI_INT, comm.get()));
          for (int rank = 0; rank < comm.size(); ++rank) {
            ASSERT_EQ(all[static_cast<std::size_t>(rank)], rank == root ? i : -1);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace ep::test
