#include "process/start_watch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <string>
#include <system_error>

namespace epios::server {
namespace {

/// A launcher that is busy starting processes is not taken for one that has lost some.
constexpr int looks_before_the_end = 10;
constexpr std::chrono::milliseconds between_looks{500};

int children_of(pid_t process) {
  int count = 0;
  std::error_code error;
  const std::string tasks = fmt::format("/proc/{}/task", process);
  for (const auto& task : std::filesystem::directory_iterator(tasks, error)) {
    std::ifstream list(task.path() / "children");
    for (pid_t child = 0; list >> child;) ++count;
  }
  return count;
}

/// The launcher ends all others when one is ended by a signal.
[[noreturn]] void end_job(int started, int gone) {
  fmt::print(stderr,
             "epios_server: error: {} of {} processes of the job on this node {} ended before it "
             "started MPI (which cannot start without it). Did a model not understand its "
             "arguments?\n",
             gone, started, gone == 1 ? "has" : "have");
  std::fflush(stderr);
  ::kill(::getpid(), SIGTERM);
  std::_Exit(EXIT_FAILURE);
}

void watch(const std::stop_token& stop, int started) {
  std::mutex mutex;
  std::condition_variable_any wake;
  int looks = 0;
  int alive_before = 0;
  std::unique_lock lock(mutex);
  while (!wake.wait_for(lock, stop, between_looks, [&] { return stop.stop_requested(); })) {
    const int alive = children_of(::getppid());
    const bool is_short = alive > 0 && alive < started;
    looks = is_short && alive == alive_before ? looks + 1 : 0;
    alive_before = alive;
    if (looks == looks_before_the_end) end_job(started, started - alive);
  }
}

}  // namespace

StartWatch::StartWatch() {
  const char* text = std::getenv("MPI_LOCALNRANKS");
  const int started = text == nullptr ? 0 : std::atoi(text);
  if (started > 1) thread_ = std::jthread(watch, started);
}

}  // namespace epios::server
