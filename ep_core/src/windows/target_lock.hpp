#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace ep {

struct WaitPoint;

/// Who asks for a lock of a target: an endpoint of this process, or one elsewhere, which is known
/// by its process and the number under which it waits there.
struct LockRequest {
  bool exclusive = false;
  std::atomic<bool>* granted = nullptr;  ///< of this process; set when it has the lock
  WaitPoint* point = nullptr;            ///< where it waits
  int process = -1;                      ///< elsewhere: index in the clique
  std::uint32_t number = 0;
};

/// The lock of one target for EP_Win_lock and EP_Win_lock_all: shared or exclusive, given in order
/// of asking. Nobody waits here: requests queue, and who releases hears whose turn it is.
class TargetLock {
 public:
  /// True if it is the caller's at once; else it will be among those that a release returns.
  bool acquire(const LockRequest& request);
  /// The requests that have the lock now.
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
