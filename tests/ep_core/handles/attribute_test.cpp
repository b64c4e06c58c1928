#include <gtest/gtest.h>

#include <climits>
#include <vector>

#include "layouts.hpp"

namespace ep::test {
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
    EXPECT_EQ(EP_Comm_delete_attr(comm.get(), known), EP_ERR_KEYVAL);
    EXPECT_EQ(calls.copies, 2);
    {
      const Comm other = comm.dup();
      EXPECT_EQ(calls.copies, 3) << "attributes outlive the keyval's handle";
    }
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
}  // namespace ep::test
