#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "schedules/algorithm_choice.hpp"

namespace ep {

constexpr int same_endpoint = -1;

/// What one endpoint of a parent brings into new communicators: `count` endpoints in the one of
/// `color`, ordered by (key, parent rank). They are the parent's endpoint again, or new ones from
/// `first_id` on. `error` is agreed on: it fails the call everywhere.
struct Membership {
  int color = 0;
  int key = 0;
  int count = 1;
  int first_id = same_endpoint;
  int error = EP_SUCCESS;
  int fast_reduction = -1;  ///< 1 or 0: a wish, fulfilled if all have it; -1: as the parent
  /// Of several for one collective, that of the lowest rank counts; without one, as the parent.
  AlgorithmOverrides algorithms;
  bool unknown_algorithm = false;  ///< why `error`
};

struct NewEndpoint {
  std::shared_ptr<Clique> clique;
  int side;
  int slot;
  int rank;
};

/// What becomes of the two groups of an intercommunicator.
enum class Derivation {
  alike,  ///< an intercommunicator
  split,  ///< one for each colour with members on both sides
  merge   ///< an intracommunicator; ordered by key, then by group
};

/// Collective over the parent, both groups of it; returns this endpoint's `count` new endpoints
/// (none for EP_UNDEFINED). One exchange of O(endpoints of the parent) numbers. The new
/// communicators share the parent's wire.
std::vector<NewEndpoint> create_members(Endpoint& parent, const Membership& mine, const char* what,
                                        Derivation derivation = Derivation::alike);

/// For messages: a value of the info key that nobody knows.
constexpr const char* unknown_reduction =
    "info key ep_reduction with an unknown value (known: ordered, fast).";

/// The same of ep_algorithm.
std::string unknown_algorithm();

/// Collective over the processes of `comm`: one endpoint per process. Algorithms are chosen as the
/// environment of the first process says.
NewEndpoint create_from_mpi(MPI_Comm comm);

/// What the leaders of two groups say to each other goes under these. They differ where both may be
/// one endpoint of the peer communicator.
struct LeaderTags {
  int send;
  int receive;
};
/// Collective over both groups.
EP_Comm create_intercomm(Endpoint& local, int local_leader, EP_Comm peer, int remote_leader,
                         const LeaderTags& tags);
inline EP_Comm create_intercomm(Endpoint& local, int local_leader, EP_Comm peer, int remote_leader,
                                int tag) {
  return create_intercomm(local, local_leader, peer, remote_leader, LeaderTags{tag, tag});
}

/// Collective: a raw communicator over the processes of an intracommunicator with one endpoint
/// each, ranked alike. Owned by the clique.
MPI_Comm create_raw(Endpoint& endpoint);

/// Collective, once per process and at about one time: a raw communicator over the processes of a
/// clique, in their order, to be freed.
MPI_Comm create_raw_over_processes(const Clique& clique);

/// Collective over the processes with these world ranks (ascending): a wire for exactly them.
std::shared_ptr<Wire> create_wire(const std::vector<int>& world_ranks, int tag);

/// Flat data in the blobs that creation exchanges.
class BlobWriter {
 public:
  template <class T>
  BlobWriter& put(const T& value) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    bytes_.insert(bytes_.end(), bytes, bytes + sizeof value);
    return *this;
  }
  std::vector<std::byte> take() { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

class BlobReader {
 public:
  explicit BlobReader(const std::vector<std::byte>& bytes) : bytes_(bytes) {}
  template <class T>
  T get() {
    if (offset_ + sizeof(T) > bytes_.size()) {
      fail(EP_ERR_INTERN, "a description of processes is too short (versions differ?).");
    }
    T value{};
    std::copy_n(bytes_.data() + offset_, sizeof value, reinterpret_cast<std::byte*>(&value));
    offset_ += sizeof value;
    return value;
  }

 private:
  const std::vector<std::byte>& bytes_;
  std::size_t offset_ = 0;
};

}  // namespace ep
