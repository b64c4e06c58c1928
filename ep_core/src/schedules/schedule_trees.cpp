#include <algorithm>

#include "schedules/schedule.hpp"

namespace ep {

namespace {

// The bit by which a participant hangs below its parent in a binomial tree from participant 0;
// beyond `count` for participant 0 itself.
int parent_bit(int count, int index) {
  int bit = 1;
  while (bit < count && (index & bit) == 0) bit *= 2;
  return bit;
}

}  // namespace

int subtree_size(int count, int index) { return std::min(parent_bit(count, index), count - index); }

void binomial_gather(Schedule& out, const Participants& from_root, const ByteBlocks& blocks) {
  const Participants& all = from_root;
  const int up = parent_bit(all.count, all.me);
  out.next_round();
  for (int bit = 1; bit < up && all.me + bit < all.count; bit *= 2) {
    const int child = all.me + bit;
    out.receive_bytes(all.process(child), blocks.block(child),
                      blocks.size(child, subtree_size(all.count, child)));
  }
  if (all.me == 0) return;
  out.next_round();
  out.send_bytes(all.behind(up), blocks.block(all.me),
                 blocks.size(all.me, subtree_size(all.count, all.me)));
}

void binomial_scatter(Schedule& out, const Participants& from_root, const ByteBlocks& blocks) {
  const Participants& all = from_root;
  const int up = parent_bit(all.count, all.me);
  if (all.me != 0) {
    out.next_round();
    out.receive_bytes(all.behind(up), blocks.block(all.me),
                      blocks.size(all.me, subtree_size(all.count, all.me)));
  }
  out.next_round();
  for (int bit = up / 2; bit > 0; bit /= 2) {
    const int child = all.me + bit;
    if (child >= all.count) continue;
    out.send_bytes(all.process(child), blocks.block(child),
                   blocks.size(child, subtree_size(all.count, child)));
  }
}

void scatter_doubling_bcast(Schedule& out, const Participants& from_root,
                            const ByteBlocks& slices) {
  binomial_scatter(out, from_root, slices);
  bruck_allgather(out, from_root, slices);
}

void pipelined_bcast(Schedule& out, const Participants& from_root, std::byte* bytes,
                     std::int64_t size, int segments) {
  const Participants& all = from_root;
  const auto begin = [&](int i) {
    return size / segments * i + std::min<std::int64_t>(i, size % segments);
  };
  const bool receives = all.me > 0;
  const bool sends = all.me + 1 < all.count;
  // A segment is sent on while the next one is received.
  for (int i = 0; i < segments + (receives ? 1 : 0); ++i) {
    out.next_round();
    if (receives && i < segments) {
      out.receive_bytes(all.behind(1), bytes + begin(i), begin(i + 1) - begin(i));
    }
    const int sent = receives ? i - 1 : i;
    if (sends && sent >= 0) {
      out.send_bytes(all.ahead(1), bytes + begin(sent), begin(sent + 1) - begin(sent));
    }
  }
}

void doubling_allgather(Schedule& out, const Participants& all, const ByteBlocks& blocks) {
  for (int held = 1; held < all.count; held *= 2) {
    const int other = all.me ^ held;
    const int mine = all.me & ~(held - 1);  // my run of blocks begins here
    const int theirs = other & ~(held - 1);
    out.next_round();
    out.send_bytes(all.process(other), blocks.block(mine), blocks.size(mine, held));
    out.receive_bytes(all.process(other), blocks.block(theirs), blocks.size(theirs, held));
  }
}

}  // namespace ep
