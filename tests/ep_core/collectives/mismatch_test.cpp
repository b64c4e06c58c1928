// Counts that do not fit, in every collective: whoever gets what it did not expect is told so, and
// who is told nothing has all that it asked for. Nobody waits for ever, and the communicator stays
// whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <numeric>
#include <ostream>
#include <string>
#include <vector>

#include "collectives/collective_forms.hpp"
#include "layouts.hpp"

namespace ep::test::mismatch_test {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t unwritten = -77;

/// One endpoint's call: `send` elements go out per block, `receive` are expected.
struct Counts {
  int send;
  int receive;
};

/// Room for more than anybody asks for.
struct Buffers {
  Buffers(const Comm& endpoint, int most_elements)
      : comm(endpoint),
        most(most_elements),
        in(index(most * comm.size()), unwritten),
        ones(index(comm.size()), 1) {}

  /// Blocks of `count` for every rank.
  Numbers blocks(int count) const {
    Numbers out;
    for (int to = 0; to < comm.size(); ++to) {
      const Numbers block = samples(comm.rank(), to, count);
      out.insert(out.end(), block.begin(), block.end());
    }
    out.resize(index(most * comm.size()), 0);
    return out;
  }
  std::vector<int> counts(int count) const { return std::vector<int>(index(comm.size()), count); }
  std::vector<int> displacements(int count) const {
    std::vector<int> out(index(comm.size()));
    for (int r = 0; r < comm.size(); ++r) out[index(r)] = r * count;
    return out;
  }

