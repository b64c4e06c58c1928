/// @file
/// What a ChannelWindow is to the channels that use it.
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

/// Memory that MPI may write to or read for as long as the process lives.
void keep_for_ever(std::shared_ptr<Memory> memory);

/// Whether a process maps the ring of a server on its node, instead of putting to it.
bool maps_windows();

/// Belongs to one endpoint, as its window does.
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
  /// False: others may go on writing to them.
  bool try_detach(const std::byte* bytes) noexcept;

  /// Memory of a group that has ended: kept and attached until no sender puts to `rings` any more.
  void retire(std::shared_ptr<Memory> memory, std::vector<const RingControl*> rings);

  /// Bytes of that memory.
  std::size_t retired_bytes() const;

  /// A sender's end, until it says withdraw().
  void enlist(PutStream& stream) { streams_.push_back(&stream); }
  void withdraw(const PutStream& stream);
  /// A receiver's end that has released what it could not tell yet, until it has or says
  /// withdraw().
  void enlist(WindowReceiver& receiver) { unacked_.push_back(&receiver); }
  void withdraw(const WindowReceiver& receiver);
  /// One whose sender has been destroyed before all had arrived.
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

/// Whether nobody writes to the ring through a window, now or later: its sender has ended, or uses
/// the memory itself.
bool is_left_alone(const RingControl& ring);

}  // namespace epios::io
