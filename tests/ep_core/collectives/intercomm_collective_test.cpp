#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "collectives/collective_forms.hpp"
#include "layouts.hpp"

namespace ep::test::intercomm_collective_test {
namespace {

using Values = std::vector<std::int64_t>;

/// Two groups of endpoints, who is where being told by the bits of a mask; leaders are the first.
struct Sides {
  Comm local;
  Comm inter;
  int side;

  int remote_size() const { return inter.remote_size(); }
};

Sides join_sides(const Comm& comm, unsigned mask) {
  const auto side_of = [mask](int rank) { return static_cast<int>((mask >> rank) & 1U); };
  const int side = side_of(comm.rank());
  int remote_leader = 0;
  while (side_of(remote_leader) == side) ++remote_leader;
  Comm local = comm.split(side, comm.rank());
  Comm inter = Comm::intercomm(local, 0, comm, remote_leader, 5);
  return {std::move(local), std::move(inter), side};
}

/// Endpoints, mask of sides, form.
class Inter : public testing::TestWithParam<std::tuple<int, unsigned, Way>> {
 protected:
  static Form form() { return Form(std::get<2>(GetParam())); }
  static void on_sides(const std::function<void(const Sides&)>& body) {
    run_endpoints(std::get<0>(GetParam()),
                  [&body](const Comm& comm) { body(join_sides(comm, std::get<1>(GetParam()))); });
  }
  // Roots of both groups in turn: what this endpoint passes, and the root's rank in its group.
  static void for_all_roots(const Sides& sides, const std::function<void(int, int)>& body) {
    for (const int root_side : {0, 1}) {
      const bool ours = sides.side == root_side;
      const int size = ours ? sides.inter.size() : sides.remote_size();
      for (int root = 0; root < size; ++root) {
        const bool me = ours && sides.inter.rank() == root;
        body(me ? EP_ROOT : ours ? EP_PROC_NULL : root, root);
      }
    }
  }
  // Of an endpoint of either side, never the same for two.
  static int name(int side, int rank) { return 10 * side + rank; }
};
INSTANTIATE_TEST_SUITE_P(Partitions, Inter,
                         testing::Combine(testing::Values(5), testing::Values(1U, 6U, 21U, 30U),
                                          all_ways()));
INSTANTIATE_TEST_SUITE_P(SmallPartitions, Inter,
                         testing::Combine(testing::Values(2, 3), testing::Values(1U, 2U),
                                          all_ways()));

TEST_P(Inter, barrier_and_bcast) {
  on_sides([](const Sides& s) {
    form().barrier(s.inter);
    for (const int count : {1, 90'000}) {
      for_all_roots(s, [&](int root, int rank) {
        Values data(index(count), -1);
        if (root == EP_ROOT) data = samples(name(s.side, rank), 0, count);
        form()(EP_FORMS(Bcast, Ibcast), s.inter, data.data(), count, MPI_INT64_T, root);
        if (root >= 0) {
          EXPECT_EQ(data, samples(name(1 - s.side, rank), 0, count));
        } else if (root == EP_PROC_NULL) {
          EXPECT_EQ(data, Values(index(count), -1));
        }
      });
    }
  });
}

TEST_P(Inter, gather_and_scatter) {
  on_sides([](const Sides& s) {
    for_all_roots(s, [&](int root, int rank) {
      const int me = name(s.side, s.inter.rank());
      const Values mine = samples(me, rank, 3);
      Values all(index(3 * s.remote_size()), -1);
      form()(EP_FORMS(Gather, Igather), s.inter, mine.data(), 3, MPI_INT64_T, all.data(), 3,
             MPI_INT64_T, root);
      for (int other = 0; other < s.remote_size() && root == EP_ROOT; ++other) {
        EXPECT_EQ(Values(all.begin() + 3 * other, all.begin() + 3 * other + 3),
                  samples(name(1 - s.side, other), rank, 3));
      }
      Values back(3, -1);
      form()(EP_FORMS(Scatter, Iscatter), s.inter, all.data(), 3, MPI_INT64_T, back.data(), 3,
             MPI_INT64_T, root);
      if (root >= 0) {
        EXPECT_EQ(back, mine);
      }
    });
  });
}

TEST_P(Inter, allgather_and_alltoall) {
  on_sides([](const Sides& s) {
    const int me = name(s.side, s.inter.rank());
    for (const int count : {2, 6'000}) {
      const Values mine = samples(me, 77, count);
      Values all(index(count * s.remote_size()), -1);
      form()(EP_FORMS(Allgather, Iallgather), s.inter, mine.data(), count, MPI_INT64_T, all.data(),
             count, MPI_INT64_T);
      Values out;
      for (int other = 0; other < s.remote_size(); ++other) {
        const int them = name(1 - s.side, other);
        EXPECT_EQ(Values(all.begin() + count * other, all.begin() + count * (other + 1)),
                  samples(them, 77, count));
        const Values block = samples(me, them, count);
        out.insert(out.end(), block.begin(), block.end());
      }
      form()(EP_FORMS(Alltoall, Ialltoall), s.inter, out.data(), count, MPI_INT64_T, all.data(),
             count, MPI_INT64_T);
      for (int other = 0; other < s.remote_size(); ++other) {
        EXPECT_EQ(Values(all.begin() + count * other, all.begin() + count * (other + 1)),
                  samples(name(1 - s.side, other), me, count));
      }
    }
  });
}

TEST_P(Inter, reductions_are_of_the_other_group) {
  on_sides([](const Sides& s) {
    const int me = name(s.side, s.inter.rank());
    // A block per endpoint of either side, so that both sums of counts are equal.
    const int count = 4 * s.inter.size() * s.remote_size();
    const Values mine = samples(me, 1, count);
    Values expected(mine.size(), 0);
    for (int other = 0; other < s.remote_size(); ++other) {
      for (int i = 0; i < count; ++i) {
        expected[index(i)] += sample(name(1 - s.side, other), 1, i);
      }
    }
    Values sum(mine.size(), -1);
    form()(EP_FORMS(Allreduce, Iallreduce), s.inter, mine.data(), sum.data(), count, MPI_INT64_T,
           MPI_SUM);
    EXPECT_EQ(sum, expected);
    for_all_roots(s, [&](int root, int) {
      Values at_root(mine.size(), -1);
      form()(EP_FORMS(Reduce, Ireduce), s.inter, mine.data(), at_root.data(), count, MPI_INT64_T,
             MPI_SUM, root);
      EXPECT_EQ(at_root, root == EP_ROOT ? expected : Values(mine.size(), -1));
    });
    const int block = count / s.inter.size();
    const Values own(expected.begin() + block * s.inter.rank(),
                     expected.begin() + block * (s.inter.rank() + 1));
    Values part(index(block), -1);
    form()(EP_FORMS(Reduce_scatter_block, Ireduce_scatter_block), s.inter, mine.data(), part.data(),
           block, MPI_INT64_T, MPI_SUM);
    EXPECT_EQ(part, own);
    const std::vector<int> counts(index(s.inter.size()), block);
    part.assign(part.size(), -1);
    form()(EP_FORMS(Reduce_scatter, Ireduce_scatter), s.inter, mine.data(), part.data(),
           counts.data(), MPI_INT64_T, MPI_SUM);
    EXPECT_EQ(part, own);
  });
}

TEST_P(Inter, merge_with_all_values_of_high) {
  on_sides([](const Sides& s) {
    for (unsigned highs = 0; highs < 4; ++highs) {
      const int mine = static_cast<int>((highs >> s.side) & 1U);
      const int theirs = static_cast<int>((highs >> (1 - s.side)) & 1U);
      EP_Comm handle = EP_COMM_NULL;
      check(EP_Intercomm_merge(s.inter.get(), mine, &handle));
      const Comm merged(handle);
      ASSERT_FALSE(merged.is_inter());
      ASSERT_EQ(merged.size(), s.inter.size() + s.remote_size());
      const int after_them = s.remote_size() + s.inter.rank();
      if (mine < theirs) {
        EXPECT_EQ(merged.rank(), s.inter.rank());
      } else if (mine > theirs) {
        EXPECT_EQ(merged.rank(), after_them);
      } else {
        EXPECT_TRUE(merged.rank() == s.inter.rank() || merged.rank() == after_them);
      }
      std::vector<int> names(index(merged.size()), -1);
      const int me = name(s.side, s.inter.rank());
      check(EP_Allgather(&me, 1, MPI_INT, names.data(), 1, MPI_INT, merged.get()));
      EXPECT_EQ(names[index(merged.rank())], me);
    }
  });
}

TEST_P(Inter, duplicates_splits_and_endpoints_stay_between_the_groups) {
  on_sides([](const Sides& s) {
    const Comm twin = s.inter.dup();
    EXPECT_EQ(twin.rank(), s.inter.rank());
    EXPECT_EQ(twin.remote_size(), s.remote_size());
    // The first of both sides together; the others of one side have nobody to talk to.
    const Comm firsts = s.inter.split(s.inter.rank() == 0 ? 0 : 1 + s.side, 0);
    ASSERT_EQ(static_cast<bool>(firsts), s.inter.rank() == 0);
    if (firsts) {
      EXPECT_EQ(firsts.size(), 1);
      EXPECT_EQ(firsts.remote_size(), 1);
      const int mine = 40 + s.side;
      int theirs = -1;
      check(EP_Allreduce(&mine, &theirs, 1, MPI_INT, MPI_SUM, firsts.get()));
      EXPECT_EQ(theirs, 41 - s.side);
    }
    const std::vector<Comm> one = twin.create_endpoints(1);
    EXPECT_EQ(one.front().rank(), twin.rank());
    EXPECT_EQ(one.front().remote_size(), twin.remote_size());
    check(EP_Barrier(one.front().get()));
  });
}

TEST(InterOwner, a_process_without_the_other_group_is_its_own) {
  run_endpoints(4, [](const Comm& comm) {
    const Sides s = join_sides(comm, 0xCU);
    int owner = -1;
    check(EP_Intercomm_owner(s.inter.get(), s.inter.rank(), &owner));
    if (processes() == 1) {
      EXPECT_EQ(owner, EP_OWNER_BOTH);
    } else if (processes() == 2) {
      EXPECT_EQ(owner, EP_OWNER_LOCAL);
    } else {
      // Ranks 0 and 1 live in process 0; the others have one each.
      EXPECT_EQ(owner, EP_OWNER_LOCAL);
    }
    EXPECT_EQ(EP_Intercomm_owner(s.inter.get(), 9, &owner), EP_ERR_RANK);
    EXPECT_EQ(EP_Intercomm_owner(comm.get(), 0, &owner), EP_ERR_COMM);
  });
}

// Both sides see the same: who is local to one is remote to the other.
TEST(InterOwner, shared_processes_follow_the_rules_on_both_sides) {
  run_endpoints(6, [](const Comm& comm) {
    const Sides s = join_sides(comm, 0x2AU);  // every second rank
    int owner = -1;
    check(EP_Intercomm_owner(s.inter.get(), s.inter.rank(), &owner));
    const int local = s.side;  // side 0 has the lower peer rank: it is A
    int expected = EP_OWNER_BOTH;
    if (processes() > 1) {
      // Both leaders are in process 0: A moves its leader to process 1, so 0 is B's and 1 is A's.
      const bool in_first = comm.locality(0) == EP_LOCALITY_PROCESS;
      const bool in_second = comm.locality(processes() == 2 ? 3 : 2) == EP_LOCALITY_PROCESS;
      const int side = in_first ? 1 : in_second ? 0 : 1;
      expected = side == local ? EP_OWNER_LOCAL : EP_OWNER_REMOTE;
    }
    EXPECT_EQ(owner, expected);
  });
}

}  // namespace
}  // namespace ep::test::intercomm_collective_test
