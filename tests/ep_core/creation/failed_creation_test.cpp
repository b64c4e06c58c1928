// What a function that makes an object leaves in its result when it fails: the null handle.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::failed_creation_test {
namespace {

template <class Handle>
Handle garbage() {
  return reinterpret_cast<Handle>(0x7f0);  // NOLINT(performance-no-int-to-ptr): on purpose
}

struct Constructor {
  const char* name;
  std::function<int(EP_Comm, EP_Comm*)> make;  // fails at every endpoint, also for a good one
};

std::vector<Constructor> all_constructors() {
  static const int two = 2;
  static const int minus = -1;
  static const int huge = 1 << 20;
  return {
      {"split", [](EP_Comm c, EP_Comm* out) { return EP_Comm_split(c, -5, 0, out); }},
      {"split_type",
       [](EP_Comm c, EP_Comm* out) { return EP_Comm_split_type(c, -77, 0, MPI_INFO_NULL, out); }},
      {"create", [](EP_Comm c, EP_Comm* out) { return EP_Comm_create(c, EP_GROUP_NULL, out); }},
      {"create_group",
       [](EP_Comm c, EP_Comm* out) { return EP_Comm_create_group(c, EP_GROUP_EMPTY, -3, out); }},
      {"intercomm_create",
       [](EP_Comm c, EP_Comm* out) { return EP_Intercomm_create(c, 99, c, 0, 0, out); }},
      {"intercomm_merge", [](EP_Comm c, EP_Comm* out) { return EP_Intercomm_merge(c, 0, out); }},
      {"cart_create",
       [](EP_Comm c, EP_Comm* out) { return EP_Cart_create(c, 1, &huge, &two, 0, out); }},
      {"cart_sub", [](EP_Comm c, EP_Comm* out) { return EP_Cart_sub(c, &two, out); }},
      {"graph_create",
       [](EP_Comm c, EP_Comm* out) { return EP_Graph_create(c, 1, &minus, &two, 0, out); }},
      {"dist_graph_create",
       [](EP_Comm c, EP_Comm* out) {
         return EP_Dist_graph_create(c, 1, &minus, &two, &two, EP_UNWEIGHTED, MPI_INFO_NULL, 0,
                                     out);
       }},
      {"dist_graph_create_adjacent",
       [](EP_Comm c, EP_Comm* out) {
         return EP_Dist_graph_create_adjacent(c, 1, &minus, EP_UNWEIGHTED, 0, &two, EP_UNWEIGHTED,
                                              MPI_INFO_NULL, 0, out);
       }},
      {"spawn",
       [](EP_Comm c, EP_Comm* out) {
         return EP_Comm_spawn("nobody", nullptr, 1, MPI_INFO_NULL, 99, c, out, nullptr);
       }},
  };
}

class FailedCreation : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, FailedCreation, testing::Values(1, 3));

TEST_P(FailedCreation, leaves_no_communicator) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    for (const Constructor& constructor : all_constructors()) {
      for (EP_Comm from : {comm.get(), EP_COMM_NULL, garbage<EP_Comm>()}) {
        auto out = garbage<EP_Comm>();
        EXPECT_NE(constructor.make(from, &out), EP_SUCCESS) << constructor.name;
        EXPECT_EQ(out, EP_COMM_NULL) << constructor.name;
        EXPECT_NE(constructor.make(from, nullptr), EP_SUCCESS) << constructor.name;
      }
    }
  });
}

TEST_P(FailedCreation, of_duplicates_leaves_none) {
  for (EP_Comm from : {EP_COMM_NULL, garbage<EP_Comm>()}) {
    auto out = garbage<EP_Comm>();
    auto pending = garbage<EP_Request>();
    EXPECT_EQ(EP_Comm_dup(from, &out), EP_ERR_COMM);
    EXPECT_EQ(out, EP_COMM_NULL);
    out = garbage<EP_Comm>();
    EXPECT_EQ(EP_Comm_dup_with_info(from, MPI_INFO_NULL, &out), EP_ERR_COMM);
    EXPECT_EQ(out, EP_COMM_NULL);
    out = garbage<EP_Comm>();
    EXPECT_EQ(EP_Comm_idup(from, &out, &pending), EP_ERR_COMM);
    EXPECT_EQ(out, EP_COMM_NULL);
    EXPECT_EQ(pending, EP_REQUEST_NULL);
    std::array<EP_Comm, 2> several{garbage<EP_Comm>(), garbage<EP_Comm>()};
    EXPECT_EQ(EP_Comm_create_endpoints(from, 2, MPI_INFO_NULL, several.data()), EP_ERR_COMM);
    EXPECT_EQ(several, (std::array<EP_Comm, 2>{EP_COMM_NULL, EP_COMM_NULL}));
    std::array<EP_Comm, EP_SHMEM_LEVELS> levels{};
    levels.fill(garbage<EP_Comm>());
    EXPECT_EQ(EP_Shmem_comm_create(from, MPI_INFO_NULL, levels.data()), EP_ERR_COMM);
    for (EP_Comm level : levels) EXPECT_EQ(level, EP_COMM_NULL);
    MPI_Comm raw = MPI_COMM_WORLD;
    EXPECT_EQ(EP_Comm_mpi(from, &raw), EP_ERR_COMM);
    EXPECT_EQ(raw, MPI_COMM_NULL);
  }
  auto out = garbage<EP_Comm>();
  EXPECT_EQ(EP_Comm_from_mpi(MPI_COMM_NULL, &out), EP_ERR_COMM);
  EXPECT_EQ(out, EP_COMM_NULL);
}

