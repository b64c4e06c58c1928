#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "schedules/reduction.hpp"

namespace ep {

/// Guards the elements of one target that no atomic instruction covers. It is held only briefly,
/// and lies in shared memory if several processes accumulate.
class ElementLock {
 public:
  void lock() noexcept;
  void unlock() noexcept { word_.store(0, std::memory_order_release); }

 private:
  alignas(64) std::atomic<std::uint32_t> word_{0};
};

/// Executes all accumulates: an operation on elements of one predefined datatype, in memory that
/// this process reads and writes. Elements that the machine can exchange (1, 2, 4 or 8 bytes with
/// natural alignment) are changed by atomic instructions only, all others under the target's lock;
/// the choice depends on datatype and address alone. Up to 16 bytes (or characters) of one block
/// are a unit: no other accumulate sees it half changed. Other MPI libraries do the same, and
/// programs send whole structures this way.
///
/// Elements are `extent` bytes apart in memory, and so are operands and fetched values.
class Accumulator {
 public:
  /// Throws EP_ERR_OP for an operation that MPI does not allow for the datatype, or at all.
  static Accumulator of(MPI_Op op, MPI_Datatype basic);
  /// Returns the number of an operation in messages between processes, or -1.
  static int number_of(MPI_Op op);
  static MPI_Op op_of(int number);
  static bool is_integer(MPI_Datatype type) noexcept;

  std::int64_t extent() const noexcept { return extent_; }
  /// True if values in memory have gaps, which packed values do not have.
  bool has_gaps() const noexcept { return size_ != extent_; }
  MPI_Datatype basic() const noexcept { return basic_; }
  bool reads_operand() const noexcept { return kind_ != Kind::read; }

  /// Repeats `count` times: fetched = target; target = target op operand. `fetched` may be null,
  /// and so may `operand` if reads_operand() is false. Neither needs alignment.
  void apply(std::byte* target, const std::byte* operand, std::byte* fetched, std::int64_t count,
             ElementLock& lock) const;
  /// Changes one element: fetched = target; if it equals `compare`, target = operand.
  void compare_and_swap(std::byte* target, const std::byte* operand, const std::byte* compare,
                        std::byte* fetched, ElementLock& lock) const;

 private:
  enum class Kind { replace, read, add, combine };

  bool is_exchangeable(const std::byte* target) const noexcept;
  void apply_to_unit(std::byte* target, const std::byte* operand, std::byte* fetched,
                     std::int64_t count, ElementLock& lock) const;
  template <class Word>
  void apply_to_words(std::byte* target, const std::byte* operand, std::byte* fetched,
                      std::int64_t count) const;
  template <class Word>
  Word apply_to_word(Word& target, Word operand) const;
  void apply_locked(std::byte* target, const std::byte* operand, std::byte* fetched,
                    std::int64_t count) const;

  Kind kind_ = Kind::combine;
  MPI_Datatype basic_ = MPI_BYTE;
  std::int64_t size_ = 1;
  std::int64_t extent_ = 1;
  ReductionKernel kernel_ = nullptr;
};

}  // namespace ep
