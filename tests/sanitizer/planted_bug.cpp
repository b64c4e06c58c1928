/// @file
/// Commits the named bug, for the sanitizer presets and scripts/memcheck to report.

#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <thread>

namespace {

// Volatile, so that no optimiser sees the bug before the sanitizer does.
volatile int one = 1;

int use_after_free() {
  int* const value = new int(one);
  int* volatile stale = value;
  delete value;
  return *stale;
}

int leak() {
  int* volatile lost = new int(one);
  lost = nullptr;
  return lost == nullptr ? 0 : 1;
}

int overflow() {
  const int largest = std::numeric_limits<int>::max();
  return largest + one;
}

int race() {
  int counter = 0;
  std::thread other([&] { counter += one; });
  counter += one;
  other.join();
  return counter;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view bug = argc > 1 ? argv[1] : "";
  if (bug == "use_after_free") return use_after_free();
  if (bug == "leak") return leak();
  if (bug == "overflow") return overflow() > 0 ? 1 : 0;
  if (bug == "race") return race();
  std::fputs("usage: planted_bug use_after_free|leak|overflow|race\n", stderr);
  return EXIT_FAILURE;
}
