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

/// Returns the owners of processes that both sides share, by these rules:
/// 1. A process without a leader belongs to the side whose leader has the higher peer rank.
/// 2. A process with one leader belongs to the leader's side.
/// 3. For a process with both leaders, let A be the side of the lower peer rank:
///    a. If A has other processes, B owns it, and the leader of A moves to the first of those.
///    b. If only B has other processes, A owns it, and the leader of B moves.
///    c. If neither has, both own it, as one group with two labels.
/// Sides of equal peer rank (possible if the peer communicator has two groups) are ordered as
/// given. The function is pure, so that both sides reach the same decision.
Ownership decide_owners(const OwnedSide& first, const OwnedSide& second);

}  // namespace ep
