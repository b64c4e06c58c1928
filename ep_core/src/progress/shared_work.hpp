#pragma once

#include <atomic>
#include <cstddef>
#include <type_traits>

namespace ep {

class PieceWork;
template <class F>
concept NotPieceWork = !std::is_same_v<std::remove_cvref_t<F>, PieceWork>;

/// A reference to any callable `void(std::size_t piece)` that throws nothing; must not outlive it.
class PieceWork {
 public:
  PieceWork() = default;
  template <NotPieceWork F>
  // NOLINTNEXTLINE: a view that converts on purpose and never hides a copy
  PieceWork(F&& function) noexcept
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, std::size_t piece) {
          (*static_cast<std::remove_reference_t<F>*>(object))(piece);
        }) {}
  void operator()(std::size_t piece) const { call_(object_, piece); }

 private:
  void* object_ = nullptr;
  void (*call_)(void*, std::size_t) = nullptr;
};

/// Work in pieces that do not depend on each other, for the thread that has it and for others that
/// happen to wait. The one that has it does not depend on them.
///
/// Used again only when no helper can still be inside help() or help_once(): whoever lends it out
/// sees to that.
class SharedWork {
 public:
  /// From here to the end of complete(), helpers take pieces.
  void begin(std::size_t pieces, PieceWork work) noexcept;
  /// Does what nobody else has taken. On return no piece is under way any more.
  void complete() noexcept;
  /// Another thread: does pieces while there are any. One load if there is no work.
  void help() noexcept {
    if (is_open_.load(std::memory_order_acquire)) take_pieces();
  }
  /// Another thread: does a piece. False: there is none. One load if there is no work.
  bool help_once() noexcept { return is_open_.load(std::memory_order_acquire) && take_piece(); }

 private:
  bool take_piece() noexcept;
  void take_pieces() noexcept;

  std::atomic<bool> is_open_{false};
  std::size_t pieces_ = 0;
  PieceWork work_;
  std::atomic<std::size_t> next_{0};  // piece
  std::atomic<std::size_t> left_{0};  // pieces
};

}  // namespace ep
