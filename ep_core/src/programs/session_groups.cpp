// Communicators created from groups alone. Groups have no parent communicator in common, so
// messages go over the start communicators, of which all members are endpoints. In order: checks of
// tags and groups, the handshake of two leaders, creation, and the C functions.
#include <ep/ep.h>

#include <algorithm>
#include <cstdint>
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
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "programs/session.hpp"

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

/// The outcome of the leaders' handshake, for the endpoints of one side.
struct LeadersHandshake {
  int rank = EP_PROC_NULL;  ///< rank of the other side's leader in the start communicator
  int code = EP_SUCCESS;
  int other_code = EP_SUCCESS;
  int has_notified_all = 0;  ///< the other side's leader sent its error to all members here
};

/// The message that leaders exchange before they create anything.
struct LeaderMessage {
  int code = EP_SUCCESS;
  std::uint64_t audience = 0;  ///< hash of the ranks that it is meant for
};

std::uint64_t audience_of(const std::vector<int>& ranks) {
  std::uint64_t hash = ranks.size();
  for (const int rank : ranks) hash = hash * 1000003U + static_cast<std::uint64_t>(rank);
  return hash;
}

void send_to_leader(const Endpoint& world, int rank, int tag, LeaderMessage message) {
  const BorrowedRequest send;
  prepare(*send, world, mapped_bytes(&message, sizeof message), "the other side's leader");
  start_send(world, rank, own_tag(tag), *send);
  await(*send);
}

/// Receives from `rank`, or from any, and stores the source in `rank`.
LeaderMessage receive_from_leader(const Endpoint& world, int& rank, int tag) {
  LeaderMessage message;
  const BorrowedRequest receive;
  prepare(*receive, world, mapped_bytes(&message, sizeof message), "the other side's leader");
  start_receive(world, rank, own_tag(tag), *receive);
  await(*receive);
  rank = receive->status.EP_SOURCE;
  return message;
}

/// Exchanges messages between the leaders of both sides, unless this leader does not know the other
/// group. A leader that does not know the other leader sends its error to all members there.
LeadersHandshake handshake_with_other_side(EP_Group local, EP_Group remote, int remote_leader,
                                           int code, int tag, const char* what) {
  const Endpoint& world = endpoint_of(EP_COMM_ENDPOINTS);
  LeadersHandshake handshake{.code = code};
  std::vector<int> ranks;
  const int own_code = guarded([&] {
    ranks = ranks_of(world, remote, what);
    if (remote_leader >= 0 && remote_leader < static_cast<int>(ranks.size())) return;
    fail(EP_ERR_RANK, what, ": remote leader ", remote_leader, " (the group has ", ranks.size(),
         " ranks).");
  });
  if (handshake.code == EP_SUCCESS) handshake.code = own_code;
  if (ranks.empty()) return handshake;
  const LeaderMessage mine{handshake.code, audience_of(ranks)};
  if (mine.code == EP_SUCCESS) {
    handshake.rank = ranks[static_cast<std::size_t>(remote_leader)];
    send_to_leader(world, handshake.rank, tag, mine);
  } else {
    handshake.rank = EP_ANY_SOURCE;
    for (const int rank : ranks) send_to_leader(world, rank, tag, mine);
  }
  const LeaderMessage other = receive_from_leader(world, handshake.rank, tag);
  handshake.other_code = other.code;
  const bool is_ours = other.audience == audience_of(ranks_of(world, local, what));
  handshake.has_notified_all = other.code != EP_SUCCESS && is_ours ? 1 : 0;
  return handshake;
}