  const Comm& comm;
  int most;
  Numbers in;
  std::vector<int> ones;
};

/// Whether `count` elements from `position` on are those of `from` for `to`.
bool holds(const Numbers& in, int position, int from, int to, int count) {
  for (int i = 0; i < count; ++i) {
    if (in[index(position + i)] != sample(from, to, i)) return false;
  }
  return true;
}

/// A collective: what an endpoint calls, and whether what it has afterwards is what it asked for.
struct Collective {
  const char* name;
  bool may_be_empty;  ///< an endpoint may have no elements where others have some
  std::function<int(Buffers&, Counts)> call;
  std::function<bool(const Buffers&, Counts, int fewest)> is_whole;
};

int last_of(const Buffers& b) { return b.comm.size() - 1; }

bool all_blocks_are_whole(const Buffers& b, Counts c, bool one_block) {
  for (int from = 0; from < b.comm.size(); ++from) {
    const int to = one_block ? 0 : b.comm.rank();
    if (!holds(b.in, from * c.receive, from, to, c.receive)) return false;
  }
  return true;
}

bool root_has_all(const Buffers& b, Counts c, int /*fewest*/) {
  return b.comm.rank() != last_of(b) || all_blocks_are_whole(b, c, true);
}
bool has_all(const Buffers& b, Counts c, int /*fewest*/) {
  return all_blocks_are_whole(b, c, true);
}
bool has_own(const Buffers& b, Counts c, int /*fewest*/) {
  return all_blocks_are_whole(b, c, false);
}
bool has_block_of_root(const Buffers& b, Counts c, int /*fewest*/) {
  return holds(b.in, 0, last_of(b), b.comm.rank(), c.receive);
}

// Elements from `first` on of the sum over the ranks below `ranks` of their blocks in a row.
bool holds_sum(const Buffers& b, int ranks, int first, int count) {
  for (int i = 0; i < count; ++i) {
    std::int64_t sum = 0;
    for (int from = 0; from < ranks; ++from) sum += sample(from, 0, first + i);
    if (b.in[index(i)] != sum) return false;
  }
  return true;
}

/// Those with a root, the last rank.
std::vector<Collective> rooted_movements() {
  return {{"bcast", true,
           [](Buffers& b, Counts c) {
             const bool is_root = b.comm.rank() == last_of(b);
             if (is_root) b.in = b.blocks(c.send);
             const int count = is_root ? c.send : c.receive;
             return EP_Bcast(b.in.data(), count, MPI_INT64_T, last_of(b), b.comm.get());
           },
           [](const Buffers& b, Counts c, int) {
             const bool is_root = b.comm.rank() == last_of(b);
             return holds(b.in, 0, last_of(b), 0, is_root ? c.send : c.receive);
           }},
          {"gather", true,
           [](Buffers& b, Counts c) {
             return EP_Gather(b.blocks(c.send).data(), c.send, MPI_INT64_T, b.in.data(), c.receive,
                              MPI_INT64_T, last_of(b), b.comm.get());
           },
           root_has_all},
          {"gatherv", false,
           [](Buffers& b, Counts c) {
             return EP_Gatherv(b.blocks(c.send).data(), c.send, MPI_INT64_T, b.in.data(),
                               b.counts(c.receive).data(), b.displacements(c.receive).data(),
                               MPI_INT64_T, last_of(b), b.comm.get());
           },
           root_has_all},
          {"scatter", true,
           [](Buffers& b, Counts c) {
             return EP_Scatter(b.blocks(c.send).data(), c.send, MPI_INT64_T, b.in.data(), c.receive,
                               MPI_INT64_T, last_of(b), b.comm.get());
           },
           has_block_of_root},
          {"scatterv", false,
           [](Buffers& b, Counts c) {
             return EP_Scatterv(b.blocks(c.send).data(), b.counts(c.send).data(),
                                b.displacements(c.send).data(), MPI_INT64_T, b.in.data(), c.receive,
                                MPI_INT64_T, last_of(b), b.comm.get());
           },
           has_block_of_root}};
}

std::vector<Collective> movements_among_all() {
  return {{"allgather", true,
           [](Buffers& b, Counts c) {
             return EP_Allgather(b.blocks(c.send).data(), c.send, MPI_INT64_T, b.in.data(),
                                 c.receive, MPI_INT64_T, b.comm.get());
           },
           has_all},
          {"allgatherv", true,
           [](Buffers& b, Counts c) {
             return EP_Allgatherv(b.blocks(c.send).data(), c.send, MPI_INT64_T, b.in.data(),
                                  b.counts(c.receive).data(), b.displacements(c.receive).data(),
                                  MPI_INT64_T, b.comm.get());
           },
           has_all},
          {"alltoall", true,
           [](Buffers& b, Counts c) {
             return EP_Alltoall(b.blocks(c.send).data(), c.send, MPI_INT64_T, b.in.data(),
                                c.receive, MPI_INT64_T, b.comm.get());
           },
           has_own},
          {"alltoallv", false,
           [](Buffers& b, Counts c) {
             return EP_Alltoallv(b.blocks(c.send).data(), b.counts(c.send).data(),
                                 b.displacements(c.send).data(), MPI_INT64_T, b.in.data(),
                                 b.counts(c.receive).data(), b.displacements(c.receive).data(),
                                 MPI_INT64_T, b.comm.get());
           },
           has_own},
          {"ialltoallw", false,
           [](Buffers& b, Counts c) {
             const Numbers out = b.blocks(c.send);
             const std::vector<MPI_Datatype> types(index(b.comm.size()), MPI_INT64_T);
             EP_Request request = EP_REQUEST_NULL;
             const std::vector<int> send = b.counts(c.send);
             const std::vector<int> receive = b.counts(c.receive);
             const std::vector<int> from = b.displacements(8 * c.send);
             const std::vector<int> to = b.displacements(8 * c.receive);
             check(EP_Ialltoallw(out.data(), send.data(), from.data(), types.data(), b.in.data(),
                                 receive.data(), to.data(), types.data(), b.comm.get(), &request));
             return EP_Wait(&request, EP_STATUS_IGNORE);
           },
           has_own}};
}

/// Sums; `send` is the count, or that of each block.
std::vector<Collective> reductions() {
  return {
      {"reduce", true,
       [](Buffers& b, Counts c) {
         return EP_Reduce(b.blocks(b.most).data(), b.in.data(), c.send, MPI_INT64_T, MPI_SUM,
                          last_of(b), b.comm.get());
       },
       [](const Buffers& b, Counts c, int fewest) {
         if (b.comm.rank() != last_of(b)) return true;
         return c.send <= fewest && holds_sum(b, b.comm.size(), 0, c.send);
       }},
      {"allreduce", true,
       [](Buffers& b, Counts c) {
         return EP_Allreduce(b.blocks(b.most).data(), b.in.data(), c.send, MPI_INT64_T, MPI_SUM,
                             b.comm.get());
       },
       [](const Buffers& b, Counts c, int fewest) {
         return c.send <= fewest && holds_sum(b, b.comm.size(), 0, c.send);
       }},
      {"iallreduce", true,
       [](Buffers& b, Counts c) {
         const Numbers out = b.blocks(b.most);
         EP_Request request = EP_REQUEST_NULL;
         check(EP_Iallreduce(out.data(), b.in.data(), c.send, MPI_INT64_T, MPI_SUM, b.comm.get(),
                             &request));
         return EP_Wait(&request, EP_STATUS_IGNORE);
       },
       [](const Buffers& b, Counts c, int fewest) {
         return c.send <= fewest && holds_sum(b, b.comm.size(), 0, c.send);
       }},
      {"reduce_scatter_block", true,
       [](Buffers& b, Counts c) {
         Numbers out(index(b.most * b.comm.size()));
         for (std::size_t i = 0; i < out.size(); ++i) {
           out[i] = sample(b.comm.rank(), 0, static_cast<int>(i));
         }
         return EP_Reduce_scatter_block(out.data(), b.in.data(), c.send, MPI_INT64_T, MPI_SUM,
                                        b.comm.get());
       },
       [](const Buffers& b, Counts c, int fewest) {
         return c.send <= fewest && holds_sum(b, b.comm.size(), b.comm.rank() * c.send, c.send);
       }},
      {"reduce_scatter", true,
       [](Buffers& b, Counts c) {
         Numbers out(index(b.most * b.comm.size()));
         for (std::size_t i = 0; i < out.size(); ++i) {
           out[i] = sample(b.comm.rank(), 0, static_cast<int>(i));
         }
         return EP_Reduce_scatter(out.data(), b.in.data(), b.counts(c.send).data(), MPI_INT64_T,
                                  MPI_SUM, b.comm.get());
       },
       [](const Buffers& b, Counts c, int fewest) {
         return c.send <= fewest && holds_sum(b, b.comm.size(), b.comm.rank() * c.send, c.send);
       }},
      {"scan", true,
       [](Buffers& b, Counts c) {
         return EP_Scan(b.blocks(b.most).data(), b.in.data(), c.send, MPI_INT64_T, MPI_SUM,
                        b.comm.get());
       },
       [](const Buffers& b, Counts c, int) { return holds_sum(b, b.comm.rank() + 1, 0, c.send); }},
      {"exscan", true,
       [](Buffers& b, Counts c) {
         return EP_Exscan(b.blocks(b.most).data(), b.in.data(), c.send, MPI_INT64_T, MPI_SUM,
                          b.comm.get());
       },
       [](const Buffers& b, Counts c, int) {
         return b.comm.rank() == 0 || holds_sum(b, b.comm.rank(), 0, c.send);
       }}};
}

/// Who gives other counts than the others, and which.
struct Mistake {
  int culprit;
  int count;   ///< of the others
  int offset;  ///< of its counts from theirs
  bool sends = true;
  bool receives = true;

