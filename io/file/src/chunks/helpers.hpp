/// @file
/// Threads that share equal pieces of work with the calling thread.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace epios::io {

/// One thread at a time calls run(). The threads start with the first work for them.
class Helpers {
 public:
  explicit Helpers(int count) : count_(count < 0 ? 0 : count) {}
  Helpers(const Helpers&) = delete;
  Helpers(Helpers&&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  Helpers& operator=(Helpers&&) = delete;
  ~Helpers();

  int count() const { return count_; }
  /// Calls `work(piece, thread)` once for each piece, on any of the threads 0 (the caller) to
  /// count(), and waits for them. `work` must not throw.
  void run(std::size_t pieces, const std::function<void(std::size_t, std::size_t)>& work);

 private:
  void help(std::size_t thread);
  /// Takes pieces until there are none. The lock is held at entry and exit, and released during the
  /// work.
  void take(std::unique_lock<std::mutex>& lock, std::size_t thread);

  int count_;
  std::mutex mutex_;  // guards the following members except threads_
  std::condition_variable begun_, done_;
  const std::function<void(std::size_t, std::size_t)>* work_ = nullptr;
  std::size_t next_ = 0, pieces_ = 0, left_ = 0;
  bool is_closing_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace epios::io
