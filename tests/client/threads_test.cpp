#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <epios/epios.hpp>
#include <filesystem>
#include <thread>
#include <vector>

#include "scratch.hpp"

namespace epios::client {
namespace {

constexpr const char* iodef = R"(
<simulation>
  <context id="threads">
    <calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
    <domain_definition><domain id="d" type="rectilinear" ni_glo="8" nj_glo="2"/></domain_definition>
    <field_definition><field id="f" domain_ref="d"/></field_definition>
    <file_definition>
      <file id="out" output_freq="1h"><field field_ref="f" operation="instant"/></file>
    </file_definition>
  </context>
</simulation>)";

void define(Context& context, int row) {
  context.set("domain", "d", "jbegin", row);
  context.set("domain", "d", "nj", 1);
  context.set("domain", "d", "ibegin", 0);
  context.set("domain", "d", "ni", 8);
  context.close_definition();
}

/// Thread 1's sends return while thread 0 has not begun its own: they would never, if a send waited
/// for a sibling, since thread 0 waits for thread 1 first.
TEST(Threads, NoSendWaitsForASibling) {
  const Scratch scratch(iodef);
  Session::Options options;
  options.clients = 2;
  Session session("threads", options);
  std::atomic<bool> sibling_done{false};
  std::atomic<bool> first_has_sent{false};
  const std::vector<double> row(8, 1.0);

  std::thread other([&] {
    Client client(session, 1);
    Context context = client.open_context("threads");
    define(context, 1);
    context.update_calendar(1);
    context.send("f", row);
    EXPECT_FALSE(first_has_sent.load());
    sibling_done.store(true);
    context.finalize();
    client.close();
  });
  {
    Client client(session, 0);
    Context context = client.open_context("threads");
    define(context, 0);
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

/// Thread 0's close returns while thread 1 has not closed: a sibling that fails between its
/// finalize and its close would leave everybody else hanging.
TEST(Threads, NoCloseWaitsForASibling) {
  const Scratch scratch(iodef);
  Session::Options options;
  options.clients = 2;
  Session session("threads", options);
  std::atomic<bool> sibling_closed{false};
  const std::vector<double> row(8, 1.0);
  const auto run = [&](int index, auto&& before_close) {
    Client client(session, index);
    Context context = client.open_context("threads");
    define(context, index);
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
}  // namespace epios::client
