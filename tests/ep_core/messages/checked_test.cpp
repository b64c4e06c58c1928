#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "layouts.hpp"

namespace ep::test::checked_test {
namespace {

/// A communicator whose messages carry their type signatures.
Comm checked(const Comm& comm) {
  MPI_Info info = MPI_INFO_NULL;
  EXPECT_EQ(MPI_Info_create(&info), MPI_SUCCESS);
  EXPECT_EQ(MPI_Info_set(info, "ep_check_types", "true"), MPI_SUCCESS);
  EP_Comm handle = EP_COMM_NULL;
  check(EP_Comm_create_endpoints(comm.get(), 1, info, &handle));
  EXPECT_EQ(MPI_Info_free(&info), MPI_SUCCESS);
  return Comm(handle);
}

class Checked : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Endpoints, Checked, testing::Values(2, 3));

TEST_P(Checked, other_types_are_errors_that_name_both_sides) {
  run_endpoints(GetParam(), [](const Comm& parent) {
    const Comm comm = checked(parent);
    for (const int count : {4, 20'000}) {
      std::vector<double> data(20'000, comm.rank());
      if (comm.rank() == 0) {
        check(EP_Send(data.data(), count, MPI_FLOAT, 1, 3, comm.get()));
        check(EP_Send(data.data(), count, MPI_DOUBLE, 1, 3, comm.get()));
      } else if (comm.rank() == 1) {
        EP_Status status;
        EXPECT_EQ(EP_Recv(data.data(), count, MPI_DOUBLE, 0, 3, comm.get(), &status), EP_ERR_TYPE);
        EXPECT_EQ(std::string(EP_Last_error()),
                  "message of " + std::to_string(count) +
                      " elements beginning with MPI_FLOAT from rank 0 with tag 3 meets a receive "
                      "of " +
                      std::to_string(count) +
                      " elements beginning with MPI_DOUBLE (their type signatures differ). Same "
                      "datatypes on both sides?");
        EXPECT_EQ(data[0], 1) << "untouched";
        check(EP_Recv(data.data(), count, MPI_DOUBLE, 0, 3, comm.get(), &status));
        EXPECT_EQ(data[0], 0);
      }
    }
  });
}

TEST_P(Checked, only_the_sequence_of_predefined_types_counts) {
  run_endpoints(GetParam(), [](const Comm& parent) {
    const Comm comm = checked(parent);
    MPI_Datatype spread = MPI_DATATYPE_NULL;
    ASSERT_EQ(MPI_Type_vector(50, 2, 3, MPI_INT, &spread), MPI_SUCCESS);
    ASSERT_EQ(MPI_Type_commit(&spread), MPI_SUCCESS);
    std::vector<int> data(400, comm.rank());
    if (comm.rank() == 0) {
      check(EP_Send(data.data(), 1, spread, 1, 0, comm.get()));
      check(EP_Ssend(data.data(), 90, MPI_INT, 1, 1, comm.get()));
      check(EP_Send(data.data(), 400, MPI_BYTE, 1, 2, comm.get()));
      check(EP_Send(data.data(), 400, MPI_PACKED, 1, 3, comm.get()));
      check(EP_Send(data.data(), 100, MPI_INT, 1, 4, comm.get()));
      check(EP_Send(data.data(), 100, MPI_UNSIGNED, 1, 5, comm.get()));
    } else if (comm.rank() == 1) {
      const auto receive = [&](int count, MPI_Datatype type, int tag) {
        return EP_Recv(data.data(), count, type, 0, tag, comm.get(), EP_STATUS_IGNORE);
      };
      EXPECT_EQ(receive(100, MPI_INT, 0), EP_SUCCESS);
      EXPECT_EQ(receive(1, spread, 1), EP_SUCCESS) << "a shorter message";
      EXPECT_EQ(receive(100, MPI_INT, 2), EP_ERR_TYPE) << "bytes are not integers";
      EXPECT_EQ(receive(100, MPI_INT, 3), EP_SUCCESS) << "packed data is anything";
      EXPECT_EQ(receive(400, MPI_PACKED, 4), EP_SUCCESS);
      EXPECT_EQ(receive(100, MPI_INT, 5), EP_ERR_TYPE);
    }
    ASSERT_EQ(MPI_Type_free(&spread), MPI_SUCCESS);
  });
}

TEST_P(Checked, duplicates_check_as_well_and_others_do_not) {
  run_endpoints(GetParam(), [](const Comm& parent) {
    const Comm comm = checked(parent).dup();
    int value = 1;
    float other = 0;
    EXPECT_EQ(EP_Sendrecv(&value, 1, MPI_INT, comm.rank(), 0, &other, 1, MPI_FLOAT, comm.rank(), 0,
                          comm.get(), EP_STATUS_IGNORE),
              EP_ERR_TYPE);
    check(EP_Sendrecv_replace(&value, 1, MPI_INT, comm.rank(), 0, comm.rank(), 0, comm.get(),
                              EP_STATUS_IGNORE));
    check(EP_Sendrecv(&value, 1, MPI_INT, parent.rank(), 0, &other, 1, MPI_FLOAT, parent.rank(), 0,
                      parent.get(), EP_STATUS_IGNORE));
  });
}

}  // namespace
}  // namespace ep::test::checked_test