  Counts of(int rank) const {
    if (rank != culprit) return {count, count};
    return {count + (sends ? offset : 0), count + (receives ? offset : 0)};
  }
  int fewest() const { return std::min(count, count + offset); }
  int most() const { return std::max(count, count + offset); }
};

std::ostream& operator<<(std::ostream& out, const Mistake& m) {
  return out << "rank " << m.culprit << (m.sends ? " sends" : "") << (m.receives ? " receives" : "")
             << " blocks of " << m.count + m.offset << ", the others of " << m.count;
}

void expect_errors_where_due(const Comm& comm, const Collective& collective,
                             const Mistake& mistake) {
  const Counts mine = mistake.of(comm.rank());
  Buffers buffers(comm, mistake.most() + 1);
  const int code = collective.call(buffers, mine);
  const bool is_good =
      code == EP_SUCCESS ? collective.is_whole(buffers, mine, mistake.fewest())
                         : code == EP_ERR_TRUNCATE || code == EP_ERR_COUNT || code == EP_ERR_OTHER;
  EXPECT_TRUE(is_good) << collective.name << " at rank " << comm.rank() << " of " << comm.size()
                       << ": code " << code << ", " << mistake;
  // A good collective follows, and tells whether somebody noticed.
  const int failed = code != EP_SUCCESS ? 1 : 0;
  int all_failed = 0;
  check(EP_Allreduce(&failed, &all_failed, 1, MPI_INT, MPI_SUM, comm.get()));
  if (comm.size() > 1) {
    EXPECT_GT(all_failed, 0) << collective.name << ": nobody noticed, " << mistake;
  }
}

/// Whether processes may differ as much as they like: nothing that they do follows from sizes.
bool sizes_are_ignored() {
  const char* const checks = std::getenv("EP_CHECK_TYPES");
  return checks != nullptr && std::string(checks) == "1";
}

std::vector<Mistake> mistakes(int size, bool only_both, bool may_be_empty) {
  std::vector<Mistake> out;
  if (sizes_are_ignored()) {
    may_be_empty = true;
    out.push_back({0, 3, 20'000});
    out.push_back({size - 1, 20'000, -19'997});
  }
  for (const int culprit : {0, size - 1}) {
    for (const int count : {1, 3, 5'000}) {
      for (const int offset : {-1, 1}) {
        if (count + offset == 0 && !may_be_empty) continue;
        out.push_back({culprit, count, offset});
        if (only_both) continue;
        out.push_back({culprit, count, offset, true, false});
        out.push_back({culprit, count, offset, false, true});
      }
    }
    if (may_be_empty) out.push_back({culprit, 0, 1});
  }
  return out;
}

class Mismatch : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Mismatch, testing::Values(2, 3, 5));

// Where the two sides of the culprit agree with each other it may be that it alone knows, or all
// others; one that changes what has no say in it (what a root would receive) is no mistake.
bool is_none(const Collective& collective, const Mistake& m, int size) {
  const std::string name = collective.name;
  const int root = size - 1;
  if (name == "bcast" || name.starts_with("scatter")) {
    return m.culprit == root ? !m.sends && name == "bcast" : !m.receives;
  }
  if (name.starts_with("gather")) return m.culprit == root ? false : !m.sends;
  return false;
}

// To itself it sends what it receives.
bool agrees_with_itself(const Collective& collective, const Mistake& m, int size) {
  return size == 1 && m.sends == m.receives && collective.may_be_empty;
}

TEST_P(Mismatch, of_counts_is_told_to_whoever_can_know) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::vector<Collective> all = rooted_movements();
    std::ranges::move(movements_among_all(), std::back_inserter(all));
    for (const Collective& collective : all) {
      for (const Mistake& mistake : mistakes(comm.size(), false, collective.may_be_empty)) {
        if (is_none(collective, mistake, comm.size())) continue;
        if (agrees_with_itself(collective, mistake, comm.size())) continue;
        expect_errors_where_due(comm, collective, mistake);
      }
    }
  });
}

