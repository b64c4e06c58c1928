#include "progress/question.hpp"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>

namespace ep {

namespace {

// A handler has no arguments of ours: this is all that it knows.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<BellPage*> own_page{nullptr};
std::atomic<bool> is_asked{false};
// What was there before: MPICH has a handler of its own for the signal.
struct sigaction earlier {};
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<BellPage*>::is_always_lock_free &&
              std::atomic<bool>::is_always_lock_free);

/// What a handler may do: one write, of a text put together by hand.
void say_that_nobody_waits() noexcept {
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

extern "C" void ep_take_question(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const BellPage* const page = own_page.load();
  if (page != nullptr && page->sleepers.load() == 0) {
    say_that_nobody_waits();
  } else {
    is_asked.store(true);
  }
  if ((earlier.sa_flags & SA_SIGINFO) != 0) {
    earlier.sa_sigaction(signal, info, context);
  } else if (earlier.sa_handler != SIG_DFL && earlier.sa_handler != SIG_IGN) {
    earlier.sa_handler(signal);
  }
  errno = error;
}

}  // namespace

void take_questions(BellPage& page) noexcept {
  own_page.store(&page);
  if (sigaction(SIGUSR1, nullptr, &earlier) != 0) return;
  struct sigaction ours {};
  ours.sa_sigaction = ep_take_question;
  ours.sa_flags = SA_RESTART | SA_SIGINFO;
  sigemptyset(&ours.sa_mask);
  static_cast<void>(sigaction(SIGUSR1, &ours, nullptr));
}

bool was_asked() noexcept { return is_asked.load() && is_asked.exchange(false); }

}  // namespace ep
