#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::group_test {
namespace {

EP_Group group_of(EP_Comm comm) {
  EP_Group group = EP_GROUP_NULL;
  check(EP_Comm_group(comm, &group));
  return group;
}

int size_of(EP_Group group) {
  int size = -1;
  check(EP_Group_size(group, &size));
  return size;
}

int compare(EP_Group a, EP_Group b) {
  int result = -1;
  check(EP_Group_compare(a, b, &result));
  return result;
}

int compare(const Comm& a, const Comm& b) {
  int result = -1;
  check(EP_Comm_compare(a.get(), b.get(), &result));
  return result;
}

int sum_of_ones(EP_Comm comm) {
  int one = 1;
  int sum = -1;
  check(EP_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm));
  return sum;
}

class Groups : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Groups, testing::Values(1, 2, 3, 5));

TEST_P(Groups, sets_are_built_as_mpi_says) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int size = comm.size();
    EP_Group all = group_of(comm.get());
    int rank = -1;
    check(EP_Group_rank(all, &rank));
    EXPECT_EQ(rank, comm.rank());
    EXPECT_EQ(size_of(all), size);

    std::vector<int> backwards(static_cast<std::size_t>(size));
    std::iota(backwards.rbegin(), backwards.rend(), 0);
    EP_Group reversed = EP_GROUP_NULL;
    check(EP_Group_incl(all, size, backwards.data(), &reversed));
    EXPECT_EQ(compare(all, reversed), size > 1 ? EP_SIMILAR : EP_IDENT);
    std::vector<int> translated(backwards.size());
    check(EP_Group_translate_ranks(all, size, backwards.data(), reversed, translated.data()));
    EXPECT_EQ(translated.front(), 0);
    EXPECT_EQ(translated.back(), size - 1);

    EP_Group even = EP_GROUP_NULL;
    EP_Group odd = EP_GROUP_NULL;
    EP_Group out = EP_GROUP_NULL;
    int evens[1][3] = {{0, size - 1, 2}};
    check(EP_Group_range_incl(all, 1, evens, &even));
    check(EP_Group_range_excl(all, 1, evens, &odd));
    EXPECT_EQ(size_of(even), (size + 1) / 2);
    EXPECT_EQ(size_of(odd), size / 2);
    check(EP_Group_rank(odd, &rank));
    const bool in_odd = comm.rank() % 2 == 1;
    EXPECT_EQ(rank, in_odd ? comm.rank() / 2 : EP_UNDEFINED);
    check(EP_Group_intersection(even, odd, &out));
    EXPECT_EQ(out, EP_GROUP_EMPTY);
    check(EP_Group_difference(all, odd, &out));
    EXPECT_EQ(compare(out, even), EP_IDENT);
    check(EP_Group_free(&out));
    check(EP_Group_union(odd, even, &out));
    EXPECT_EQ(size_of(out), size);
    EXPECT_EQ(compare(out, all), size > 1 ? EP_SIMILAR : EP_IDENT);
    check(EP_Group_free(&out));
    const int nobody = EP_PROC_NULL;
    check(EP_Group_translate_ranks(all, 1, &nobody, even, &rank));
    EXPECT_EQ(rank, EP_PROC_NULL);
    for (EP_Group* one : {&all, &reversed, &even, &odd}) {
      check(EP_Group_free(one));
      EXPECT_EQ(*one, EP_GROUP_NULL);
    }
  });
}

TEST_P(Groups, bad_groups_and_ranks_are_errors) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EP_Group all = group_of(comm.get());
    EP_Group out = EP_GROUP_NULL;
    const std::array<int, 2> twice{0, 0};
    const int beyond = comm.size();
    int zero_stride[1][3] = {{0, 0, 0}};
    int size = 0;
    EXPECT_EQ(EP_Group_size(EP_GROUP_NULL, &size), EP_ERR_GROUP);
    EXPECT_EQ(EP_Group_incl(all, 2, twice.data(), &out), EP_ERR_RANK);
    EXPECT_EQ(EP_Group_excl(all, 1, &beyond, &out), EP_ERR_RANK);
    EXPECT_EQ(EP_Group_incl(all, -1, nullptr, &out), EP_ERR_ARG);
    EXPECT_EQ(EP_Group_range_incl(all, 1, zero_stride, &out), EP_ERR_ARG);
    EP_Group stale = all;
    check(EP_Group_free(&all));
    EXPECT_EQ(EP_Group_size(stale, &size), EP_ERR_GROUP);
    EXPECT_EQ(EP_Group_free(&stale), EP_ERR_GROUP);
    EXPECT_EQ(size_of(EP_GROUP_EMPTY), 0);
  });
}

