#pragma once

#include <array>
#include <atomic>
#include <cstddef>

#include "process/first_exception.hpp"
#include "progress/shared_work.hpp"

namespace ep {

/// The board on which threads offer work to others. It has a few places; a thread that finds none
/// works alone.
class WorkBoard {
 public:
  struct Place {
    std::atomic<bool> is_taken{false};
    std::atomic<SharedWork*> work{nullptr};
    std::atomic<int> visitors{0};
  };

  /// Offers `work`, which has begun. Returns its place, or null if all are taken.
  Place* hang_out(SharedWork& work) noexcept;
  /// Withdraws the offer. On return no helper touches the work any more.
  static void take_down(Place& place) noexcept;
  /// Does one item of the offered work. Returns false if there is none.
  bool help_once() noexcept;

 private:
  std::array<Place, 4> places_;
};

/// Threads that help others while they wait. A room with such threads implements this; code with
/// work for them uses WorkOffer and share_items().
class Helpers {
 public:
  Helpers() = default;
  Helpers(const Helpers&) = delete;
  Helpers(Helpers&&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  Helpers& operator=(Helpers&&) = delete;
  virtual ~Helpers() = default;

  /// True if the calling thread may find help.
  virtual bool are_available() const noexcept = 0;
  /// Offers work of the calling thread, which has begun. Returns null if there are no helpers or no
  /// place.
  virtual WorkBoard::Place* offer(SharedWork& work) noexcept = 0;
  /// Makes the helpers check for work.
  virtual void wake() noexcept = 0;
};

/// Sets the helpers of the process, which stay until it ends.
void use_helpers(Helpers& helpers);

/// True if sharing work may be worth while. Costs two loads if there are no helpers.
bool help_is_available() noexcept;
void wake_helpers() noexcept;

/// Offers work that has begun to helpers, for the scope; the work completes inside.
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

/// Calls `work(item)` for all items in [0, items), here and in helper threads. `work` must not call
/// MPI unless every thread may do so. Items must be independent. On return none is running, and all
/// are done unless one has thrown; the first exception is rethrown. Costs two loads if there are no
/// helpers.
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
