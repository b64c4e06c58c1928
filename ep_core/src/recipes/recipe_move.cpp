// Moves blocks between endpoints in any pattern: gather, scatter, alltoall and neighbourhoods. Both
// ends compute the same order of blocks, so messages need no description. In order: checks, edges
// (drawn below), pairs inside the process, packing, and the schedule.
#include <algorithm>
#include <sstream>
#include <tuple>

#include "cliques/clique.hpp"
#include "datatypes/overlap.hpp"
#include "recipes/recipes.hpp"
#include "schedules/algorithm_choice.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

void check_size(Operation& operation, int slot, int source, std::int64_t bytes,
                std::int64_t expected) {
  if (bytes == expected) return;
  std::ostringstream text;
  text << operation.what() << ": rank " << source << " sends " << bytes << " bytes (rank "
       << operation.contribution(slot).rank << " expects " << expected << "). Different counts?";
  operation.fail_slot(slot, bytes > expected ? EP_ERR_TRUNCATE : EP_ERR_COUNT, text.str());
}

void check_sent_size(Operation& operation, int slot, std::int64_t bytes, std::int64_t expected) {
  if (bytes == expected) return;
  std::ostringstream text;
  text << operation.what() << ": rank " << operation.contribution(slot).rank << " gives " << bytes
       << " bytes where its process expects " << expected << ". Different counts?";
  operation.fail_all(bytes > expected ? EP_ERR_TRUNCATE : EP_ERR_COUNT, text.str());
}

namespace {

// How the blocks that endpoints of this process describe become work:
//
//   edges_of()      an Edge per block, out and in; sorted, so that both ends have one order
//     |
//     +-- local_edges(), pair_up(): both ends are here          Pair        stage 1, an item each:
//     |     (an end without the other is its slot's error)                  copied
//     +-- messages_of(): the rest, by process                   Message     stage 1's schedule,
//           |                                                               write_schedule()
//           +-- pack_places(), of messages with several edges   PackedEdge  to_pack: stage 1,
//                 (a single edge is sent from and received                  to_unpack: stage 2,
//                 at its own place)                                         an item each
//
// Messages do not contain their lengths. Both ends compute them, so an empty message need not be
// sent, unless sizes are checked. In place, data to send is saved before anything arrives
// (save_blocks_in_place()).

constexpr int few_participants = 8;
constexpr std::int64_t most_bytes_at_once = std::int64_t{256} * 1024;

/// One block in transfer, as seen by its end in this process.
struct Edge {
  int process;  // process of the other end
  int side;     // side of the source
  int source;   // ranks
  int dest;
  int order;  // order among the blocks between the same two ends, which both know
  int slot;   // slot of the end in this process
  TypedView view;
  std::int64_t bytes;

  auto ends() const { return std::tie(side, source, dest); }
  bool operator<(const Edge& other) const {
    return std::tie(process, side, source, dest, order) <
           std::tie(other.process, other.side, other.source, other.dest, other.order);
  }
};

/// All blocks between this process and another are sent as one message.
struct Message {
  int process = -1;
  std::span<Edge> edges;
  std::int64_t bytes = 0;
  std::byte* packed = nullptr;  // null: the only block, where it is
};

struct Pair {
  const Edge* out;
  const Edge* in;
};

/// A block of a message that was packed, or will be.
struct PackedEdge {
  const Edge* edge;
  std::byte* bytes;
};

struct MoveState {
  std::span<Edge> out;
  std::span<Edge> in;
  std::span<Pair> pairs;
  std::span<Message> sends;
  std::span<Message> receives;
  std::span<PackedEdge> to_pack;
  std::span<PackedEdge> to_unpack;
};

void sort_edges(std::span<Edge> edges) {
  if (!std::is_sorted(edges.begin(), edges.end())) std::sort(edges.begin(), edges.end());
}

enum class EdgeEnd { out, in };

std::span<Edge> edges_of(Operation& operation, EdgeEnd direction) {
  const bool outwards = direction == EdgeEnd::out;
  std::int64_t most = 0;
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    const Call& call = operation.call(slot);
    most += outwards ? call.out.count : call.in.count;
  }
  const std::span<Edge> edges = operation.scratch().take_array<Edge>(most);
  std::size_t used = 0;
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    const Contribution& c = operation.contribution(slot);
    const Ends& ends = outwards ? c.call.out : c.call.in;
    const Blocks& blocks = outwards ? c.call.send : c.call.receive;
    const RankTable& others = operation.opposite_group(c.side);
    const int source_side = outwards || !operation.clique().is_inter() ? c.side : 1 - c.side;
    for (int i = 0; i < ends.count; ++i) {
      const int other = ends.rank(i);
      if (other == EP_PROC_NULL || other == ends.skipped) continue;
      const TypedView view = blocks.block(ends.block(i));
      edges[used++] = {others.place(other).process,
                       source_side,
                       outwards ? c.rank : other,
                       outwards ? other : c.rank,
                       !outwards && ends.by_direction ? i ^ 1 : i,
                       slot,
                       view,
                       view.bytes()};
    }
  }
  sort_edges(edges.first(used));
  return edges.first(used);
}