int refuse(EP_Comm, int, void*, void*, void*, int*) { return EP_ERR_OTHER; }

// The others' duplicates are none of a copy function's business.
TEST_P(FailedCreation, by_a_copy_function_leaves_neither_duplicate_nor_request) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const Comm own = comm.dup();
    int keyval = EP_KEYVAL_INVALID;
    check(EP_Comm_create_keyval(refuse, EP_COMM_NULL_DELETE_FN, &keyval, nullptr));
    if (comm.rank() == 0) check(EP_Comm_set_attr(own.get(), keyval, nullptr));
    auto out = garbage<EP_Comm>();
    auto pending = garbage<EP_Request>();
    const int code = EP_Comm_idup(own.get(), &out, &pending);
    EXPECT_EQ(code, comm.rank() == 0 ? EP_ERR_OTHER : EP_SUCCESS);
    if (comm.rank() == 0) {
      EXPECT_EQ(out, EP_COMM_NULL);
      EXPECT_EQ(pending, EP_REQUEST_NULL);
    } else {
      check(EP_Wait(&pending, EP_STATUS_IGNORE));
      check(EP_Comm_free(&out));
    }
    check(EP_Comm_free_keyval(&keyval));
  });
}

TEST_P(FailedCreation, leaves_no_window_file_or_group) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    const EP_Comm c = comm.get();
    void* base = nullptr;
    const auto no_window = [](const char* what, auto make) {
      auto win = garbage<EP_Win>();
      EXPECT_NE(make(&win), EP_SUCCESS) << what;
      EXPECT_EQ(win, EP_WIN_NULL) << what;
    };
    for (EP_Comm from : {c, EP_COMM_NULL}) {
      no_window("create", [&](EP_Win* win) {
        return EP_Win_create(nullptr, -8, 1, MPI_INFO_NULL, from, win);
      });
      no_window("allocate", [&](EP_Win* win) {
        return EP_Win_allocate(8, 0, MPI_INFO_NULL, from, &base, win);
      });
      no_window("allocate_shared", [&](EP_Win* win) {
        return EP_Win_allocate_shared(8, -1, MPI_INFO_NULL, from, &base, win);
      });
      no_window("create_client_server", [&](EP_Win* win) {
        return EP_Win_create_client_server(nullptr, 0, 1, MPI_INFO_NULL, from, win);
      });
      auto file = garbage<EP_File>();
      EXPECT_NE(EP_File_open(from, "/nowhere/at/all", EP_MODE_RDONLY, MPI_INFO_NULL, &file),
                EP_SUCCESS);
      EXPECT_EQ(file, EP_FILE_NULL);
    }
    const int wrong = -4;
    auto group = garbage<EP_Group>();
    EXPECT_EQ(EP_Comm_group(EP_COMM_NULL, &group), EP_ERR_COMM);
    EXPECT_EQ(group, EP_GROUP_NULL);
    group = garbage<EP_Group>();
    EXPECT_EQ(EP_Comm_remote_group(c, &group), EP_ERR_COMM);
    EXPECT_EQ(group, EP_GROUP_NULL);
    EP_Group all = EP_GROUP_NULL;
    check(EP_Comm_group(c, &all));
    group = garbage<EP_Group>();
    EXPECT_EQ(EP_Group_incl(all, 1, &wrong, &group), EP_ERR_RANK);
    EXPECT_EQ(group, EP_GROUP_NULL);
    group = garbage<EP_Group>();
    EXPECT_EQ(EP_Group_union(all, EP_GROUP_NULL, &group), EP_ERR_GROUP);
    EXPECT_EQ(group, EP_GROUP_NULL);
    check(EP_Group_free(&all));
  });
}

}  // namespace
}  // namespace ep::test::failed_creation_test
