#pragma once

#include <exception>
#include <mutex>
#include <utility>

namespace ep {

/// Keeps the first exception of several steps that must all be done, or of several threads.
class FirstException {
 public:
  template <class Work>
  void guard(Work&& work) noexcept {
    try {
      std::forward<Work>(work)();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!first_) first_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

}  // namespace ep
