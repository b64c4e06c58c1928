#include "schedules/schedule.hpp"

#include <algorithm>

namespace ep {

namespace {

constexpr std::int64_t largest_message = std::int64_t{1} << 30;

}  // namespace

std::int64_t slice_begin(std::int64_t size, int count, int i) {
  const std::int64_t slice = (size / count + 63) / 64 * 64 + 64;
  return i >= count ? size : std::min(size, slice * i);
}

void Schedule::next_round() {
  if (!steps_.empty()) steps_.push_back({Step::Kind::round, -1, {nullptr, 0, MPI_BYTE}});
}

void Schedule::send(int process, const TypedView& view) {
  steps_.push_back({Step::Kind::send, process, view});
}

void Schedule::receive(int process, const TypedView& view) {
  steps_.push_back({Step::Kind::receive, process, view});
}

void Schedule::send_bytes(int process, const void* bytes, std::int64_t size) {
  add_bytes(Step::Kind::send, process, bytes, size);
}

void Schedule::receive_bytes(int process, void* bytes, std::int64_t size) {
  add_bytes(Step::Kind::receive, process, bytes, size);
}

void Schedule::add_bytes(Step::Kind kind, int process, const void* bytes, std::int64_t size) {
  std::int64_t done = 0;
  do {
    const std::int64_t part = std::min(size - done, largest_message);
    const void* const begin = static_cast<const std::byte*>(bytes) + done;
    steps_.push_back({kind, process, view_of(begin, part, MPI_BYTE)});
    done += part;
  } while (done < size);
}

void dissemination_barrier(Schedule& out, const Participants& all) {
  const TypedView nothing{nullptr, 0, MPI_BYTE};
  for (int distance = 1; distance < all.count; distance *= 2) {
    out.next_round();
    out.send(all.ahead(distance), nothing);
    out.receive(all.behind(distance), nothing);
  }
}

void binomial_bcast(Schedule& out, const Participants& all, int root, const TypedView& view) {
  const int relative = (all.me - root + all.count) % all.count;
  int mask = 1;
  while (mask < all.count && (relative & mask) == 0) mask *= 2;
  if (relative != 0) {
    out.next_round();
    out.receive(all.behind(mask), view);
  }
  out.next_round();
  for (mask /= 2; mask > 0; mask /= 2) {
    if (relative + mask < all.count) out.send(all.ahead(mask), view);
  }
}

void scatter_ring_bcast(Schedule& out, const Participants& all, int root, std::byte* bytes,
                        std::int64_t size) {
  const int relative = (all.me - root + all.count) % all.count;
  const auto begin = [&](int i) { return slice_begin(size, all.count, i); };
  int mask = 1;
  while (mask < all.count && (relative & mask) == 0) mask *= 2;
  if (relative != 0) {
    out.next_round();
    const std::int64_t first = begin(relative);
    out.receive_bytes(all.behind(mask), bytes + first, begin(relative + mask) - first);
  }
  out.next_round();
  for (mask /= 2; mask > 0; mask /= 2) {
    if (relative + mask >= all.count) continue;
    const std::int64_t first = begin(relative + mask);
    out.send_bytes(all.ahead(mask), bytes + first, begin(relative + 2 * mask) - first);
  }
  for (int step = 0; step + 1 < all.count; ++step) {
    out.next_round();
    const int mine = (relative - step + all.count) % all.count;
    const int theirs = (relative - step - 1 + all.count) % all.count;
    out.send_bytes(all.ahead(1), bytes + begin(mine), begin(mine + 1) - begin(mine));
    out.receive_bytes(all.behind(1), bytes + begin(theirs), begin(theirs + 1) - begin(theirs));
  }
}

void ring_allgather(Schedule& out, const Participants& all, std::span<const TypedView> blocks) {
  for (int step = 0; step + 1 < all.count; ++step) {
    out.next_round();
    const int mine = (all.me - step + all.count) % all.count;
    const int theirs = (all.me - step - 1 + all.count) % all.count;
    out.send(all.ahead(1), blocks[static_cast<std::size_t>(mine)]);
    out.receive(all.behind(1), blocks[static_cast<std::size_t>(theirs)]);
  }
}

void ring_allgather(Schedule& out, const Participants& all, std::span<std::byte* const> blocks,
                    const std::int64_t* offsets) {
  for (int step = 0; step + 1 < all.count; ++step) {
    out.next_round();
    const int mine = (all.me - step + all.count) % all.count;
    const int theirs = (all.me - step - 1 + all.count) % all.count;
    out.send_bytes(all.ahead(1), blocks[static_cast<std::size_t>(mine)],
                   offsets[mine + 1] - offsets[mine]);
    out.receive_bytes(all.behind(1), blocks[static_cast<std::size_t>(theirs)],
                      offsets[theirs + 1] - offsets[theirs]);
  }
}

// Round k: I hold the blocks [me, me + 2^k) and get the next 2^k (fewer in the last round) from the
// participant that holds them.
void bruck_allgather(Schedule& out, const Participants& all, const ByteBlocks& blocks) {
  // A run of blocks that may wrap around the end is one or two messages.
  const auto runs = [&](int first, int count, auto&& transfer) {
    const int before_end = std::min(count, all.count - first);
    transfer(blocks.block(first), blocks.size(first, before_end));
    if (count > before_end) transfer(blocks.block(0), blocks.size(0, count - before_end));
  };
  for (int held = 1; held < all.count; held *= 2) {
    const int more = std::min(held, all.count - held);
    out.next_round();
    runs(all.me, more, [&](std::byte* bytes, std::int64_t size) {
      out.send_bytes(all.behind(held), bytes, size);
    });
    runs((all.me + held) % all.count, more, [&](std::byte* bytes, std::int64_t size) {
      out.receive_bytes(all.ahead(held), bytes, size);
    });
  }
}

}  // namespace ep
