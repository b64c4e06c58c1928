// C functions of groups. Groups are immutable lists of identities, so each function computes a new
// list. In order: arguments and handles, groups of communicators, queries, set operations, subsets.
#include "handles/api_group.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "handles/group.hpp"
#include "handles/handle_tables.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

bool is_empty_group(EP_Group group) {
  return group == EP_GROUP_EMPTY;  // NOLINT(performance-no-int-to-ptr): a constant
}

// Returns the endpoint of `group`, which a group derived from it keeps.
std::optional<Identity> self_of(EP_Group group) {
  return is_empty_group(group) ? std::nullopt : group->self;
}

std::span<const int> checked_ranks(int count, const int* ranks) {
  if (count < 0) fail(EP_ERR_ARG, "count ", count, " of ranks (negative).");
  if (count > 0) check_out(ranks);
  return {ranks, static_cast<std::size_t>(count)};
}

// Runs the body of a function that creates a group: `*out` is null after an error.
template <class Body>
int call_creating_group(EP_Group* out, Body&& body) {
  if (out != nullptr) *out = EP_GROUP_NULL;
  return guarded([&] {
    check_out(out);
    body();
  });
}

// Runs a set operation of two groups.
template <class Operation>
int combine_groups(EP_Group group1, EP_Group group2, EP_Group* out, Operation&& operation) {
  return call_creating_group(out, [&] {
    const Identities& first = members_of(group1);
    const Identities& second = members_of(group2);
    const std::optional<Identity> self = self_of(group1) ? self_of(group1) : self_of(group2);
    *out = make_group(operation(first, second), self);
  });
}

template <class Operation>
int subset(EP_Group group, EP_Group* out, Operation&& operation) {
  return call_creating_group(
      out, [&] { *out = make_group(operation(members_of(group)), self_of(group)); });
}

Identities where(const Identities& from, const Identities& other, bool wanted) {
  const std::vector<int> ranks = ranks_in(other, from);
  Identities out;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if ((ranks[i] != EP_UNDEFINED) == wanted) out.push_back(from[i]);
  }
  return out;
}

std::vector<int> checked_ranges(const Identities& group, int count, int ranges[][3]) {
  if (count < 0) fail(EP_ERR_ARG, "count ", count, " of ranges (negative).");
  if (count == 0) return {};
  check_out(ranges);
  return expand_ranges({&ranges[0][0], 3 * static_cast<std::size_t>(count)},
                       static_cast<int>(group.size()));
}

}  // namespace

const Identities& ep::members_of(EP_Group group) {
  static const Identities none;
  if (is_empty_group(group)) return none;
  if (group == EP_GROUP_NULL || !handle_tables().groups.contains(group) ||
      group->alive.load() != group_alive) {
    fail(EP_ERR_GROUP, "the group is not valid (EP_GROUP_NULL, freed, or not a group).");
  }
  return group->members;
}

EP_Group ep::make_group(Identities members, const std::optional<Identity>& self) {
  if (members.empty()) return EP_GROUP_EMPTY;  // NOLINT(performance-no-int-to-ptr)
  ep_group* const group = handle_tables().groups.take();
  group->members = std::move(members);
  group->self = self;
  group->alive.store(group_alive);
  return group;
}

EP_Group ep::group_of(const Member& member, bool remote) {
  return make_group(identities_of(member, remote), identity_of(member));
}

int EP_Comm_group(EP_Comm comm, EP_Group* group) {
  return call_creating(comm, group, [&] { *group = group_of(endpoint_of(comm), false); });
}

int EP_Comm_remote_group(EP_Comm comm, EP_Group* group) {
  return call_creating(comm, group, [&] {
    const Endpoint& endpoint = endpoint_of(comm);
    if (!endpoint.clique->is_inter()) {
      fail(EP_ERR_COMM, "EP_Comm_remote_group of an intracommunicator. Use EP_Comm_group?");
    }
    *group = group_of(endpoint, true);
  });
}

int EP_Group_size(EP_Group group, int* size) {
  return guarded([&] {
    check_out(size);
    *size = static_cast<int>(members_of(group).size());
  });
}

int EP_Group_rank(EP_Group group, int* rank) {
  return guarded([&] {
    check_out(rank);
    const Identities& members = members_of(group);
    const std::optional<Identity> self = self_of(group);
    *rank = self ? ranks_in(members, {*self}).front() : EP_UNDEFINED;
  });
}

int EP_Group_translate_ranks(EP_Group from, int count, const int ranks[], EP_Group to, int out[]) {
  return guarded([&] {
    const std::span<const int> asked = checked_ranks(count, ranks);
    if (count > 0) check_out(out);
    const Identities& members = members_of(from);
    const Identities& others = members_of(to);
    const int size = static_cast<int>(members.size());
    const std::vector<int> all = ranks_in(others, members);
    for (std::size_t i = 0; i < asked.size(); ++i) {
      const int rank = asked[i];
      if (rank != EP_PROC_NULL && (rank < 0 || rank >= size)) {
        fail(EP_ERR_RANK, "rank ", rank, " (the group has ", size, " ranks).");
      }
      out[i] = rank == EP_PROC_NULL ? EP_PROC_NULL : all[static_cast<std::size_t>(rank)];
    }
  });
}

int EP_Group_compare(EP_Group group1, EP_Group group2, int* result) {
  return guarded([&] {
    check_out(result);
    const Identities& first = members_of(group1);
    *result = compare(first, members_of(group2));
  });
}

int EP_Group_union(EP_Group group1, EP_Group group2, EP_Group* out) {
  return combine_groups(group1, group2, out, [](Identities first, const Identities& second) {
    const Identities more = where(second, first, false);
    first.insert(first.end(), more.begin(), more.end());
    return first;
  });
}

int EP_Group_intersection(EP_Group group1, EP_Group group2, EP_Group* out) {
  return combine_groups(group1, group2, out, [](const Identities& first, const Identities& second) {
    return where(first, second, true);
  });
}

int EP_Group_difference(EP_Group group1, EP_Group group2, EP_Group* out) {
  return combine_groups(group1, group2, out, [](const Identities& first, const Identities& second) {
    return where(first, second, false);
  });
}

int EP_Group_incl(EP_Group group, int count, const int ranks[], EP_Group* out) {
  return subset(group, out,
                [&](const Identities& all) { return pick(all, checked_ranks(count, ranks)); });
}

int EP_Group_excl(EP_Group group, int count, const int ranks[], EP_Group* out) {
  return subset(group, out,
                [&](const Identities& all) { return leave_out(all, checked_ranks(count, ranks)); });
}

int EP_Group_range_incl(EP_Group group, int count, int ranges[][3], EP_Group* out) {
  return subset(group, out, [&](const Identities& all) {
    return pick(all, checked_ranges(all, count, ranges));
  });
}

int EP_Group_range_excl(EP_Group group, int count, int ranges[][3], EP_Group* out) {
  return subset(group, out, [&](const Identities& all) {
    return leave_out(all, checked_ranges(all, count, ranges));
  });
}

int EP_Group_free(EP_Group* group) {
  return guarded([&] {
    check_out(group);
    static_cast<void>(members_of(*group));
    if (!is_empty_group(*group)) {
      (*group)->alive.store(0);
      handle_tables().groups.give(*group);
    }
    *group = EP_GROUP_NULL;
  });
}
