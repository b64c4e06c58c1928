// Turns the arguments of C functions into calls of collectives and checks what one endpoint can
// see. Nothing is sent here, so errors are local. In order: checks of blocks and roots,
// descriptions of blocks, calls that move data, and calls of reductions.
#include "collectives/collective_calls.hpp"

#include <cstdint>

#include "collectives/aliasing.hpp"
#include "datatypes/overlap.hpp"
#include "datatypes/predefined_operations.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "recipes/recipes.hpp"

namespace ep {

namespace {

// Marks blocks without counts.
constexpr std::int64_t no_count = INT64_MIN;

bool is_inter(const Endpoint& endpoint) { return endpoint.clique->is_inter(); }

void check_count(std::int64_t count) {
  if (count < 0) fail(EP_ERR_COUNT, "count ", count, " (negative).");
}

void check_buffer(const void* data, std::int64_t count, MPI_Datatype type) {
  const TypeFacts facts = type_facts(type);
  check_size(count, facts.size, facts.extent);
  // With MPI_BOTTOM the first element of a datatype is at an absolute address.
  if (data != nullptr || count == 0 || facts.size == 0 || map_of(type)->span(1).begin != 0) return;
  fail(EP_ERR_BUFFER, "the buffer is a null pointer for ", count, " elements.");
}

std::size_t index(int i) { return static_cast<std::size_t>(i); }

void check_blocks(const Blocks& blocks, int number, const char* what) {
  if (is_in_place(blocks.base)) {
    fail(EP_ERR_BUFFER, what, ": EP_IN_PLACE for this buffer of this endpoint (not allowed).");
  }
  if (!blocks.counts) {
    if (blocks.uniform == no_count) {
      fail(EP_ERR_ARG, what, " without counts (null pointer).");
    }
    check_count(blocks.uniform);
    std::int64_t all = 0;
    if (__builtin_mul_overflow(blocks.uniform, std::int64_t{number}, &all)) {
      fail(EP_ERR_COUNT, what, ": ", number, " blocks of ", blocks.uniform,
           " elements (too many).");
    }
    check_buffer(blocks.base, all, blocks.type);
    return;
  }
  if (!blocks.displacements) {
    fail(EP_ERR_ARG, what, " without displacements (null pointer).");
  }
  if (blocks.types == nullptr) static_cast<void>(type_facts(blocks.type));
  for (int i = 0; i < number; ++i) {
    check_count(blocks.count(index(i)));
    if (blocks.types != nullptr) {
      static_cast<void>(type_facts(blocks.types[i]));
    } else {
      check_buffer(blocks.base, blocks.count(index(i)), blocks.type);
    }
  }
}

bool is_root(const Endpoint& endpoint, int root) {
  return is_inter(endpoint) ? root == EP_ROOT : root == endpoint.rank;
}

Ends all_others(const Endpoint& endpoint) {
  Ends ends;
  ends.count = endpoint.remote_group().size();
  return ends;
}

Ends only(int rank) {
  Ends ends;
  ends.count = 1;
  ends.first = rank;
  ends.one_block = true;
  return ends;
}

}  // namespace

void check_root(const Endpoint& endpoint, int root) {
  const int size = endpoint.remote_group().size();
  if (root >= 0 && root < size) return;
  if (is_inter(endpoint) && (root == EP_ROOT || root == EP_PROC_NULL)) return;
  fail(EP_ERR_ROOT, "root ", root, " (the group has ", size, " ranks).");
}

Blocks blocks_of(const void* data, std::int64_t count, MPI_Datatype type) {
  Blocks blocks;
  blocks.base = const_cast<void*>(data);
  blocks.uniform = count;
  blocks.type = type;
  return blocks;
}

Blocks blocks_of(const void* data, Numbers counts, Numbers displacements, MPI_Datatype type) {
  Blocks blocks = blocks_of(data, no_count, type);
  blocks.counts = counts;
  blocks.displacements = displacements;
  blocks.irregular = true;
  return blocks;
}

Blocks blocks_of(const void* data, Numbers counts, Numbers displacements,
                 const MPI_Datatype* types) {
  Blocks blocks = blocks_of(data, counts, displacements, MPI_BYTE);
  blocks.types = types;
  return blocks;
}

Call barrier_call(const Endpoint& endpoint, const char* what) {
  static_cast<void>(endpoint);
  return call_of(barrier_recipe(), what);
}

Call bcast_call(const Endpoint& endpoint, const char* what, const Blocks& buffer, int root) {
  check_root(endpoint, root);
  Call call = call_of(bcast_recipe(), what);
  call.root = root;
  if (root == EP_PROC_NULL) return call;
  check_blocks(buffer, 1, what);
  call.receive = buffer;
  return call;
}

Call gather_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                 const Blocks& receive, int root) {
  check_root(endpoint, root);
  Call call = call_of(gather_recipe(), what);
  call.root = root;
  call.regular = !receive.irregular;
  const bool receives = is_root(endpoint, root);
  const bool in_place = receives && !is_inter(endpoint) && is_in_place(send.base);
  if (receives) {
    call.in = all_others(endpoint);
    check_blocks(receive, call.in.count, what);
    call.receive = receive;
    if (in_place) call.in.skipped = endpoint.rank;
  }
  if (root >= 0 && !in_place) {
    check_blocks(send, 1, what);
    call.send = send;
    call.out = only(root);
    check_blocks_disjoint(send, 1, receive, call.in.count, what);
  }
  return call;
}