TEST_P(Mismatch, of_operands_is_told_to_whoever_can_know) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (const Collective& collective : reductions()) {
      for (const Mistake& mistake : mistakes(comm.size(), true, collective.may_be_empty)) {
        expect_errors_where_due(comm, collective, mistake);
      }
    }
  });
}

// Neighbours in a ring.
TEST_P(Mismatch, between_neighbours_is_told_to_who_receives) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int left = (comm.rank() + comm.size() - 1) % comm.size();
    const int right = (comm.rank() + 1) % comm.size();
    EP_Comm made = EP_COMM_NULL;
    check(EP_Dist_graph_create_adjacent(comm.get(), 1, &left, EP_UNWEIGHTED, 1, &right,
                                        EP_UNWEIGHTED, MPI_INFO_NULL, 0, &made));
    const Comm ring(made);
    for (const bool gathers : {true, false}) {
      for (const Mistake& m : mistakes(comm.size(), false, false)) {
        const Counts mine = m.of(comm.rank());
        const Numbers out = samples(comm.rank(), 0, m.most() + 1);
        Numbers in(index(m.most() + 1), unwritten);
        const auto call = gathers ? EP_Neighbor_allgather : EP_Neighbor_alltoall;
        const int code = call(out.data(), mine.send, MPI_INT64_T, in.data(), mine.receive,
                              MPI_INT64_T, ring.get());
        const bool fits = m.of(left).send == mine.receive;
        // Those of one process share an error of what came from another.
        const bool is_good = code != EP_SUCCESS || (fits && holds(in, 0, left, 0, mine.receive));
        EXPECT_TRUE(is_good) << m;
      }
    }
    check(EP_Barrier(ring.get()));
  });
}

