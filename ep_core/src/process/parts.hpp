#pragma once

#include <array>
#include <atomic>
#include <cassert>
#include <cstddef>
#include <memory>
#include <mutex>
#include <typeinfo>
#include <utility>

namespace ep {

/// Rooms that hang something on objects of lower rooms.
enum class Room {
  process,
  progress,
  cliques,
  traces,
  handles,
  messages,
  schedules,
  creation,
  windows,
  files,
  teams,
  programs,
  count
};

/// What a room keeps with an object that does not know it. A part names its room:
/// `static constexpr Room room`; a room has one part at most with each object.
class Part {
 public:
  Part() = default;
  Part(const Part&) = delete;
  Part(Part&&) = delete;
  Part& operator=(const Part&) = delete;
  Part& operator=(Part&&) = delete;
  virtual ~Part() = default;
};

/// The parts of one object, made when they are first asked for, and owned. Any thread. Asking for
/// one that is there costs a load.
class Parts {
 public:
  constexpr Parts() = default;
  Parts(const Parts&) = delete;
  Parts(Parts&&) = delete;
  Parts& operator=(const Parts&) = delete;
  Parts& operator=(Parts&&) = delete;
  ~Parts() {
    for (auto& place : places_) delete place.load();
  }

  /// Null before it was made.
  template <class T>
  T* find() const noexcept {
    Part* const part = places_[index<T>()].load(std::memory_order_acquire);
    assert(part == nullptr || typeid(*part) == typeid(T));
    return static_cast<T*>(part);
  }
  /// Made of `arguments` by the first who asks. Its constructor asks for no part of this object.
  template <class T, class... Arguments>
  T& get(Arguments&&... arguments) {
    if (T* const part = find<T>(); part != nullptr) return *part;
    const std::lock_guard lock(mutex_);
    if (T* const part = find<T>(); part != nullptr) return *part;
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T& part = *made;
    places_[index<T>()].store(made.release(), std::memory_order_release);
    return part;
  }

 private:
  template <class T>
  static constexpr std::size_t index() {
    return static_cast<std::size_t>(T::room);
  }

  std::array<std::atomic<Part*>, static_cast<std::size_t>(Room::count)> places_{};
  std::mutex mutex_;
};

}  // namespace ep
