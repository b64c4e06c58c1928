/// @file
/// Event variables.
#pragma once

#include <ep/ep.h>

#include <cstdint>
#include <map>

#include "coarray.hpp"

namespace ep::caf {

/// Events of one image: a post is a message, which is counted in the variable when its image
/// checks.
class Events {
 public:
  /// `comm` stays the caller's.
  explicit Events(EP_Comm comm) : comm_(comm) {}

  /// Adds a coarray of events of this image. Posts to coarrays that are gone are dropped.
  void add(const Coarray& coarray);
  void remove(const Coarray& coarray);

  /// Posts one event to image `rank`.
  void post(const Coarray& coarray, std::size_t index, int rank);
  /// Waits for `count` events of this image and consumes them.
  void wait(const Coarray& coarray, std::size_t index, std::int64_t count);
  /// Returns the number of events.
  std::int64_t query(const Coarray& coarray, std::size_t index);

 private:
  struct Post {
    std::int64_t coarray;
    std::int64_t index;
  };

  void receive();
  void hear();

  EP_Comm comm_;
  std::map<std::int64_t, const Coarray*> coarrays_;
};

}  // namespace ep::caf
