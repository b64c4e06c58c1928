#include "cliques/intercomm_owner.hpp"

#include <algorithm>

namespace ep {

namespace {

bool has(const OwnedSide& side, int process) {
  return std::find(side.processes.begin(), side.processes.end(), process) != side.processes.end();
}

// Returns the lowest process of the side other than `process`, or -1.
int first_other(const OwnedSide& side, int process) {
  int lowest = -1;
  for (const int candidate : side.processes) {
    if (candidate != process && (lowest < 0 || candidate < lowest)) lowest = candidate;
  }
  return lowest;
}

}  // namespace

Ownership decide_owners(const OwnedSide& first, const OwnedSide& second) {
  const bool first_is_lower = first.leader_peer_rank <= second.leader_peer_rank;
  const OwnedSide& a = first_is_lower ? first : second;
  const OwnedSide& b = first_is_lower ? second : first;
  const Owner of_a = first_is_lower ? Owner::first : Owner::second;
  const Owner of_b = first_is_lower ? Owner::second : Owner::first;
  int leader_a = a.leader_process;
  int leader_b = b.leader_process;
  Owner of_shared_leaders = Owner::both;
  const int met = leader_a == leader_b ? leader_a : -1;
  if (met >= 0) {
    if (const int other = first_other(a, met); other >= 0) {
      leader_a = other;
      of_shared_leaders = of_b;
    } else if (const int another = first_other(b, met); another >= 0) {
      leader_b = another;
      of_shared_leaders = of_a;
    }
  }
  Ownership out;
  for (const int process : a.processes) {
    Owner owner = of_a;
    if (has(b, process)) {
      if (process == met) {
        owner = of_shared_leaders;
      } else if (process != leader_a) {
        owner = of_b;
      }
    }
    out.owners[process] = owner;
  }
  for (const int process : b.processes) out.owners.emplace(process, of_b);
  out.first_leader = first_is_lower ? leader_a : leader_b;
  out.second_leader = first_is_lower ? leader_b : leader_a;
  return out;
}

}  // namespace ep
