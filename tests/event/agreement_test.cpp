// Actions that all endpoints do, or none: who has which error to tell.
#include "event/agreement.hpp"

#include <gtest/gtest.h>

#include <ep/ep.hpp>
#include <string>

#include "config/echoed_error.hpp"

namespace epios::io::agreement_test {
namespace {

/// What `action` throws: "", or who is to tell it and the text.
template <class Action>
std::string thrown_by(const Action& action) {
  try {
    action();
  } catch (const EchoedError& error) {
    return std::string("echo: ") + error.what();
  } catch (const Error& error) {
    return std::string("own: ") + error.what();
  }
  return {};
}

TEST(Agreement, has_one_who_tells) {
  const ep::Comm world = ep::Comm::from_mpi(MPI_COMM_WORLD);
  const std::string who = world.rank() == 0 ? "own: " : "echo: ";
  const auto fail = [] { throw Error(ErrorCode::configuration, "no calendar"); };
  EXPECT_EQ(thrown_by([&] { all_or_none(world, [] {}); }), "");
  EXPECT_EQ(thrown_by([&] { all_or_none(world, fail); }), who + "no calendar");
  EXPECT_EQ(thrown_by([&] { report_once(world, fail); }), who + "no calendar");
  if (world.size() == 1) return;
  const auto last_fails = [&] {
    if (world.rank() + 1 == world.size()) fail();
  };
  EXPECT_EQ(thrown_by([&] { all_or_none(world, last_fails); }),
            who + "client " + std::to_string(world.size() - 1) + ": no calendar");
}

}  // namespace
}  // namespace epios::io::agreement_test
