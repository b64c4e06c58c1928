#include "progress/diagnostic_signal.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace ep {

namespace {

// A handler gets no arguments of ours: these variables are all that it knows.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<BellPage*> bell_page{nullptr};
std::atomic<bool> is_requested{false};
// The action before ours: MPICH has a handler of its own for the signal.
struct sigaction previous_action {};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<BellPage*>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

/// Makes one write of a text put together by hand: all that a signal handler may do.
void report_that_nobody_waits() noexcept {
  std::array<char, 128> text{};
  std::size_t length = 0;
  const auto add = [&](const char* part) {
    for (; *part != '\0'; ++part) text.at(length++) = *part;
  };
  std::array<char, 24> digits{};
  std::size_t first = digits.size() - 1;
  for (auto pid = getpid(); pid > 0; pid /= 10) {
    digits.at(--first) = static_cast<char>('0' + pid % 10);
  }
  add("[ep watchdog] pid ");
  add(&digits.at(first));
  add(": no endpoint waits (the program computes, or waits elsewhere)\n");
  static_cast<void>(!write(STDERR_FILENO, text.data(), length));
}

extern "C" void ep_note_diagnostic_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const BellPage* const page = bell_page.load();
  if (page != nullptr && page->sleepers.load() == 0) {
    report_that_nobody_waits();
  } else {
    is_requested.store(true);
  }
  if ((previous_action.sa_flags & SA_SIGINFO) != 0) {
    previous_action.sa_sigaction(signal, info, context);
  } else if (previous_action.sa_handler != SIG_DFL && previous_action.sa_handler != SIG_IGN) {
    previous_action.sa_handler(signal);
  }
  errno = error;
}

}  // namespace

void install_diagnostic_handler(BellPage& page) noexcept {
  bell_page.store(&page);
  if (sigaction(SIGUSR1, nullptr, &previous_action) != 0) return;
  struct sigaction ours {};
  ours.sa_sigaction = ep_note_diagnostic_signal;
  ours.sa_flags = SA_RESTART | SA_SIGINFO;
  sigemptyset(&ours.sa_mask);
  static_cast<void>(sigaction(SIGUSR1, &ours, nullptr));
}

bool diagnostics_requested() noexcept {
  return is_requested.load() && is_requested.exchange(false);
}

}  // namespace ep
