// `epios live` beside a run that goes on, and ends.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

#include "commands/command.hpp"
#include "config/run_page.hpp"

namespace epios::config::live_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;
using test::run_line;

TEST_F(Command, live_answers_those_who_know_the_token) {
  if (run("live --help").exit_code != 0) GTEST_SKIP() << "built without cpp-httplib";
  RunPage::Contents contents;
  contents.job = "live_test-" + std::to_string(::getpid());
  contents.slots = {1, 0, 1, 0};
  Outcome outcome;
  std::thread client;
  {
    RunPage page(contents, 1);
    const auto context = page.take_client("ocean", "o", 0);
    context->step.set(7);
    const auto file = page.take_file("ocean", "o", "daily.nc", 0);
    client = std::thread([&, job = contents.job] {
      outcome = run_line("python3 " EPIOS_TEST_FOLDER "/live/live_client.py " EPIOS_COMMAND " " +
                         job + " " + folder.string() + " 2>&1");
      std::ofstream(folder / "asked") << "";  // also if it failed before
    });
    while (!std::filesystem::exists(folder / "asked")) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
  std::ofstream(folder / "over") << "";
  client.join();
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
}

}  // namespace
}  // namespace epios::config::live_test
