// Makes intercommunicators: leaders exchange descriptions of their sides, and each side distributes
// the other's. Sides may share processes, which is why owners are decided here. In order:
// description of a side, the exchange of leaders, and Creation, which builds the clique.
#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "cliques/intercomm_owner.hpp"
#include "cliques/wire.hpp"
#include "collectives/collective.hpp"
#include "creation/clique_creation.hpp"
#include "creation/creation.hpp"
#include "handles/endpoint.hpp"
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "process/process.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

/// The description of one side that it sends to the other.
struct Side {
  std::uint64_t uid = 0;       // proposal of the leader; the smaller of two becomes the key
  std::uint64_t wire_uid = 0;  // all bits set: no wire
  int leader_peer_rank = 0;    // at first only the leader knows it
  int leader_process = 0;      // world rank
  int fast_reduction = 0;
  CostModel model;
  std::vector<int> world_ranks;
  std::vector<RankRun> runs;
};

constexpr std::uint64_t no_wire = ~std::uint64_t{0};

Side describe(const Endpoint& local, int leader, std::uint64_t uid) {
  const Clique& clique = *local.clique;
  Side side;
  side.uid = uid;
  side.fast_reduction = tuning_of(clique).fast_reduction() ? 1 : 0;
  side.model = tuning_of(clique).cost_model();
  side.wire_uid = clique.wire() ? clique.wire()->uid() : no_wire;
  for (int p = 0; p < clique.process_count(); ++p) {
    side.world_ranks.push_back(clique.process(p).world_rank);
  }
  side.leader_process = clique.process(local.local_group().place(leader).process).world_rank;
  side.runs.assign(local.local_group().runs().begin(), local.local_group().runs().end());
  return side;
}

std::vector<std::byte> write_side(const Side& side) {
  BlobWriter blob;
  blob.put(side.uid).put(side.wire_uid).put(side.leader_peer_rank).put(side.leader_process);
  blob.put(side.fast_reduction);
  blob.put(side.model);
  blob.put(static_cast<int>(side.world_ranks.size()));
  for (const int rank : side.world_ranks) blob.put(rank);
  blob.put(static_cast<int>(side.runs.size()));
  for (const RankRun& run : side.runs) blob.put(run);
  return blob.take();
}

Side read_side(const std::vector<std::byte>& bytes) {
  BlobReader blob(bytes);
  Side side;
  side.uid = blob.get<std::uint64_t>();
  side.wire_uid = blob.get<std::uint64_t>();
  side.leader_peer_rank = blob.get<int>();
  side.leader_process = blob.get<int>();
  side.fast_reduction = blob.get<int>();
  side.model = blob.get<CostModel>();
  const int processes = blob.get<int>();
  for (int i = 0; i < processes; ++i) side.world_ranks.push_back(blob.get<int>());
  const int runs = blob.get<int>();
  for (int i = 0; i < runs; ++i) side.runs.push_back(blob.get<RankRun>());
  return side;
}

// Apart from tags of other purposes.
int of_leaders(int tag) { return own_tag(tag & 0x3fffffff); }

/// Sends bytes to the other leader and receives its.
std::vector<std::byte> swap_with_leader(Endpoint& peer, int remote_leader, const LeaderTags& tags,
                                        std::vector<std::byte> mine) {
  const char* const what = "EP_Intercomm_create: the other leader";
  const auto swap = [&](const MappedView& out, const MappedView& in) {
    const BorrowedRequest send;
    const BorrowedRequest receive;
    prepare(*receive, peer, in, what);
    start_receive(peer, remote_leader, of_leaders(tags.receive), *receive);
    prepare(*send, peer, out, what);
    start_send(peer, remote_leader, of_leaders(tags.send), *send);
    await(*send);
    await(*receive);
  };
  std::int64_t my_size = static_cast<std::int64_t>(mine.size());
  std::int64_t size = 0;
  swap(mapped_bytes(&my_size, sizeof my_size), mapped_bytes(&size, sizeof size));
  std::vector<std::byte> theirs(static_cast<std::size_t>(size));
  swap(mapped_bytes(mine.data(), my_size), mapped_bytes(theirs.data(), size));
  return theirs;
}

