// C functions that derive communicators from communicators and groups, and those of names and
// hints. In order: what a duplicate inherits, comparison, creation from groups, duplicates
// (blocking and not), names, hints.
#include "creation/api_creation.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cliques/wire.hpp"
#include "creation/duplication.hpp"
#include "creation/hints.hpp"
#include "creation/subset.hpp"
#include "handles/api_arguments.hpp"
#include "handles/api_group.hpp"
#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "process/error.hpp"
#include "process/info.hpp"
#include "progress/progress.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// Ranks in the endpoint's communicator of a group that must be part of it.
std::vector<int> ranks_of(const Endpoint& endpoint, EP_Group group) {
  std::vector<int> ranks = ranks_in(identities_of(endpoint, false), members_of(group));
  if (std::find(ranks.begin(), ranks.end(), EP_UNDEFINED) != ranks.end()) {
    fail(EP_ERR_GROUP, "the group has members that the communicator has not.");
  }
  return ranks;
}

// The lowest ranks of disjoint groups of one call distinguish them; two groups have only one such
// pair.
Membership membership_in(const std::vector<int>& ranks, const Endpoint& endpoint) {
  Membership mine;
  const auto place = std::find(ranks.begin(), ranks.end(), endpoint.rank);
  if (place == ranks.end()) {
    mine.color = EP_UNDEFINED;
  } else {
    const bool inter = endpoint.clique->is_inter();
    mine.color = inter ? 0 : *std::min_element(ranks.begin(), ranks.end());
    mine.key = static_cast<int>(place - ranks.begin());
  }
  return mine;
}

int compare_communicators(const Endpoint& a, const Endpoint& b) {
  if (&a == &b) return EP_IDENT;
  if (a.clique->is_inter() != b.clique->is_inter()) return EP_UNEQUAL;
  int result = compare(identities_of(a, false), identities_of(b, false));
  if (a.clique->is_inter()) {
    const int remote = compare(identities_of(a, true), identities_of(b, true));
    result = std::max(result, remote);
  }
  return result == EP_IDENT ? EP_CONGRUENT : result;
}

}  // namespace

void ep::inherit_from_original(EP_Comm original, EP_Comm& duplicate) {
  endpoint_of(duplicate).topology = endpoint_of(original).topology;
  try {
    copy_attributes(original, duplicate);
  } catch (const Error&) {
    free_endpoint(duplicate);
    duplicate = EP_COMM_NULL;
    throw;
  }
}

namespace {

EP_Comm duplicate(EP_Comm comm, Membership mine, const char* what) {
  Endpoint& endpoint = endpoint_of(comm);
  mine.key = endpoint.rank;
  EP_Comm made = handle_of(&endpoint, create_members(endpoint, mine, what).front());
  inherit_from_original(comm, made);
  return made;
}

template <class Read, class Apply>
int duplicate_later(EP_Comm comm, EP_Comm* out, EP_Request* request, const char* what, Read&& read,
                    Apply&& apply) {
  if (request != nullptr) *request = EP_REQUEST_NULL;
  return call_creating(comm, out, [&] {
    check_out(request);
    Endpoint& endpoint = endpoint_of(comm);
    Membership mine;
    read(mine);
    const std::shared_ptr<Duplication> duplication = Duplication::join(endpoint, mine);
    const int size = endpoint.local_group().size();
    EP_Comm made = make_early_endpoint(endpoint, duplication->clique(), size);
    inherit_from_original(comm, made);
    apply(endpoint_of(made));
    *request = begin(endpoint, MappedView{}, what,
                     [&](Request& started) { duplication->finish_later(started); });
    *out = made;
  });
}

}  // namespace

int EP_Comm_compare(EP_Comm comm1, EP_Comm comm2, int* result) {
  return call_on(comm1, [&] {
    check_out(result);
    const Endpoint& first = endpoint_of(comm1);
    *result = compare_communicators(first, endpoint_of(comm2));
  });
}

int EP_Comm_create(EP_Comm comm, EP_Group group, EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = endpoint_of(comm);
    const Membership mine = membership_in(ranks_of(endpoint, group), endpoint);
    // Derivation::split, as for splits: if one side is empty, the other gets no communicator
    // either.
    const auto created = create_members(endpoint, mine, "EP_Comm_create", Derivation::split);
    *out = created.empty() ? EP_COMM_NULL : handle_of(&endpoint, created.front());
  });
}

int EP_Comm_create_group(EP_Comm comm, EP_Group group, int tag, EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Comm_create_group");
    check_send_tag(tag);
    const std::vector<int> ranks = ranks_of(endpoint, group);
    if (std::find(ranks.begin(), ranks.end(), endpoint.rank) == ranks.end()) return;
    *out = handle_of(&endpoint, create_subset(endpoint, ranks, subset_tag(tag)));
  });
}

int EP_Comm_dup(EP_Comm comm, EP_Comm* out) {
  return call_creating(comm, out, [&] { *out = duplicate(comm, {}, "EP_Comm_dup"); });
}

int EP_Comm_dup_with_info(EP_Comm comm, MPI_Info info, EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Membership mine;
    read_hints(info, mine);
    EP_Comm made = duplicate(comm, mine, "EP_Comm_dup_with_info");
    apply_info(*made, info);
    *out = made;
  });
}

int EP_Comm_idup(EP_Comm comm, EP_Comm* out, EP_Request* request) {
  return duplicate_later(
      comm, out, request, "others to call EP_Comm_idup", [](Membership&) {}, [](Endpoint&) {});
}

int EP_Comm_idup_with_info(EP_Comm comm, MPI_Info info, EP_Comm* out, EP_Request* request) {
  return duplicate_later(
      comm, out, request, "others to call EP_Comm_idup_with_info",
      [info](Membership& mine) { read_hints(info, mine); },
      [info](Endpoint& made) { apply_info(made, info); });
}

int EP_Comm_set_name(EP_Comm comm, const char* name) {
  return call_on(comm, [&] {
    check_out(name);
    const std::string text(name);
    registry().set_name(endpoint_of(comm).place(), text.substr(0, EP_MAX_OBJECT_NAME - 1));
  });
}

int EP_Comm_get_name(EP_Comm comm, char* name, int* length) {
  return call_on(comm, [&] {
    check_out(name);
    check_out(length);
    const std::string text = registry().name_of(endpoint_of(comm).place());
    name[text.copy(name, text.size())] = '\0';
    *length = static_cast<int>(text.size());
  });
}

int EP_Comm_set_info(EP_Comm comm, MPI_Info info) {
  return call_on(comm, [&] {
    Endpoint& endpoint = endpoint_of(comm);
    agree_on_hints(endpoint, info, "EP_Comm_set_info");
    apply_info(endpoint, info);
  });
}

int EP_Comm_get_info(EP_Comm comm, MPI_Info* info) {
  return call_on(comm, [&] {
    check_out(info);
    *info = info_of(endpoint_of(comm).hints);
  });
}
