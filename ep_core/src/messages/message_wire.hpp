#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "cliques/clique.hpp"
#include "cliques/wire.hpp"
#include "messages/request.hpp"

namespace ep {

/// A body that arrived before its header.
struct EarlyBody {
  MPI_Message message;
  std::int64_t bytes;
};

/// A wire with the state of messages that need more than one raw message: every wire is one.
class MessageWire final : public Wire {
 public:
  /// Takes ownership of `comm`, which must have no other user. Collective over it; blocks only in
  /// waits of this library.
  static std::shared_ptr<MessageWire> make(MPI_Comm comm);

  using Wire::Wire;  ///< for make() only

  /// Queues or delivers a message.
  void take_in(const RawMessage& message) override;
  bool expects_raw() const noexcept override { return has_mpi_peers() || !awaited_bodies_.empty(); }

  /// Registers a synchronous send, which waits for an acknowledgement under the returned number,
  /// never 0.
  std::uint32_t await_acknowledgement(Request& request);
  /// Registers the sender of a body that its receiver reads. Returns 0 if so many wait already that
  /// their answers might not find room here.
  std::uint32_t await_reader(Request& request);
  /// Returns the communicator of the request that waits under `number`, or null if none does.
  std::shared_ptr<Clique> clique_of_unacknowledged(std::uint32_t number);
  /// Returns the request that waits under `number` and frees the number; null if none does.
  Request* take_acknowledged(std::uint32_t number);

  /// Returns the mutex that guards every Body of this wire.
  std::mutex& body_mutex() noexcept { return body_mutex_; }
  /// Returns the headers that came before their bodies, by (source, raw tag). Under the engine's
  /// lock.
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Body>>>& awaited_bodies() noexcept {
    return awaited_bodies_;
  }
  /// Returns the bodies through MPI that overtook their headers, by (source, raw tag). Under the
  /// engine's lock.
  std::map<std::pair<int, int>, std::deque<EarlyBody>>& early_bodies() noexcept {
    return early_bodies_;
  }
  /// Returns the mutex to hold while a header and its body are given to MPI, so that pairs of one
  /// tag stay in order.
  std::mutex& pair_mutex() noexcept { return pair_mutex_; }
  /// Returns the number of the next body. Under pair_mutex().
  std::uint32_t next_body() noexcept { return next_body_++; }

 private:
  struct Unacknowledged {
    Request* request;
    bool is_read;
  };
  std::uint32_t await_locked(const Unacknowledged& entry);

  std::mutex acknowledgement_mutex_;
  std::map<std::uint32_t, Unacknowledged> unacknowledged_;
  std::size_t read_count_ = 0;
  std::uint32_t last_acknowledgement_ = 0;

  std::mutex body_mutex_;
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Body>>> awaited_bodies_;
  std::map<std::pair<int, int>, std::deque<EarlyBody>> early_bodies_;
  std::mutex pair_mutex_;
  std::uint32_t next_body_ = 0;
};

/// Returns the wire of a communicator with other processes.
inline MessageWire& wire_of(const Clique& clique) {
  return static_cast<MessageWire&>(*clique.wire());
}

/// Returns the wire for the engine; it keeps the communicator alive.
inline std::shared_ptr<Traffic> traffic_of(const std::shared_ptr<Clique>& clique) {
  return {clique, clique->wire().get()};
}

}  // namespace ep