// Owns a communicator until it is released.
class OwnedComm {
 public:
  explicit OwnedComm(EP_Comm comm) : comm_(comm) {}
  OwnedComm(const OwnedComm&) = delete;
  OwnedComm(OwnedComm&&) = delete;
  OwnedComm& operator=(const OwnedComm&) = delete;
  OwnedComm& operator=(OwnedComm&&) = delete;
  ~OwnedComm() {
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
  OwnedComm made(handle_of(&world, create_subset(world, ranks, subset_tag(name))));
  made.get()->place().errors.set_handler(errhandler);
  return made.release();
}

void throw_error_of(const LeadersHandshake& handshake, const std::string& text, const char* what) {
  if (handshake.code != EP_SUCCESS) {
    throw Error(handshake.code,
                !text.empty()
                    ? text
                    : std::string(what) +
                          ": the leader's remote group or leader is wrong. Its error says why.");
  }
  if (handshake.other_code == EP_SUCCESS) return;
  throw Error(handshake.other_code, std::string(what) +
                                        ": a leader given at the other side, rank " +
                                        std::to_string(handshake.rank) +
                                        " of mpi://WORLD, is wrong. The error there says why.");
}

// Runs a function that creates a communicator; calls `errhandler` as if the communicator existed
// already.
template <class Body>
int call_with_errhandler(EP_Errhandler errhandler, EP_Comm* out, Body&& body) {
  if (out != nullptr) *out = EP_COMM_NULL;
  const int code = guarded([&] {
    check_out(out);
    const CallScope call(EP_COMM_ENDPOINTS);
    body();
  });
  if (code == EP_SUCCESS) return code;
  ErrorHandling errors;
  return raise_with(errors, errhandler, code);
}

}  // namespace

int EP_Comm_create_from_group(EP_Group group, const char* tag, MPI_Info info,
                              EP_Errhandler errhandler, EP_Comm* out) {
  constexpr const char* what = "EP_Comm_create_from_group";
  return call_with_errhandler(errhandler, out, [&] {
    if (is_empty(group)) return;
    OwnedComm made(create(group, tag, errhandler, what));
    agree_on_hints(*made.get(), info, what);
    apply_info(*made.get(), info);
    *out = made.release();
  });
}

int EP_Intercomm_create_from_groups(EP_Group local, int local_leader, EP_Group remote,
                                    int remote_leader, const char* tag, MPI_Info info,
                                    EP_Errhandler errhandler, EP_Comm* out) {
  constexpr const char* what = "EP_Intercomm_create_from_groups";
  return call_with_errhandler(errhandler, out, [&] {
    if (is_empty(local) || is_empty(remote)) return;
    const auto size = static_cast<int>(members_of(local).size());
    const int message_tag = subset_tag(checked_tag(tag)) & 0x3fffffff;
    const OwnedComm side(create(local, tag, errhandler, what));
    // The leaders communicate in the start communicator; other members need not know the other
    // leader. An error of a leader is an error of all members.
    const bool has_leader = local_leader >= 0 && local_leader < size;
    const int leader = has_leader ? local_leader : 0;
    const int code = guarded([&] {
      if (has_leader) return;
      fail(EP_ERR_RANK, what, ": local leader ", local_leader, " (the group has ", size,
           " ranks).");
    });
    std::string text = code != EP_SUCCESS ? last_error() : std::string();
    LeadersHandshake handshake;
    if (side.get()->rank == leader) {
      handshake = handshake_with_other_side(local, remote, remote_leader, code, message_tag, what);
      if (handshake.code != EP_SUCCESS && text.empty()) text = last_error();
    }
    bcast(*side.get(), {&handshake, sizeof handshake, MPI_BYTE}, leader);
    if (handshake.has_notified_all != 0 && side.get()->rank != leader) {
      receive_from_leader(endpoint_of(EP_COMM_ENDPOINTS), handshake.rank, message_tag);
    }
    throw_error_of(handshake, text, what);
    OwnedComm made(create_intercomm(*side.get(), local_leader, endpoint_or_null(EP_COMM_ENDPOINTS),
                                    handshake.rank, message_tag));
    agree_on_hints(*made.get(), info, what);
    apply_info(*made.get(), info);
    *out = made.release();
  });
}
