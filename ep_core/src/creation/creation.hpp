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

/// The contribution of one endpoint of a parent to new communicators: `count` endpoints in the
/// communicator of `color`, ordered by (key, parent rank). They are the parent's endpoint again, or
/// new ones from `first_id` on. All endpoints agree on `error`, which fails the call at all of
/// them.
struct Membership {
  int color = 0;
  int key = 0;
  int count = 1;
  int first_id = same_endpoint;
  int error = EP_SUCCESS;
  int fast_reduction = -1;  ///< 1 or 0: requested mode, fast if all have 1; -1: as the parent
  /// If several endpoints override the algorithm of a collective, that of the lowest rank holds;
  /// without an override the parent's algorithm stays.
  AlgorithmOverrides algorithms;
  bool unknown_algorithm = false;  ///< true if this is the reason of `error`
};

struct NewEndpoint {
  std::shared_ptr<Clique> clique;
  int side;
  int slot;
  int rank;
};

/// The kind of communicator that the two groups of an intercommunicator form.
enum class Derivation {
  alike,  ///< an intercommunicator
  split,  ///< one for each colour with members on both sides
  merge   ///< an intracommunicator; ordered by key, then by group
};

/// Returns this endpoint's `count` new endpoints (none for EP_UNDEFINED). The new communicators
/// share the parent's wire. Collective over the parent, both groups of it. Costs one exchange of
/// O(endpoints of the parent) numbers.
std::vector<NewEndpoint> create_members(Endpoint& parent, const Membership& mine, const char* what,
                                        Derivation derivation = Derivation::alike);

/// The message for an unknown value of the info key ep_reduction.
constexpr const char* unknown_reduction =
    "info key ep_reduction with an unknown value (known: ordered, fast).";

/// Returns the message for an unknown value of the info key ep_algorithm.
std::string unknown_algorithm();

/// Creates one endpoint per process of `comm`. The environment of the first process determines the
/// choice of algorithms. Collective over the processes of `comm`.
NewEndpoint create_from_mpi(MPI_Comm comm);

/// The tags of the messages between the leaders of two groups. They differ if both may be one
/// endpoint of the peer communicator.
struct LeaderTags {
  int send;
  int receive;
};
/// Creates an intercommunicator. Collective over both groups.
EP_Comm create_intercomm(Endpoint& local, int local_leader, EP_Comm peer, int remote_leader,
                         const LeaderTags& tags);
inline EP_Comm create_intercomm(Endpoint& local, int local_leader, EP_Comm peer, int remote_leader,
                                int tag) {
  return create_intercomm(local, local_leader, peer, remote_leader, LeaderTags{tag, tag});
}

/// Creates a raw communicator over the processes of an intracommunicator with one endpoint each,
/// with the same ranks. The clique owns it. Collective.
MPI_Comm create_raw(Endpoint& endpoint);

/// Creates a raw communicator over the processes of a clique, in their order, which the caller
/// frees. Collective over the processes, which must call at about the same time, since it blocks
/// inside MPI.
MPI_Comm create_raw_over_processes(const Clique& clique);

/// Creates a wire for exactly the processes with these world ranks (ascending). Collective over
/// them.
std::shared_ptr<Wire> create_wire(const std::vector<int>& world_ranks, int tag);

/// Writes flat data into the blobs that creation exchanges.
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
