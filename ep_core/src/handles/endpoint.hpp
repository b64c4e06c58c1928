#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "cliques/clique.hpp"
#include "handles/attributes.hpp"

namespace ep {

/// The place of an endpoint in a communicator, which is all that communication needs.
struct Member {
  std::shared_ptr<Clique> clique;
  int slot = 0;
  int side = 0;
  int rank = 0;

  Slot& place() const { return clique->slot(slot); }
  const RankTable& local_group() const { return clique->local_group(side); }
  const RankTable& remote_group() const { return clique->remote_group(side); }
};

/// The object behind the handle of one endpoint.
struct Endpoint : Member {
  std::atomic<std::uint32_t> alive{0};
  /// Number of collectives begun; used by the endpoint's thread only.
  std::uint64_t operations = 0;
  std::uint64_t persistent_operations = 0;  ///< number of persistent collectives created
  /// The virtual topology of the communicator, which only topologies/ reads; null without one.
  std::shared_ptr<const void> topology;
  Attributes attributes;                     ///< attributes by keyval
  std::map<std::string, std::string> hints;  ///< hints of EP_Comm_set_info
  std::uint64_t duplications = 0;            ///< number of EP_Comm_idup calls begun
  std::shared_ptr<Sleeper> sleeper;          ///< counts the waits of the endpoint
  bool of_start = false;  ///< true for start communicators and those derived from them
};

/// EP_COMM_MAX_ENDPOINTS: the limit for which slot numbers are tested.
constexpr int most_endpoints = 32768;

constexpr std::uint32_t endpoint_alive = 0x4550434f;

/// Returns the first of `count` numbers for new endpoints of this process.
int draw_endpoint_ids(int count) noexcept;

/// True if `comm` is a living handle.
bool is_endpoint(EP_Comm comm) noexcept;
/// Returns the endpoint behind the handle in the calling thread, predefined handles included;
/// EP_COMM_NULL if there is none.
EP_Comm endpoint_or_null(EP_Comm comm) noexcept;
/// Returns the object behind a handle. Throws if the handle is null, freed or foreign.
Endpoint& endpoint_of(EP_Comm comm);
Endpoint& intra_endpoint_of(EP_Comm comm, const char* operation);

/// Makes a new handle for `slot` of an active clique, with the error handler of `parent` if there
/// is one.
EP_Comm make_endpoint(const Endpoint* parent, std::shared_ptr<Clique> clique, int slot, int side,
                      int rank);
/// Makes a handle for the same endpoint and rank as `parent` in a clique that need not be active
/// yet.
EP_Comm make_early_endpoint(const Endpoint& parent, std::shared_ptr<Clique> clique, int size);
/// Frees the endpoint; deletes its attributes first.
void free_endpoint(EP_Comm comm);

}  // namespace ep

// The handle of the C interface points to this.
struct ep_comm : ep::Endpoint {};