Call scatter_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                  const Blocks& receive, int root) {
  check_root(endpoint, root);
  Call call = call_of(scatter_recipe(), what);
  call.root = root;
  call.regular = !send.irregular;
  const bool sends = is_root(endpoint, root);
  const bool in_place = sends && !is_inter(endpoint) && is_in_place(receive.base);
  if (sends) {
    call.out = all_others(endpoint);
    check_blocks(send, call.out.count, what);
    call.send = send;
    if (in_place) call.out.skipped = endpoint.rank;
  }
  if (root >= 0 && !in_place) {
    check_blocks(receive, 1, what);
    call.receive = receive;
    call.in = only(root);
    check_blocks_disjoint(send, call.out.count, receive, 1, what);
  }
  return call;
}

Call allgather_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                    const Blocks& receive) {
  Call call = call_of(is_inter(endpoint) ? move_recipe() : allgather_recipe(), what);
  call.regular = !receive.irregular;
  check_blocks(receive, endpoint.remote_group().size(), what);
  call.receive = receive;
  const bool in_place = !is_inter(endpoint) && is_in_place(send.base);
  if (!in_place) {
    check_blocks(send, 1, what);
    check_blocks_disjoint(send, 1, receive, endpoint.remote_group().size(), what);
  }
  call.send = in_place ? blocks_of(send.base, 0, MPI_BYTE) : send;
  if (is_inter(endpoint)) {
    call.in = all_others(endpoint);
    call.out = call.in;
    call.out.one_block = true;
  }
  return call;
}

Call alltoall_call(const Endpoint& endpoint, const char* what, const Blocks& send,
                   const Blocks& receive) {
  Call call = call_of(alltoall_recipe(), what);
  call.regular = !receive.irregular;
  call.in = call.out = all_others(endpoint);
  check_blocks(receive, call.in.count, what);
  call.receive = receive;
  if (!is_inter(endpoint) && is_in_place(send.base)) {
    call.more = send.base;
    call.send = receive;
  } else {
    check_blocks(send, call.out.count, what);
    check_blocks_disjoint(send, call.out.count, receive, call.in.count, what);
    call.send = send;
  }
  return call;
}

Call pattern_call(const char* what, const Blocks& send, const Ends& to, const Blocks& receive,
                  const Ends& from) {
  Call call = call_of(move_recipe(), what);
  call.out = to;
  call.in = from;
  const int sends = to.one_block ? std::min(to.count, 1) : to.count;
  check_blocks(send, sends, what);
  check_blocks(receive, from.count, what);
  check_blocks_disjoint(send, sends, receive, from.count, what);
  call.send = send;
  call.receive = receive;
  return call;
}

