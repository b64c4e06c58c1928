#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace ep {

struct WaitPoint;

/// A request for the lock of a target, either by an endpoint of this process or by one of another
/// process. The latter is identified by its process and the number under which it waits there.
struct LockRequest {
  bool exclusive = false;
  std::atomic<bool>* granted = nullptr;  ///< in this process: set when the lock is granted
  WaitPoint* point = nullptr;            ///< in this process: where the endpoint waits
  int process = -1;                      ///< in another process: its index in the clique
  std::uint32_t number = 0;
};

/// The lock of one target for EP_Win_lock and EP_Win_lock_all. It is shared or exclusive, and
/// granted in the order of requests. Nothing blocks here: requests queue, and release() returns
/// those that are granted.
class TargetLock {
 public:
  /// Returns true if the lock is granted at once; otherwise a later release() returns the request.
  bool acquire(const LockRequest& request);
  /// Releases the lock. Returns the requests to which it is granted now.
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
