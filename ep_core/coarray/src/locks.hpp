/// @file
/// Lock variables and critical constructs.
#pragma once

#include <ep/ep.h>

#include <cstdint>
#include <vector>

#include "coarray.hpp"
#include "image_status.hpp"

namespace ep::caf {

/// Identifies a lock variable, the same on all images.
struct LockName {
  std::int64_t coarray = 0;
  std::int64_t index = 0;
  std::int64_t rank = 0;  ///< rank of the image that has the variable

  bool operator==(const LockName&) const = default;
};

/// The locks of one image. An image that wants a held lock queues up: the variable holds the image
/// that came last (MCS, doi:10.1145/103727.103729), and each image waits for a message of the one
/// before it, without polling.
///
/// A lock of an image that fails is unlocked, and the first image that wants it gets an error
/// (Fortran 2018, 11.6.10). A lock of an image that stops stays locked, and every image that wants
/// it gets an error.
class Locks {
 public:
  /// Both stay the caller's.
  Locks(EP_Comm comm, Reach& reach);

  /// Waits until this image has the lock. Throws Failure if it has it already, or if the image that
  /// held it has ended.
  void acquire(const Coarray& coarray, std::size_t index, int rank);
  /// Acquires the lock if it is free; returns true in that case. Throws Failure as acquire() does.
  bool try_acquire(const Coarray& coarray, std::size_t index, int rank);
  /// Releases the lock. Throws Failure if this image does not hold it.
  void release(const Coarray& coarray, std::size_t index, int rank);
  /// Forgets the locks in a coarray that is deallocated.
  void forget(const Coarray& coarray);
  /// Tells the waiters of this image's locks that it ends.
  void leave(State state);

 private:
  struct Held {
    LockName lock;
    Place place;
  };
  struct Waiter {
    LockName lock;
    int rank = 0;
  };

  void check_not_held(const LockName& name) const;
  void hand_on(const Held& held, std::int32_t state);
  int wait_for_waiter(const LockName& name);

  EP_Comm comm_;
  Reach& reach_;
  std::int32_t self_ = 0;  ///< number of this image
  std::vector<Held> held_;
  std::vector<Waiter> waiters_;
};

}  // namespace ep::caf
