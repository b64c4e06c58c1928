#include "chunks/helpers.hpp"

#include <pthread.h>

#include <system_error>

namespace epios::io {

Helpers::~Helpers() {
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  begun_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void Helpers::take(std::unique_lock<std::mutex>& lock, std::size_t thread) {
  while (next_ < pieces_) {
    const std::size_t piece = next_++;
    const auto& work = *work_;
    lock.unlock();
    work(piece, thread);
    lock.lock();
    if (--left_ == 0) done_.notify_one();
  }
}

void Helpers::help(std::size_t thread) {
  // For who looks at threads; it fails for names that are too long.
  static_cast<void>(::pthread_setname_np(::pthread_self(), "epios-helper"));
  std::unique_lock lock(mutex_);
  while (true) {
    begun_.wait(lock, [this] { return next_ < pieces_ || is_closing_; });
    if (is_closing_) return;
    take(lock, thread);
  }
}

void Helpers::run(std::size_t pieces, const std::function<void(std::size_t, std::size_t)>& work) {
  if (pieces == 0) return;
  if (pieces > 1 && threads_.empty()) {
    try {
      for (int t = 1; t <= count_; ++t) {
        threads_.emplace_back([this, t] { help(static_cast<std::size_t>(t)); });
      }
    } catch (const std::system_error&) {
      count_ = static_cast<int>(threads_.size());  // whoever calls works, too
    }
  }
  std::unique_lock lock(mutex_);
  work_ = &work;
  next_ = 0;
  pieces_ = left_ = pieces;
  if (pieces > 1) begun_.notify_all();
  take(lock, 0);
  done_.wait(lock, [this] { return left_ == 0; });
  pieces_ = 0;
}

}  // namespace epios::io
