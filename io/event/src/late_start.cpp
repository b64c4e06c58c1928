#include "late_start.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <stop_token>
#include <system_error>
#include <utility>

namespace epios::io {
namespace {

/// 0: never.
double patience_s() {
  constexpr double unless_told = 30;
  const char* const text = std::getenv("EP_WATCHDOG_S");
  return text == nullptr ? unless_told : std::atof(text);
}

void wait_and_say(const std::stop_token& stop, const std::string& line, double seconds) {
  std::mutex mutex;
  std::condition_variable_any wake;
  std::unique_lock lock(mutex);
  wake.wait_for(lock, stop, std::chrono::duration<double>(seconds), [] { return false; });
  if (stop.stop_requested()) return;
  fmt::print(stderr, "epios: waiting: {:g} s for {}\n", seconds, line);
  std::fflush(stderr);
}

/// Without memory nobody says who is late; what needs it says so.
void say_later(const std::stop_token& stop, const std::string& line, double seconds) {
  try {
    wait_and_say(stop, line, seconds);
  } catch (const std::bad_alloc&) {
    return;
  }
}

}  // namespace

LateStart::LateStart(std::string line) {
  const double seconds = patience_s();
  try {
    if (seconds > 0) thread_ = std::jthread(say_later, std::move(line), seconds);
  } catch (const std::system_error&) {
    return;  // nobody says who is late; what needs its thread says that there is none
  }
}

}  // namespace epios::io