// If every pair of ranks has a size of its own, both ends of a correct program know whether there
// is anything to send.
std::span<Message> messages_of(Operation& operation, std::span<Edge> edges) {
  Scratch& scratch = operation.scratch();
  const int me = operation.clique().my_process();
  const bool also_empty =
      operation.call(0).regular || tuning_of(operation.clique()).cost_model().ignores_sizes;
  std::int64_t count = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    if (i == 0 || edges[i].process != edges[i - 1].process) ++count;
  }
  const std::span<Message> messages = scratch.take_array<Message>(count);
  std::size_t used = 0;
  for (std::size_t begin = 0, end = 0; begin < edges.size(); begin = end) {
    Message message{edges[begin].process, {}, 0, nullptr};
    for (; end < edges.size() && edges[end].process == message.process; ++end) {
      message.bytes += edges[end].bytes;
    }
    message.edges = edges.subspan(begin, end - begin);
    if (message.process == me || (message.bytes == 0 && !also_empty)) continue;
    messages[used++] = message;
  }
  return messages.first(used);
}

std::span<PackedEdge> pack_places(Scratch& scratch, std::span<Message> messages) {
  std::size_t count = 0;
  for (const Message& message : messages) {
    if (message.edges.size() > 1) count += message.edges.size();
  }
  const std::span<PackedEdge> places =
      scratch.take_array<PackedEdge>(static_cast<std::int64_t>(count));
  std::size_t used = 0;
  for (Message& message : messages) {
    if (message.edges.size() == 1) continue;
    message.packed = scratch.take(message.bytes);
    std::byte* bytes = message.packed;
    for (const Edge& edge : message.edges) {
      places[used++] = {&edge, bytes};
      bytes += edge.bytes;
    }
  }
  return places;
}

std::span<Edge> local_edges(std::span<Edge> edges, int me) {
  const auto first = std::find_if(edges.begin(), edges.end(),
                                  [me](const Edge& edge) { return edge.process == me; });
  const auto last =
      std::find_if(first, edges.end(), [me](const Edge& edge) { return edge.process != me; });
  return {first, last};
}

void report_unmatched(Operation& operation, const Edge& edge) {
  std::ostringstream text;
  text << operation.what() << ": a block from rank " << edge.source << " to rank " << edge.dest
       << " has no counterpart (the two name different roots or neighbours).";
  operation.fail_slot(edge.slot, EP_ERR_OTHER, text.str());
}

// Blocks that stay in the process, each with its target.
std::span<Pair> pair_up(Operation& operation, const MoveState& state, int me) {
  const std::span<Edge> out = local_edges(state.out, me);
  const std::span<Edge> in = local_edges(state.in, me);
  const auto pairs = operation.scratch().take_array<Pair>(
      static_cast<std::int64_t>(std::min(out.size(), in.size())));
  std::size_t used = 0;
  std::size_t i = 0;
  std::size_t k = 0;
  while (i < out.size() || k < in.size()) {
    if (k == in.size() || (i < out.size() && out[i].ends() < in[k].ends())) {
      report_unmatched(operation, out[i++]);
    } else if (i == out.size() || in[k].ends() < out[i].ends()) {
      report_unmatched(operation, in[k++]);
    } else {
      pairs[used++] = {&out[i++], &in[k++]};
    }
  }
  return pairs.first(used);
}

// In place, every block is sent from memory into which another block is received.
void save_blocks_in_place(Operation& operation, std::span<Edge> out) {
  for (Edge& edge : out) {
    if (!is_in_place(operation.call(edge.slot).more)) continue;
    void* const copy = operation.scratch().take_elements(edge.view.count, edge.view.type);
    const TypedView saved{copy, edge.view.count, edge.view.type};
    copy_typed(edge.view, saved);
    edge.view = saved;
  }
}

