// A wire: the private raw communicator, and the facts that its processes exchange when it is
// created. Both sides of a pair must agree on what they share. In order: the exchange of hellos,
// mapping of peers, traffic through shared memory, rings, and numbers of communicators.
#include "cliques/wire.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cliques/clique.hpp"
#include "process/before_finalize.hpp"
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
  PagesAddress bell;
  PagesAddress inbox;  ///< descriptor -1 if there is no inbox
  std::uint64_t uid;
  /// Address of `uid`, for peers that test if they can read this memory.
  std::uint64_t uid_address;
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

namespace {
/// Sends messages that wait for room before MPI ends, in case no other call of the library comes
/// first.
void send_all_before_end() {
  static const bool is_done = [] {
    before_finalize([](void*) { static_cast<void>(guarded([] { engine().send_queued(); })); },
                    nullptr);
    return true;
  }();
  static_cast<void>(is_done);
}
}  // namespace

void Wire::greet() {
  if (shm_is_enabled() && has_peers()) {
    inbox_.emplace();
    send_all_before_end();
  }
  Hello mine{process().world_rank(), doorbell().address(), PagesAddress{0, 0, -1, 0},
             process().next_uid(), 0};
  if (inbox_) mine.inbox = inbox_->address();
  const std::uint64_t own_uid = mine.uid;
  mine.uid_address = reinterpret_cast<std::uintptr_t>(&own_uid);
  std::vector<Hello> hellos(peers_.size());
  MPI_Request raw = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgather(&mine, sizeof mine, MPI_BYTE, hellos.data(), sizeof mine, MPI_BYTE,
                           comm_, &raw),
            "MPI_Iallgather");
  wait_for_mpi(raw, "other processes to create a communicator");
  uid_ = hellos.front().uid;
  for (std::size_t i = 0; i < peers_.size(); ++i) peers_[i].world_rank = hellos[i].world_rank;
  map_peers(hellos);
}

namespace {
/// The capabilities that a process confirms to another one after mapping its pages. Both must agree
/// on them. Otherwise one would wait for ever for a ring, or look for messages where none arrive.
enum View : unsigned char { rings = 1, sends_by_shm = 2, reads_memory = 4 };
}  // namespace

unsigned char Wire::map_peer(Peer& peer, const Hello& hello) const {
  unsigned char view = 0;
  peer.bell = PeerBell(hello.bell);
  if (peer.bell) view |= View::rings;
  if (!peer.bell || !inbox_) return view;
  auto shm = std::make_unique<ShmPeer>();
  shm->open(hello.inbox);
  if (!*shm) return view;
  peer.shm = std::move(shm);
  view |= View::sends_by_shm;
  peer.memory = PeerMemory(hello.bell.pid, hello.uid_address, hello.uid);
  if (peer.memory) view |= View::reads_memory;
  return view;
}

void Wire::map_peers(const std::vector<Hello>& hellos) {
  const std::size_t size = peers_.size();
  std::vector<unsigned char> mine(size, View::rings);
  std::vector<unsigned char> theirs(size, 0);
  for (std::size_t i = 0; i < size; ++i) {
    if (static_cast<int>(i) != rank_) mine[i] = map_peer(peers_[i], hellos[i]);
  }
  MPI_Request raw = MPI_REQUEST_NULL;
  check_mpi(MPI_Ialltoall(mine.data(), 1, MPI_BYTE, theirs.data(), 1, MPI_BYTE, comm_, &raw),
            "MPI_Ialltoall");
  wait_for_mpi(raw, "other processes to create a communicator");
  for (std::size_t i = 0; i < size; ++i) {
    Peer& peer = peers_[i];
    peer.on_node = (mine[i] & theirs[i] & View::rings) != 0;
    peers_off_node_ = peers_off_node_ || !peer.on_node;
    if (static_cast<int>(i) == rank_) continue;
    // Shared memory is used in both directions or in none, since a peer that cannot be rung would
    // not check its inbox.
    const bool shares_memory = peer.on_node && (mine[i] & theirs[i] & View::sends_by_shm) != 0;
    if (!shares_memory) peer.shm.reset();
    peer.reads_us = (theirs[i] & View::reads_memory) != 0;
    has_mpi_peers_ = has_mpi_peers_ || !shares_memory;
  }
  if (inbox_) inbox_->hide();
}

bool Wire::take_in_shm() {
  ShmMessage message;
  if (!inbox_ || !inbox_->look(message)) return false;
  // Removes the message from the ring whatever its delivery ends with, as MPI removes a message
  // that it has delivered.
  class Taking {
   public:
    explicit Taking(Wire& wire) : wire_(wire) {}
    Taking(const Taking&) = delete;
    Taking(Taking&&) = delete;
    Taking& operator=(const Taking&) = delete;
    Taking& operator=(Taking&&) = delete;
    ~Taking() {
      if (wire_.inbox_->take()) wire_.ring_all();
    }

   private:
    Wire& wire_;
  };
  const Taking taking(*this);
  take_in(RawMessage(message.source, message.tag, message.data));
  return true;
}

bool Wire::push_shm() {
  int gone = 0;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    const auto& shm = peers_[i].shm;
    if (!shm || !shm->has_queued()) continue;
    if (const int here = shm->push(); here > 0) {
      gone += here;
      ring(static_cast<int>(i));
    }
  }
  return gone > 0;
}

void Wire::ring_full_inboxes() const noexcept {
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (peers_[i].shm && peers_[i].shm->has_queued()) ring(static_cast<int>(i));
  }
}

void Wire::ring_all() const noexcept {
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (peers_[i].shm) ring(static_cast<int>(i));
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