TEST_P(Groups, the_same_endpoints_are_recognised_in_other_communicators) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EXPECT_EQ(compare(comm, comm), EP_IDENT);
    EXPECT_EQ(compare(comm, comm.dup()), EP_CONGRUENT);
    const Comm reversed = comm.split(0, -comm.rank());
    EXPECT_EQ(compare(comm, reversed), comm.size() > 1 ? EP_SIMILAR : EP_CONGRUENT);
    const Comm alone = comm.split(comm.rank(), 0);
    EXPECT_EQ(compare(comm, alone), comm.size() > 1 ? EP_UNEQUAL : EP_CONGRUENT);
    // One endpoint each is the parent again, more are others.
    EXPECT_EQ(compare(comm, comm.create_endpoints(1).front()), EP_CONGRUENT);
    const std::vector<Comm> two = comm.create_endpoints(2);
    EXPECT_EQ(compare(comm, two[0]), EP_UNEQUAL);
    EP_Group mine = group_of(comm.get());
    EP_Group theirs = group_of(two[0].get());
    EP_Group common = EP_GROUP_NULL;
    check(EP_Group_intersection(mine, theirs, &common));
    EXPECT_EQ(common, EP_GROUP_EMPTY);
    check(EP_Group_free(&mine));
    check(EP_Group_free(&theirs));
  });
}

TEST_P(Groups, communicators_of_groups) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const int size = comm.size();
    EP_Group all = group_of(comm.get());
    std::vector<int> odd_backwards;
    for (int rank = size - 1; rank >= 0; --rank) {
      if (rank % 2 == 1) odd_backwards.push_back(rank);
    }
    EP_Group odd = EP_GROUP_NULL;
    EP_Group even = EP_GROUP_NULL;
    const int count = static_cast<int>(odd_backwards.size());
    check(EP_Group_incl(all, count, odd_backwards.data(), &odd));
    check(EP_Group_excl(all, count, odd_backwards.data(), &even));
    const bool is_odd = comm.rank() % 2 == 1;

    EP_Comm part = EP_COMM_NULL;
    check(EP_Comm_create(comm.get(), odd, &part));
    EXPECT_EQ(part != EP_COMM_NULL, is_odd);
    if (is_odd) {
      int rank = -1;
      check(EP_Comm_rank(part, &rank));
      EXPECT_EQ(rank, (count * 2 - 1 - comm.rank()) / 2);
      EXPECT_EQ(sum_of_ones(part), count);
      check(EP_Comm_free(&part));
    }
    // Disjoint groups in one call.
    check(EP_Comm_create(comm.get(), is_odd ? odd : even, &part));
    EXPECT_EQ(sum_of_ones(part), is_odd ? count : size - count);
    check(EP_Comm_free(&part));
    // Only the members call, and both groups at once.
    check(EP_Comm_create_group(comm.get(), is_odd ? odd : even, 5, &part));
    EXPECT_EQ(sum_of_ones(part), is_odd ? count : size - count);
    EP_Group made = group_of(part);
    EXPECT_EQ(compare(made, is_odd ? odd : even), EP_IDENT);
    for (EP_Group* one : {&made, &odd, &even, &all}) check(EP_Group_free(one));
    check(EP_Comm_free(&part));
  });
}

TEST_P(Groups, a_group_of_strangers_is_an_error) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const std::vector<Comm> others = comm.create_endpoints(2);
    EP_Group group = group_of(others[0].get());
    EP_Comm out = EP_COMM_NULL;
    EXPECT_EQ(EP_Comm_create(comm.get(), group, &out), EP_ERR_GROUP);
    EXPECT_EQ(EP_Comm_create_group(comm.get(), group, 0, &out), EP_ERR_GROUP);
    check(EP_Group_free(&group));
  });
}

TEST_P(Groups, split_by_node_keeps_this_node_together) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EP_Comm node = EP_COMM_NULL;
    check(EP_Comm_split_type(comm.get(), EP_COMM_TYPE_SHARED, -comm.rank(), MPI_INFO_NULL, &node));
    const Comm owned(node);
    EXPECT_EQ(owned.size(), comm.size()) << "the tests run on one node";
    EXPECT_EQ(owned.rank(), comm.size() - 1 - comm.rank());
    check(EP_Comm_split_type(comm.get(), EP_UNDEFINED, 0, MPI_INFO_NULL, &node));
    EXPECT_EQ(node, EP_COMM_NULL);
  });
}

TEST_P(Groups, idup_waits_for_nobody) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EP_Comm first = EP_COMM_NULL;
    EP_Comm second = EP_COMM_NULL;
    std::array<EP_Request, 2> requests{};
    // The last one comes only when all others have begun: a blocking call would hang here.
    if (comm.rank() == comm.size() - 1) {
      for (int rank = 0; rank + 1 < comm.size(); ++rank) {
        check(EP_Recv(nullptr, 0, MPI_BYTE, rank, 1, comm.get(), EP_STATUS_IGNORE));
      }
    }
    check(EP_Comm_idup(comm.get(), &first, &requests[0]));
    check(EP_Comm_idup(comm.get(), &second, &requests[1]));
    if (comm.rank() != comm.size() - 1) {
      check(EP_Send(nullptr, 0, MPI_BYTE, comm.size() - 1, 1, comm.get()));
    }
    check(EP_Waitall(2, requests.data(), EP_STATUSES_IGNORE));
    const Comm one(first);
    const Comm two(second);
    EXPECT_EQ(one.rank(), comm.rank());
    EXPECT_EQ(compare(one, two), EP_CONGRUENT);
    EXPECT_EQ(sum_of_ones(one.get()), comm.size());
    const int next = (comm.rank() + 1) % comm.size();
    const std::array<int, 2> out{1, 2};
    check(EP_Send(&out[0], 1, MPI_INT, next, 0, one.get()));
    check(EP_Send(&out[1], 1, MPI_INT, next, 0, two.get()));
    int in = 0;
    check(EP_Recv(&in, 1, MPI_INT, EP_ANY_SOURCE, 0, two.get(), EP_STATUS_IGNORE));
    EXPECT_EQ(in, 2);
    check(EP_Recv(&in, 1, MPI_INT, EP_ANY_SOURCE, 0, one.get(), EP_STATUS_IGNORE));
    EXPECT_EQ(in, 1);
  });
}

