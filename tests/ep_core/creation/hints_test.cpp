#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "handles/endpoint.hpp"
#include "layouts.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep::test::hints_test {
namespace {

// What the library made of the hints.
bool is_fast(const Comm& comm) { return tuning_of(*comm.get()->clique).fast_reduction(); }

/// An info object with the key ep_reduction, for one call.
void with_reduction_hint(const std::string& value, const std::function<void(MPI_Info)>& call) {
  MPI_Info info = MPI_INFO_NULL;
  ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
  if (!value.empty()) {
    ASSERT_EQ(MPI_Info_set(info, "ep_reduction", value.c_str()), MPI_SUCCESS);
  }
  call(info);
  ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
}

void set_reduction(const Comm& comm, const std::string& value) {
  with_reduction_hint(value, [&](MPI_Info info) { check(EP_Comm_set_info(comm.get(), info)); });
}

/// A sum that associates differently in every order: of 1e16 and small numbers.
double sum_of(const Comm& comm) {
  const double mine = comm.rank() % 2 == 0 ? 1e16 : 1.0 + comm.rank();
  double sum = 0;
  check(EP_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm.get()));
  return sum;
}

class Hints : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Hints, testing::Values(1, 2, 3, 5));

TEST_P(Hints, set_info_changes_how_a_communicator_reduces) {
  run_endpoints(GetParam(), [](const Comm& world) {
    const Comm comm = world.dup();
    const double ordered = sum_of(comm);
    EXPECT_FALSE(is_fast(comm));
    set_reduction(comm, "fast");
    EXPECT_TRUE(is_fast(comm));
    EXPECT_NEAR(sum_of(comm), ordered, 1e4);
    set_reduction(comm, "");  // says nothing of it
    EXPECT_TRUE(is_fast(comm));
    set_reduction(comm, "ordered");
    EXPECT_FALSE(is_fast(comm));
    EXPECT_EQ(sum_of(comm), ordered);
    EXPECT_FALSE(is_fast(world)) << "the parent is not concerned";
  });
}

TEST_P(Hints, one_who_wants_the_order_kept_is_enough) {
  run_endpoints(GetParam(), [](const Comm& world) {
    const Comm comm = world.dup();
    const bool last = comm.rank() == comm.size() - 1;
    set_reduction(comm, last ? "ordered" : "fast");
    EXPECT_FALSE(is_fast(comm));
    set_reduction(comm, last ? "" : "fast");  // ordered until now
    EXPECT_EQ(is_fast(comm), false);
    set_reduction(comm, "fast");
    set_reduction(comm, last ? "" : "fast");
    EXPECT_TRUE(is_fast(comm));
  });
}

TEST_P(Hints, an_unknown_value_fails_everywhere_and_changes_nothing) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    with_reduction_hint("quick", [&](MPI_Info quick) {
      MPI_Info info = comm.rank() == 0 ? quick : MPI_INFO_NULL;
      EXPECT_EQ(EP_Comm_set_info(comm.get(), info), MPI_ERR_INFO_VALUE);
      EXPECT_NE(std::string(EP_Last_error()).find("ep_reduction"), std::string::npos);
      EP_Comm out = EP_COMM_NULL;
      EXPECT_EQ(EP_Comm_dup_with_info(comm.get(), info, &out), MPI_ERR_INFO_VALUE);
      EXPECT_EQ(EP_Comm_create_endpoints(comm.get(), 1, info, &out), MPI_ERR_INFO_VALUE);
      EXPECT_NE(std::string(EP_Last_error()).find("rank 0 has an info key ep_reduction"),
                std::string::npos);
      EXPECT_EQ(out, EP_COMM_NULL);
    });
    EXPECT_FALSE(is_fast(comm));
  });
}

// However a communicator is made from another one.
TEST_P(Hints, derived_communicators_reduce_as_their_parent) {
  run_endpoints(GetParam(), [](const Comm& world) {
    EP_Comm handle = EP_COMM_NULL;
    with_reduction_hint(
        "fast", [&](MPI_Info info) { check(EP_Comm_dup_with_info(world.get(), info, &handle)); });
    const Comm fast(handle);
    EXPECT_TRUE(is_fast(fast));
    EXPECT_TRUE(is_fast(fast.dup()));
    EXPECT_TRUE(is_fast(fast.split(0, -fast.rank())));
    EP_Request request = EP_REQUEST_NULL;
    check(EP_Comm_idup(fast.get(), &handle, &request));
    check(EP_Wait(&request, EP_STATUS_IGNORE));
    EXPECT_TRUE(is_fast(Comm(handle)));
    EP_Group group = EP_GROUP_NULL;
    check(EP_Comm_group(fast.get(), &group));
    check(EP_Comm_create_group(fast.get(), group, 0, &handle));
    EXPECT_TRUE(is_fast(Comm(handle)));
    check(EP_Group_free(&group));
    with_reduction_hint("ordered", [&](MPI_Info info) {
      check(EP_Comm_split_type(fast.get(), EP_COMM_TYPE_SHARED, 0, info, &handle));
    });
    EXPECT_FALSE(is_fast(Comm(handle)));
  });
}

/// What the communicator does an allreduce by, or "".
std::string overridden(const Comm& comm) {
  const CostModel& model = tuning_of(*comm.get()->clique).cost_model();
  if (!model.overrides.has(Collective::allreduce)) return "";
  return std::string(name_of(model.overrides.of(Collective::allreduce)));
}

void with_algorithm(const std::string& value, const std::function<void(MPI_Info)>& call) {
  MPI_Info info = MPI_INFO_NULL;
  ASSERT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
  ASSERT_EQ(MPI_Info_set(info, "ep_algorithm", value.c_str()), MPI_SUCCESS);
  call(info);
  ASSERT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
}

