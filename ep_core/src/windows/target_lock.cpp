#include "windows/target_lock.hpp"

namespace ep {

void TargetLock::take(bool exclusive) noexcept {
  if (exclusive) {
    exclusive_ = true;
  } else {
    ++shared_;
  }
}

bool TargetLock::acquire(const LockRequest& request) {
  const std::lock_guard lock(mutex_);
  // A shared one does not overtake an exclusive one that waits.
  if (!queue_.empty() || !is_free_for(request.exclusive)) {
    queue_.push_back(request);
    return false;
  }
  take(request.exclusive);
  return true;
}

std::vector<LockRequest> TargetLock::release(bool exclusive) {
  const std::lock_guard lock(mutex_);
  if (exclusive) {
    exclusive_ = false;
  } else {
    --shared_;
  }
  std::vector<LockRequest> next;
  while (!queue_.empty() && is_free_for(queue_.front().exclusive)) {
    take(queue_.front().exclusive);
    next.push_back(queue_.front());
    queue_.pop_front();
  }
  return next;
}

}  // namespace ep
