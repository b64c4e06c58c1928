#include "event/stop_signals.hpp"

#include <fmt/format.h>
#include <signal.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "config/error.hpp"

namespace epios::io {
namespace {

struct Stopper {
  std::string_view name;
  int signal;
};
constexpr std::array<Stopper, 3> stoppers{
    {{"TERM", SIGTERM}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}}};

// A handler gets no arguments of ours: these variables are all that it knows.
// NOLINTBEGIN(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<int> received{0};
std::array<struct sigaction, stoppers.size()> actions_before{};
std::array<std::atomic<bool>, stoppers.size()> are_caught{};
std::mutex catching;
// NOLINTEND(cppcoreguidelines-avoid-non-const-global-variables)
static_assert(std::atomic<int>::is_always_lock_free);

void note_stop_signal(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  int none = 0;
  received.compare_exchange_strong(none, signal);
  for (std::size_t s = 0; s < stoppers.size(); ++s) {
    if (stoppers[s].signal != signal) continue;
    const struct sigaction& before = actions_before[s];
    if ((before.sa_flags & SA_SIGINFO) != 0) {
      before.sa_sigaction(signal, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
      before.sa_handler(signal);
    }
  }
  errno = error;
}

void catch_one(std::size_t which) {
  if (are_caught[which].exchange(true)) return;
  const auto [name, signal] = stoppers[which];
  struct sigaction ours {};
  ours.sa_sigaction = note_stop_signal;
  ours.sa_flags = SA_RESTART | SA_SIGINFO;
  sigemptyset(&ours.sa_mask);
  // The handler needs what was there before: it is asked for first.
  if (::sigaction(signal, nullptr, &actions_before[which]) == 0 &&
      ::sigaction(signal, &ours, nullptr) == 0) {
    return;
  }
  throw Error(ErrorCode::resource,
              fmt::format("SIG{} cannot be caught ({}). Leave it out of stop_on_signal?", name,
                          std::strerror(errno)));
}

}  // namespace

void catch_stop_signals(std::string_view names) {
  const std::scoped_lock lock(catching);
  for (std::size_t s = 0; s < stoppers.size(); ++s) {
    if (names.find(stoppers[s].name) != std::string_view::npos) catch_one(s);
  }
}

int stop_signal() noexcept { return received.load(std::memory_order_relaxed); }

std::string name_of_signal(int signal) {
  for (const Stopper& stopper : stoppers) {
    if (stopper.signal == signal) return fmt::format("SIG{}", stopper.name);
  }
  return fmt::format("signal {}", signal);
}

}  // namespace epios::io