namespace {

void check_operands(const Operands& operands) {
  check_operation(operands.op, operands.type);
  check_count(operands.count);
  if (!is_in_place(operands.send)) check_buffer(operands.send, operands.count, operands.type);
}

// Describes the operand of every endpoint, also of one without an operand, since endpoints with a
// result need it.
Call reduction_call(const Recipe& recipe, const char* what, const Operands& operands) {
  check_operands(operands);
  Call call = call_of(recipe, what);
  call.op = operands.op;
  call.send = blocks_of(operands.send, operands.count, operands.type);
  call.receive = blocks_of(nullptr, -1, operands.type);
  return call;
}

void add_result(Call& call, const Operands& operands) {
  const Blocks result = blocks_of(operands.receive, operands.count, operands.type);
  check_blocks(result, 1, call.what);
  if (!is_in_place(operands.send)) {
    const Blocks operand = blocks_of(operands.send, operands.count, operands.type);
    check_blocks_disjoint(operand, 1, result, 1, call.what);
  }
  call.receive = result;
}

void check_intra(const Endpoint& endpoint, const char* what) {
  if (is_inter(endpoint)) fail(EP_ERR_COMM, what, " on an intercommunicator (MPI has none).");
}

void forbid_in_place(const Operands& operands, const char* what) {
  if (!is_in_place(operands.send)) return;
  fail(EP_ERR_BUFFER, what, ": EP_IN_PLACE for this buffer of this endpoint (not allowed).");
}

}  // namespace

Call reduce_call(const Endpoint& endpoint, const char* what, const Operands& operands, int root) {
  check_root(endpoint, root);
  if (root == EP_PROC_NULL) {
    Call call = call_of(reduce_recipe(), what);
    call.root = root;
    return call;
  }
  Operands adjusted = operands;
  if (root == EP_ROOT) adjusted.send = nullptr;
  const bool receives = is_root(endpoint, root);
  if (!receives || is_inter(endpoint)) forbid_in_place(adjusted, what);
  if (root == EP_ROOT) adjusted.send = adjusted.receive;  // described, never read
  Call call = reduction_call(reduce_recipe(), what, adjusted);
  call.root = root;
  if (root == EP_ROOT)
    adjusted.send = EP_IN_PLACE;  // NOLINT(performance-no-int-to-ptr): a constant
  if (receives) add_result(call, adjusted);
  return call;
}

Call allreduce_call(const Endpoint& endpoint, const char* what, const Operands& operands) {
  if (is_inter(endpoint)) forbid_in_place(operands, what);
  Call call = reduction_call(allreduce_recipe(), what, operands);
  add_result(call, operands);
  return call;
}

Call reduce_scatter_call(const Endpoint& endpoint, const char* what, const Operands& operands,
                         Numbers counts) {
  if (is_inter(endpoint)) forbid_in_place(operands, what);
  const int ranks = endpoint.local_group().size();
  std::int64_t total = 0;
  check_count(operands.count);
  bool fits = !__builtin_mul_overflow(operands.count, std::int64_t{ranks}, &total);
  if (counts) {
    total = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      check_count(counts[index(rank)]);
      fits = fits && !__builtin_add_overflow(total, counts[index(rank)], &total);
    }
  }
  if (!fits) fail(EP_ERR_COUNT, what, ": the sum of counts is too large.");
  Operands adjusted = operands;
  adjusted.count = counts ? counts[index(endpoint.rank)] : operands.count;
  Call call = reduction_call(reduce_scatter_recipe(), what, adjusted);
  check_buffer(is_in_place(operands.send) ? operands.receive : operands.send, total > 0 ? 1 : 0,
               operands.type);
  const Blocks result = blocks_of(operands.receive, adjusted.count, operands.type);
  check_blocks(result, 1, what);
  if (!is_in_place(operands.send) && !is_inter(endpoint)) {
    const MappedView operand{static_cast<std::byte*>(const_cast<void*>(operands.send)), total,
                             map_of(operands.type)};
    check_disjoint(operand, mapped({operands.receive, adjusted.count, operands.type}), what);
  }
  call.receive = blocks_of(operands.receive, operands.count, operands.type);
  call.receive.counts = counts;
  // The sum may be beyond an int: the recipe adds up again.
  call.send.uniform = 0;
  return call;
}

Call scan_call(const Endpoint& endpoint, const char* what, const Operands& operands,
               bool exclusive) {
  check_intra(endpoint, what);
  Call call = reduction_call(exclusive ? exscan_recipe() : scan_recipe(), what, operands);
  add_result(call, operands);
  return call;
}

}  // namespace ep
