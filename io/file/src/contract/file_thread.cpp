#include "file/file_thread.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "config/error.hpp"

namespace epios::io {

namespace {

using Clock = std::chrono::steady_clock;

/// A write beyond the limit of file sizes (ulimit -f) then fails with EFBIG like any other failed
/// write: the signal, sent to the writing thread, would end the process without a word.
void block_file_size_signal() noexcept {
  sigset_t signals;
  ::sigemptyset(&signals);
  ::sigaddset(&signals, SIGXFSZ);
  // It can only fail for a wrong first argument.
  static_cast<void>(::pthread_sigmask(SIG_BLOCK, &signals, nullptr));
}

/// HDF5 is one per process, and not made for several threads.
std::mutex& turns() {
  static std::mutex mutex;
  return mutex;
}

}  // namespace

std::unique_lock<std::mutex> turn_of_files() { return std::unique_lock(turns()); }

struct FileThread::Impl {
  explicit Impl(std::function<void()> after) : after_job(std::move(after)) {}

  void run() noexcept {
    block_file_size_signal();
    // For who looks at threads; it fails for names that are too long.
    static_cast<void>(::pthread_setname_np(::pthread_self(), "epios-files"));
    // Registers what HDF5 does at exit. If it fails, so will the first file.
    {
      const std::unique_lock turn = turn_of_files();
      static_cast<void>(H5open());
    }
    std::unique_lock lock(mutex);
    begun = true;
    changed.notify_all();
    while (true) {
      changed.wait(lock, [this] { return closing || !jobs.empty(); });
      if (jobs.empty()) break;
      std::function<void()> job = std::move(jobs.front());
      jobs.pop_front();
      lock.unlock();
      Clock::time_point start;
      {
        const std::unique_lock turn = turn_of_files();
        start = Clock::now();
        job();
        job = nullptr;  // releases what the job holds before it counts as finished
      }
      lock.lock();
      busy += Clock::now() - start;
      --pending;
      lock.unlock();
      if (after_job) after_job();
      lock.lock();
    }
    lock.unlock();
    const std::unique_lock turn = turn_of_files();
    open_files.close();
  }

  std::function<void()> after_job;
  OpenFiles open_files;
  mutable std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::function<void()>> jobs;
  int pending = 0;
  Clock::duration busy{0};
  bool begun = false;
  bool closing = false;
  std::thread thread;  // last: the thread uses everything above
};

FileThread::FileThread(std::function<void()> after_job)
    : impl_(std::make_unique<Impl>(std::move(after_job))) {
  try {
    impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::resource,
                fmt::format("whoever writes files gets no thread ({}). Raise the limit of threads "
                            "(ulimit -u)?",
                            error.code().message()));
  }
  std::unique_lock lock(impl_->mutex);
  impl_->changed.wait(lock, [this] { return impl_->begun; });
}

FileThread::~FileThread() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->closing = true;
  }
  impl_->changed.notify_one();
  impl_->thread.join();
}

void FileThread::submit(std::function<void()> job) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->jobs.push_back(std::move(job));
    ++impl_->pending;
  }
  impl_->changed.notify_one();
}

OpenFiles& FileThread::open_files() { return impl_->open_files; }

double FileThread::busy_s() const {
  const std::lock_guard lock(impl_->mutex);
  return std::chrono::duration<double>(impl_->busy).count();
}

int FileThread::pending() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->pending;
}

}  // namespace epios::io
