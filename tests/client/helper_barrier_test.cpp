// The helper barrier of a client: its rounds, and how they end.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <epios/epios.hpp>
#include <string>
#include <thread>
#include <vector>

#include "scratch.hpp"
#include "two_rows.hpp"

namespace epios::client::helper_barrier_test {
namespace {

/// What it throws.
template <class Call>
std::string error_of(const Call& call, int code) {
  try {
    call();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code) << error.what();
    return error.what();
  }
  return "none";
}

/// Nobody leaves a round before all have come.
void meet_in_rounds(Client& client) {
  constexpr int threads = 3;
  constexpr int rounds = 300;
  std::atomic<int> come{0};
  const auto meet = [&] {
    for (int round = 1; round <= rounds; ++round) {
      ++come;
      client.help_at_barrier(threads);
      EXPECT_GE(come.load(), threads * round);
    }
  };
  std::vector<std::thread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(meet);
  meet();
  for (std::thread& other : others) other.join();
  EXPECT_EQ(come.load(), threads * rounds);
  for (int round = 0; round < 3; ++round) client.help_at_barrier(1);  // nobody to wait for
}

void wait_until_lent() {
  // There is no question for it: long enough for a thread to have come.
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

void refuse_wrong_numbers(Client& client) {
  EXPECT_EQ(
      error_of([&] { client.help_at_barrier(0); }, EPIOS_ERR_ARGUMENT),
      "client 0 of 'threads': 0 threads help at the barrier (at least 1, the caller). Is it the "
      "number of threads that call?");
  const std::string text =
      "client 0 of 'threads': threads come to the helper barrier as 3 and as 2 (all that come "
      "together give "
      "one number). Is it the number of threads of the parallel region?";
  std::thread other(
      [&] { EXPECT_EQ(error_of([&] { client.help_at_barrier(3); }, EPIOS_ERR_ARGUMENT), text); });
  wait_until_lent();
  EXPECT_EQ(error_of([&] { client.help_at_barrier(2); }, EPIOS_ERR_ARGUMENT), text);
  other.join();
  EXPECT_EQ(error_of([&] { client.help_at_barrier(2); }, EPIOS_ERR_ARGUMENT), text);
}

void end_while_threads_wait(Client& client) {
  epios_client* const handle = client.get();
  std::thread other([&] {
    EXPECT_EQ(epios_client_help_at_barrier(handle, 2), EPIOS_ERR_CALL_ORDER);
    EXPECT_STREQ(
        epios_last_error(),
        "client 1 of 'threads' is closed while 1 of 2 threads wait at its helper barrier (they "
        "come together). Do all of them call epios_client_help_at_barrier before?");
  });
  wait_until_lent();
  client.close();
  other.join();
  EXPECT_EQ(epios_client_help_at_barrier(handle, 2), EPIOS_ERR_ARGUMENT);
  EXPECT_TRUE(std::string(epios_last_error()).starts_with("not a handle of an open client"));
}

TEST(HelperBarrier, AreLentInRoundsUntilTheClientEnds) {
  const Scratch scratch(iodef_of_two_rows);
  Session::Options options;
  options.clients = 2;
  Session session("threads", options);
  std::thread other([&] {
    Client client(session, 1);
    end_while_threads_wait(client);
  });
  Client client(session, 0);
  meet_in_rounds(client);
  refuse_wrong_numbers(client);
  client.close();
  other.join();
  session.close();
}

}  // namespace
}  // namespace epios::client::helper_barrier_test
