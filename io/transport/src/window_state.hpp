/// @file
/// The state of a ChannelWindow that its channels use.
#pragma once

#include <ep/types.h>

#include <cstddef>
#include <cstdint>
#include <ep/fwd.hpp>
#include <memory>
#include <span>
#include <vector>

#include "memory.hpp"
#include "ring.hpp"
#include "transport/channel.hpp"

namespace epios::io {

class PutStream;
class WindowReceiver;

/// Keeps memory that MPI may access as long as the process lives.
void keep_for_ever(std::shared_ptr<Memory> memory);

/// Returns the state of a window. Throws ep::Error if there is no window.
std::shared_ptr<WindowState> state_of(const ChannelWindow* window);

/// Returns true if processes map the ring of a server on their node, instead of putting to it.
bool maps_windows();

/// Belongs to one endpoint, like its window.
class WindowState {
 public:
  /// Collective.
  WindowState(const ep::Comm& comm, ChannelWindow::Side own_side);
  WindowState(const WindowState&) = delete;
  WindowState(WindowState&&) = delete;
  WindowState& operator=(const WindowState&) = delete;
  WindowState& operator=(WindowState&&) = delete;
  ~WindowState();

  EP_Win get() const { return win_; }

  /// Lets others write to the bytes.
  void attach(std::span<std::byte> bytes);
  /// Returns false if others may continue to write to them.
  bool try_detach(const std::byte* bytes) noexcept;

  /// Takes the memory of a group that has ended, and keeps it attached until no sender puts to
  /// `rings` any more.
  void retire(std::shared_ptr<Memory> memory, std::vector<const RingControl*> rings);

  /// Returns the bytes of that memory.
  std::size_t retired_bytes() const;

  /// Adds the end of a sender, until withdraw().
  void enlist(PutStream& stream) { streams_.push_back(&stream); }
  void withdraw(const PutStream& stream);
  /// Adds the end of a receiver with releases that it could not tell yet, until it has told them or
  /// withdraw().
  void enlist(WindowReceiver& receiver) { unacked_.push_back(&receiver); }
  void withdraw(const WindowReceiver& receiver);
  /// Takes over a stream whose sender was destroyed before everything had arrived.
  void adopt(std::unique_ptr<PutStream> stream);

  void progress();
  bool is_idle() const { return orphans_.empty() && unacked_.empty(); }
  /// Collective.
  void free();

 private:
  struct Retired {
    std::shared_ptr<Memory> memory;  // shared with senders of this process
    std::vector<const RingControl*> rings;
  };
  void sweep();

  EP_Win win_ = EP_WIN_NULL;
  std::vector<PutStream*> streams_;
  std::vector<std::unique_ptr<PutStream>> orphans_;
  std::vector<WindowReceiver*> unacked_;
  std::vector<Retired> retired_;
};

/// Returns true if nobody writes to the ring through a window, now or later: its sender has ended,
/// or uses the memory itself.
bool is_left_alone(const RingControl& ring);

}  // namespace epios::io
