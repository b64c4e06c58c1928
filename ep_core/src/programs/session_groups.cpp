// Communicators from groups alone: what these have in common is the start.
#include <ep/ep.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cliques/errhandler.hpp"
#include "collectives/collective.hpp"
#include "creation/api_creation.hpp"
#include "creation/hints.hpp"
#include "creation/subset.hpp"
#include "handles/api_arguments.hpp"
#include "handles/api_group.hpp"
#include "handles/group.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

std::string_view checked_tag(const char* tag) {
  check_out(tag);
  const std::size_t length = ::strnlen(tag, EP_MAX_STRINGTAG_LEN);
  if (length < EP_MAX_STRINGTAG_LEN) return {tag, length};
  fail(EP_ERR_ARG, "a tag of ", EP_MAX_STRINGTAG_LEN, " characters or more.");
}

std::vector<int> ranks_of(const Endpoint& world, EP_Group group, const char* what) {
  std::vector<int> ranks = ranks_in(identities_of(world, false), members_of(group));
  if (std::find(ranks.begin(), ranks.end(), EP_UNDEFINED) != ranks.end()) {
    fail(EP_ERR_GROUP, what, ": the group has members that are not in mpi://WORLD.");
  }
  return ranks;
}

bool is_empty(EP_Group group) { return members_of(group).empty(); }

/// What a leader finds out for its side.
struct Peer {
  int rank = EP_PROC_NULL;
  int code = EP_SUCCESS;
};

// Of the leader of the other side, in the start communicator.
int rank_of(EP_Group remote, int leader, const char* what) {
  const std::vector<int> ranks = ranks_of(endpoint_of(EP_COMM_ENDPOINTS), remote, what);
  if (leader < 0 || leader >= static_cast<int>(ranks.size())) {
    fail(EP_ERR_RANK, what, ": remote leader ", leader, " (the group has ", ranks.size(),
         " ranks).");
  }
  return ranks[static_cast<std::size_t>(leader)];
}

// Owns it until it is given away.
class Made {
 public:
  explicit Made(EP_Comm comm) : comm_(comm) {}
  Made(const Made&) = delete;
  Made(Made&&) = delete;
  Made& operator=(const Made&) = delete;
  Made& operator=(Made&&) = delete;
  ~Made() {
    if (comm_ != EP_COMM_NULL) free_endpoint(comm_);
  }
  EP_Comm get() const noexcept { return comm_; }
  EP_Comm release() noexcept { return std::exchange(comm_, EP_COMM_NULL); }

 private:
  EP_Comm comm_;
};

EP_Comm create(EP_Group group, const char* tag, EP_Errhandler errhandler, const char* what) {
  Endpoint& world = endpoint_of(EP_COMM_ENDPOINTS);
  const std::string_view name = checked_tag(tag);
  const std::vector<int> ranks = ranks_of(world, group, what);
  if (std::find(ranks.begin(), ranks.end(), world.rank) == ranks.end()) {
    fail(EP_ERR_GROUP, what, ": the calling endpoint is not in the group.");
  }
  Made made(handle_of(&world, create_subset(world, ranks, subset_tag(name))));
  made.get()->place().errors.set_handler(errhandler);
  return made.release();
}

// As if the communicator were there already.
template <class Body>
int guarded_by(EP_Errhandler errhandler, EP_Comm* out, Body&& body) {
  if (out != nullptr) *out = EP_COMM_NULL;
  const int code = guarded([&] {
    check_out(out);
    const CallScope call(EP_COMM_ENDPOINTS);
    body();
  });
  if (code == EP_SUCCESS) return code;
  const std::string text = last_error();
  ErrorHandling errors;
  if (const int bad = guarded([&] { errors.set_handler(errhandler); }); bad != EP_SUCCESS) {
    return bad;
  }
  set_last_error(text);
  return errors.raise(code, WaitPoint{});
}

}  // namespace

int EP_Comm_create_from_group(EP_Group group, const char* tag, MPI_Info info,
                              EP_Errhandler errhandler, EP_Comm* out) {
  constexpr const char* what = "EP_Comm_create_from_group";
  return guarded_by(errhandler, out, [&] {
    if (is_empty(group)) return;
    Made made(create(group, tag, errhandler, what));
    agree_on_wishes(*made.get(), info, what);
    apply_info(*made.get(), info);
    *out = made.release();
  });
}

int EP_Intercomm_create_from_groups(EP_Group local, int local_leader, EP_Group remote,
                                    int remote_leader, const char* tag, MPI_Info info,
                                    EP_Errhandler errhandler, EP_Comm* out) {
  constexpr const char* what = "EP_Intercomm_create_from_groups";
  return guarded_by(errhandler, out, [&] {
    if (is_empty(local) || is_empty(remote)) return;
    const auto size = static_cast<int>(members_of(local).size());
    if (local_leader < 0 || local_leader >= size) {
      fail(EP_ERR_RANK, what, ": local leader ", local_leader, " (the group has ", size,
           " ranks).");
    }
    const Made side(create(local, tag, errhandler, what));
    // The leaders know each other in the start communicator; others need not know whom. A mistake
    // of the leader's is everybody's.
    Peer peer;
    if (side.get()->rank == local_leader) {
      peer.code = guarded([&] { peer.rank = rank_of(remote, remote_leader, what); });
    }
    const std::string text = peer.code != EP_SUCCESS ? last_error() : std::string();
    bcast(*side.get(), {&peer, sizeof peer, MPI_BYTE}, local_leader);
    if (peer.code != EP_SUCCESS) {
      throw Error(peer.code,
                  !text.empty()
                      ? text
                      : std::string(what) +
                            ": the leader's remote group or leader is wrong. Its error says why.");
    }
    Made made(create_intercomm(*side.get(), local_leader, endpoint_or_null(EP_COMM_ENDPOINTS),
                               peer.rank, subset_tag(checked_tag(tag)) & 0x3fffffff));
    agree_on_wishes(*made.get(), info, what);
    apply_info(*made.get(), info);
    *out = made.release();
  });
}