TEST_P(Hints, an_algorithm_is_asked_for_and_inherited) {
  run_endpoints(GetParam(), [](const Comm& world) {
    const Comm comm = world.dup();
    const double sum = sum_of(comm);
    with_algorithm("allreduce=halving,bcast=pipelined", [&](MPI_Info info) {
      check(EP_Comm_set_info(comm.get(), comm.rank() == 0 ? info : MPI_INFO_NULL));
    });
    EXPECT_EQ(overridden(comm), "halving");
    EXPECT_EQ(overridden(world), "");
    EXPECT_EQ(sum_of(comm), sum) << "ordered sums do not change";
    EXPECT_EQ(overridden(comm.dup()), "halving");
    EP_Comm handle = EP_COMM_NULL;
    const std::string other = comm.rank() == 0 ? "allreduce=doubling" : "allreduce=ring";
    with_algorithm(other,
                   [&](MPI_Info info) { check(EP_Comm_dup_with_info(comm.get(), info, &handle)); });
    const Comm made(handle);
    EXPECT_EQ(overridden(made), "doubling") << "of several, that of the lowest rank";
    const CostModel& model = tuning_of(*handle->clique).cost_model();
    EXPECT_EQ(model.overrides.of(Collective::bcast), Algorithm::pipelined) << "as the parent";
    EXPECT_EQ(sum_of(made), sum);
  });
}

TEST_P(Hints, an_unknown_algorithm_fails_everywhere_and_says_which_there_are) {
  run_endpoints(GetParam(), [](const Comm& comm) {
    with_algorithm("allreduce=quick", [&](MPI_Info quick) {
      MPI_Info info = comm.rank() == 0 ? quick : MPI_INFO_NULL;
      EXPECT_EQ(EP_Comm_set_info(comm.get(), info), MPI_ERR_INFO_VALUE);
      EXPECT_NE(std::string(EP_Last_error())
                    .find("info key ep_algorithm with an unknown value (known: "
                          "barrier=dissemination, bcast=binomial|scatter_ring"),
                std::string::npos)
          << EP_Last_error();
      EP_Comm out = EP_COMM_NULL;
      EXPECT_EQ(EP_Comm_dup_with_info(comm.get(), info, &out), MPI_ERR_INFO_VALUE);
      EXPECT_NE(std::string(EP_Last_error()).find("rank 0 has an info key ep_algorithm"),
                std::string::npos)
          << EP_Last_error();
    });
    EXPECT_EQ(overridden(comm), "");
  });
}

TEST_P(Hints, a_duplicate_without_waiting_has_the_hints_of_its_info) {
  run_endpoints(GetParam(), [](const Comm& world) {
    EP_Comm handle = EP_COMM_NULL;
    EP_Request request = EP_REQUEST_NULL;
    const auto duplicate = [&](MPI_Info info) {
      check(EP_Comm_idup_with_info(world.get(), info, &handle, &request));
      check(EP_Wait(&request, EP_STATUS_IGNORE));
    };
    with_reduction_hint("fast", duplicate);
    const Comm fast(handle);
    EXPECT_TRUE(is_fast(fast));
    MPI_Info kept = MPI_INFO_NULL;
    check(EP_Comm_get_info(fast.get(), &kept));
    std::array<char, 16> value{};
    int flag = 0;
    ASSERT_EQ(MPI_Info_get(kept, "ep_reduction", 15, value.data(), &flag), MPI_SUCCESS);
    EXPECT_EQ(flag, 1);
    EXPECT_STREQ(value.data(), "fast");
    ASSERT_EQ(MPI_Info_free(&kept), MPI_SUCCESS);
    const bool last = world.rank() == world.size() - 1;
    with_reduction_hint(last ? "ordered" : "fast", duplicate);
    EXPECT_FALSE(is_fast(Comm(handle))) << "one who wants the order kept is enough";
    const std::string asked = world.rank() == 0 ? "allreduce=doubling" : "allreduce=ring";
    with_algorithm(asked, duplicate);
    EXPECT_EQ(overridden(Comm(handle)), "doubling") << "of several, that of the lowest rank";
  });
}

TEST_P(Hints, an_unknown_value_is_the_error_of_the_wait_at_all) {
  run_endpoints(GetParam(), [](const Comm& world) {
    EP_Comm handle = EP_COMM_NULL;
    EP_Request request = EP_REQUEST_NULL;
    with_reduction_hint("quick", [&](MPI_Info quick) {
      MPI_Info info = world.rank() == world.size() - 1 ? quick : MPI_INFO_NULL;
      check(EP_Comm_idup_with_info(world.get(), info, &handle, &request));
      EXPECT_EQ(EP_Wait(&request, EP_STATUS_IGNORE), MPI_ERR_INFO_VALUE);
      EXPECT_NE(std::string(EP_Last_error()).find("ep_reduction"), std::string::npos);
    });
    check(EP_Comm_free(&handle));
  });
}

TEST(HintsOfTwo, an_intercommunicator_is_fast_if_both_sides_are) {
  run_endpoints(5, [](const Comm& comm) {
    const int side = comm.rank() % 2;
    const Comm local = comm.split(side, 0);
    set_reduction(local, "fast");
    const Comm both = Comm::intercomm(local, 0, comm, 1 - side, 1);
    EXPECT_TRUE(is_fast(both));
    if (side == 0) set_reduction(local, "ordered");
    const Comm one = Comm::intercomm(local, 0, comm, 1 - side, 1);
    EXPECT_FALSE(is_fast(one));
    set_reduction(one, "fast");
    EXPECT_TRUE(is_fast(one));
    set_reduction(one, side == 0 ? "fast" : "ordered");
    EXPECT_FALSE(is_fast(one));
  });
}

}  // namespace
}  // namespace ep::test::hints_test
