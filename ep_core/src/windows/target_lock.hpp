#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace ep {

struct WaitPoint;

/// A request for the lock of a target, by an endpoint of this process, or by one elsewhere, which
/// is known by its process and the number under which it waits there.
struct LockRequest {
  bool exclusive = false;
  std::atomic<bool>* granted = nullptr;  ///< of this process; set when it has the lock
  WaitPoint* point = nullptr;            ///< where it waits
  int process = -1;                      ///< elsewhere: index in the clique
  std::uint32_t number = 0;
};

/// The lock of one target for EP_Win_lock and EP_Win_lock_all: shared or exclusive, granted in
/// order of requests. Nobody waits here: requests queue, and release() returns whose turn it is.
class TargetLock {
 public:
  /// Returns true if the caller has the lock at once; otherwise a later release() returns the
  /// request.
  bool acquire(const LockRequest& request);
  /// Releases the lock. Returns the requests that have it now.
  std::vector<LockRequest> release(bool exclusive);

 private:
  bool is_free_for(bool exclusive) const noexcept {
    return exclusive ? !exclusive_ && shared_ == 0 : !exclusive_;
  }
  void take(bool exclusive) noexcept;

  std::mutex mutex_;
  bool exclusive_ = false;
  int shared_ = 0;
  std::deque<LockRequest> queue_;
};

}  // namespace ep
