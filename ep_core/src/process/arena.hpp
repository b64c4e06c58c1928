#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "process/error.hpp"

namespace ep {

/// Owns the objects behind handles. Memory is reused but never freed, so that a freed or foreign
/// handle is recognised without a read after free (ADR 0001). Objects are reused first in, first
/// out, to keep a freed handle invalid for as long as possible. Any thread; each thread caches a
/// few objects, so that threads rarely contend for the lock. There is one arena per type, which
/// lives as long as the process.
template <class T>
class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena(Arena&&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena& operator=(Arena&&) = delete;
  ~Arena() {
    for (auto& chunk : chunks_) delete[] chunk.load();
  }

  T* take() {
    AtHand& mine = at_hand();
    if (mine.count < fewest) refill(mine);
    return mine.pop_oldest();
  }

  void give(T* item) {
    AtHand& mine = at_hand();
    if (mine.count == AtHand::room) relieve(mine);
    mine.push(item);
  }

  /// Returns the object that was given back last, whose memory is in the cache, for uses without a
  /// handle.
  T* borrow() {
    AtHand& mine = at_hand();
    if (mine.count == 0) refill(mine);
    return mine.pop_newest();
  }

  /// Returns a number for each object of the arena, -1 for others.
  int number(const T* item) const noexcept {
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const T* const chunk = chunks_[i].load(std::memory_order_acquire);
      if (chunk == nullptr) break;
      const auto first = reinterpret_cast<std::uintptr_t>(chunk);
      const auto address = reinterpret_cast<std::uintptr_t>(item);
      if (address < first || address >= first + chunk_size(i) * sizeof(T)) continue;
      return static_cast<int>(first_number(i) + (address - first) / sizeof(T));
    }
    return -1;
  }
  /// Returns the object with this number, or null if there is none.
  T* at(int number) const noexcept {
    if (number < 0) return nullptr;
    const auto wanted = static_cast<std::size_t>(number);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      T* const chunk = chunks_[i].load(std::memory_order_acquire);
      if (chunk == nullptr) return nullptr;
      if (wanted < first_number(i) + chunk_size(i)) return chunk + (wanted - first_number(i));
    }
    return nullptr;
  }

  /// True if `pointer` is the address of an object of this arena, alive or not.
  bool contains(const void* pointer) const noexcept {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    for (std::size_t i = 0; i < chunks_.size(); ++i) {
      const T* const chunk = chunks_[i].load(std::memory_order_acquire);
      if (chunk == nullptr) return false;
      const auto first = reinterpret_cast<std::uintptr_t>(chunk);
      if (address < first || address >= first + chunk_size(i) * sizeof(T)) continue;
      return (address - first) % sizeof(T) == 0;
    }
    return false;
  }

 private:
  /// A ring of the objects that one thread caches.
  struct AtHand {
    static constexpr std::size_t room = 64;
    Arena* owner = nullptr;
    std::array<T*, room> items{};
    std::size_t first = 0;
    std::size_t count = 0;

    T* pop_oldest() {
      T* const item = items[first];
      first = (first + 1) % room;
      --count;
      return item;
    }
    T* pop_newest() { return items[(first + --count) % room]; }
    void push(T* item) { items[(first + count++) % room] = item; }

    AtHand() = default;
    AtHand(const AtHand&) = delete;
    AtHand(AtHand&&) = delete;
    AtHand& operator=(const AtHand&) = delete;
    AtHand& operator=(AtHand&&) = delete;
    ~AtHand() {
      if (owner == nullptr) return;
      const std::lock_guard lock(owner->mutex_);
      while (count > 0) owner->add_free(pop_oldest());
    }
  };

  // A thread with fewer objects fetches more before it takes one; otherwise a handle freed just now
  // would be next.
  static constexpr std::size_t fewest = 8;
  static constexpr std::size_t batch = 32;

  AtHand& at_hand() {
    static thread_local AtHand mine;
    mine.owner = this;
    return mine;
  }

  void refill(AtHand& mine) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < batch; ++i) {
      if (free_count_ == 0) grow();
      mine.push(free_[oldest_]);
      oldest_ = (oldest_ + 1) % free_.size();
      --free_count_;
    }
  }

  void relieve(AtHand& mine) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < batch; ++i) add_free(mine.pop_oldest());
  }

  static constexpr std::size_t chunk_size(std::size_t index) { return std::size_t{32} << index; }
  static constexpr std::size_t first_number(std::size_t index) {
    return (std::size_t{32} << index) - 32;
  }

  void grow() {
    if (count_ == chunks_.size()) fail(EP_ERR_OTHER, "too many handles (2^30 live objects).");
    const std::size_t size = chunk_size(count_);
    T* const chunk = new T[size];
    chunks_[count_++].store(chunk, std::memory_order_release);
    // No object is free now, so the ring, which can hold all objects, begins anew.
    free_.resize(first_number(count_));
    oldest_ = 0;
    for (std::size_t i = 0; i < size; ++i) add_free(chunk + i);
  }

  void add_free(T* item) {
    free_[(oldest_ + free_count_) % free_.size()] = item;
    ++free_count_;
  }

  std::mutex mutex_;
  std::array<std::atomic<T*>, 25> chunks_{};
  std::size_t count_ = 0;
  // A ring: objects are reused in the order in which they were returned.
  std::vector<T*> free_;
  std::size_t oldest_ = 0;
  std::size_t free_count_ = 0;
};

}  // namespace ep
