#include "cliques/wire.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cliques/clique.hpp"
#include "process/error.hpp"
#include "process/process.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

int query_tag_ub(MPI_Comm comm) {
  void* value = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(comm, MPI_TAG_UB, &value, &found), "MPI_Comm_get_attr");
  int tag_ub = found != 0 ? *static_cast<int*>(value) : 32767;
  // Test hook: behave as on an MPI with fewer tag bits. All processes must agree.
  if (const char* limit = std::getenv("EP_TEST_TAG_UB"); limit != nullptr) {
    tag_ub = std::clamp(std::atoi(limit), 3, tag_ub);
  }
  return tag_ub;
}

}  // namespace

struct Wire::Hello {
  int world_rank;
  BellAddress bell;
  std::uint64_t uid;
};

Wire::Wire(MPI_Comm comm) : comm_(comm), tags_(raw_tag_ub_, 1) {
  check_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  int size = 0;
  check_mpi(MPI_Comm_size(comm_, &size), "MPI_Comm_size");
  check_mpi(MPI_Comm_rank(comm_, &rank_), "MPI_Comm_rank");
  peers_.resize(static_cast<std::size_t>(size));
  raw_tag_ub_ = query_tag_ub(comm_);
  tags_ = TagLayout(raw_tag_ub_, 1);
  greet();
}

Wire::~Wire() {
  engine().detach(*this);
  if (mpi_is_finalized()) return;
  if (MPI_Comm_free(&comm_) != MPI_SUCCESS) set_last_error("MPI_Comm_free failed.");
}

void Wire::greet() {
  Hello mine{process().world_rank(), doorbell().address(), process().next_uid()};
  std::vector<Hello> hellos(peers_.size());
  MPI_Request raw = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, hellos.data(), sizeof mine, MPI_BYTE,
                           comm_, &raw),
            "MPI_Iallgather");
  wait_for_mpi(raw, "other processes to create a communicator");
  uid_ = hellos.front().uid;
  for (std::size_t i = 0; i < peers_.size(); ++i) peers_[i].world_rank = hellos[i].world_rank;
  map_bells(hellos);
}

// Both sides must hold the same view of what is on the node, or one would wait for a ring for ever.
void Wire::map_bells(const std::vector<Hello>& hellos) {
  const std::size_t size = peers_.size();
  std::vector<unsigned char> mine(size, 1);
  std::vector<unsigned char> theirs(size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<int>(i) == rank_) continue;
    peers_[i].bell = PeerBell(hellos[i].bell);
    mine[i] = peers_[i].bell ? 1 : 0;
  }
  MPI_Request raw = MPI_REQUEST_NULL;
  check_mpi(MPI_Ialltoall(mine.data(), 1, MPI_BYTE, theirs.data(), 1, MPI_BYTE, comm_, &raw),
            "MPI_Ialltoall");
  wait_for_mpi(raw, "other processes to create a communicator");
  for (std::size_t i = 0; i < size; ++i) {
    peers_[i].on_node = mine[i] != 0 && theirs[i] != 0;
    peers_off_node_ = peers_off_node_ || !peers_[i].on_node;
  }
}

void Wire::ring(int wire_rank) const noexcept {
  const Peer& target = peer(wire_rank);
  if (target.bell) ep::ring(target.bell.page());
}

void Wire::ring_everyone(int wire_rank) const noexcept {
  const Peer& target = peer(wire_rank);
  if (target.bell) ep::ring_everyone(target.bell.page());
}

std::optional<bool> Wire::waits_long(int wire_rank) const noexcept {
  const Peer& target = peer(wire_rank);
  if (!target.bell) return std::nullopt;
  return target.bell.page().long_waits.load(std::memory_order_relaxed) != 0;
}

Wire::Attention::Attention(const Wire& wire, int wire_rank) noexcept
    : page_(wire.peer(wire_rank).bell ? &wire.peer(wire_rank).bell.page() : nullptr) {
  if (page_ == nullptr) return;
  page_->attention.fetch_add(1, std::memory_order_seq_cst);
  ep::ring(*page_);
}

Wire::Attention::~Attention() {
  if (page_ != nullptr) page_->attention.fetch_sub(1, std::memory_order_seq_cst);
}

std::uint32_t Wire::enter(const std::shared_ptr<Clique>& clique) {
  const std::lock_guard lock(context_mutex_);
  // A few spare numbers keep a freed one unused for a while.
  constexpr std::size_t spare = 16;
  if (free_contexts_.size() > spare) {
    const std::uint32_t context = free_contexts_.front();
    free_contexts_.pop_front();
    contexts_[context] = clique;
    return context;
  }
  contexts_.push_back(clique);
  return static_cast<std::uint32_t>(contexts_.size() - 1);
}

void Wire::leave(std::uint32_t context) {
  const std::lock_guard lock(context_mutex_);
  contexts_[context].reset();
  free_contexts_.push_back(context);
}

std::shared_ptr<Clique> Wire::find(std::uint32_t context) {
  const std::lock_guard lock(context_mutex_);
  return context < contexts_.size() ? contexts_[context].lock() : nullptr;
}

}  // namespace ep
