#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <tuple>
#include <vector>

#include "collectives/collective_forms.hpp"
#include "layouts.hpp"

namespace ep::test::movement_test {
namespace {

using Values = std::vector<std::int64_t>;

/// Endpoints in all, and whether the calls are non-blocking.
class Movement : public testing::TestWithParam<std::tuple<int, Way>> {
 protected:
  static int endpoints() { return std::get<0>(GetParam()); }
  static Form form() { return Form(std::get<1>(GetParam())); }
};
INSTANTIATE_TEST_SUITE_P(Forms, Movement,
                         testing::Combine(testing::Values(1, 2, 3, 5), all_ways()));

TEST_P(Movement, bcast_of_every_size_from_every_root) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int count : {0, 1, 3'000, 150'000}) {
      for (int root = 0; root < comm.size(); ++root) {
        Values data = samples(comm.rank(), 0, count);
        form()(EP_FORMS(Bcast, Ibcast), comm, data.data(), count, MPI_INT64_T, root);
        EXPECT_EQ(data, samples(root, 0, count));
      }
    }
  });
}

TEST_P(Movement, bcast_into_every_second_element) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int count : {10, 100'000}) {
      MPI_Datatype spread = MPI_DATATYPE_NULL;
      ASSERT_EQ(MPI_Type_vector(count, 1, 2, MPI_INT64_T, &spread), MPI_SUCCESS);
      ASSERT_EQ(MPI_Type_commit(&spread), MPI_SUCCESS);
      const int root = comm.size() - 1;
      Values data(index(2 * count), -7);
      if (comm.rank() == root) data = samples(root, 0, count);
      const bool dense = comm.rank() == root;
      form()(EP_FORMS(Bcast, Ibcast), comm, data.data(), dense ? count : 1,
             dense ? MPI_INT64_T : spread, root);
      for (int i = 0; i < count && !dense; ++i) {
        ASSERT_EQ(data[index(2 * i)], sample(root, 0, i));
        ASSERT_EQ(data[index(2 * i + 1)], -7) << "a gap was written";
      }
      ASSERT_EQ(MPI_Type_free(&spread), MPI_SUCCESS);
    }
  });
}

TEST_P(Movement, gather_and_scatter_at_every_root) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    const int size = comm.size();
    for (const int count : {1, 20'000}) {
      for (int root = 0; root < size; ++root) {
        const Values mine = samples(comm.rank(), root, count);
        Values all(comm.rank() == root ? index(size * count) : 0, -1);
        form()(EP_FORMS(Gather, Igather), comm, mine.data(), count, MPI_INT64_T, all.data(), count,
               MPI_INT64_T, root);
        for (int rank = 0; rank < size && comm.rank() == root; ++rank) {
          ASSERT_EQ(Values(all.begin() + rank * count, all.begin() + (rank + 1) * count),
                    samples(rank, root, count));
        }
        Values back(index(count), -1);
        form()(EP_FORMS(Scatter, Iscatter), comm, all.data(), count, MPI_INT64_T, back.data(),
               count, MPI_INT64_T, root);
        EXPECT_EQ(back, mine);
      }
    }
  });
}

TEST_P(Movement, scatter_and_gather_in_place_leave_the_root_s_block) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    const int root = comm.size() / 2;
    const bool at_root = comm.rank() == root;
    Values all(index(comm.size()), -1);
    for (int rank = 0; rank < comm.size(); ++rank) all[index(rank)] = sample(root, rank, 0);
    std::int64_t mine = -1;
    form()(EP_FORMS(Scatter, Iscatter), comm, all.data(), 1, MPI_INT64_T,
           at_root ? EP_IN_PLACE : static_cast<void*>(&mine), 1, MPI_INT64_T, root);
    if (at_root) mine = all[index(root)];
    EXPECT_EQ(mine, sample(root, comm.rank(), 0));
    ++mine;
    if (at_root) ++all[index(root)];
    form()(EP_FORMS(Gather, Igather), comm, at_root ? EP_IN_PLACE : static_cast<const void*>(&mine),
           1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, root);
    for (int rank = 0; rank < comm.size() && at_root; ++rank) {
      EXPECT_EQ(all[index(rank)], sample(root, rank, 0) + 1);
    }
  });
}

/// Blocks of (3 * rank) % 7 elements with a gap of one between them.
struct Uneven {
  std::vector<int> counts;
  std::vector<int> displacements;
  int total = 0;

  explicit Uneven(int size, int scale = 1) {
    for (int rank = 0; rank < size; ++rank) {
      counts.push_back(scale * ((3 * rank) % 7));
      displacements.push_back(total);
      total += counts.back() + 1;
    }
  }
};

