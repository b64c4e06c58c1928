#include <gtest/gtest.h>

#include <atomic>
#include <epios/epios.hpp>
#include <filesystem>
#include <thread>
#include <vector>

#include "scratch.hpp"
#include "two_rows.hpp"

namespace epios::client::close_test {
namespace {

/// Thread 0's close returns while thread 1 has not closed: a sibling that fails between its
/// finalize and its close would leave everybody else hanging.
TEST(Close, NoCloseWaitsForASibling) {
  const Scratch scratch(iodef_of_two_rows);
  Session::Options options;
  options.clients = 2;
  Session session("threads", options);
  std::atomic<bool> sibling_closed{false};
  const std::vector<double> row(8, 1.0);
  const auto run = [&](int index, auto&& before_close) {
    Client client(session, index);
    Context context = client.open_context("threads");
    define_row(context, index);
    context.update_calendar(1);
    context.send("f", row);
    context.finalize();
    before_close();
    client.close();
  };
  std::thread other([&] {
    run(1, [&] {
      while (!sibling_closed.load()) std::this_thread::yield();
    });
  });
  run(0, [] {});
  sibling_closed.store(true);
  other.join();
  session.close();
  EXPECT_TRUE(std::filesystem::exists("out.nc"));
}

}  // namespace
}  // namespace epios::client::close_test
