// Shared code of all recipes of reductions: which endpoints have an operand and which get a result,
// partials, and the computation of results in portions that fit the cache. In order: making a flow,
// splitting elements, partials, results, checks of the endpoints' arguments.
#include "recipes/reduction_flow.hpp"

#include <algorithm>
#include <sstream>

#include "cliques/clique.hpp"
#include "datatypes/reducer.hpp"
#include "schedules/collective_rendezvous.hpp"
#include "schedules/collective_tuning.hpp"

namespace ep {

namespace {

constexpr std::int64_t part_bytes = std::int64_t{64} * 1024;
constexpr std::int64_t shared_chunk_bytes = std::int64_t{16} * 1024;

bool has_operand(const Contribution& c, int from_side) {
  return c.side == from_side && c.call.root != EP_ROOT && c.call.root != EP_PROC_NULL;
}

bool has_result(Operation& operation, const Contribution& c, int from_side) {
  const bool inter = operation.clique().is_inter();
  if (c.call.receive.base == nullptr && c.call.receive.uniform < 0) return false;
  if (c.call.root == EP_ROOT) return c.side != from_side;
  return inter ? c.side != from_side && c.call.root != EP_PROC_NULL : true;
}

void add_endpoints(Operation& operation, ReductionFlow& flow) {
  const auto slots = static_cast<std::int64_t>(operation.slot_count());
  flow.operands = operation.scratch().take_array<const void*>(slots);
  flow.receivers = operation.scratch().take_array<int>(slots);
  std::size_t receivers = 0;
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    const Contribution& c = operation.contribution(slot);
    if (has_operand(c, flow.from_side)) {
      flow.sends = true;
      flow.reference = slot;
      flow.operands[static_cast<std::size_t>(slot)] =
          is_in_place(c.call.send.base) ? c.call.receive.base : c.call.send.base;
    }
    if (has_result(operation, c, flow.from_side)) flow.receivers[receivers++] = slot;
  }
  flow.receivers = flow.receivers.first(receivers);
  if (flow.reference < 0 && receivers > 0) flow.reference = flow.receivers.front();
}

}  // namespace

std::int64_t common_count(Operation& operation, int reference) {
  const Blocks& mine = operation.call(reference).send;
  if (!operation.is_spoiled()) return mine.uniform;
  // The data that arrives must fit into the buffer of every endpoint.
  std::int64_t bytes = mine.bytes(0);
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    const Call& call = operation.call(slot);
    if (call.root != EP_PROC_NULL) bytes = std::min(bytes, call.send.bytes(0));
  }
  return bytes / std::max<std::int64_t>(type_facts(mine.type).size, 1);
}

ReductionFlow make_flow(Operation& operation, int from_side, int only_to) {
  Clique& clique = operation.clique();
  ReductionFlow flow;
  flow.from_side = from_side;
  flow.to_side = clique.is_inter() ? 1 - from_side : from_side;
  flow.from = &clique.local_group(flow.from_side);
  flow.to = &clique.local_group(flow.to_side);
  add_endpoints(operation, flow);
  if (!flow.takes_part()) return flow;
  const Call& call = operation.call(flow.reference);
  flow.reducer = make_reducer(call.op, call.send.type);
  flow.count = common_count(operation, flow.reference);
  const bool fast =
      flow.reducer.exact || (tuning_of(clique).fast_reduction() && flow.reducer.commutative);
  flow.plan = &rendezvous_of(clique).plan(*flow.from, clique.my_process(), flow.from_side, !fast);
  const auto numbers = static_cast<std::int64_t>(flow.plan->whole()) + 1;
  flow.values = operation.scratch().take_array<const void*>(numbers);
  flow.buffers = operation.scratch().take_array<void*>(numbers);
  const int me = clique.my_process();
  const bool results_here = only_to >= 0 ? only_to == me : flow.to->count(me) == flow.to->size();
  flow.local = results_here && flow.from->count(me) == flow.from->size();
  return flow;
}

ElementSplit split_elements(const Operation& operation, const ReductionFlow& flow,
                            std::int64_t elements) {
  ElementSplit out{elements, std::max<std::int64_t>(elements, 1), elements > 0 ? 1 : 0};
  const std::int64_t bytes = elements * flow.reducer.extent * operation.slot_count();
  if (bytes < heavy_bytes || operation.slot_count() == 1) return out;
  out.per_item =
      std::max<std::int64_t>(1, part_bytes / std::max<std::int64_t>(flow.reducer.extent, 1));
  out.items = static_cast<int>((elements + out.per_item - 1) / out.per_item);
  return out;
}

bool begin_partials(Operation& operation, ReductionFlow& flow) {
  bool computes = false;
  for (std::size_t k = 0; k < flow.plan->mine.size(); ++k) {
    const ReductionProgram& program = flow.plan->programs[k];
    const auto number = static_cast<std::size_t>(flow.plan->mine[k]);
    if (program.size() == 1) {
      flow.values[number] = flow.operands[static_cast<std::size_t>(program.front())];
      continue;
    }
    if (flow.buffers[number] == nullptr) {
      flow.buffers[number] = operation.scratch().take_elements(flow.count, flow.reducer.type);
    }
    flow.values[number] = flow.buffers[number];
    computes = true;
  }
  return computes;
}

void compute_partials(const ReductionFlow& flow, std::int64_t begin, std::int64_t end) {
  for (std::size_t k = 0; k < flow.plan->mine.size(); ++k) {
    const ReductionProgram& program = flow.plan->programs[k];
    if (program.size() == 1) continue;
    evaluate(program, flow.operands, flow.reducer, begin, end,
             flow.buffers[static_cast<std::size_t>(flow.plan->mine[k])]);
  }
}

// Computes in pieces that are still in the cache when they are copied.
void compute_result(Operation& operation, const ReductionFlow& flow, std::int64_t begin,
                    std::int64_t end) {
  void* const out = operation.call(flow.receivers.front()).receive.base;
  const std::int64_t step = std::max<std::int64_t>(
      1, shared_chunk_bytes / std::max<std::int64_t>(flow.reducer.extent, 1));
  for (std::int64_t i = begin; i < end; i += step) {
    const std::int64_t last = std::min(i + step, end);
    evaluate(flow.program(), flow.inputs(), flow.reducer, i, last, out);
    share_result(operation, flow, i, last);
  }
}

void share_result(Operation& operation, const ReductionFlow& flow, std::int64_t begin,
                  std::int64_t end) {
  const void* const from = operation.call(flow.receivers.front()).receive.base;
  for (const int slot : flow.receivers.subspan(1)) {
    copy_typed(flow.view(from, begin, end - begin),
               flow.view(operation.call(slot).receive.base, begin, end - begin));
  }
}

void check_same_reduction(Operation& operation) {
  const Call* first = nullptr;
  for (int slot = 0; slot < operation.slot_count(); ++slot) {
    const Call& call = operation.call(slot);
    if (call.root == EP_PROC_NULL) continue;
    if (first == nullptr) first = &call;
    const bool is_same_type = call.send.type == first->send.type ||
                              type_facts(call.send.type).size == type_facts(first->send.type).size;
    if (call.send.uniform == first->send.uniform && is_same_type) continue;
    std::ostringstream text;
    text << call.what << ": endpoints of one process give " << call.send.uniform << " and "
         << first->send.uniform << " elements" << (is_same_type ? "." : " of different sizes.");
    operation.fail_all(EP_ERR_COUNT, text.str());
  }
}

}  // namespace ep