TEST_P(Movement, vector_forms_of_gather_scatter_and_allgather) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int scale : {1, 4'000}) {
      const Uneven blocks(comm.size(), scale);
      const int count = blocks.counts[index(comm.rank())];
      const int root = comm.size() - 1;
      const Values mine = samples(comm.rank(), 5, count);
      Values all(index(blocks.total), -1);
      form()(EP_FORMS(Gatherv, Igatherv), comm, mine.data(), count, MPI_INT64_T, all.data(),
             blocks.counts.data(), blocks.displacements.data(), MPI_INT64_T, root);
      Values everywhere(index(blocks.total), -1);
      form()(EP_FORMS(Allgatherv, Iallgatherv), comm, mine.data(), count, MPI_INT64_T,
             everywhere.data(), blocks.counts.data(), blocks.displacements.data(), MPI_INT64_T);
      if (comm.rank() == root) {
        EXPECT_EQ(all, everywhere);
      }
      for (int rank = 0; rank < comm.size(); ++rank) {
        const auto begin = everywhere.begin() + blocks.displacements[index(rank)];
        const int length = blocks.counts[index(rank)];
        EXPECT_EQ(Values(begin, begin + length), samples(rank, 5, length));
        EXPECT_EQ(begin[length], -1) << "a gap was written";
      }
      Values back(index(count), -1);
      form()(EP_FORMS(Scatterv, Iscatterv), comm, all.data(), blocks.counts.data(),
             blocks.displacements.data(), MPI_INT64_T, back.data(), count, MPI_INT64_T, root);
      EXPECT_EQ(back, mine);
    }
  });
}

TEST_P(Movement, allgather_small_large_and_in_place) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int count : {1, 30, 9'000}) {
      Values all(index(comm.size() * count), -1);
      const Values mine = samples(comm.rank(), 3, count);
      form()(EP_FORMS(Allgather, Iallgather), comm, mine.data(), count, MPI_INT64_T, all.data(),
             count, MPI_INT64_T);
      Values in_place(all.size(), -1);
      std::copy(mine.begin(), mine.end(), in_place.begin() + comm.rank() * count);
      form()(EP_FORMS(Allgather, Iallgather), comm, EP_IN_PLACE, 0, MPI_DATATYPE_NULL,
             in_place.data(), count, MPI_INT64_T);
      EXPECT_EQ(all, in_place);
      for (int rank = 0; rank < comm.size(); ++rank) {
        ASSERT_EQ(Values(all.begin() + rank * count, all.begin() + (rank + 1) * count),
                  samples(rank, 3, count));
      }
    }
  });
}

TEST_P(Movement, alltoall_and_in_place) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    for (const int count : {1, 10'000}) {
      Values out;
      Values expected;
      for (int rank = 0; rank < comm.size(); ++rank) {
        const Values to = samples(comm.rank(), rank, count);
        const Values from = samples(rank, comm.rank(), count);
        out.insert(out.end(), to.begin(), to.end());
        expected.insert(expected.end(), from.begin(), from.end());
      }
      Values in(out.size(), -1);
      form()(EP_FORMS(Alltoall, Ialltoall), comm, out.data(), count, MPI_INT64_T, in.data(), count,
             MPI_INT64_T);
      EXPECT_EQ(in, expected);
      form()(EP_FORMS(Alltoall, Ialltoall), comm, EP_IN_PLACE, 0, MPI_INT64_T, out.data(), count,
             MPI_INT64_T);
      EXPECT_EQ(out, expected);
    }
  });
}

int sent_count(int from, int to) { return (2 * from + 5 * to) % 4; }

TEST_P(Movement, alltoallv_and_alltoallw_with_blocks_of_all_sizes) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    const int size = comm.size();
    const int me = comm.rank();
    std::vector<int> out_counts;
    std::vector<int> in_counts;
    std::vector<int> displacements;
    Values out(index(4 * size), -1);
    for (int rank = 0; rank < size; ++rank) {
      out_counts.push_back(sent_count(me, rank));
      in_counts.push_back(sent_count(rank, me));
      displacements.push_back(4 * (size - 1 - rank));
      const Values block = samples(me, rank, out_counts.back());
      std::copy(block.begin(), block.end(), out.begin() + displacements.back());
    }
    Values in(out.size(), -1);
    form()(EP_FORMS(Alltoallv, Ialltoallv), comm, out.data(), out_counts.data(),
           displacements.data(), MPI_INT64_T, in.data(), in_counts.data(), displacements.data(),
           MPI_INT64_T);
    std::vector<int> bytes;
    for (const int displacement : displacements) bytes.push_back(displacement * 8);
    const std::vector<MPI_Datatype> types(index(size), MPI_INT64_T);
    Values in_w(out.size(), -1);
    form()(EP_FORMS(Alltoallw, Ialltoallw), comm, out.data(), out_counts.data(), bytes.data(),
           types.data(), in_w.data(), in_counts.data(), bytes.data(), types.data());
    EXPECT_EQ(in, in_w);
    for (int rank = 0; rank < size; ++rank) {
      const auto begin = in.begin() + displacements[index(rank)];
      const int count = in_counts[index(rank)];
      EXPECT_EQ(Values(begin, begin + count), samples(rank, me, count));
      for (int i = count; i < 4; ++i) EXPECT_EQ(begin[i], -1);
    }
  });
}