/// The leader's bytes, or its error, to the whole side.
std::vector<std::byte> share_with_side(Endpoint& local, int leader, int error,
                                       const std::string& text, std::vector<std::byte> bytes) {
  std::array<std::int64_t, 2> head{error, static_cast<std::int64_t>(bytes.size())};
  bcast(local, {head.data(), sizeof head, MPI_BYTE}, leader);
  if (head[0] != EP_SUCCESS) {
    throw Error(static_cast<int>(head[0]),
                text.empty() ? "EP_Intercomm_create failed at the local leader." : text);
  }
  bytes.resize(static_cast<std::size_t>(head[1]));
  bcast(local, {bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE}, leader);
  return bytes;
}

class Creation {
 public:
  Creation(Endpoint& local, int local_leader, EP_Comm peer, int remote_leader,
           const LeaderTags& tags)
      : local_(local),
        leader_(local_leader),
        peer_(peer),
        remote_leader_(remote_leader),
        tags_(tags) {
    mine_ = describe(local_, leader_, process().next_uid());
    if (local_.rank == leader_ && is_endpoint(peer_)) mine_.leader_peer_rank = peer_->rank;
    theirs_ = read_side(swap(write_side(mine_)));
    // learn_from_leader() passes the leader's data to the other endpoints of its side.
  }

  EP_Comm run() {
    learn_from_leader();
    side_ = mine_.uid < theirs_.uid ? 0 : 1;
    plan();
    const int pickups = slots_here(mine_) + slots_here(theirs_);
    const std::uint64_t key = std::min(mine_.uid, theirs_.uid);
    const std::shared_ptr<Clique> clique =
        shared_clique(key, pickups, [&] { return Clique::make(choose_wire(key), pickups); });
    exchange_contexts(*clique);
    tuning_of(*clique).set_fast_reduction(mine_.fast_reduction + theirs_.fast_reduction == 2);
    tuning_of(*clique).set_cost_model(side_ == 0 ? mine_.model : theirs_.model);
    clique->activate(layout(*clique));
    const Place place = clique->local_group(side_).place(local_.rank);
    return make_endpoint(&local_, clique, place.slot, side_, local_.rank);
  }

 private:
  // Bytes of my side's leader for bytes of the other's, known to the whole side afterwards.
  std::vector<std::byte> swap(std::vector<std::byte> bytes) {
    int error = EP_SUCCESS;
    std::string text;
    if (local_.rank == leader_) {
      error = guarded([&] {
        Endpoint& peer = endpoint_of(peer_);
        if (remote_leader_ < 0 || remote_leader_ >= peer.remote_group().size()) {
          fail(EP_ERR_RANK, "EP_Intercomm_create: remote leader ", remote_leader_,
               " (the peer communicator has ", peer.remote_group().size(), " ranks).");
        }
        bytes = swap_with_leader(peer, remote_leader_, tags_, std::move(bytes));
      });
      if (error != EP_SUCCESS) text = last_error();
    }
    return share_with_side(local_, leader_, error, text, std::move(bytes));
  }

  void learn_from_leader() {
    struct {
      std::uint64_t uid;
      std::int64_t peer_rank;
    } known{mine_.uid, mine_.leader_peer_rank};
    bcast(local_, {&known, sizeof known, MPI_BYTE}, leader_);
    mine_.uid = known.uid;
    mine_.leader_peer_rank = static_cast<int>(known.peer_rank);
  }

  // The union of the processes, by world rank.
  void plan() {
    for (const Side* side : {&mine_, &theirs_}) {
      world_ranks_.insert(world_ranks_.end(), side->world_ranks.begin(), side->world_ranks.end());
    }
    std::sort(world_ranks_.begin(), world_ranks_.end());
    world_ranks_.erase(std::unique(world_ranks_.begin(), world_ranks_.end()), world_ranks_.end());
  }

  static int slots_in(const Side& side, int world_rank) {
    int total = 0;
    for (const RankRun& run : side.runs) {
      if (side.world_ranks[static_cast<std::size_t>(run.process)] == world_rank)
        total += run.length;
    }
    return total;
  }
  static int slots_here(const Side& side) { return slots_in(side, process().world_rank()); }

