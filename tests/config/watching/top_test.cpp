// `epios top` as people and programs see it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "commands/command.hpp"
#include "config/watched_runs.hpp"

namespace epios::config::top_test {
namespace {

using test::Outcome;
using test::run;

std::string job_name() { return "top_test-" + std::to_string(::getpid()); }

WatchedRuns sample() {
  WatchedRuns runs;
  WatchedJob job;
  job.name = "n1-4711";
  job.batch_job = "991";
  job.processes = 3;
  job.pids = {4711, 4712};
  job.age_s = 3723;
  WatchedContext ocean;
  ocean.component = ocean.context = "ocean";
  ocean.clients = 2;
  ocean.date = "2000-01-02 00:00:00";
  ocean.step = 100;
  ocean.records = 10;
  ocean.bytes = 8'000'000;
  ocean.open_s = 10;
  ocean.client_s = 20;
  ocean.in_library_s = 4;
  ocean.blocked_s = 2;
  ocean.fullest_channel = 0.5;
  job.contexts.push_back(ocean);
  job.servers.push_back({0, 4713, false, 1, 10, 5, 2.5});
  job.files.push_back(
      {"ocean", "ocean", "daily.nc", SlotState::active, 1, 9, 4, 0, 7'200'000, 0.5, 9});
  job.files.push_back({"ocean", "ocean", "first.nc", SlotState::over, 1, 4, 4, 0, 1'000, 0.1, 10});
  job.waits.push_back({"client 1 of 'ocean'", "room", "server 0", 1.25});
  runs.jobs.push_back(job);
  return runs;
}

TEST(Top, shows_what_has_been_since_the_contexts_were_opened) {
  EXPECT_EQ(watch_table(sample(), nullptr, {}),
            R"(job n1-4711 (batch job 991): 2 of 3 processes here, 1 h 02 min
  component  context  date                 step  steps/s  clients  blocked  in EPIOS     fill  records  sent
  ocean      ocean    2000-01-02 00:00:00   100       10        2  10.00 %   20.00 %  50.00 %       10  8 MB
  server  process  contexts  receiving  writing
  0          4713         1    50.00 %  25.00 %
  file      state  written  durable  lost   bytes       rate  writing
  daily.nc  open         9        4     0  7.2 MB  14.4 MB/s  0.500 s
  first.nc  done         4        4     0    1 kB    10 kB/s  0.100 s
  all files: 7.2 MB, 1.93 kB/s
  waits
  client 1 of 'ocean': 1.2 s for server 0: room
)");
}

TEST(Top, shows_rates_between_two_looks) {
  const WatchedRuns before = sample();
  WatchedRuns now = sample();
  WatchedContext& ocean = now.jobs[0].contexts[0];
  ocean.step = 104;
  ocean.open_s = 12;
  ocean.client_s = 24;
  ocean.blocked_s = 5;
  now.jobs[0].servers[0].open_s = 12;
  now.jobs[0].servers[0].busy_s = 5.5;
  now.jobs[0].waits.clear();
  const std::string text = watch_table(now, &before, {});
  EXPECT_NE(text.find("  104     2.00        2  75.00 %    0.00 %"), std::string::npos) << text;
  EXPECT_NE(text.find("4713         1    25.00 %"), std::string::npos) << text;
  EXPECT_NE(text.find("nobody waits"), std::string::npos) << text;
  // A file that grew, and one that is new.
  now.jobs[0].age_s += 2;
  now.jobs[0].files[0].bytes += 6'000'000;
  now.jobs[0].files.push_back(
      {"ocean", "ocean", "new.nc", SlotState::active, 1, 1, 0, 0, 2'000'000, 0.5, 1});
  EXPECT_NE(watch_table(now, &before, {}).find("all files: 15.2 MB, 4 MB/s\n"), std::string::npos)
      << watch_table(now, &before, {});
  // A compressed file that ends has its size on disk, less than its data: would have found that all
  // of it counted as written since the look before.
  WatchedRuns ended = now;
  ended.jobs[0].age_s += 2;
  ended.jobs[0].files[0].bytes = 4'000'000;
  ended.jobs[0].files[0].state = SlotState::over;
  EXPECT_NE(watch_table(ended, &now, {}).find("all files: 6 MB, 0 B/s\n"), std::string::npos)
      << watch_table(ended, &now, {});
  // A context that was opened again in between counts from its start.
  now.jobs[0].contexts[0].step = 2;
  now.jobs[0].contexts[0].open_s = 1;
  EXPECT_NE(watch_table(now, &before, {}).find("    2     2.00"), std::string::npos)
      << watch_table(now, &before, {});
}

/// The first words of all lines, as far as they are names of these.
std::string order_of(const std::string& text, const std::vector<std::string>& names) {
  std::string out;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (std::count(names.begin(), names.end(), first) != 0) out += first + ' ';
  }
  return out;
}

// A key that sorts by something else, or not at all, would go unnoticed on a screen with one line.
TEST(Top, sorts_contexts_and_files_as_it_is_told) {
  WatchedRuns runs = sample();
  WatchedJob& job = runs.jobs[0];
  WatchedContext air = job.contexts[0];
  air.component = "air";
  air.blocked_s = 1;
  air.records = 5;
  air.bytes = 1;
  job.contexts.insert(job.contexts.begin(), air);
  job.files.clear();
  const auto add = [&](const char* path, SlotState state, std::int64_t written, std::int64_t bytes,
                       double writing_s, double age_s) {
    job.files.push_back({"ocean", "ocean", path, state, 1, written, 0, 0, bytes, writing_s, age_s});
  };
  add("old", SlotState::over, 1, 9, 9, 100);
  add("new", SlotState::over, 1, 8, 9, 10);
  add("quick", SlotState::active, 7, 7, 1, 50);
  add("slow", SlotState::active, 2, 6, 3, 50);
  add("failed", SlotState::failed, 1, 1, 0, 50);
  const auto contexts = [&](WatchOrder order) {
    return order_of(watch_table(runs, nullptr, {.order = order}), {"air", "ocean"});
  };
  EXPECT_EQ(contexts(WatchOrder::name), "air ocean ");
  EXPECT_EQ(contexts(WatchOrder::blocked), "ocean air ");
  EXPECT_EQ(contexts(WatchOrder::records), "ocean air ");
  EXPECT_EQ(contexts(WatchOrder::bytes), "ocean air ");
  const auto files = [&](WatchTable table) {
    return order_of(watch_table(runs, nullptr, table), {"old", "new", "quick", "slow", "failed"});
  };
  EXPECT_EQ(files({}), "failed slow quick new old ");
  EXPECT_EQ(files({.order = WatchOrder::bytes}), "failed quick slow old new ");
  EXPECT_EQ(files({.order = WatchOrder::records}), "failed quick slow old new ");
  EXPECT_EQ(files({.most_files = 2}), "failed slow ");
  EXPECT_NE(watch_table(runs, nullptr, {.most_files = 2}).find("and 3 more files"),
            std::string::npos);
}

TEST(Top, what_a_page_says_cannot_command_the_terminal) {
  WatchedRuns runs = sample();
  runs.jobs[0].files[0].path = "\x1b[2Jx\n.nc";
  const std::string text = watch_table(runs, nullptr, {});
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("\\x1b[2Jx\\x0a.nc"), std::string::npos) << text;
}

TEST(Top, prints_json_of_a_job) {
  RunPage::Contents contents;
  contents.job = job_name();
  contents.slots = {1, 1, 1, 1};
  RunPage page(contents, 1);
  const auto client = page.take_client("ocean", "o\xff", 0);
  client->step.set(12);
  const auto server = page.take_server(0);
  const auto file = page.take_file("ocean", "o", "daily.nc", 0);
  file->written.set(3);
  const Outcome outcome = run("top --json --job " + job_name());
  ASSERT_EQ(outcome.exit_code, 0) << outcome.text;
  const auto json = nlohmann::json::parse(outcome.text);
  EXPECT_EQ(json.at("epios_top"), 1);
  const auto& job = json.at("jobs").at(0);
  EXPECT_EQ(job.at("contexts").at(0).at("step"), 12);
  EXPECT_EQ(job.at("processes_here").at(0), ::getpid());
  EXPECT_EQ(job.at("servers").at(0).at("rank"), 0);
  EXPECT_EQ(job.at("files").at(0).at("records_written"), 3);
  EXPECT_EQ(job.at("files").at(0).at("state"), "open");
}

TEST(Top, says_that_there_is_no_run) {
  const Outcome outcome = run("top --once --job none-of-them");
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_EQ(outcome.text.substr(0, outcome.text.find('\n')), "no run of EPIOS on this node");
}

TEST(Top, without_a_terminal_asks_for_once) {
  const Outcome outcome = run("top < /dev/null");
  EXPECT_EQ(outcome.exit_code, 2);
  EXPECT_EQ(outcome.text,
            "epios: no keys can be read (Inappropriate ioctl for device). Is standard input a "
            "terminal? epios top --once needs none.\n");
}

/// `epios top` in a terminal of its own.
class InTerminal {
 public:
  InTerminal() {
    winsize size{};
    size.ws_row = 12;
    size.ws_col = 60;
    const std::string job = job_name();  // of this process
    child_ = ::forkpty(&terminal_, nullptr, nullptr, &size);
    if (child_ == 0) {
      ::execl(EPIOS_COMMAND, "epios", "top", "--interval", "0.1", "--job", job.c_str(), nullptr);
      ::_exit(127);
    }
  }
  InTerminal(const InTerminal&) = delete;
  InTerminal(InTerminal&&) = delete;
  InTerminal& operator=(const InTerminal&) = delete;
  InTerminal& operator=(InTerminal&&) = delete;
  ~InTerminal() {
    if (child_ > 0) {
      ::kill(child_, SIGKILL);
      ::waitpid(child_, nullptr, 0);
    }
    ::close(terminal_);
  }
  /// Reads until the text has been printed after what was looked at before. What is printed in one
  /// go may come in pieces, and several pages in one piece: the rest is for the next call. The
  /// limit is for a text that never comes, on a machine that has much else to do.
  bool shows(const std::string& text) {
    std::array<char, 4096> buffer{};
    pollfd ready{terminal_, POLLIN, 0};
    seen_ = std::exchange(rest_, {});
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (seen_.find(text) == std::string::npos) {
      if (std::chrono::steady_clock::now() > end || ::poll(&ready, 1, 60000) != 1) return false;
      const ssize_t got = ::read(terminal_, buffer.data(), buffer.size());
      if (got <= 0) return false;
      seen_.append(buffer.data(), static_cast<std::size_t>(got));
    }
    const std::size_t behind = seen_.find(text) + text.size();
    rest_ = seen_.substr(behind);
    seen_.resize(behind);
    return true;
  }
  void press(char key) const { EXPECT_EQ(::write(terminal_, &key, 1), 1); }
  void signal(int number) const { EXPECT_EQ(::kill(child_, number), 0); }
  int exit_code() {
    int status = 0;
    ::waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  const std::string& seen() const { return seen_; }

 private:
  pid_t child_ = -1;
  int terminal_ = -1;
  std::string seen_, rest_;
};

TEST(Top, follows_a_run_to_its_end_and_obeys_keys) {
  InTerminal top;
  ASSERT_TRUE(top.shows("no run of EPIOS on this node")) << top.seen();
  {
    RunPage::Contents contents;
    contents.job = job_name();
    contents.slots = {1, 0, 0, 1};
    RunPage page(contents, 1);
    const auto client = page.take_client("ocean", "o", 0);
    client->step.set(41);
    client->year.set(1999);
    client->month.set(12);
    client->day.set(31);
    ASSERT_TRUE(top.shows("1999-12-31 00:00:00    41")) << top.seen();
    client->step.set(42);
    ASSERT_TRUE(top.shows("00:00:00    42")) << top.seen();
    ASSERT_TRUE(top.shows("nobody waits")) << top.seen();
    top.press('b');
    ASSERT_TRUE(top.shows("by blocked")) << top.seen();
    // Waits go, and come back.
    top.press('w');
    const auto end_of_page = [&] { return top.shows("\x1b[J") && top.shows("\x1b[J"); };
    int looks = 0;
    do {
      ASSERT_TRUE(end_of_page()) << top.seen();
      ASSERT_LT(++looks, 500) << top.seen();  // pages from before the key may be many
    } while (top.seen().find("nobody waits") != std::string::npos);
    top.press('w');
    ASSERT_TRUE(top.shows("nobody waits")) << top.seen();
  }
  // Whoever looks away for a moment sees how it ended.
  ASSERT_TRUE(top.shows("1 of 1 process here, over")) << top.seen();
  ASSERT_TRUE(top.shows("00:00:00 (over)    42")) << top.seen();
  top.press('q');
  EXPECT_TRUE(top.shows("\x1b[?25h\x1b[?1049l")) << top.seen();
  EXPECT_EQ(top.exit_code(), 0);
}

TEST(Top, gives_the_terminal_back_when_it_is_told_to_end) {
  InTerminal top;
  ASSERT_TRUE(top.shows("no run of EPIOS")) << top.seen();
  top.signal(SIGTERM);
  EXPECT_TRUE(top.shows("\x1b[?25h\x1b[?1049l")) << top.seen();
  EXPECT_EQ(top.exit_code(), 0);
}

}  // namespace
}  // namespace epios::config::top_test
