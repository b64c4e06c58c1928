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

/// Rooms that attach state to objects of lower rooms.
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

/// Base of the state that a room attaches to an object which does not know that room. A derived
/// class names its room (`static constexpr Room room`); a room attaches at most one extension to an
/// object.
class Extension {
 public:
  Extension() = default;
  Extension(const Extension&) = delete;
  Extension(Extension&&) = delete;
  Extension& operator=(const Extension&) = delete;
  Extension& operator=(Extension&&) = delete;
  virtual ~Extension() = default;
};

/// Owns the extensions of one object and creates each at first use. Any thread. Access to an
/// existing extension costs one load.
class Extensions {
 public:
  constexpr Extensions() = default;
  Extensions(const Extensions&) = delete;
  Extensions(Extensions&&) = delete;
  Extensions& operator=(const Extensions&) = delete;
  Extensions& operator=(Extensions&&) = delete;
  ~Extensions() {
    for (auto& entry : entries_) delete entry.load();
  }

  /// Returns the extension, or null if it does not exist yet.
  template <class T>
  T* find() const noexcept {
    Extension* const extension = entries_[index<T>()].load(std::memory_order_acquire);
    assert(extension == nullptr || typeid(*extension) == typeid(T));
    return static_cast<T*>(extension);
  }
  /// Returns the extension; the first caller creates it from `arguments`. The constructor of T must
  /// not request an extension of the same object.
  template <class T, class... Arguments>
  T& get(Arguments&&... arguments) {
    if (T* const extension = find<T>(); extension != nullptr) return *extension;
    const std::lock_guard lock(mutex_);
    if (T* const extension = find<T>(); extension != nullptr) return *extension;
    auto made = std::make_unique<T>(std::forward<Arguments>(arguments)...);
    T& extension = *made;
    entries_[index<T>()].store(made.release(), std::memory_order_release);
    return extension;
  }

 private:
  template <class T>
  static constexpr std::size_t index() {
    return static_cast<std::size_t>(T::room);
  }

  std::array<std::atomic<Extension*>, static_cast<std::size_t>(Room::count)> entries_{};
  std::mutex mutex_;
};

}  // namespace ep
