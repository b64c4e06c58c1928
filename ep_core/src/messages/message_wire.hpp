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

/// A body whose header is still to come.
struct EarlyBody {
  MPI_Message message;
  std::int64_t bytes;
};

/// A wire with what is under way on it beyond single raw messages: every wire is one.
class MessageWire final : public Wire {
 public:
  /// Takes `comm` over, which nobody else may use. Collective over it; blocks in our own waits
  /// only.
  static std::shared_ptr<MessageWire> make(MPI_Comm comm);

  using Wire::Wire;  ///< for make() only

  /// Queues or delivers.
  void take_in(const RawMessage& message) override;
  bool expects_raw() const noexcept override { return has_mpi_peers() || !awaited_bodies_.empty(); }

  /// A synchronous send waits for an acknowledgement under the number returned, never 0.
  std::uint32_t await_acknowledgement(Request& request);
  /// The same for the sender of a body that its receiver reads; 0 if so many wait already that
  /// their answers might not find room here.
  std::uint32_t await_reader(Request& request);
  /// The communicator of the request that waits under `number`; null if none does.
  std::shared_ptr<Clique> clique_of_unacknowledged(std::uint32_t number);
  /// The request that waits under `number`, which is free again; null if none does.
  Request* take_acknowledged(std::uint32_t number);

  /// Guards every Body of this wire.
  std::mutex& body_mutex() noexcept { return body_mutex_; }
  /// Headers that came before their bodies, by (source, raw tag). Engine's lock.
  std::map<std::pair<int, int>, std::deque<std::shared_ptr<Body>>>& awaited_bodies() noexcept {
    return awaited_bodies_;
  }
  /// Bodies through MPI that overtook their headers beside it, by the same. Engine's lock.
  std::map<std::pair<int, int>, std::deque<EarlyBody>>& early_bodies() noexcept {
    return early_bodies_;
  }
  /// Held while a header and its body are handed to MPI, so that pairs of one tag stay in order.
  std::mutex& pair_mutex() noexcept { return pair_mutex_; }
  /// Under pair_mutex().
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

/// That of a communicator with other processes.
inline MessageWire& wire_of(const Clique& clique) {
  return static_cast<MessageWire&>(*clique.wire());
}

/// The same for the engine: keeps the communicator.
inline std::shared_ptr<Traffic> traffic_of(const std::shared_ptr<Clique>& clique) {
  return {clique, clique->wire().get()};
}

}  // namespace ep
