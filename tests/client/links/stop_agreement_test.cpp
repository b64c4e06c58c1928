// Clients that agree on the date at which a signal ends their context.
#include "links/stop_agreement.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "event/job.hpp"

namespace epios::client::stop_agreement_test {
namespace {

class StopAgreementTest : public ::testing::Test {
 protected:
  StopAgreementTest() : job_(MPI_COMM_WORLD, {"model", 1, false}, MPI_THREAD_MULTIPLE) {}
  StopAgreement agreement(const ep::Comm& clients) {
    return {ServerWaits{job_, job_.client(0), {}, "context 'c'"}, clients, "TERM", [] {}};
  }

  io::Job job_;
};

TEST_F(StopAgreementTest, a_server_told_one_client_and_all_end_at_the_next_date) {
  const ep::Comm& clients = job_.processes();
  StopAgreement stops = agreement(clients);
  const int last = clients.size() - 1;
  EXPECT_EQ(stops.at_end_of(0, 0), 0);
  EXPECT_EQ(stops.at_end_of(1, clients.rank() == last ? SIGTERM : 0), 0);
  EXPECT_EQ(stops.at_end_of(2, 0), SIGTERM);
  EXPECT_EQ(stops.at_end_of(3, 0), SIGTERM);
}

TEST_F(StopAgreementTest, without_a_signal_nothing_ends) {
  StopAgreement stops = agreement(job_.processes());
  for (int step = 0; step < 100; ++step) ASSERT_EQ(stops.at_end_of(step, 0), 0);
  stops.finish();
}

/// Those that go through every date go on to where the furthest was.
TEST_F(StopAgreementTest, clients_of_other_dates_end_at_the_same_one) {
  const ep::Comm& clients = job_.processes();
  StopAgreement stops = agreement(clients);
  const int stride = clients.rank() == 0 ? 1 : 2;
  EXPECT_EQ(stops.at_end_of(0, SIGTERM), 0);
  int step = stride;
  while (stops.at_end_of(step, 0) == 0) step += stride;
  EXPECT_EQ(step, clients.size() > 1 ? 2 : 1) << "where the furthest was when all knew";
}

TEST_F(StopAgreementTest, clients_of_fewer_dates_wait_for_the_end_of_all) {
  StopAgreement stops = agreement(job_.processes());
  const int stride = job_.processes().rank() == 0 ? 1 : 3;
  for (int step = 0; step < 12; step += stride) ASSERT_EQ(stops.at_end_of(step, 0), 0);
  stops.finish();
  StopAgreement none = agreement(job_.processes());
  none.finish();  // before the first date
}

TEST_F(StopAgreementTest, a_signal_finds_some_clients_at_their_end) {
  StopAgreement stops = agreement(job_.processes());
  if (job_.processes().rank() > 0) {
    EXPECT_EQ(stops.at_end_of(0, 0), 0);
    return stops.finish();
  }
  for (int step = 0; step < 5; ++step) ASSERT_EQ(stops.at_end_of(step, 0), 0);
  EXPECT_EQ(stops.at_end_of(5, SIGTERM), 0);
  EXPECT_EQ(stops.at_end_of(6, 0), SIGTERM);
}

/// A signal of the process itself counts before what a server has told. (Behind the others: it
/// stays.)
TEST_F(StopAgreementTest, the_processes_own_signal_is_told) {
  const ep::Comm& clients = job_.processes();
  StopAgreement stops = agreement(clients);
  if (clients.rank() == 0) std::raise(SIGTERM);
  EXPECT_EQ(stops.at_end_of(4, 0), 0);
  EXPECT_EQ(stops.at_end_of(6, 0), SIGTERM);
}

}  // namespace
}  // namespace epios::client::stop_agreement_test
