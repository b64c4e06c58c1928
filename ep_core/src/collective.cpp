#include "collective.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>

#include "error.hpp"
#include "reduction.hpp"
#include "schedule.hpp"

namespace ep {

namespace {

void notify_all(Clique& clique) {
  for (int i = 0; i < clique.slot_count(); ++i) process().registry().notify(clique.slot(i));
}

void check_same_operation(const Turn& turn) {
  for (const Contribution& other : turn.half.contributions) {
    if (std::strcmp(other.what, turn.what) == 0) continue;
    fail(EP_ERR_OTHER, "endpoints of one process call ", turn.what, " and ", other.what,
         " at the same time (collective operations must be called in one order).");
  }
}

void act_for_all(Turn& turn, const std::function<void(Turn&)>& act) {
  turn.half.error = guarded([&] {
    check_same_operation(turn);
    act(turn);
  });
  turn.half.error_text = turn.half.error != EP_SUCCESS ? last_error() : "";
}

}  // namespace

void run_collective(Endpoint& endpoint, const char* what, const Contribution& mine,
                    const std::function<void(Turn&)>& act, const std::function<bool(Turn&)>& take) {
  const std::shared_ptr<Clique> clique = endpoint.clique;
  Meeting& meeting = clique->meeting();
  const std::uint64_t number = ++endpoint.operations;
  const auto everyone = static_cast<std::uint64_t>(clique->slot_count());
  Turn turn{endpoint, meeting.halves[number % 2], number, what};
  turn.contribution(endpoint.slot) = mine;
  turn.contribution(endpoint.slot).what = what;
  const WaitSpec spec{what};
  if (meeting.arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == number * everyone) {
    act_for_all(turn, act);
    meeting.released.store(number, std::memory_order_seq_cst);
    notify_all(*clique);
  } else {
    process().registry().wait(endpoint.place(), spec, [&] {
      return meeting.released.load(std::memory_order_seq_cst) >= number;
    });
  }
  int code = turn.half.error;
  std::string text = turn.half.error_text;
  bool lends = false;
  if (code == EP_SUCCESS) {
    code = guarded([&] { lends = take(turn); });
    if (code != EP_SUCCESS) text = last_error();
  }
  const std::uint64_t all_gone = number * everyone;
  if (meeting.departed.fetch_add(1, std::memory_order_seq_cst) + 1 == all_gone) {
    if (everyone > 1) notify_all(*clique);
  } else if (lends) {
    process().registry().wait(endpoint.place(), spec, [&] {
      return meeting.departed.load(std::memory_order_seq_cst) >= all_gone;
    });
  }
  if (code != EP_SUCCESS) throw Error(code, text);
}

std::vector<std::vector<std::byte>> exchange_between_processes(const Turn& turn,
                                                               std::vector<std::byte> mine) {
  Clique& clique = *turn.endpoint.clique;
  const int processes = clique.process_count();
  const auto me = static_cast<std::size_t>(clique.my_process());
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(processes));
  std::vector<TypedView> views;
  sizes[me] = static_cast<std::int64_t>(mine.size());
  views.reserve(sizes.size());
  for (std::int64_t& size : sizes) views.push_back({&size, sizeof size, MPI_BYTE});
  run(turn.endpoint, select_allgather(processes, clique.my_process(), views), turn.tag(),
      turn.what);
  std::vector<std::vector<std::byte>> all(sizes.size());
  all[me] = std::move(mine);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].resize(static_cast<std::size_t>(sizes[i]));
    views[i] = {all[i].data(), static_cast<int>(sizes[i]), MPI_BYTE};
  }
  run(turn.endpoint, select_allgather(processes, clique.my_process(), views), turn.tag(),
      turn.what);
  return all;
}

void barrier(Endpoint& endpoint) {
  run_collective(
      endpoint, "EP_Barrier", {},
      [](Turn& turn) {
        Clique& clique = *turn.endpoint.clique;
        run(turn.endpoint, select_barrier(clique.process_count(), clique.my_process()), turn.tag(),
            turn.what);
      },
      [](Turn&) { return false; });
}

void bcast(Endpoint& endpoint, const TypedView& view, int root) {
  const Place place = endpoint.local_group().place(root);
  Contribution mine;
  mine.view = view;
  run_collective(
      endpoint, "EP_Bcast", mine,
      [place](Turn& turn) {
        Clique& clique = *turn.endpoint.clique;
        const bool root_here = place.process == clique.my_process();
        // Siblings read in place: at the root, or where the message from outside came in.
        turn.half.source_slot = root_here ? place.slot : turn.endpoint.slot;
        run(turn.endpoint,
            select_bcast(clique.process_count(), clique.my_process(), place.process,
                         turn.contribution(turn.half.source_slot).view),
            turn.tag(), turn.what);
      },
      [&view](Turn& turn) {
        if (turn.half.source_slot == turn.endpoint.slot) return true;
        const TypedView& source = turn.contribution(turn.half.source_slot).view;
        if (copy_typed(source, view) > view.bytes()) {
          fail(EP_ERR_TRUNCATE, "EP_Bcast of ", source.bytes(), " bytes into ", view.bytes(),
               " (endpoints give different counts).");
        }
        return false;
      });
}

