// Executes accumulates: by atomics of the machine where elements have the right size and alignment,
// else under the target's lock. Datatype and address alone decide, so all agree. In order:
// operations and their numbers, the choice, words, and elements under the lock.
#include "windows/accumulator.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <thread>

#include "datatypes/reducer.hpp"
#include "process/error.hpp"

namespace ep {

namespace {

// Processes identify operations by their position in this array. It is built in a function, since
// MPI's handles need not be constants.
const auto& operations() {
  static const std::array all{MPI_REPLACE, MPI_NO_OP, MPI_SUM,    MPI_PROD,  MPI_MAX,
                              MPI_MIN,     MPI_LAND,  MPI_LOR,    MPI_LXOR,  MPI_BAND,
                              MPI_BOR,     MPI_BXOR,  MPI_MAXLOC, MPI_MINLOC};
  return all;
}

/// The result of a thread's last lookup, since programs repeat the same operation.
struct Recent {
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype basic = MPI_DATATYPE_NULL;
  Accumulator found;
};

}  // namespace

void ElementLock::lock() noexcept {
  constexpr int looks = 100;
  for (int look = 0; word_.exchange(1, std::memory_order_acquire) != 0; ++look) {
    // The holder of the lock may need this core to run.
    if (look >= looks) std::this_thread::yield();
  }
}

int Accumulator::number_of(MPI_Op op) {
  const auto& all = operations();
  const auto found = std::find(all.begin(), all.end(), op);
  return found != all.end() ? static_cast<int>(found - all.begin()) : -1;
}

MPI_Op Accumulator::op_of(int number) {
  const auto& all = operations();
  const bool known = number >= 0 && static_cast<std::size_t>(number) < all.size();
  return known ? all[static_cast<std::size_t>(number)] : MPI_OP_NULL;
}

bool Accumulator::is_integer(MPI_Datatype type) noexcept {
  const std::array all{MPI_INT,      MPI_LONG,           MPI_LONG_LONG,
                       MPI_UNSIGNED, MPI_UNSIGNED_LONG,  MPI_UNSIGNED_LONG_LONG,
                       MPI_INT32_T,  MPI_INT64_T,        MPI_UINT32_T,
                       MPI_UINT64_T, MPI_AINT,           MPI_OFFSET,
                       MPI_COUNT,    MPI_SHORT,          MPI_INT16_T,
                       MPI_UINT16_T, MPI_UNSIGNED_SHORT, MPI_SIGNED_CHAR,
                       MPI_INT8_T,   MPI_UINT8_T,        MPI_UNSIGNED_CHAR,
                       MPI_INTEGER,  MPI_INTEGER1,       MPI_INTEGER2,
                       MPI_INTEGER4, MPI_INTEGER8,       MPI_CHAR};
  return std::find(all.begin(), all.end(), type) != all.end();
}

Accumulator Accumulator::of(MPI_Op op, MPI_Datatype basic) {
  thread_local Recent recent;
  if (recent.op == op && recent.basic == basic && op != MPI_OP_NULL) return recent.found;
  if (number_of(op) < 0) {
    fail(EP_ERR_OP,
         "the operation of an accumulate is none of MPI's own (those of programs are not allowed "
         "here).");
  }
  Accumulator out;
  const std::shared_ptr<const TypeMap> map = map_of(basic);
  out.basic_ = basic;
  out.size_ = map->size;
  out.extent_ = map->extent;
  if (op == MPI_REPLACE) {
    out.kind_ = Kind::replace;
  } else if (op == MPI_NO_OP) {
    out.kind_ = Kind::read;
  } else {
    out.kernel_ = make_reducer(op, basic).kernel;
    out.kind_ = op == MPI_SUM && is_integer(basic) ? Kind::add : Kind::combine;
    if (out.kernel_ == nullptr) {
      fail(EP_ERR_OP, "the operation of an accumulate is not defined for ",
           basic_name(basic_number(basic)), ".");
    }
  }
  recent = {op, basic, out};
  return out;
}

bool Accumulator::is_exchangeable(const std::byte* target) const noexcept {
  if (has_gaps()) return false;
  if (size_ != 8 && size_ != 4 && size_ != 2 && size_ != 1) return false;
  return reinterpret_cast<std::uintptr_t>(target) % static_cast<std::uintptr_t>(size_) == 0;
}

template <class Word>
Word Accumulator::apply_to_word(Word& target, Word operand) const {
  const std::atomic_ref<Word> word(target);
  switch (kind_) {
    case Kind::replace:
      return word.exchange(operand);
    case Kind::read:
      return word.load();
    case Kind::add:
      if (size_ == sizeof(Word)) return word.fetch_add(operand);
      break;  // a unit of bytes
    case Kind::combine:
      break;
  }
  const auto elements = static_cast<int>(sizeof(Word) / static_cast<std::size_t>(size_));
  Word before = word.load();
  Word after = before;
  do {
    kernel_(elements, &before, &operand, &after);
  } while (!word.compare_exchange_weak(before, after));
  return before;
}

template <class Word>
void Accumulator::apply_to_words(std::byte* target, const std::byte* operand, std::byte* fetched,
                                 std::int64_t count) const {
  auto* const words = reinterpret_cast<Word*>(target);
  constexpr std::size_t size = sizeof(Word);
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    Word value{};
    if (reads_operand()) std::memcpy(&value, operand + i * size, size);
    const Word before = apply_to_word(words[i], value);
    if (fetched != nullptr) std::memcpy(fetched + i * size, &before, size);
  }
}

