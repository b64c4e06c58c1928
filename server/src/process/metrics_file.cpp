#include "process/metrics_file.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <exception>
#include <system_error>
#include <utility>

#include "file/replace_file.hpp"

namespace epios::server {
namespace {

constexpr std::chrono::seconds between{5};

}  // namespace

MetricsFile::MetricsFile(std::string path, std::string job, Log log)
    : path_(std::move(path)), log_(std::move(log)), watch_(std::move(job)) {
  // Signals of the process are none of this thread's.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    log_.warning(
        fmt::format("metrics_file '{}' is not written: it gets no thread ({}). The run goes on "
                    "without. Raise the limit of threads (ulimit -u)?",
                    path_, error.code().message()));
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

MetricsFile::~MetricsFile() {
  {
    const std::scoped_lock lock(mutex_);
    is_ending_ = true;
  }
  wakes_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void MetricsFile::run() {
  std::unique_lock lock(mutex_);
  while (!is_ending_ || is_due_) {
    is_due_ = false;
    lock.unlock();
    write();
    lock.lock();
    wakes_.wait_for(lock, between, [this] { return is_ending_ || is_due_; });
  }
}

void MetricsFile::write_soon() {
  {
    const std::scoped_lock lock(mutex_);
    is_due_ = true;
  }
  wakes_.notify_one();
}

/// What cannot be written is said once, and again when it is for another reason.
void MetricsFile::write() {
  std::string problem;
  try {
    const std::string text = config::open_metrics(watch_.look());
    const int error = io::replace_file(path_, text, io::Readers::by_umask, false);
    if (error != 0) problem = std::strerror(error);
  } catch (const std::exception& error) {
    problem = error.what();
  }
  if (!problem.empty() && problem != problem_) {
    log_.warning(
        fmt::format("metrics_file '{}' cannot be written ({}). The run goes on without. "
                    "Is its folder there?",
                    path_, problem));
  }
  problem_ = std::move(problem);
}

}  // namespace epios::server