namespace {

// The packed blocks of one process, in order of slots.
struct PackedBlocks {
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> bytes;
};

PackedBlocks pack_contributions(const Turn& turn) {
  PackedBlocks packed;
  std::int64_t total = 0;
  for (const Contribution& c : turn.half.contributions) {
    packed.sizes.push_back(c.view.bytes());
    total += packed.sizes.back();
  }
  packed.bytes.resize(static_cast<std::size_t>(total));
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < packed.sizes.size(); ++i) {
    pack_bytes(turn.half.contributions[i].view, packed.bytes.data() + offset);
    offset += packed.sizes[i];
  }
  return packed;
}

TypedView bytes_view(std::vector<std::byte>& bytes) {
  if (bytes.size() > INT32_MAX) {
    fail(EP_ERR_COUNT, "a process contributes ", bytes.size(),
         " bytes to a collective (limited to 2^31 - 1). Gather in parts?");
  }
  return {bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE};
}

TypedView sizes_view(std::vector<std::int64_t>& sizes) {
  return {sizes.data(), static_cast<int>(sizes.size() * sizeof(std::int64_t)), MPI_BYTE};
}

void send_blocks(const Turn& turn, int to_process) {
  PackedBlocks packed = pack_contributions(turn);
  Schedule schedule;
  schedule.send(to_process, sizes_view(packed.sizes));
  schedule.next_round();
  schedule.send(to_process, bytes_view(packed.bytes));
  run(turn.endpoint, std::move(schedule), turn.tag(), turn.what);
}

// From every other process, indexed by process.
std::vector<PackedBlocks> receive_blocks(const Turn& turn) {
  Clique& clique = *turn.endpoint.clique;
  const int processes = clique.process_count();
  std::vector<PackedBlocks> all(static_cast<std::size_t>(processes));
  Schedule sizes;
  Schedule data;
  for (int p = 0; p < processes; ++p) {
    if (p == clique.my_process()) continue;
    PackedBlocks& from = all[static_cast<std::size_t>(p)];
    from.sizes.resize(static_cast<std::size_t>(turn.endpoint.local_group().count(p)));
    sizes.receive(p, sizes_view(from.sizes));
  }
  run(turn.endpoint, std::move(sizes), turn.tag(), turn.what);
  for (int p = 0; p < processes; ++p) {
    if (p == clique.my_process()) continue;
    PackedBlocks& from = all[static_cast<std::size_t>(p)];
    std::int64_t total = 0;
    for (const std::int64_t size : from.sizes) total += size;
    from.bytes.resize(static_cast<std::size_t>(total));
    data.receive(p, bytes_view(from.bytes));
  }
  run(turn.endpoint, std::move(data), turn.tag(), turn.what);
  return all;
}

void check_block(const Turn& turn, int rank, std::int64_t sent, const TypedView& target) {
  if (sent <= target.bytes()) return;
  fail(EP_ERR_TRUNCATE, turn.what, ": rank ", rank, " sends ", sent, " bytes (its block has ",
       target.bytes(), "). Different counts?");
}

void place_blocks(const Turn& turn, int from_process, const PackedBlocks& packed, void* receive,
                  const Blocks& blocks) {
  std::int64_t offset = 0;
  for (std::size_t slot = 0; slot < packed.sizes.size(); ++slot) {
    const int rank = turn.endpoint.local_group().rank({from_process, static_cast<int>(slot)});
    const TypedView target = blocks.view(receive, rank);
    check_block(turn, rank, packed.sizes[slot], target);
    unpack_bytes(packed.bytes.data() + offset, packed.sizes[slot], target);
    offset += packed.sizes[slot];
  }
}

// What the endpoints of this process contribute, without packing.
void place_local_blocks(const Turn& turn, void* receive, const Blocks& blocks) {
  const int me = turn.endpoint.clique->my_process();
  for (std::size_t slot = 0; slot < turn.half.contributions.size(); ++slot) {
    const TypedView& source = turn.half.contributions[slot].view;
    const int rank = turn.endpoint.local_group().rank({me, static_cast<int>(slot)});
    const TypedView target = blocks.view(receive, rank);
    if (is_in_place(source.data) || source.data == target.data) continue;
    check_block(turn, rank, source.bytes(), target);
    copy_typed(source, target);
  }
}

