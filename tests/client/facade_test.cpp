#include <gtest/gtest.h>

#include <cstddef>
#include <epios/epios.hpp>
#include <functional>
#include <optional>
#include <string>

#include "scratch.hpp"

namespace epios::client::facade_test {
namespace {

constexpr std::size_t long_text = 70000;

std::string iodef() {
  return R"(<simulation><context id="c"><calendar type="NoLeap" timestep="1d"/><variable_definition>
    <variable id="who" type="string">me</variable><variable id="long" type="string">)" +
         std::string(long_text, 'x') + "</variable></variable_definition></context></simulation>";
}

epios_code code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return EPIOS_SUCCESS;
}

/// A session that is closed too early says so, and is closed when its clients are.
TEST(Facade, ErrorsLeaveWhatTheyFound) {
  const Scratch scratch(iodef());
  Session session("c");
  Client client(session);
  EXPECT_EQ(version(), epios_version());
  EXPECT_EQ(client.servers().count, 1);
  EXPECT_TRUE(client.servers().attached);

  Context context = client.open_context("c");
  EXPECT_EQ(context.variable("who"), "me");
  EXPECT_EQ(context.variable("long"), std::string(long_text, 'x'));
  EXPECT_EQ(context.variable("nobody"), std::nullopt);

  EXPECT_EQ(session.open_clients(), 1);
  EXPECT_EQ(code_of([&] { session.close(); }), EPIOS_ERR_CALL_ORDER);
  ASSERT_NE(session.get(), nullptr);
  context.close_definition();
  context.finalize();
  client.close();
  EXPECT_EQ(code_of([&] { context.variable("who"); }), EPIOS_ERR_ARGUMENT);
  EXPECT_EQ(code_of([&] { session.close(); }), EPIOS_SUCCESS);
  EXPECT_EQ(session.get(), nullptr);
}

}  // namespace
}  // namespace epios::client::facade_test
