// Pages as other processes see them: rights, slots, death, and files that are no pages.
#include "config/run_page.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "commands/command.hpp"
#include "config/watched_runs.hpp"

namespace epios::config::run_page_test {
namespace {

namespace fs = std::filesystem;

/// A job of which this process is the only one here, under a name of the test's own.
RunPage::Contents contents(std::array<std::uint32_t, slot_kinds> slots = {4, 1, 3, 4, 0, 0}) {
  RunPage::Contents out;
  out.job = std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + "-" +
            std::to_string(::getpid());
  out.process = 1;
  out.processes = 3;
  out.components = {"atm", "ocean"};
  out.slots = slots;
  return out;
}

WatchedJob look() {
  const WatchedRuns runs = RunWatch(contents().job).look();
  return runs.jobs.size() == 1 ? runs.jobs.front() : WatchedJob();
}

void set_client(ClientSlot& slot, std::int64_t step, double blocked_s) {
  slot.step.set(step);
  slot.year.set(2000);
  slot.month.set(2);
  slot.day.set(static_cast<int>(step));
  slot.hour.set(6);
  slot.records.set(10 * step);
  slot.bytes.set(1000 * step);
  slot.blocked_s.set(blocked_s);
  slot.fullest_channel.set(0.25);
}

TEST(RunPage, is_for_its_user_alone_and_goes_with_the_process) {
  std::string path;
  {
    const mode_t before = ::umask(0777);
    const RunPage page(contents(), 4711);
    ::umask(before);
    ASSERT_EQ(page.problem(), "");
    path = page.path();
    EXPECT_TRUE(path.starts_with("/dev/shm/epios-page-4711-" + std::to_string(::getpid()) + "-"))
        << path;
    EXPECT_EQ(path.substr(path.rfind('-') + 1).size(), 16U);
    struct stat info {};
    ASSERT_EQ(::stat(path.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777U, 0600U);
    EXPECT_NE(RunPage(contents(), 4711).path(), path);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(RunPage, is_not_made_against_the_users_wish) {
  ::setenv("EPIOS_PAGE", "0", 1);
  RunPage page(contents(), 1);
  ::unsetenv("EPIOS_PAGE");
  EXPECT_EQ(page.path(), "");
  EXPECT_EQ(page.problem(), "");
  page.take_client("ocean", "o", 0)->step.set(3);  // for nobody
  EXPECT_EQ(look().processes, 0);
}

TEST(RunPage, clients_of_a_context_are_put_together) {
  RunPage page(contents(), 1);
  const auto first = page.take_client("ocean", "o", 0);
  const auto second = page.take_client("ocean", "o", 1);
  const auto other = page.take_client("ocean", "p", 0);
  set_client(*first, 9, 1.5);
  set_client(*second, 8, 0.5);
  const WatchedJob job = look();
  EXPECT_EQ(job.processes, 3);
  EXPECT_EQ(job.pids, std::vector<std::int64_t>{::getpid()});
  ASSERT_EQ(job.contexts.size(), 2U);
  const WatchedContext& of = job.contexts.front();
  EXPECT_EQ(of.component + "/" + of.context, "ocean/o");
  EXPECT_EQ(of.clients, 2);
  EXPECT_EQ(of.step, 8);
  EXPECT_EQ(of.date, "2000-02-08 06:00:00");
  EXPECT_EQ(of.records, 90);
  EXPECT_EQ(of.bytes, 17000);
  EXPECT_DOUBLE_EQ(of.blocked_s, 2.0);
  EXPECT_DOUBLE_EQ(of.most_blocked_s, 1.5);
  EXPECT_FALSE(of.is_over);
}

TEST(RunPage, a_context_that_is_over_stays_until_its_slot_is_needed) {
  RunPage page(contents({2, 0, 0, 0}), 1);
  page.take_client("ocean", "first", 0)->step.set(7);
  ASSERT_EQ(look().contexts.size(), 1U);
  EXPECT_TRUE(look().contexts.front().is_over);
  EXPECT_EQ(look().contexts.front().step, 7);
  const auto second = page.take_client("ocean", "second", 0);
  const auto third = page.take_client("ocean", "third", 0);
  const auto fourth = page.take_client("ocean", "fourth", 0);
  fourth->step.set(5);
  const WatchedJob job = look();
  ASSERT_EQ(job.contexts.size(), 2U);
  EXPECT_EQ(job.contexts[0].context, "second");
  EXPECT_EQ(job.contexts[1].context, "third");
  EXPECT_EQ(job.contexts[1].step, 0);
  EXPECT_EQ(job.unseen, 1);
}

TEST(RunPage, writers_of_one_file_are_put_together) {
  RunPage page(contents(), 1);
  const std::string path = std::string(300, 'x') + "/daily.nc";
  const auto first = page.take_file("ocean", "o", path, 0);
  const auto second = page.take_file("ocean", "o", path, 1);
  first->written.set(5);
  first->durable.set(4);
  first->bytes.set(100);
  second->written.set(6);
  second->durable.set(2);
  second->bytes.set(50);
  second->lost.set(1);
  const WatchedJob job = look();
  ASSERT_EQ(job.files.size(), 1U);
  const WatchedFile& of = job.files.front();
  EXPECT_EQ(of.path, path.substr(path.size() - 248));
  EXPECT_EQ(of.writers, 2);
  EXPECT_EQ(of.written, 5);
  EXPECT_EQ(of.durable, 2);
  EXPECT_EQ(of.lost, 1);
  EXPECT_EQ(of.bytes, 150);
  EXPECT_EQ(of.state, SlotState::active);
  second->state.set(SlotState::failed);
  EXPECT_EQ(look().files.front().state, SlotState::failed);
}

TEST(RunPage, fields_that_were_waited_for_are_summed_over_clients) {
  RunPage page(contents(), 1);
  const auto first = page.take_client("ocean", "o", 0);
  const auto second = page.take_client("ocean", "o", 1);
  const auto block = [](BlockedField& field, int stream, const char* name, double blocked_s) {
    field.name.set(name);
    field.blocked_s.set(blocked_s);
    field.stream.set(stream);
  };
  block(first->blocked[0], 1, "tos", 1);
  block(first->blocked[3], 2, "sos", 0.5);
  block(second->blocked[0], 2, "sos", 2);
  block(second->blocked[1], 0, "nobody", 9);
  const WatchedJob job = look();
  ASSERT_EQ(job.contexts.size(), 1U);
  const std::vector<WatchedField>& fields = job.contexts[0].blocked_fields;
  ASSERT_EQ(fields.size(), 2U);
  EXPECT_EQ(fields[0].name, "sos");
  EXPECT_EQ(fields[0].blocked_s, 2.5);
  EXPECT_EQ(fields[1].name, "tos");
}

TEST(RunPage, lines_of_the_log_are_the_newest_ones_in_order) {
  RunPage page(contents({1, 1, 1, 1, 0, 3}), 1);
  for (int i = 0; i < 5; ++i) {
    page.add_line(LineSlot::Severity::warning, "server 0: ", std::to_string(i));
  }
  page.add_line(LineSlot::Severity::error, std::string(400, 'x'), std::string(400, 'y'));
  const std::vector<WatchedLine> lines = look().lines;
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].text, "server 0: 3");
  EXPECT_EQ(lines[1].text, "server 0: 4");
  EXPECT_EQ(lines[1].severity, "warning");
  EXPECT_EQ(lines[2].severity, "error");
  EXPECT_EQ(lines[2].text, std::string(400, 'x') + std::string(104, 'y'));
}

TEST(RunPage, maps_are_never_seen_half) {
  RunPage page(contents({0, 1, 0, 0, 2, 0}), 1);
  EXPECT_TRUE(page.take_maps(3 * MapSlot::most_cells).empty());
  const auto slots = page.take_maps(2 * MapSlot::most_cells);
  ASSERT_EQ(slots.size(), 2U);
  EXPECT_TRUE(page.take_maps(1).empty());
  WatchedMap wanted;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    MapSlot& slot = *slots[s];
    slot.field.set("tos");
    slot.columns.set(static_cast<std::int32_t>(2 * MapSlot::most_cells));
    slot.rows.set(1);
    slot.cells.set(MapSlot::most_cells);
    slot.own.set(MapSlot::most_cells);
    for (std::size_t i = 0; i < MapSlot::most_cells; ++i) {
      slot.cell[i].set(static_cast<std::uint16_t>(s * MapSlot::most_cells + i));
      slot.lon[i].set(1);
      slot.lat[i].set(2);
    }
  }
  wanted.field = "tos";
  RunWatch watch(contents().job);
  watch.look();
  EXPECT_FALSE(watch.map(contents().job, wanted));
  std::atomic<bool> is_over{false};
  std::thread writer([&] {
    for (std::int64_t record = 0; !is_over; ++record) {
      for (const auto& slot : slots) {
        slot->set(record, {record, 1, 1, 0, 0, 0},
                  [record](std::size_t) { return static_cast<float>(record); });
      }
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!watch.map(contents().job, wanted) && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();  // the first record
  }
  int looks = 0;
  for (int i = 0; i < 200; ++i) {
    const auto sample = watch.map(contents().job, wanted);
    if (!sample) continue;
    ++looks;
    // Each slot is of one record.
    for (std::size_t c = 1; c < sample->values.size(); ++c) {
      const float value = sample->values[c];
      const bool is_read = !std::isnan(value);  // not in vain, as long as somebody writes
      if (c % MapSlot::most_cells == 0 || !is_read) continue;
      if (value != sample->values[c - 1]) ADD_FAILURE() << "cell " << c;
    }
  }
  is_over = true;
  writer.join();
  EXPECT_GT(looks, 100);
}

// Numbers in a page that no map has are not followed.
TEST(RunPage, maps_of_impossible_sizes_are_not_read) {
  RunPage page(contents({0, 1, 0, 0, 1, 0}), 1);
  const auto slots = page.take_maps(1);
  MapSlot& slot = *slots.at(0);
  slot.field.set("tos");
  WatchedMap wanted;
  wanted.field = "tos";
  for (const auto& [columns, rows, cells] :
       {std::tuple{1 << 30, 1 << 30, 1}, std::tuple{-1, 5, 1}, std::tuple{2, 1, 1 << 30}}) {
    slot.columns.set(columns);
    slot.rows.set(rows);
    slot.cells.set(std::min<int>(cells, MapSlot::most_cells));
    for (auto& cell : slot.cell) cell.set(60'000);
    slot.set(0, {}, [](std::size_t) { return 1.0F; });
    slot.cells.set(cells);
    slot.own.set(cells);
    RunWatch watch(contents().job);
    watch.look();
    const auto sample = watch.map(contents().job, wanted);
    EXPECT_TRUE(!sample || sample->values.empty());
  }
}

TEST(RunPage, waits_name_both_sides) {
  RunPage page(contents(), 1);
  auto wait = page.take_wait();
  wait->who.kind.set(PageActor::Kind::server);
  wait->who.rank.set(2);
  wait->whom.kind.set(PageActor::Kind::client);
  wait->whom.component.set(1);
  wait->whom.rank.set(3);
  wait->number_whom.set(5);
  wait->what.set("parts of ", "event 7");
  EXPECT_TRUE(look().waits.empty());  // not told yet
  wait->state.set(SlotState::active);
  ASSERT_EQ(look().waits.size(), 1U);
  const WatchedWait of = look().waits.front();
  EXPECT_EQ(of.who, "server 2");
  EXPECT_EQ(of.whom, "client 3 of 'ocean' and 4 more");
  EXPECT_EQ(of.what, "parts of event 7");
  wait.reset();
  EXPECT_TRUE(look().waits.empty());
}

// Who reads while others write sees one text or the other.
TEST(RunPage, texts_are_never_seen_half) {
  PageText<184> text;
  const std::string a(150, 'a');
  const std::string b(170, 'b');
  text.set(a);
  std::atomic<bool> ends{false};
  std::thread writer([&] {
    while (!ends) {
      text.set(b);
      text.set(a);
    }
  });
  int mixed = 0;
  int seen_b = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::string got = text.get();
    if (got == b) ++seen_b;
    if (got != a && got != b && !got.empty()) ++mixed;
  }
  ends = true;
  writer.join();
  EXPECT_EQ(mixed, 0);
  text.set(b);
  EXPECT_EQ(text.get(), b);
}

// A file of metrics is written last when the processes of the model may be gone already.
TEST(RunPage, a_watch_of_a_job_remembers_processes_that_have_ended) {
  RunWatch watch(contents().job);
  EXPECT_TRUE(watch.look().jobs.empty());
  {
    RunPage page(contents(), 1);
    EXPECT_EQ(watch.look().jobs.size(), 1U);
    const auto client = page.take_client("ocean", "o", 0);
    set_client(*client, 5, 0.5);
  }
  EXPECT_EQ(look().processes, 0);
  const WatchedRuns runs = watch.look();
  ASSERT_EQ(runs.jobs.size(), 1U);
  const WatchedJob& job = runs.jobs.front();
  EXPECT_TRUE(job.is_over());
  EXPECT_TRUE(job.gone.empty());
  EXPECT_EQ(job.ended, std::vector<std::int64_t>{::getpid()});
  ASSERT_EQ(job.contexts.size(), 1U);
  EXPECT_EQ(job.contexts.front().step, 5);
  EXPECT_TRUE(job.contexts.front().is_over);
  const std::string text = watch_table(runs, nullptr, {});
  EXPECT_NE(text.find("1 of 3 processes here, over, "), std::string::npos) << text;
  EXPECT_EQ(text.find("waits"), std::string::npos) << text;
  // Its time has stopped.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(watch.look().jobs.front().age_s, job.age_s);
}

// Would have found processes that ended in order, and were taken for killed ones where their page
// went between the look at its name and the one at its lock.
TEST(RunPage, a_page_that_goes_while_it_is_opened_is_of_a_process_that_ended) {
  const RunPage::Contents own = contents();
  RunWatch watch(own.job);
  std::atomic<bool> is_over{false};
  std::thread pages([&own, &is_over] {
    constexpr int many = 300;
    for (int n = 0; n < many; ++n) const RunPage page(own, 1);
    is_over = true;
  });
  std::size_t gone = 0;
  while (!is_over) {
    for (const WatchedJob& job : watch.look().jobs) gone += job.gone.size();
  }
  pages.join();
  EXPECT_EQ(gone, 0U);
}

// A client that throws removes its page, and leaves its contexts as they are; so does a killed one
// whose page the next run removes between two looks. Both were taken for processes that had ended.
TEST(RunPage, a_page_that_is_removed_with_a_context_open_is_of_a_process_that_ended_early) {
  RunWatch watch(contents().job);
  RunPage page(contents(), 1);
  const auto client = page.take_client("ocean", "o", 0);
  EXPECT_EQ(watch.look().jobs.size(), 1U);
  page.unlink();
  const WatchedJob job = watch.look().jobs.at(0);
  EXPECT_TRUE(job.is_over());
  EXPECT_TRUE(job.ended.empty());
  EXPECT_EQ(job.gone, std::vector<std::int64_t>{::getpid()});
  ASSERT_EQ(job.contexts.size(), 1U);
  EXPECT_FALSE(job.contexts.front().is_over);
}

// A watch that goes on for weeks would otherwise hold the pages of all jobs of its node.
TEST(RunPage, a_watch_forgets_all_but_the_last_jobs) {
  RunWatch watch;
  const auto name = [](std::size_t i) { return contents().job + "." + std::to_string(i); };
  const auto mine = [&] {
    std::vector<std::string> out;
    for (const WatchedJob& job : watch.look().jobs) {
      if (job.name.starts_with(contents().job)) out.push_back(job.name);
    }
    return out;
  };
  const RunPage living(contents(), 1);
  for (std::size_t i = 0; i < RunWatch::most_past_jobs + 2; ++i) {
    RunPage::Contents of_job = contents();
    of_job.job = name(i);
    const RunPage page(of_job, 1);
    const std::vector<std::string> seen = mine();
    ASSERT_GE(seen.size(), 2U);
    EXPECT_EQ(seen[0], contents().job);  // those that live come first
    EXPECT_EQ(seen[1], name(i));
  }
  const std::vector<std::string> left = mine();
  EXPECT_LE(left.size(), 1 + RunWatch::most_past_jobs);  // those of other tests count, too
  EXPECT_EQ(left.back(), name(RunWatch::most_past_jobs + 1));
  EXPECT_EQ(std::count(left.begin(), left.end(), name(0)), 0);
  EXPECT_EQ(std::count(left.begin(), left.end(), name(1)), 0);
}

/// Leaves a page as a killed process does. Returns the number of the process.
pid_t leave_page(const RunPage::Contents& of_job) {
  const pid_t child = ::fork();
  if (child == 0) {
    RunPage page(of_job, 1);
    const auto slot = page.take_client("ocean", "o", 0);
    set_client(*slot, 4, 0);
    ::_exit(page.problem().empty() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  return child;
}

bool remove_page_of(pid_t process) {
  const std::string prefix = "epios-page-1-" + std::to_string(process) + "-";
  bool is_there = false;
  for (const auto& entry : fs::directory_iterator("/dev/shm")) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    is_there = fs::remove(entry.path());
  }
  return is_there;
}

TEST(RunPage, a_process_that_was_killed_is_told_from_one_that_lives) {
  const RunPage::Contents of_job = contents();
  constexpr int attempts = 5;
  for (int attempt = 1; attempt <= attempts; ++attempt) {
    const pid_t child = leave_page(of_job);
    const WatchedJob job = look();
    const std::string text = test::run("top --once --job " + contents().job).text;
    // Any run that starts on this node cleans up, too, such as one of a test beside this one.
    if (!remove_page_of(child) && attempt < attempts) continue;
    EXPECT_TRUE(job.pids.empty());
    EXPECT_EQ(job.gone, std::vector<std::int64_t>{child});
    ASSERT_EQ(job.contexts.size(), 1U);
    EXPECT_EQ(job.contexts.front().step, 4);
    EXPECT_NE(text.find("process " + std::to_string(child) + " ended early (killed?)"),
              std::string::npos)
        << text;
    return;
  }
}

/// A file under the name of a page, locked as if its process lived.
class Planted {
 public:
  Planted(const std::string& name, std::size_t bytes, mode_t mode = 0600)
      : path_("/dev/shm/epios-page-0-" + name) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    EXPECT_EQ(::ftruncate(file_, static_cast<off_t>(bytes)), 0);
    EXPECT_EQ(::fchmod(file_, mode), 0);
    EXPECT_EQ(::flock(file_, LOCK_EX), 0);
  }
  Planted(const Planted&) = delete;
  Planted(Planted&&) = delete;
  Planted& operator=(const Planted&) = delete;
  Planted& operator=(Planted&&) = delete;
  ~Planted() {
    ::close(file_);
    ::unlink(path_.c_str());
  }
  void write(const PageHead& head) const {
    EXPECT_EQ(::pwrite(file_, &head, sizeof head, 0), static_cast<ssize_t>(sizeof head));
  }
  const std::string& path() const { return path_; }
  int file() const { return file_; }

 private:
  std::string path_;
  int file_ = -1;
};

bool has_problem(const std::string& text) {
  const WatchedRuns runs = RunWatch("no such job").look();
  return std::count(runs.problems.begin(), runs.problems.end(), text) == 1;
}

TEST(RunPage, pages_of_other_versions_are_said) {
  const Planted planted("version", 65536);
  PageHead head;
  head.version.set(77);
  head.magic.store(page_magic);
  planted.write(head);
  EXPECT_TRUE(has_problem("'" + planted.path() +
                          "' cannot be read (it has version 77, and this program reads version 3. "
                          "Use the epios of the run's own installation?)"));
}

TEST(RunPage, pages_with_impossible_sizes_are_not_followed) {
  const Planted planted("sizes", sizeof(PageHead));
  PageHead head;
  head.version.set(page_version);
  head.slot_bytes[0].set(sizeof(ClientSlot));
  head.slot_bytes[1].set(sizeof(ServerSlot));
  head.slot_bytes[2].set(sizeof(FileSlot));
  head.slot_bytes[3].set(sizeof(WaitSlot));
  head.counts[2].set(0xffffffffU);
  head.magic.store(page_magic);
  planted.write(head);
  EXPECT_TRUE(
      has_problem("'" + planted.path() + "' cannot be read (its sizes are not those of a page)"));
}

TEST(RunPage, files_that_others_may_open_and_links_are_not_read) {
  const Planted open("open", 65536, 0644);
  EXPECT_TRUE(has_problem("'" + open.path() +
                          "' cannot be read (it has mode 100644 (expected a file of mode 0600))"));
  const std::string link = "/dev/shm/epios-page-0-link";
  fs::create_symlink(open.path(), link);
  EXPECT_TRUE(has_problem("'" + link + "' cannot be read (Too many levels of symbolic links)"));
  fs::remove(link);
}

TEST(RunPage, pages_of_other_users_are_counted_and_not_touched) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may make a file of another user";
  const Planted planted("foreign", 65536);
  const int before = RunWatch("no such job").look().of_others;
  ASSERT_EQ(::fchown(planted.file(), 65534, 65534), 0);
  EXPECT_EQ(RunWatch("no such job").look().of_others, before + 1);
  EXPECT_NE(test::run("top --once").text.find("of other users, which only they can read"),
            std::string::npos);
}

}  // namespace
}  // namespace epios::config::run_page_test
