#include "event/job_rendezvous.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ep/bytes.hpp>
#include <ep/process_group.hpp>
#include <string>

#include "config/error.hpp"

namespace epios::io::job_rendezvous_test {
namespace {

using ::testing::ElementsAre;

TEST(MeetingRanks, AreListedAsNumbersAndRanges) {
  EXPECT_THAT(rendezvous_ranks("0", 0, 1), ElementsAre(0));
  EXPECT_THAT(rendezvous_ranks("0-3,8", 8, 9), ElementsAre(0, 1, 2, 3, 8));
  EXPECT_THAT(rendezvous_ranks("4,1-2,2,1", 4, 5), ElementsAre(1, 2, 4));
}

std::string refusal(std::string_view text, int self, int size) {
  try {
    rendezvous_ranks(text, self, size);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::argument);
    return error.what();
  }
  return "none";
}

TEST(MeetingRanks, ThatCannotBeAreRefused) {
  const std::string advice =
      "). List the ranks in MPI_COMM_WORLD of all processes of models and servers that use EPIOS, "
      "as in EPIOS_RANKS=0-3,8?";
  EXPECT_EQ(refusal("3-1", 1, 4),
            "EPIOS_RANKS is '3-1' (the range 3-1 ends before it begins" + advice);
  EXPECT_EQ(refusal("0-4", 1, 4),
            "EPIOS_RANKS is '0-4' (there is no rank 4 among 4 processes" + advice);
  EXPECT_EQ(refusal("0-1", 2, 4),
            "EPIOS_RANKS is '0-1' (rank 2, which uses EPIOS, is not in it" + advice);
  for (const char* text : {"ocean", "0 1", "0,", ",0", "0-", "-1", "0-1-2", "99999999999"}) {
    EXPECT_EQ(refusal(text, 0, 4), "EPIOS_RANKS is '" + std::string(text) +
                                       "' (numbers and ranges are listed with commas" + advice);
  }
}

TEST(JobRendezvous, IsWhereItIsGivenOrEverybodyIs) {
  ASSERT_EQ(unsetenv("EPIOS_RANKS"), 0);
  const JobRendezvous everybody(MPI_COMM_WORLD);
  EXPECT_EQ(everybody.comm(), MPI_COMM_WORLD);
  EXPECT_FALSE(JobRendezvous::is_listed());
  ASSERT_EQ(setenv("EPIOS_RANKS", "nonsense", 1), 0);
  const JobRendezvous given(MPI_COMM_SELF);
  EXPECT_EQ(given.comm(), MPI_COMM_SELF);
  EXPECT_THROW(JobRendezvous{MPI_COMM_WORLD}, Error);
}

/// All but the first, which never comes.
TEST(JobRendezvous, IsOfThoseListedAlone) {
  const ep::WorldPlace self = ep::own_place_in_world();
  if (self.size == 1) {
    ASSERT_EQ(setenv("EPIOS_RANKS", "0", 1), 0);
  } else {
    const std::string ranks = "1-" + std::to_string(self.size - 1);
    ASSERT_EQ(setenv("EPIOS_RANKS", ranks.c_str(), 1), 0);
    if (self.rank == 0) return;
  }
  const int foreign = self.size == 1 ? 0 : 1;
  const JobRendezvous rendezvous(MPI_COMM_WORLD);
  ASSERT_TRUE(JobRendezvous::is_listed());
  ASSERT_NE(rendezvous.comm(), MPI_COMM_WORLD);
  const ep::Comm met = ep::Comm::from_mpi(rendezvous.comm());
  EXPECT_EQ(met.size(), self.size - foreign);
  EXPECT_EQ(met.rank(), self.rank - foreign);
  EXPECT_EQ(ep::ProcessGroup(MPI_COMM_WORLD).ranks_of(rendezvous.comm()).front(), foreign);
}

// The last error of the library is of another call.
TEST(ProcessGroup, SaysWhichCallOfMpiFailed) {
  ASSERT_NE(EP_Comm_free(nullptr), EP_SUCCESS);
  const std::string another = EP_Last_error();
  ASSERT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN), MPI_SUCCESS);
  std::string text = "nothing";
  try {
    const ep::ProcessGroup group(MPI_COMM_NULL);
  } catch (const ep::Error& error) {
    text = error.what();
  }
  ASSERT_EQ(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL), MPI_SUCCESS);
  EXPECT_THAT(text, ::testing::HasSubstr("MPI_Comm_group failed ("));
  EXPECT_NE(text, another);
}

}  // namespace
}  // namespace epios::io::job_rendezvous_test