  std::shared_ptr<Wire> choose_wire(std::uint64_t key) const {
    if (mine_.wire_uid == theirs_.wire_uid && mine_.wire_uid != no_wire)
      return local_.clique->wire();
    if (world_ranks_.size() == 1) return nullptr;
    return create_wire(world_ranks_, static_cast<int>(key & 0x7fffU));
  }

  // Every process's number of the new communicator, by world rank.
  void exchange_contexts(const Clique& clique) {
    struct Entry {
      int world_rank;
      std::uint32_t context;
    };
    const Entry mine{process().world_rank(), clique.context()};
    std::vector<Entry> entries(static_cast<std::size_t>(local_.local_group().size()));
    allgather_bytes(local_, &mine, sizeof mine, entries.data());
    for (const Entry& entry : entries) contexts_[entry.world_rank] = entry.context;
    BlobWriter blob;
    blob.put(static_cast<int>(contexts_.size()));
    for (const auto& [rank, context] : contexts_) blob.put(rank).put(context);
    const std::vector<std::byte> bytes = swap(blob.take());
    BlobReader theirs(bytes);
    for (int left = theirs.get<int>(); left > 0; --left) {
      const int rank = theirs.get<int>();
      contexts_[rank] = theirs.get<std::uint32_t>();
    }
  }

  Clique::Layout layout(const Clique& clique) const {
    Clique::Layout out;
    out.inter = true;
    for (const int world_rank : world_ranks_) {
      out.processes.push_back(
          {world_rank, wire_rank(clique, world_rank), contexts_.at(world_rank)});
    }
    std::sort(out.processes.begin(), out.processes.end(),
              [](const ProcessRef& a, const ProcessRef& b) { return a.wire_rank < b.wire_rank; });
    std::map<int, int> index;
    for (std::size_t p = 0; p < out.processes.size(); ++p) {
      const int world_rank = out.processes[p].world_rank;
      index[world_rank] = static_cast<int>(p);
      out.largest_clique =
          std::max(out.largest_clique, slots_in(mine_, world_rank) + slots_in(theirs_, world_rank));
    }
    out.my_process = index.at(process().world_rank());
    const Side& first = side_ == 0 ? mine_ : theirs_;
    const Side& second = side_ == 0 ? theirs_ : mine_;
    const Ownership ownership = decide_owners(owned(first), owned(second));
    for (const ProcessRef& ref : out.processes) {
      out.owners.push_back(ownership.owners.at(ref.world_rank));
    }
    out.groups[0] = table(first, nullptr, index);
    out.groups[1] = table(second, &first, index);
    return out;
  }

  static OwnedSide owned(const Side& side) {
    return {side.leader_peer_rank, side.leader_process, side.world_ranks};
  }

  static int wire_rank(const Clique& clique, int world_rank) {
    if (!clique.wire()) return 0;
    for (int rank = 0; rank < clique.wire()->size(); ++rank) {
      if (clique.wire()->world_rank(rank) == world_rank) return rank;
    }
    fail(EP_ERR_INTERN, "process ", world_rank, " is not on the wire of its communicator.");
  }

  // In every process, the slots of the second side follow those of the first.
  static RankTable table(const Side& side, const Side* before, const std::map<int, int>& index) {
    std::vector<RankRun> runs;
    for (RankRun run : side.runs) {
      const int world_rank = side.world_ranks[static_cast<std::size_t>(run.process)];
      run.process = index.at(world_rank);
      if (before != nullptr) run.first_slot += slots_in(*before, world_rank);
      runs.push_back(run);
    }
    return RankTable(std::move(runs));
  }

  Endpoint& local_;
  int leader_;
  EP_Comm peer_;
  int remote_leader_;
  LeaderTags tags_;
  int side_ = 0;
  Side mine_;
  Side theirs_;
  std::vector<int> world_ranks_;
  std::map<int, std::uint32_t> contexts_;
};

}  // namespace

EP_Comm create_intercomm(Endpoint& local, int local_leader, EP_Comm peer, int remote_leader,
                         const LeaderTags& tags) {
  Creation creation(local, local_leader, peer, remote_leader, tags);
  return creation.run();
}

}  // namespace ep
