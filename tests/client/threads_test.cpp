#include <epios/endpoints.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <epios/epios.hpp>
#include <filesystem>
#include <thread>
#include <vector>

#include "scratch.hpp"
#include "two_rows.hpp"

namespace epios::client::threads_test {
namespace {

/// The clients of both threads are ranks of a communicator of the model's own.
void talk_among_clients(Client& client) {
  EP_Comm comm = EP_COMM_NULL;
  ASSERT_EQ(epios_client_comm(client.get(), &comm), EPIOS_SUCCESS) << epios_last_error();
  EP_Comm again = EP_COMM_NULL;
  ASSERT_EQ(epios_client_comm(client.get(), &again), EPIOS_SUCCESS) << epios_last_error();
  EXPECT_EQ(comm, again);
  int rank = -1;
  ASSERT_EQ(EP_Comm_rank(comm, &rank), EP_SUCCESS);
  EXPECT_EQ(rank, client.rank());
  int sum = 0;
  const int mine = rank + 1;
  ASSERT_EQ(EP_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm), EP_SUCCESS);
  EXPECT_EQ(sum, 3);
  EXPECT_EQ(epios_client_comm(client.get(), nullptr), EPIOS_ERR_ARGUMENT);
}

/// Thread 1's sends return while thread 0 has not begun its own: they would never, if a send waited
/// for a sibling, since thread 0 waits for thread 1 first.
TEST(Threads, NoSendWaitsForASibling) {
  const Scratch scratch(iodef_of_two_rows);
  Session::Options options;
  options.clients = 2;
  Session session("threads", options);
  std::atomic<bool> sibling_done{false};
  std::atomic<bool> first_has_sent{false};
  const std::vector<double> row(8, 1.0);

  std::thread other([&] {
    Client client(session, 1);
    talk_among_clients(client);
    Context context = client.open_context("threads");
    define_row(context, 1);
    context.update_calendar(1);
    context.send("f", row);
    EXPECT_FALSE(first_has_sent.load());
    sibling_done.store(true);
    context.finalize();
    client.close();
  });
  {
    Client client(session, 0);
    talk_among_clients(client);
    Context context = client.open_context("threads");
    define_row(context, 0);
    context.update_calendar(1);
    while (!sibling_done.load()) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    first_has_sent.store(true);
    context.send("f", row);
    context.finalize();
    ASSERT_EQ(context.file_reports().size(), 1u);
    EXPECT_EQ(context.file_reports().front().records_written, 1);
    EXPECT_EQ(context.file_reports().front().records_lost, 0);
    client.close();
  }
  other.join();
  session.close();
  EXPECT_TRUE(std::filesystem::exists("out.nc"));
}

}  // namespace
}  // namespace epios::client::threads_test