/// `count` values at `data`, of which each datatype holds the absolute address.
MPI_Datatype at_address(const Values& data, int count) {
  MPI_Aint address = 0;
  check(MPI_Get_address(data.data(), &address));
  MPI_Datatype block = MPI_DATATYPE_NULL;
  MPI_Datatype repeated = MPI_DATATYPE_NULL;
  check(MPI_Type_create_hindexed_block(1, count, &address, MPI_INT64_T, &block));
  check(MPI_Type_create_resized(block, 0, count * 8, &repeated));
  check(MPI_Type_commit(&repeated));
  check(MPI_Type_free(&block));
  return repeated;
}

// Would have found that endpoints of a process copied nothing from MPI_BOTTOM to MPI_BOTTOM (equal
// pointers were taken for one buffer), and that MPI_BOTTOM was refused for a type of lower bound 0.
TEST_P(Movement, datatypes_of_absolute_addresses) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    const int size = comm.size();
    const int root = size - 1;
    Values mine = samples(comm.rank(), 0, 3);
    Values all(index(3 * size), -1);
    MPI_Datatype one = at_address(mine, 3);
    MPI_Datatype each = at_address(all, 3);
    void* const bottom = MPI_BOTTOM;
    const auto check_all = [&](int seed) {
      for (int rank = 0; rank < size; ++rank) {
        ASSERT_EQ(Values(all.begin() + 3 * rank, all.begin() + 3 * (rank + 1)),
                  samples(rank, seed, 3));
      }
      std::fill(all.begin(), all.end(), -1);
    };
    form()(EP_FORMS(Allgather, Iallgather), comm, bottom, 1, one, bottom, 1, each);
    check_all(0);
    form()(EP_FORMS(Gather, Igather), comm, bottom, 1, one, bottom, 1, each, root);
    if (comm.rank() == root) check_all(0);
    form()(EP_FORMS(Bcast, Ibcast), comm, bottom, 1, one, root);
    EXPECT_EQ(mine, samples(root, 0, 3));
    ASSERT_EQ(MPI_Type_free(&one), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_free(&each), MPI_SUCCESS);
  });
}

// Would have found that nothing was copied between elements of one array that datatypes tell apart.
TEST_P(Movement, alternating_elements_of_one_array) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    static Values shared;
    const int size = comm.size();
    if (comm.rank() == 0) shared.assign(index(size), -1);
    check(EP_Barrier(comm.get()));
    Values apart(index(size), -1);
    int processes_ranks = 0;
    for (int rank = 0; rank < size; ++rank) {
      int locality = EP_LOCALITY_REMOTE;
      check(EP_Comm_locality(comm.get(), rank, &locality));
      if (locality == EP_LOCALITY_PROCESS) ++processes_ranks;
    }
    Values& array = processes_ranks == size ? shared : apart;
    MPI_Datatype own = MPI_DATATYPE_NULL;
    const int place = comm.rank();
    check(MPI_Type_create_indexed_block(1, 1, &place, MPI_INT64_T, &own));
    check(MPI_Type_commit(&own));
    if (comm.rank() == 0) array[0] = 42;
    form()(EP_FORMS(Bcast, Ibcast), comm, array.data(), 1, own, 0);
    EXPECT_EQ(array[index(comm.rank())], 42);
    check(EP_Barrier(comm.get()));
    check(MPI_Type_free(&own));
  });
}

// Rows leave, columns arrive; the type is freed while the operation is under way.
TEST_P(Movement, alltoall_transposes_through_derived_types) {
  run_endpoints(endpoints(), [](const Comm& comm) {
    const int size = comm.size();
    MPI_Datatype column = MPI_DATATYPE_NULL;
    MPI_Datatype columns = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_vector(3, 1, size, MPI_INT64_T, &column), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_create_resized(column, 0, 8, &columns), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&columns), MPI_SUCCESS);
    Values out;
    for (int rank = 0; rank < size; ++rank) {
      const Values row = samples(comm.rank(), rank, 3);
      out.insert(out.end(), row.begin(), row.end());
    }
    Values in(index(3 * size), -1);
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Ialltoall(out.data(), 3, MPI_INT64_T, in.data(), 1, columns, comm.get(), &request));
    ASSERT_EQ(MPI_Type_free(&columns), MPI_SUCCESS);
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    for (int rank = 0; rank < size; ++rank) {
      for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(in[index(i * size + rank)], sample(rank, comm.rank(), i));
      }
    }
    ASSERT_EQ(MPI_Type_free(&column), MPI_SUCCESS);
  });
}

}  // namespace
}  // namespace ep::test::movement_test
