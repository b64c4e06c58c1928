#pragma once

#include <map>
#include <vector>

namespace ep {

/// The side of an intercommunicator that owns a process in which both sides have endpoints.
enum class Owner : signed char { first, second, both };

/// The facts about a side that the decision needs.
struct OwnedSide {
  int leader_peer_rank = 0;    ///< in the peer communicator
  int leader_process = 0;      ///< world rank
  std::vector<int> processes;  ///< world ranks
};

struct Ownership {
  std::map<int, Owner> owners;  ///< by world rank, of all processes
  int first_leader = 0;         ///< world ranks of the leaders' processes, after a change of leader
  int second_leader = 0;
};

/// The priority rules for processes that both sides share:
/// 1. without a leader: the side whose leader has the higher rank in the peer communicator;
/// 2. with one leader: the leader's side;
/// 3. with both leaders, A being the side of the lower peer rank:
///    a. A has other processes: B; the leader of A moves to the first of those;
///    b. only B has other processes: A; the leader of B moves;
///    c. neither has: both, as one group with two labels.
/// Sides of equal peer rank (possible when the peer communicator has two groups) count in the order
/// given. Pure, so that both sides come to the same decision.
Ownership decide_owners(const OwnedSide& first, const OwnedSide& second);

}  // namespace ep
