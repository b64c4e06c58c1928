// `epios top --connect` beside an `epios live`, and beside what is none; and the distribution's
// Prometheus, which scrapes one.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "commands/command.hpp"
#include "config/error.hpp"
#include "config/run_page.hpp"
#include "config/watched_runs.hpp"

namespace epios::config::top_over_tcp_test {
namespace {

using test::Command;
using test::Outcome;
using test::run;
using test::run_line;

/// A job with one of everything, which this process has the page of.
class RunBeside : public Command {
 protected:
  void SetUp() override {
    Command::SetUp();
    const char* const test = testing::UnitTest::GetInstance()->current_test_info()->name();
    contents.job = test + std::to_string(::getpid());
    contents.components = {"ocean"};
    contents.slots = {1, 1, 1, 1, 1, 1};
    page = std::make_unique<RunPage>(contents, 1);
    client = page->take_client("ocean", "o", 0);
    client->step.set(7);
    client->year.set(1999);
    client->month.set(12);
    client->day.set(31);
    client->blocked[2].name.set("tos");
    client->blocked[2].blocked_s.set(0.5);
    client->blocked[2].stream.set(4);
    server = page->take_server(0);
    server->contexts.set(1);
    file = page->take_file("ocean", "o", "daily.nc", 0);
    file->written.set(3);
    maps = page->take_maps(1);
    maps.at(0)->field.set("tos");
    maps.at(0)->set(2, {2000, 1, 2, 0, 0, 0}, [](std::size_t) { return 0.0F; });
    page->add_line(LineSlot::Severity::warning, "server 0: ", "the disk is slow");
    wait = page->take_wait();
    wait->what.set("room");
    wait->state.set(SlotState::active);
  }
  void TearDown() override {
    client.reset();
    server.reset();
    file.reset();
    wait.reset();
    maps.clear();
    page.reset();
    Command::TearDown();
  }
  Outcome python(const std::string& script) const {
    return run_line("python3 " EPIOS_TEST_FOLDER "/live/" + script + " " EPIOS_COMMAND " " +
                    contents.job + " " + folder.string() + " 2>&1");
  }
  RunPage::Contents contents;
  std::unique_ptr<RunPage> page;
  HeldSlot<ClientSlot> client;
  HeldSlot<ServerSlot> server;
  HeldSlot<FileSlot> file;
  HeldSlot<WaitSlot> wait;
  std::vector<HeldSlot<MapSlot>> maps;
};

TEST_F(RunBeside, is_read_back_from_its_json) {
  const std::string text = to_json(RunWatch(contents.job).look());
  EXPECT_EQ(to_json(read_watched_runs(text)), text);
  for (const char* part :
       {"\"daily.nc\"", "\"blocked_s\": 0.5", "2000-01-02", "the disk is slow"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  }
}

TEST_F(RunBeside, says_what_is_no_look_at_runs) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      read_watched_runs(text);
    } catch (const Error& error) {
      return error.what();
    }
    return {};
  };
  std::string text = to_json(RunWatch(contents.job).look());
  EXPECT_EQ(problem(text), "");
  const std::string key = "\"epios_top\": 1";
  EXPECT_EQ(problem(std::string(text).replace(text.find(key), key.size(), "\"epios_top\": 2")),
            "it has version 2, and this program reads version 1. Use the epios of the installation "
            "that answers?");
  const std::string steps = "\"step\": 7";
  for (const std::string& other : {std::string("\"step\": \"7\""), std::string("\"steps\": 7")}) {
    const std::string broken = std::string(text).replace(text.find(steps), steps.size(), other);
    EXPECT_TRUE(problem(broken).starts_with("it is not what epios live gives ("))
        << problem(broken);
  }
  EXPECT_TRUE(problem("<html>").starts_with("it is not what epios live gives (")) << problem("<");
}

TEST_F(RunBeside, is_shown_over_tcp_to_those_who_know_the_token) {
  if (run("live --help").exit_code != 0) GTEST_SKIP() << "built without cpp-httplib";
  const Outcome outcome = python("top_over_tcp.py");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
}

TEST_F(RunBeside, is_scraped_by_prometheus) {
  if (run("live --help").exit_code != 0) GTEST_SKIP() << "built without cpp-httplib";
  if (run_line("prometheus --version 2>&1").exit_code != 0) {
    GTEST_SKIP() << "no prometheus here (Debian: prometheus)";
  }
  const Outcome outcome = python("prometheus_client.py " EPIOS_SOURCE_FOLDER);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.text;
}

/// A copy of `epios` that has no program beside it.
TEST_F(RunBeside, needs_the_program_that_has_http) {
  std::filesystem::copy_file(EPIOS_COMMAND, folder / "epios");
  const Outcome outcome = run_line((folder / "epios").string() +
                                   " top --connect http://localhost:1/0123456789abcdef/ 2>&1");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.text, "epios: '" + (folder / "epios-live").string() +
                              "' cannot be started (No such file or directory). It is built where "
                              "cpp-httplib is (Debian: libcpp-httplib-dev). Install that, and "
                              "build EPIOS again?\n");
}

}  // namespace
}  // namespace epios::config::top_over_tcp_test
