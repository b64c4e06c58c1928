#include "handles/exit_guard.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace epios::client {
namespace {

// Like what HandleTable knows, but to be asked in a signal handler, or in a child that vfork made.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<const char*> reason{nullptr};
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<pid_t> guarded_process{0};

bool is_guarded() {
  return reason.load() != nullptr && guarded_process.load() == static_cast<pid_t>(::getpid());
}

void say_why() {
  constexpr const char* begin = "epios: error: ";
  const char* const why = reason.load();
  for (const char* text : {begin, why, "\n"}) {
    if (::write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  // The launcher ends the others at once: they are given a moment to say what they know.
  const timespec moment{0, 200'000'000};
  static_cast<void>(::nanosleep(&moment, nullptr));
}

/// Only calls that a signal handler may make.
[[noreturn]] void end_process(int status) {
  if (status == EXIT_SUCCESS && is_guarded()) {
    say_why();
    status = EXIT_FAILURE;
  }
  while (true) static_cast<void>(::syscall(SYS_exit_group, status));
}

void end_quickly() {
  if (is_guarded()) end_process(EXIT_SUCCESS);
}

}  // namespace

void guard_exit(const char* why) noexcept {
  // Where it cannot be registered, the report is all that is missing.
  if (guarded_process.exchange(::getpid()) == 0) static_cast<void>(::at_quick_exit(end_quickly));
  reason = why;
}

}  // namespace epios::client

// The program finds these before those of the C library, which it could not be told of otherwise:
// the launcher takes the status for the run's, and ends the other processes without a word.
extern "C" {

// NOLINTNEXTLINE(bugprone-reserved-identifier)
__attribute__((visibility("default"))) void _exit(int status) {
  epios::client::end_process(status);
}

// NOLINTNEXTLINE(bugprone-reserved-identifier)
__attribute__((visibility("default"))) void _Exit(int status) noexcept {
  epios::client::end_process(status);
}

}  // extern "C"
