#include "collectives/aliasing.hpp"

#include <algorithm>
#include <cstddef>

#include "datatypes/overlap.hpp"

namespace ep {

namespace {

// Returns all blocks as one view, if they follow each other.
MappedView whole(const Blocks& blocks, int number) {
  return {static_cast<std::byte*>(blocks.base), blocks.uniform * number, map_of(blocks.type)};
}

void check_against(const MappedView& one, const Blocks& blocks, int number, const char* what) {
  if (one.bytes() == 0) return;
  for (int i = 0; i < number; ++i) check_disjoint(one, mapped(blocks.block(i)), what);
}

}  // namespace

void check_blocks_disjoint(const Blocks& send, int sends, const Blocks& receive, int receives,
                           const char* what) {
  if (sends == 0 || receives == 0) return;
  if (!send.counts && !receive.counts) {
    check_disjoint(whole(send, sends), whole(receive, receives), what);
  } else if (!send.counts) {
    check_against(whole(send, sends), receive, receives, what);
  } else if (!receive.counts) {
    check_against(whole(receive, receives), send, sends, what);
  } else {
    for (int i = 0; i < std::min(sends, receives); ++i) {
      check_disjoint(mapped(send.block(i)), mapped(receive.block(i)), what);
    }
  }
}

}  // namespace ep
