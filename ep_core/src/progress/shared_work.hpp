#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

namespace ep {

class ItemWork;
template <class F>
concept NotItemWork = !std::is_same_v<std::remove_cvref_t<F>, ItemWork>;

/// A reference to any callable `void(std::size_t item)` that throws nothing; must not outlive it.
class ItemWork {
 public:
  ItemWork() = default;
  template <NotItemWork F>
  // NOLINTNEXTLINE: a view that converts on purpose and never hides a copy
  ItemWork(F&& function) noexcept
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, std::size_t item) {
          (*static_cast<std::remove_reference_t<F>*>(object))(item);
        }) {}
  void operator()(std::size_t item) const { call_(object_, item); }

 private:
  void* object_ = nullptr;
  void (*call_)(void*, std::size_t) = nullptr;
};

/// Work in independent items, for the thread that owns it and for others that happen to wait. The
/// owner does not depend on the others.
///
/// It may be reused only when no helper can still be in help() or help_once(); the owner must
/// ensure that.
class SharedWork {
 public:
  /// Lets helpers take items, until the end of complete().
  void begin(std::size_t items, ItemWork work) noexcept;
  /// Does the items that no other thread has taken. On return no item is running.
  void complete() noexcept;
  /// Does items while there are any. Called by other threads. One load if there is no work.
  void help() noexcept {
    if (is_open_.load(std::memory_order_acquire)) take_items();
  }
  /// Does one item. Returns false if there is none. Called by other threads. One load if there is
  /// no work.
  bool help_once() noexcept { return is_open_.load(std::memory_order_acquire) && take_item(); }

 private:
  bool take_item() noexcept;
  void take_items() noexcept;

  std::atomic<bool> is_open_{false};
  std::size_t items_ = 0;
  ItemWork work_;
  std::atomic<std::size_t> next_{0};  // item
  std::atomic<std::size_t> left_{0};  // items
};

}  // namespace ep
