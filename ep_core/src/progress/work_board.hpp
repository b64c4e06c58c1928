#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "process/first_exception.hpp"
#include "progress/shared_work.hpp"

namespace ep {

/// Where threads hang out work for others. A few at a time; who finds no place works alone.
class WorkBoard {
 public:
  struct Place {
    std::atomic<bool> is_taken{false};
    std::atomic<SharedWork*> work{nullptr};
    std::atomic<int> visitors{0};
  };

  /// A place for `work`, which has begun; null if all are taken.
  Place* hang_out(SharedWork& work) noexcept;
  /// On return nobody looks at the work any more.
  static void take_down(Place& place) noexcept;
  /// Does an item of what hangs there. False: there is none.
  bool help_once() noexcept;

 private:
  std::array<Place, 4> places_;
};

/// Threads that help others while they wait. Who has such threads implements this; everybody who
/// has work for them goes through WorkOffer and share_items().
class Helpers {
 public:
  Helpers() = default;
  Helpers(const Helpers&) = delete;
  Helpers(Helpers&&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  Helpers& operator=(Helpers&&) = delete;
  virtual ~Helpers() = default;

  /// Whether the calling thread may find help.
  virtual bool are_available() const noexcept = 0;
  /// Hangs work of the calling thread, which has begun, where they look; null if nobody is near or
  /// there is no place.
  virtual WorkBoard::Place* offer(SharedWork& work) noexcept = 0;
  /// Lets them look for something to do.
  virtual void wake() noexcept = 0;
};

/// From here on they are there, until the process ends.
void use_helpers(Helpers& helpers);

/// Whether sharing may be worth while. Costs two loads where there are no helpers.
bool help_is_available() noexcept;
void wake_helpers() noexcept;

/// Lets whoever is near help with work that has begun, for as long as the scope; the work completes
/// inside.
class WorkOffer {
 public:
  explicit WorkOffer(SharedWork& work) noexcept;
  WorkOffer(const WorkOffer&) = delete;
  WorkOffer(WorkOffer&&) = delete;
  WorkOffer& operator=(const WorkOffer&) = delete;
  WorkOffer& operator=(WorkOffer&&) = delete;
  ~WorkOffer() {
    if (place_ != nullptr) WorkBoard::take_down(*place_);
  }

 private:
  WorkBoard::Place* place_ = nullptr;
};

/// Calls `work(item)` for all items in [0, items): here, and in threads that help. They make no
/// MPI calls in `work` unless the program may everywhere. Items do not depend on each other. On
/// return none is under way, and all are done unless one threw: the first exception is thrown
/// again. Costs two loads where there are no helpers.
template <class Work>
void share_items(std::size_t items, Work&& work) {
  if (items < 2 || !help_is_available()) {
    for (std::size_t item = 0; item < items; ++item) work(item);
    return;
  }
  FirstException first;
  const auto guarded_work = [&](std::size_t item) { first.guard([&] { work(item); }); };
  SharedWork shared;
  shared.begin(items, guarded_work);
  {
    const WorkOffer offer(shared);
    shared.complete();
  }
  first.rethrow();
}

}  // namespace ep
