/// @file
/// Parts that go through a window: packed in a ring of the sender, put to the same place of the
/// server's ring, made visible by an accumulate of its position.
#pragma once

#include <ep/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "memory.hpp"
#include "ring.hpp"
#include "window_state.hpp"

namespace epios::io {

/// Parts of a channel that the sender has not yet seen released, at most.
inline constexpr std::uint64_t window_parts_limit = 64;

/// Accumulates of one position, of which the newest counts: `most` may be unanswered.
class PositionTeller {
 public:
  PositionTeller(EP_Win win, int target, std::uint64_t most)
      : win_(win), target_(target), tellings_(most) {}
  PositionTeller(const PositionTeller&) = delete;
  PositionTeller(PositionTeller&&) = delete;
  PositionTeller& operator=(const PositionTeller&) = delete;
  PositionTeller& operator=(PositionTeller&&) = delete;
  ~PositionTeller();

  /// Whether another may leave now.
  bool has_room();
  bool is_answered() { return has_room() && answered_ == told_; }
  /// Writes the words to an address of the target; the last one is the position.
  void tell(std::uint64_t address, std::span<const std::uint64_t> words);

 private:
  struct Telling {
    EP_Request request = EP_REQUEST_NULL;
    std::array<std::uint64_t, 3> words{};  // the window's until answered
  };
  Telling& oldest() { return tellings_[answered_ % tellings_.size()]; }

  EP_Win win_;
  int target_;
  std::vector<Telling> tellings_;
  std::uint64_t told_ = 0;
  std::uint64_t answered_ = 0;
};

class PutStream {
 public:
  /// `ring`: where the server has it, an address there. Tells it where this end is.
  PutStream(WindowState& window, const RingLayout& layout, int server, std::uint64_t ring);
  PutStream(const PutStream&) = delete;
  PutStream(PutStream&&) = delete;
  PutStream& operator=(const PutStream&) = delete;
  PutStream& operator=(PutStream&&) = delete;
  ~PutStream();

  /// The sender's own ring, whose `released` the server writes.
  RingWriter& writer() { return writer_; }
  const RingWriter& writer() const { return writer_; }
  /// Whether a part may leave now, if the ring has room for it.
  bool has_room();
  void commit();
  void progress();
  bool is_drained();
  /// Whether the server knows of all parts that have been committed.
  bool is_announced() const { return announced_ == committed_; }
  /// Drives what is left; true once the server knows that nothing comes any more.
  bool end();

 private:
  std::uint64_t place_of(const std::byte* own) const;
  void put(std::span<std::byte> bytes);
  void accumulate(std::uint64_t address, const std::uint64_t* words, std::size_t count);
  void announce();

  WindowState& window_;
  std::shared_ptr<Memory> memory_;  // shared: Memory knows no other owner
  RingWriter writer_;
  RingControl* control_;
  int server_;
  std::uint64_t ring_;
  PositionTeller positions_;
  std::array<EP_Request, window_parts_limit> puts_{};
  std::array<std::uint64_t, window_parts_limit> ends_{};  // positions behind parts
  std::uint64_t puts_made_ = 0;  // since the beginning; so are all counters here
  std::uint64_t puts_left_ = 0;
  std::uint64_t parts_made_ = 0;
  std::uint64_t parts_freed_ = 0;
  bool has_unflushed_ = false;
  bool has_restarted_ = false;
  std::uint64_t committed_ = 0;  // positions
  std::uint64_t announced_ = 0;
  bool said_end_ = false;
};

}  // namespace epios::io
