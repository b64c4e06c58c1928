#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cliques/rank_table.hpp"

namespace ep {

class Clique;
class Accumulator;
struct LockRequest;
struct MappedView;

/// A message between the processes of a window. It is sent as raw bytes, since all processes of a
/// job have the same architecture.
struct WindowMessage {
  enum class Kind : std::int32_t {
    accumulate,  ///< runs, then operands
    swap,        ///< one run, then the new value and the value to compare
    lock,
    unlock,
    post,
    complete,
    answer  ///< reply to a message with a number: fetched values, or the text of an error
  };

  Kind kind = Kind::answer;
  std::int32_t slot = 0;  ///< slot of the receiving endpoint
  std::int32_t rank = 0;  ///< rank of the sending endpoint, as the receiver sees it
  std::uint32_t number = 0;
  std::int32_t code = 0;  ///< in an answer: the error class
  std::int32_t op = 0;
  std::int32_t basic = 0;
  std::int32_t exclusive = 0;
  std::int32_t fetches = 0;
  std::int32_t runs = 0;
  std::int64_t elements = 0;
  std::int64_t first = 0;  ///< number of elements in earlier messages of the operation
};

/// A run of consecutive elements in the segment of a target. The offset is in bytes from its base,
/// or an address.
struct ElementRun {
  std::int64_t offset;
  std::int64_t count;
};

/// Returns the runs in which the elements of `target` lie; offsets count from its data.
std::vector<ElementRun> runs_of(const MappedView& target, const Accumulator& accumulator);
/// Returns the elements of a view, with the spacing that an Accumulator requires.
std::vector<std::byte> elements_of(const MappedView& view, const Accumulator& accumulator);
/// Packs `count` elements, which have the spacing that an Accumulator requires.
std::vector<std::byte> packed_elements(const std::byte* elements, std::int64_t count,
                                       const Accumulator& accumulator);

/// Sends a message, followed by its runs and its data.
void send(const std::shared_ptr<Clique>& clique, int process, const WindowMessage& message,
          std::span<const ElementRun> runs = {}, std::span<const std::byte> data = {});

/// Tells the requesters that the lock is granted.
void grant(const std::shared_ptr<Clique>& clique, const std::vector<LockRequest>& requests);

}  // namespace ep
