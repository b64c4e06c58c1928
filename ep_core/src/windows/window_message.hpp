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

/// A message between the processes of a window. Only between processes of one job on one
/// architecture.
struct WindowMessage {
  enum class Kind : std::int32_t {
    accumulate,  ///< runs, then operands
    swap,        ///< one run, the value, what to compare with
    lock,
    unlock,
    post,
    complete,
    answer  ///< to a message with a number: values fetched, or the text of an error
  };

  Kind kind = Kind::answer;
  std::int32_t slot = 0;  ///< of the endpoint it is for
  std::int32_t rank = 0;  ///< of the endpoint it is from, as the other sees it
  std::uint32_t number = 0;
  std::int32_t code = 0;  ///< of an answer: the class of an error
  std::int32_t op = 0;
  std::int32_t basic = 0;
  std::int32_t exclusive = 0;
  std::int32_t fetches = 0;
  std::int32_t runs = 0;
  std::int64_t elements = 0;
  std::int64_t first = 0;  ///< elements of the operation in earlier messages
};

/// A run of consecutive elements in the segment of a target: bytes from its base, or an address.
struct ElementRun {
  std::int64_t offset;
  std::int64_t count;
};

/// Returns where the elements of `target` lie; offsets count from its data.
std::vector<ElementRun> runs_of(const MappedView& target, const Accumulator& accumulator);
/// Returns the elements of a view, as far apart as an Accumulator wants them.
std::vector<std::byte> elements_of(const MappedView& view, const Accumulator& accumulator);
/// Packs `count` elements that lie as an Accumulator wants them.
std::vector<std::byte> packed_elements(const std::byte* elements, std::int64_t count,
                                       const Accumulator& accumulator);

/// Sends a message and what follows it.
void send(const std::shared_ptr<Clique>& clique, int process, const WindowMessage& message,
          std::span<const ElementRun> runs = {}, std::span<const std::byte> data = {});

/// Tells the requesters that the lock is theirs.
void grant(const std::shared_ptr<Clique>& clique, const std::vector<LockRequest>& requests);

}  // namespace ep