void gather_at_root(const Turn& turn, int root_slot) {
  const Contribution& root = turn.contribution(root_slot);
  place_local_blocks(turn, root.receive, *root.blocks);
  const std::vector<PackedBlocks> all = receive_blocks(turn);
  for (std::size_t p = 0; p < all.size(); ++p) {
    place_blocks(turn, static_cast<int>(p), all[p], root.receive, *root.blocks);
  }
}

}  // namespace

void gather(Endpoint& endpoint, const TypedView& send, void* receive, const Blocks& blocks,
            int root) {
  const Place place = endpoint.local_group().place(root);
  Contribution mine;
  mine.view = send;
  mine.receive = receive;
  mine.blocks = &blocks;
  run_collective(
      endpoint, "EP_Gather", mine,
      [place](Turn& turn) {
        if (place.process == turn.endpoint.clique->my_process()) {
          gather_at_root(turn, place.slot);
        } else {
          send_blocks(turn, place.process);
        }
      },
      [](Turn&) { return false; });
}

namespace {

// Packed blocks of all processes, in the scratch memory of the half.
void allgather_between_processes(Turn& turn) {
  PackedBlocks mine = pack_contributions(turn);
  std::vector<std::byte> message(mine.sizes.size() * sizeof(std::int64_t) + mine.bytes.size());
  std::memcpy(message.data(), mine.sizes.data(), mine.sizes.size() * sizeof(std::int64_t));
  if (!mine.bytes.empty()) {
    std::memcpy(message.data() + mine.sizes.size() * sizeof(std::int64_t), mine.bytes.data(),
                mine.bytes.size());
  }
  static_cast<void>(bytes_view(message));
  turn.half.scratch = exchange_between_processes(turn, std::move(message));
}

void take_remote_blocks(const Turn& turn, void* receive, const Blocks& blocks) {
  const RankTable& group = turn.endpoint.local_group();
  for (std::size_t p = 0; p < turn.half.scratch.size(); ++p) {
    if (static_cast<int>(p) == turn.endpoint.clique->my_process()) continue;
    const std::vector<std::byte>& message = turn.half.scratch[p];
    const auto slots = static_cast<std::size_t>(group.count(static_cast<int>(p)));
    std::vector<std::int64_t> sizes(slots);
    std::memcpy(sizes.data(), message.data(), slots * sizeof(std::int64_t));
    const std::byte* data = message.data() + slots * sizeof(std::int64_t);
    for (std::size_t slot = 0; slot < slots; ++slot) {
      const int rank = group.rank({static_cast<int>(p), static_cast<int>(slot)});
      const TypedView target = blocks.view(receive, rank);
      check_block(turn, rank, sizes[slot], target);
      unpack_bytes(data, sizes[slot], target);
      data += sizes[slot];
    }
  }
}

}  // namespace

void allgather(Endpoint& endpoint, const TypedView& send, void* receive, const Blocks& blocks) {
  Contribution mine;
  mine.view = is_in_place(send.data) ? blocks.view(receive, endpoint.rank) : send;
  run_collective(
      endpoint, "EP_Allgather", mine,
      [](Turn& turn) {
        turn.half.scratch.clear();
        if (turn.endpoint.clique->process_count() > 1) allgather_between_processes(turn);
      },
      [&](Turn& turn) {
        place_local_blocks(turn, receive, blocks);
        take_remote_blocks(turn, receive, blocks);
        return true;
      });
}

namespace {

void reduce_for_all(Turn& turn, const TypedView& shape, MPI_Op op) {
  Clique& clique = *turn.endpoint.clique;
  const RankTable& ranks = turn.endpoint.local_group();
  std::vector<const void*> inputs;
  for (const Contribution& c : turn.half.contributions) inputs.push_back(c.view.data);
  OrderedReduction reduction(ranks, clique.my_process(), std::move(inputs), shape.count, shape.type,
                             op);
  run(turn.endpoint, reduction.build(), turn.tag(), turn.what);
  auto result = std::make_shared<ElementBuffer>(shape.count, shape.type);
  const TypedView view{result->data(), shape.count, shape.type};
  const int owner = ranks.place(0).process;
  if (owner == clique.my_process()) {
    copy_typed(view_of(reduction.result(), shape.count, shape.type), view);
  }
  run(turn.endpoint, select_bcast(clique.process_count(), clique.my_process(), owner, view),
      turn.tag(), turn.what);
  turn.half.result = result->data();
  turn.half.result_owner = std::move(result);
}

}  // namespace

void allreduce(Endpoint& endpoint, const void* send, const TypedView& receive, MPI_Op op) {
  Contribution mine;
  mine.view = {is_in_place(send) ? receive.data : const_cast<void*>(send), receive.count,
               receive.type};
  run_collective(
      endpoint, "EP_Allreduce", mine, [&](Turn& turn) { reduce_for_all(turn, receive, op); },
      [&](Turn& turn) {
        copy_typed(view_of(turn.half.result, receive.count, receive.type), receive);
        return false;
      });
}

}  // namespace ep