// Works on blocks that are copied to aligned memory, so neither side needs alignment.
void Accumulator::apply_locked(std::byte* target, const std::byte* operand, std::byte* fetched,
                               std::int64_t count) const {
  constexpr std::int64_t room = 1024;
  alignas(64) std::array<std::byte, room> before;    // NOLINT: filled before it is read
  alignas(64) std::array<std::byte, room> operands;  // NOLINT: the same
  const std::int64_t at_once = room / extent_;
  for (std::int64_t done = 0; done < count; done += at_once) {
    const std::int64_t now = std::min(at_once, count - done);
    const auto bytes = static_cast<std::size_t>(now * extent_);
    std::byte* const place = target + done * extent_;
    if (fetched != nullptr) std::memcpy(fetched + done * extent_, place, bytes);
    if (kind_ == Kind::read) continue;
    std::memcpy(operands.data(), operand + done * extent_, bytes);
    if (kind_ == Kind::combine || kind_ == Kind::add) {
      std::memcpy(before.data(), place, bytes);
      kernel_(static_cast<int>(now), before.data(), operands.data(), operands.data());
    }
    std::memcpy(place, operands.data(), bytes);
  }
}

namespace {

// Calls `use` with a word of 8, 4, 2 or else 1 bytes; only its type matters.
template <class Use>
void with_word(std::int64_t size, Use&& use) {
  if (size == 8) return use(std::uint64_t{});
  if (size == 4) return use(std::uint32_t{});
  if (size == 2) return use(std::uint16_t{});
  use(std::uint8_t{});
}

}  // namespace

// The machine's words where the unit is one, so that they go together with integers of that size.
void Accumulator::apply_to_unit(std::byte* target, const std::byte* operand, std::byte* fetched,
                                std::int64_t count, ElementLock& lock) const {
  const auto address = reinterpret_cast<std::uintptr_t>(target);
  const bool is_aligned = address % static_cast<std::uintptr_t>(count) == 0;
  if (is_aligned && (count == 8 || count == 4 || count == 2)) {
    with_word(count,
              [&](auto word) { apply_to_words<decltype(word)>(target, operand, fetched, 1); });
  } else {
    lock.lock();
    if (count == 16 && address % 8 == 0) {
      apply_to_words<std::uint64_t>(target, operand, fetched, 2);
    } else {
      apply_to_words<std::uint8_t>(target, operand, fetched, count);
    }
    lock.unlock();
  }
}

void Accumulator::apply(std::byte* target, const std::byte* operand, std::byte* fetched,
                        std::int64_t count, ElementLock& lock) const {
  constexpr std::int64_t most_unit_bytes = 16;
  if (size_ == 1 && count > 1 && count <= most_unit_bytes) {
    apply_to_unit(target, operand, fetched, count, lock);
    return;
  }
  if (!is_exchangeable(target)) {
    lock.lock();
    apply_locked(target, operand, fetched, count);
    lock.unlock();
  } else {
    with_word(size_,
              [&](auto word) { apply_to_words<decltype(word)>(target, operand, fetched, count); });
  }
}

namespace {

template <class Word>
void swap_word(std::byte* target, const std::byte* operand, const std::byte* compare,
               std::byte* fetched) {
  Word expected{};
  Word value{};
  std::memcpy(&expected, compare, sizeof(Word));
  std::memcpy(&value, operand, sizeof(Word));
  const std::atomic_ref<Word> word(*reinterpret_cast<Word*>(target));
  word.compare_exchange_strong(expected, value);
  std::memcpy(fetched, &expected, sizeof(Word));
}

}  // namespace

void Accumulator::compare_and_swap(std::byte* target, const std::byte* operand,
                                   const std::byte* compare, std::byte* fetched,
                                   ElementLock& lock) const {
  if (!is_exchangeable(target)) {
    const auto size = static_cast<std::size_t>(size_);
    lock.lock();
    const bool equal = std::memcmp(target, compare, size) == 0;
    std::memcpy(fetched, target, size);
    if (equal) std::memcpy(target, operand, size);
    lock.unlock();
  } else {
    with_word(size_,
              [&](auto word) { swap_word<decltype(word)>(target, operand, compare, fetched); });
  }
}

}  // namespace ep
