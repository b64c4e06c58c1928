/// @file
/// Sends parts through a window: they are packed in a ring of the sender, put to the same place of
/// the server's ring, and made visible by accumulating the position.
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

/// Largest number of parts of a channel that the sender has not seen released.
inline constexpr std::uint64_t window_parts_limit = 64;

/// Accumulates positions, of which the newest counts. At most `most` may be unanswered.
class PositionTeller {
 public:
  PositionTeller(EP_Win win, int target, std::uint64_t most)
      : win_(win), target_(target), tellings_(most) {}
  PositionTeller(const PositionTeller&) = delete;
  PositionTeller(PositionTeller&&) = delete;
  PositionTeller& operator=(const PositionTeller&) = delete;
  PositionTeller& operator=(PositionTeller&&) = delete;
  ~PositionTeller();

  /// Returns true if another one may be sent now.
  bool has_room();
  bool is_answered() { return has_room() && answered_ == told_; }
  /// Writes the words to an address of the target; the last one is the position.
  void tell(std::uint64_t address, std::span<const std::uint64_t> words);

 private:
  struct Telling {
    EP_Request request = EP_REQUEST_NULL;
    std::array<std::uint64_t, 3> words{};  // used by the window until it answers
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
  /// `ring` is the address of the ring on the server. Tells the server where this end is.
  PutStream(WindowState& window, const RingLayout& layout, int server, std::uint64_t ring);
  PutStream(const PutStream&) = delete;
  PutStream(PutStream&&) = delete;
  PutStream& operator=(const PutStream&) = delete;
  PutStream& operator=(PutStream&&) = delete;
  ~PutStream();

  /// Returns the sender's own ring, whose `released` the server writes.
  RingWriter& writer() { return writer_; }
  const RingWriter& writer() const { return writer_; }
  /// Returns true if a part may be sent now, provided that the ring has room for it.
  bool has_room();
  void commit();
  void progress();
  bool is_drained();
  /// Returns true if the server knows of all committed parts.
  bool is_announced() const { return announced_ == committed_; }
  /// Makes progress on what is left. Returns true once the server knows that nothing more comes.
  bool end();

 private:
  std::uint64_t place_of(const std::byte* own) const;
  void put(std::span<std::byte> bytes);
  void accumulate(std::uint64_t address, const std::uint64_t* words, std::size_t count);
  void announce();

  WindowState& window_;
  std::shared_ptr<Memory> memory_;  // shared, because Memory has shared owners only
  RingWriter writer_;
  RingControl* control_;
  int server_;
  std::uint64_t ring_;
  PositionTeller positions_;
  std::array<EP_Request, window_parts_limit> puts_{};
  std::array<std::uint64_t, window_parts_limit> ends_{};  // positions behind parts
  std::uint64_t puts_made_ = 0;  // since the beginning, like all counters here
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