TEST_P(Groups, names_and_hints) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    std::array<char, EP_MAX_OBJECT_NAME> name{};
    int length = -1;
    check(EP_Comm_set_name(comm.get(), "ocean"));
    check(EP_Comm_get_name(comm.get(), name.data(), &length));
    EXPECT_EQ(std::string(name.data()), "ocean");
    EXPECT_EQ(length, 5);
    check(EP_Comm_get_name(comm.dup().get(), name.data(), &length));
    EXPECT_EQ(length, 0);
    check(EP_Comm_set_name(comm.get(), std::string(1000, 'x').c_str()));
    check(EP_Comm_get_name(comm.get(), name.data(), &length));
    EXPECT_EQ(length, EP_MAX_OBJECT_NAME - 1);

    MPI_Info info = MPI_INFO_NULL;
    ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
    ASSERT_EQ(MPI_Info_set(info, "colour", "blue"), MPI_SUCCESS);
    EP_Comm handle = EP_COMM_NULL;
    check(EP_Comm_dup_with_info(comm.get(), info, &handle));
    ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    const Comm hinted(handle);
    check(EP_Comm_get_info(hinted.get(), &info));
    std::array<char, 16> value{};
    int found = 0;
    ASSERT_EQ(MPI_Info_get(info, "colour", 15, value.data(), &found), MPI_SUCCESS);
    EXPECT_EQ(std::string(value.data()), "blue");
    ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    // Would have found that duplicates had the hints, as before MPI-4.0.
    check(EP_Comm_get_info(hinted.dup().get(), &info));
    ASSERT_EQ(MPI_Info_get_nkeys(info, &found), MPI_SUCCESS);
    EXPECT_EQ(found, 0);
    ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
    check(EP_Comm_set_info(hinted.get(), MPI_INFO_NULL));
    check(EP_Comm_get_info(hinted.get(), &info));
    ASSERT_EQ(MPI_Info_get_nkeys(info, &found), MPI_SUCCESS);
    EXPECT_EQ(found, 0);
    ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  });
}

TEST(GroupsOfTwo, idup_keeps_the_sides_of_an_intercommunicator) {
  run_endpoints(5, [](const Comm& comm) {
    const int side = comm.rank() < 2 ? 0 : 1;
    const Comm local = comm.split(side, 0);
    const Comm inter = Comm::intercomm(local, 0, comm, side == 0 ? 2 : 0, 9);
    EP_Comm handle = EP_COMM_NULL;
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Comm_idup(inter.get(), &handle, &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    const Comm other(handle);
    EXPECT_TRUE(other.is_inter());
    EXPECT_EQ(compare(inter, other), EP_CONGRUENT);
    const int out = 10 * side + other.rank();
    for (int dest = 0; dest < other.remote_size(); ++dest) {
      check(EP_Send(&out, 1, MPI_INT, dest, 0, other.get()));
    }
    for (int source = 0; source < other.remote_size(); ++source) {
      int in = -1;
      check(EP_Recv(&in, 1, MPI_INT, source, 0, other.get(), EP_STATUS_IGNORE));
      EXPECT_EQ(in, 10 * (1 - side) + source);
    }
  });
}

TEST(GroupsOfTwo, an_intercommunicator_has_two) {
  run_endpoints(5, [](const Comm& comm) {
    const int side = comm.rank() < 2 ? 0 : 1;
    const Comm local = comm.split(side, 0);
    const Comm inter = Comm::intercomm(local, 0, comm, side == 0 ? 2 : 0, 9);
    EP_Group here = group_of(inter.get());
    EP_Group mine = group_of(local.get());
    EP_Group there = EP_GROUP_NULL;
    check(EP_Comm_remote_group(inter.get(), &there));
    EXPECT_EQ(compare(here, mine), EP_IDENT);
    EXPECT_EQ(size_of(there), side == 0 ? 3 : 2);
    EP_Group none = here;
    EXPECT_EQ(EP_Comm_remote_group(comm.get(), &none), EP_ERR_COMM);
    EXPECT_EQ(none, EP_GROUP_NULL);
    int result = -1;
    check(EP_Comm_compare(inter.get(), comm.get(), &result));
    EXPECT_EQ(result, EP_UNEQUAL);
    for (EP_Group* one : {&here, &mine, &there}) check(EP_Group_free(one));
  });
}

}  // namespace
}  // namespace ep::test::group_test