void send(Schedule& schedule, const Message& message) {
  if (message.packed != nullptr) {
    schedule.send_bytes(message.process, message.packed, message.bytes);
  } else {
    schedule.send(message.process, message.edges.front().view);
  }
}

void receive(Schedule& schedule, const Message& message) {
  if (message.packed != nullptr) {
    schedule.receive_bytes(message.process, message.packed, message.bytes);
  } else {
    schedule.receive(message.process, message.edges.front().view);
  }
}

const Message* find(std::span<const Message> messages, int process) {
  const auto found = std::lower_bound(messages.begin(), messages.end(), process,
                                      [](const Message& m, int p) { return m.process < p; });
  return found != messages.end() && found->process == process ? &*found : nullptr;
}

// The other ends need not choose the same way. Large data is not sent to many processes at once,
// whatever the cost: it would occupy memory where no receive exists yet.
bool goes_at_once(Operation& operation, std::int64_t bytes) {
  const Clique& clique = operation.clique();
  AlgorithmSet usable{Algorithm::pairwise};
  if (clique.process_count() <= few_participants || bytes <= most_bytes_at_once) {
    usable.add(Algorithm::linear);
  }
  return operation.choose(Collective::alltoall, {clique.process_count()}, bytes, usable) ==
         Algorithm::linear;
}

// Sends all at once, or in rounds in which every process sends to one partner.
void write_schedule(Operation& operation, const MoveState& state) {
  Schedule& schedule = operation.schedule();
  const Participants all = operation.all_processes();
  std::int64_t bytes = 0;
  for (const Message& message : state.sends) bytes += message.bytes;
  if (goes_at_once(operation, bytes)) {
    for (const Message& message : state.receives) receive(schedule, message);
    for (const Message& message : state.sends) send(schedule, message);
    return;
  }
  for (int distance = 1; distance < all.count; ++distance) {
    schedule.next_round();
    const Message* const in = find(state.receives, all.behind(distance));
    const Message* const out = find(state.sends, all.ahead(distance));
    if (in != nullptr) receive(schedule, *in);
    if (out != nullptr) send(schedule, *out);
  }
}

class MoveRecipe final : public Recipe {
 public:
  Stage begin(Operation& operation, int stage) const override {
    if (stage == 1) return pack_and_send(operation);
    Stage out;
    out.over = stage > 2;
    if (out.over) return out;
    const MoveState& state = operation.state<MoveState>();
    out.items = static_cast<int>(state.to_unpack.size());
    std::int64_t bytes = 0;
    for (const Message& message : state.receives) bytes += message.bytes;
    out.heavy = bytes >= heavy_bytes;
    return out;
  }

  void run_item(Operation& operation, int stage, int item) const override {
    const MoveState& state = operation.state<MoveState>();
    const auto i = static_cast<std::size_t>(item);
    if (stage == 2) {
      const PackedEdge& place = state.to_unpack[i];
      unpack_bytes(place.bytes, place.edge->bytes, place.edge->view);
    } else if (i < state.pairs.size()) {
      const Pair& pair = state.pairs[i];
      check_size(operation, pair.in->slot, pair.in->source, pair.out->bytes, pair.in->bytes);
      const MappedView source = mapped(pair.out->view);
      const MappedView target = mapped(pair.in->view);
      if (!coincide(source, target)) copy_typed(source, target);
    } else {
      const PackedEdge& place = state.to_pack[i - state.pairs.size()];
      pack_bytes(place.edge->view, place.bytes);
    }
  }

 private:
  static Stage pack_and_send(Operation& operation) {
    MoveState& state = operation.make_state<MoveState>();
    const int me = operation.clique().my_process();
    state.out = edges_of(operation, EdgeEnd::out);
    state.in = edges_of(operation, EdgeEnd::in);
    save_blocks_in_place(operation, state.out);
    state.pairs = pair_up(operation, state, me);
    state.sends = messages_of(operation, state.out);
    state.receives = messages_of(operation, state.in);
    state.to_pack = pack_places(operation.scratch(), state.sends);
    state.to_unpack = pack_places(operation.scratch(), state.receives);
    write_schedule(operation, state);
    Stage out;
    out.items = static_cast<int>(state.pairs.size() + state.to_pack.size());
    std::int64_t bytes = 0;
    for (const Edge& edge : state.out) bytes += edge.bytes;
    out.heavy = bytes >= heavy_bytes;
    return out;
  }
};

}  // namespace

const Recipe& move_recipe() {
  static const MoveRecipe recipe;
  return recipe;
}

}  // namespace ep