// One endpoint of one group gives other counts: nobody waits, and somebody is told.
TEST_P(Mismatch, between_groups_leaves_nobody_waiting) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int side = comm.rank() == 0 ? 0 : 1;
    const Comm local = comm.split(side, comm.rank());
    const Comm inter = Comm::intercomm(local, 0, comm, side == 0 ? 1 : 0, 3);
    for (const int offset : {-1, 1}) {
      for (const int culprit : {0, 1}) {
        const int count = 2 + (comm.rank() == culprit ? offset : 0);
        const Numbers out(index(4 * comm.size()), 1);
        Numbers in(index(4 * comm.size()), unwritten);
        const EP_Comm c = inter.get();
        const std::array<int, 4> codes{
            EP_Allgather(out.data(), count, MPI_INT64_T, in.data(), 2, MPI_INT64_T, c),
            EP_Alltoall(out.data(), count, MPI_INT64_T, in.data(), 2, MPI_INT64_T, c),
            EP_Allreduce(out.data(), in.data(), count, MPI_INT64_T, MPI_SUM, c),
            EP_Bcast(in.data(), count, MPI_INT64_T, side == 0 ? EP_ROOT : 0, c)};
        std::array<int, 4> failed{};
        for (std::size_t i = 0; i < codes.size(); ++i) failed[i] = codes[i] != EP_SUCCESS ? 1 : 0;
        check(EP_Allreduce(EP_IN_PLACE, failed.data(), 4, MPI_INT, MPI_SUM, comm.get()));
        for (const int one : failed) EXPECT_GT(one, 0) << culprit << ", " << offset;
      }
    }
  });
}

// The case that was found first: one endpoint sends two elements, the others expect one.
TEST(MismatchOfAllgather, leaves_no_block_unwritten_in_silence) {
  run_endpoints(2, [](const Comm& comm) {
    const std::array<int, 2> out{10 + comm.rank(), 20};
    std::array<int, 4> in{-1, -1, -1, -1};
    const int code = EP_Allgather(out.data(), comm.rank() == 0 ? 2 : 1, MPI_INT, in.data(), 1,
                                  MPI_INT, comm.get());
    EXPECT_NE(code, EP_SUCCESS) << "the sender's own block and the other's do not fit either";
    const std::string text = EP_Last_error();
    EXPECT_NE(text.find("EP_Allgather"), std::string::npos) << text;
  });
}

}  // namespace
}  // namespace ep::test::mismatch_test
