#include <gtest/gtest.h>

#include <climits>
#include <vector>

#include "layouts.hpp"

namespace ep::test::attribute_test {
namespace {

// What the functions of one keyval saw; each thread has its own.
struct Calls {
  int copies = 0;
  std::vector<int> removed;
  int refuse = EP_SUCCESS;
};

int copy(EP_Comm /*comm*/, int /*keyval*/, void* extra, void* value, void* out, int* flag) {
  auto& calls = *static_cast<Calls*>(extra);
  ++calls.copies;
  if (calls.refuse != EP_SUCCESS) return calls.refuse;
  *static_cast<int**>(out) = static_cast<int*>(value) + 1;
  *flag = *static_cast<int*>(value) < 0 ? 0 : 1;
  return EP_SUCCESS;
}

int remove(EP_Comm /*comm*/, int /*keyval*/, void* value, void* extra) {
  auto& calls = *static_cast<Calls*>(extra);
  if (calls.refuse != EP_SUCCESS) return calls.refuse;
  calls.removed.push_back(*static_cast<int*>(value));
  return EP_SUCCESS;
}

int* value_of(EP_Comm comm, int keyval) {
  int* value = nullptr;
  int flag = 0;
  check(EP_Comm_get_attr(comm, keyval, static_cast<void*>(&value), &flag));
  return flag != 0 ? value : nullptr;
}

class Attributes : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Attributes, testing::Values(1, 3));

TEST_P(Attributes, are_copied_overwritten_and_deleted_by_the_programs_functions) {
  run_endpoints(GetParam(), [](const Comm& parent) {
    Calls calls;  // outlives the communicator, whose end calls the delete function
    const Comm comm = parent.dup();
    int values[] = {10, 11, -5, 7};
    int keyval = EP_KEYVAL_INVALID;
    check(EP_Comm_create_keyval(copy, remove, &keyval, &calls));
    EXPECT_EQ(value_of(comm.get(), keyval), nullptr);
    check(EP_Comm_set_attr(comm.get(), keyval, &values[0]));
    {
      const Comm other = comm.dup();
      EXPECT_EQ(calls.copies, 1);
      EXPECT_EQ(*value_of(other.get(), keyval), 11);
      EXPECT_EQ(value_of(comm.split(0, 0).get(), keyval), nullptr) << "only duplicates copy";
      check(EP_Comm_set_attr(other.get(), keyval, &values[3]));
      EXPECT_EQ(calls.removed, (std::vector<int>{11}));
    }
    EXPECT_EQ(calls.removed, (std::vector<int>{11, 7})) << "freeing deletes";
    check(EP_Comm_set_attr(comm.get(), keyval, &values[2]));
    EXPECT_EQ(value_of(comm.dup().get(), keyval), nullptr) << "the copy function said no";
    check(EP_Comm_delete_attr(comm.get(), keyval));
    EXPECT_EQ(calls.removed.back(), -5);
    EXPECT_EQ(value_of(comm.get(), keyval), nullptr);
    check(EP_Comm_set_attr(comm.get(), keyval, &values[0]));
    const int known = keyval;
    check(EP_Comm_free_keyval(&keyval));
    EXPECT_EQ(keyval, EP_KEYVAL_INVALID);
    EXPECT_EQ(calls.copies, 2);
    {
      const Comm other = comm.dup();
      EXPECT_EQ(calls.copies, 3) << "attributes outlive the keyval's handle";
      EXPECT_EQ(EP_Comm_set_attr(parent.get(), known, &values[0]), EP_ERR_KEYVAL) << "not in use";
      EXPECT_EQ(EP_Comm_delete_attr(parent.get(), known), EP_ERR_KEYVAL);
    }
    EXPECT_EQ(value_of(comm.get(), known), &values[0]);
    EXPECT_EQ(EP_Comm_set_attr(comm.get(), known, &values[1]), EP_ERR_KEYVAL) << "freed";
    check(EP_Comm_delete_attr(comm.get(), known));
    EXPECT_EQ(calls.removed.back(), 10) << "in use, it can be deleted (MPI-3.1, 6.7.2)";
    EXPECT_EQ(EP_Comm_delete_attr(comm.get(), known), EP_ERR_KEYVAL);
  });
}

TEST_P(Attributes, errors_of_the_functions_fail_the_call) {
  run_endpoints(GetParam(), [](const Comm& parent) {
    Calls calls;
    int value = 3;
    int keyval = EP_KEYVAL_INVALID;
    check(EP_Comm_create_keyval(copy, remove, &keyval, &calls));
    Comm comm = parent.dup();
    check(EP_Comm_set_attr(comm.get(), keyval, &value));
    calls.refuse = EP_ERR_OTHER;
    EP_Comm out = EP_COMM_NULL;
    EXPECT_EQ(EP_Comm_dup(comm.get(), &out), EP_ERR_OTHER);
    EXPECT_EQ(out, EP_COMM_NULL);
    EXPECT_EQ(EP_Comm_delete_attr(comm.get(), keyval), EP_ERR_OTHER);
    EXPECT_EQ(value_of(comm.get(), keyval), &value);
    calls.refuse = EP_SUCCESS;
    check(EP_Comm_delete_attr(comm.get(), keyval));
    check(EP_Comm_free_keyval(&keyval));
  });
}

TEST_P(Attributes, a_value_may_be_handed_on_as_it_is) {
  run_endpoints(GetParam(), [](const Comm& parent) {
    int value = 3;
    int keyval = EP_KEYVAL_INVALID;
    check(EP_Comm_create_keyval(EP_COMM_DUP_FN, EP_COMM_NULL_DELETE_FN, &keyval, nullptr));
    const Comm comm = parent.dup();
    check(EP_Comm_set_attr(comm.get(), keyval, &value));
    EP_Comm other = EP_COMM_NULL;
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Comm_idup(comm.get(), &other, &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_EQ(value_of(other, keyval), &value);
    check(EP_Comm_free(&other));
    check(EP_Comm_free_keyval(&keyval));
  });
}

// MPI-3.1, 8.7.1 wants it of MPI_COMM_SELF.
TEST_P(Attributes, go_with_their_communicator_those_set_last_first) {
  run_endpoints(GetParam(), [](const Comm& parent) {
    Calls calls;
    int values[] = {0, 1, 2, 3};
    int keyvals[3] = {};
    for (int& keyval : keyvals) check(EP_Comm_create_keyval(copy, remove, &keyval, &calls));
    {
      const Comm comm = parent.dup();
      for (const int i : {2, 0, 1}) check(EP_Comm_set_attr(comm.get(), keyvals[i], &values[i]));
      check(EP_Comm_set_attr(comm.get(), keyvals[2], &values[3]));
      EXPECT_EQ(calls.removed, (std::vector<int>{2})) << "overwritten";
    }
    EXPECT_EQ(calls.removed, (std::vector<int>{2, 3, 1, 0}));
    for (int& keyval : keyvals) check(EP_Comm_free_keyval(&keyval));
  });
}

int remove_of_window(EP_Win /*win*/, int /*keyval*/, void* /*value*/, void* /*extra*/) {
  return EP_SUCCESS;
}

TEST_P(Attributes, keyvals_of_other_objects_are_none) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    int of_window = EP_KEYVAL_INVALID;
    int of_comm = EP_KEYVAL_INVALID;
    int of_type = MPI_KEYVAL_INVALID;
    int value = 0;
    int flag = 0;
    check(EP_Win_create_keyval(EP_WIN_NULL_COPY_FN, remove_of_window, &of_window, nullptr));
    check(EP_Comm_create_keyval(copy, remove, &of_comm, nullptr));
    check(
        MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &of_type, nullptr));
    for (const int foreign : {of_window, of_type, EP_WIN_BASE, EP_WIN_MODEL}) {
      EXPECT_EQ(EP_Comm_set_attr(comm.get(), foreign, &value), EP_ERR_KEYVAL) << foreign;
      EXPECT_EQ(EP_Comm_get_attr(comm.get(), foreign, &value, &flag), EP_ERR_KEYVAL) << foreign;
      EXPECT_EQ(EP_Comm_delete_attr(comm.get(), foreign), EP_ERR_KEYVAL) << foreign;
      int copied = foreign;
      EXPECT_EQ(EP_Comm_free_keyval(&copied), EP_ERR_KEYVAL) << foreign;
      EXPECT_EQ(copied, foreign);
    }
    EP_Win win = EP_WIN_NULL;
    check(EP_Win_create_dynamic(MPI_INFO_NULL, comm.get(), &win));
    check(EP_Win_set_errhandler(win, EP_ERRORS_RETURN));
    for (const int foreign : {of_comm, of_type, EP_TAG_UB}) {
      EXPECT_EQ(EP_Win_set_attr(win, foreign, &value), EP_ERR_KEYVAL) << foreign;
      EXPECT_EQ(EP_Win_get_attr(win, foreign, &value, &flag), EP_ERR_KEYVAL) << foreign;
      EXPECT_EQ(EP_Win_delete_attr(win, foreign), EP_ERR_KEYVAL) << foreign;
      int copied = foreign;
      EXPECT_EQ(EP_Win_free_keyval(&copied), EP_ERR_KEYVAL) << foreign;
    }
    check(EP_Win_set_attr(win, of_window, &value));
    const int known = of_window;
    check(EP_Win_free_keyval(&of_window));
    check(EP_Win_delete_attr(win, known));
    EXPECT_EQ(EP_Win_delete_attr(win, known), EP_ERR_KEYVAL);
    check(EP_Win_free(&win));
    check(EP_Comm_free_keyval(&of_comm));
    check(MPI_Type_free_keyval(&of_type));
  });
}

TEST_P(Attributes, predefined_ones_can_be_read_only) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    EXPECT_EQ(*value_of(comm.get(), EP_TAG_UB), INT_MAX);
    EXPECT_EQ(*value_of(comm.get(), EP_HOST), EP_PROC_NULL);
    EXPECT_EQ(*value_of(comm.get(), EP_WTIME_IS_GLOBAL), 0);
    EXPECT_GE(*value_of(comm.get(), EP_COMM_MAX_ENDPOINTS), 128);
    EXPECT_GE(*value_of(comm.get(), EP_LASTUSEDCODE), EP_ERR_LASTCODE);
    EXPECT_NE(value_of(comm.get(), EP_IO), nullptr);
    int value = 0;
    EXPECT_EQ(EP_Comm_set_attr(comm.get(), EP_TAG_UB, &value), EP_ERR_KEYVAL);
    EXPECT_EQ(EP_Comm_set_attr(comm.get(), 77, &value), EP_ERR_KEYVAL);
    EXPECT_EQ(EP_Comm_get_attr(comm.get(), EP_KEYVAL_INVALID, &value, &value), EP_ERR_KEYVAL);
  });
}

}  // namespace
}  // namespace ep::test::attribute_test
