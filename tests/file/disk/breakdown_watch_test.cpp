// How processes end that read damaged files: each case in a child of its own.
#include "disk/breakdown_watch.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <thread>

#include "config/error.hpp"
#include "scratch.hpp"

namespace epios::io::breakdown_watch_test {
namespace {

using test::Scratch;

struct End {
  int status = 0;  ///< negative: of this signal
  std::string said;
};

End end_of(const std::function<void()>& action) {
  const Scratch scratch;
  const std::string path = scratch.file("said.txt");
  const pid_t child = fork();
  if (child == 0) {
    alarm(50);
    for (const int number : {SIGSEGV, SIGABRT, SIGXCPU, SIGALRM}) ::signal(number, SIG_DFL);
    if (std::freopen(path.c_str(), "w", stderr) == nullptr) _exit(99);
    action();
    _exit(0);
  }
  End out;
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  out.status = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  std::ifstream in(path);
  out.said = {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return out;
}

void touch_nothing() {
  const volatile std::uintptr_t nowhere = 64;
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

int use_up_the_stack(int depth) {
  std::array<char, 4096> room{};
  volatile char* const seen = room.data();
  *seen = static_cast<char>(depth);
  return depth < 0 ? 0 : use_up_the_stack(depth + 1) + *seen;
}

/// Of processor time.
void work_for(double seconds) {
  const std::clock_t start = std::clock();
  while (static_cast<double>(std::clock() - start) < seconds * CLOCKS_PER_SEC) continue;
}

const std::string cannot = "epios: error: file 'a/b.nc' cannot be read (reading ";
const std::string whole = "). Has it been copied in whole? This process ends here\n";

TEST(BreakdownWatch, says_what_was_read_and_ends) {
  const End structure = end_of([] {
    const BreakdownWatch watch({"a/b.nc"});
    touch_nothing();
  });
  EXPECT_EQ(structure.status, BreakdownWatch::exit_status);
  EXPECT_EQ(structure.said,
            cannot + "broke down by signal 11, as HDF5 does over damaged files, at its structure" +
                whole);
  const End record = end_of([] {
    const BreakdownWatch outer({"other.nc"});
    const BreakdownWatch watch({"a/b.nc", "sst", 120});
    std::abort();
  });
  EXPECT_EQ(record.status, BreakdownWatch::exit_status);
  EXPECT_EQ(record.said, cannot +
                             "broke down by signal 6, as HDF5 does over damaged files, at record "
                             "120 of variable 'sst'" +
                             whole);
  const End deep = end_of([] {
    const BreakdownWatch watch({"a/b.nc", "time"});
    std::exit(use_up_the_stack(0));
  });
  EXPECT_EQ(deep.status, BreakdownWatch::exit_status);
  EXPECT_EQ(deep.said,
            cannot +
                "broke down by signal 11, as HDF5 does over damaged files, at variable 'time'" +
                whole);
}

TEST(BreakdownWatch, ends_what_goes_round_for_ever) {
  const End end = end_of([] {
    const BreakdownWatch watch({"a/b.nc", "sst", 0}, 0.1);
    work_for(1e9);
  });
  EXPECT_EQ(end.status, BreakdownWatch::exit_status);
  EXPECT_EQ(end.said, cannot +
                          "does not come to an end, as HDF5 does over damaged files, at record 0 "
                          "of variable 'sst'" +
                          whole);
}

TEST(BreakdownWatch, knows_only_what_happens_while_it_lives) {
  const End later = end_of([] {
    { const BreakdownWatch watch({"a/b.nc"}, 0.05); }
    work_for(0.2);  // the clock rings
    touch_nothing();
  });
  EXPECT_EQ(later.status, -SIGSEGV);
  EXPECT_EQ(later.said, "");
  const End elsewhere = end_of([] {
    const BreakdownWatch watch({"a/b.nc"});
    std::thread(touch_nothing).join();
  });
  EXPECT_EQ(elsewhere.status, -SIGSEGV);
  EXPECT_EQ(elsewhere.said, "");
}

extern "C" void own_handler(int /*signal*/) { _exit(42); }

TEST(BreakdownWatch, leaves_the_programs_own_handlers_in_place) {
  const End end = end_of([] {
    ::signal(SIGSEGV, own_handler);
    { const BreakdownWatch watch({"a/b.nc"}); }
    touch_nothing();
  });
  EXPECT_EQ(end.status, 42);
  const End ignored = end_of([] {
    ::signal(SIGXCPU, SIG_IGN);
    const BreakdownWatch watch({"a/b.nc"});
    ::raise(SIGXCPU);  // somebody else's
  });
  EXPECT_EQ(ignored.status, 0);
}

}  // namespace
}  // namespace epios::io::breakdown_watch_test
