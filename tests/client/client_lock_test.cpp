#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <epios/epios.hpp>
#include <filesystem>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "scratch.hpp"
#include "two_rows.hpp"

namespace epios::client::client_lock_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* two_threads = "two threads call client 0 at the same time";

/// The text of the error that the action throws, "" without one.
std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), EPIOS_ERR_CALL_ORDER);
    return error.what();
  }
  return "";
}

bool is_refused(const std::string& error) { return error.find(two_threads) != std::string::npos; }

void set_row(Context& context, int row) {
  context.set("domain", "d", "jbegin", row);
  context.set("domain", "d", "nj", 1);
  context.set("domain", "d", "ibegin", 0);
  context.set("domain", "d", "ni", 8);
}

/// Calls until another thread is in a call of the client.
void wait_until_refused(Context& context) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!is_refused(error_of([&] { context.update_calendar(0); })) &&
         std::chrono::steady_clock::now() < deadline) {
    std::this_thread::yield();
  }
}

/// One thread waits in a call for the sibling, which comes only after another thread has tried.
TEST(ClientLock, ASecondThreadOnOneClientIsToldSo) {
  const Scratch scratch(iodef_of_two_rows);
  Session::Options options;
  options.clients = 2;
  Session session("threads", options);
  std::atomic<bool> may_define{false};
  const std::vector<double> row(8, 1.0);

  std::thread sibling([&] {
    Client client(session, 1);
    Context context = client.open_context("threads");
    while (!may_define.load()) std::this_thread::yield();
    define_row(context, 1);
    context.update_calendar(1);
    context.send("f", row);
    context.finalize();
    client.close();
  });
  Client client(session, 0);
  Context context = client.open_context("threads");
  set_row(context, 0);
  std::thread waiting([&] {
    std::string error;
    do {  // the other calls all the time: it may be this one that is refused
      error = error_of([&] { context.close_definition(); });
    } while (is_refused(error));
    EXPECT_EQ(error, "");
  });
  wait_until_refused(context);
  const std::vector<std::function<void()>> calls = {
      [&] { context.set("field", "f", "unit", "K"); },
      [&] { context.update_calendar(1); },
      [&] { context.send("f", row); },
      [&] { static_cast<void>(context.is_active("f")); },
      [&] { context.close_definition(); },
      [&] { context.finalize(); },
  };
  for (const auto& call : calls) {
    EXPECT_THAT(error_of(call), AllOf(StartsWith("context 'threads': "), HasSubstr(two_threads)));
  }
  EXPECT_THAT(error_of([&] { client.open_context("second"); }), StartsWith(two_threads));
  may_define.store(true);
  waiting.join();

  // Now it is the turn of this thread.
  context.update_calendar(1);
  // Threads that only ask do not disturb each other.
  std::vector<std::thread> askers;
  for (int n = 0; n < 3; ++n) {
    askers.emplace_back([&] {
      for (int k = 0; k < 20'000; ++k) ASSERT_TRUE(context.is_active("f", true));
    });
  }
  for (std::thread& asker : askers) asker.join();
  context.send("f", row);
  context.finalize();
  client.close();
  sibling.join();
  session.close();
  EXPECT_TRUE(std::filesystem::exists("out.nc"));
}

}  // namespace
}  // namespace epios::client::client_lock_test
