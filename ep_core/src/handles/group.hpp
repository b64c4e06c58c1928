#pragma once

#include <ep/ep.h>

#include <atomic>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace ep {

struct Member;

/// An endpoint, independent of its communicators.
struct Identity {
  int world_rank = 0;  ///< world rank of the endpoint's process
  int id = 0;          ///< within the process
  bool operator==(const Identity&) const = default;
  bool operator<(const Identity& other) const {
    return std::pair(world_rank, id) < std::pair(other.world_rank, other.id);
  }
};

using Identities = std::vector<Identity>;

/// The object behind an EP_Group. Immutable while alive.
struct Group {
  std::atomic<std::uint32_t> alive{0};
  Identities members;
  std::optional<Identity> self;  ///< endpoint from whose communicator the group was created
};

constexpr std::uint32_t group_alive = 0x45504752;

/// Returns the members of the endpoint's local or remote group, in order of rank.
Identities identities_of(const Member& member, bool remote);
Identity identity_of(const Member& member);

/// Returns the ranks in `group` of `wanted`, EP_UNDEFINED for those that are not in it. O((n + m)
/// log n).
std::vector<int> ranks_in(const Identities& group, const Identities& wanted);
/// Returns EP_IDENT, EP_SIMILAR or EP_UNEQUAL.
int compare(const Identities& a, const Identities& b);

/// Returns the ranks that (first, last, stride) triples name. Throws for triples that MPI calls
/// erroneous.
std::vector<int> expand_ranges(std::span<const int> triples, int size);
Identities pick(const Identities& group, std::span<const int> ranks);
Identities leave_out(const Identities& group, std::span<const int> ranks);

}  // namespace ep

// The handle of the C interface points to this.
struct ep_group : ep::Group {};
