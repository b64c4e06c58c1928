#include <algorithm>
#include <optional>

#include "cliques/clique.hpp"
#include "process/error.hpp"
#include "schedules/collective_tuning.hpp"
#include "schedules/operation.hpp"
#include "traces/account.hpp"

// The facts of an operation for listeners (EP_TRACE, EP_STATISTICS).

namespace ep {

Algorithm Operation::choose(Collective collective, const Shape& shape, std::int64_t bytes,
                            AlgorithmSet usable) {
  algorithm_ = ep::choose(tuning_of(*clique_).cost_model(), collective, shape, bytes, usable);
  return *algorithm_;
}

// Returns the number of bytes that an endpoint contributes, or that it receives if it contributes
// none, as in a broadcast.
std::int64_t Operation::bytes_of(const Contribution& c) const {
  const Call& call = c.call;
  if (call.out.count > 0) {
    std::int64_t sum = 0;
    for (int i = 0; i < (call.out.one_block ? 1 : call.out.count); ++i) {
      if (call.out.rank(i) != EP_PROC_NULL) sum += call.send.bytes(i);
    }
    return sum;
  }
  if (const std::int64_t operand = call.send.bytes(0); operand > 0) return operand;
  if (call.op == MPI_OP_NULL) return std::max<std::int64_t>(call.receive.bytes(0), 0);
  // A slice of the operands for every rank.
  std::int64_t elements = 0;
  for (int rank = 0; rank < clique_->local_group(c.side).size(); ++rank) {
    elements += std::max<std::int64_t>(call.receive.count(static_cast<std::size_t>(rank)), 0);
  }
  return TypedView{nullptr, elements, call.receive.type}.bytes();
}

CallFacts Operation::facts(int slot) const {
  const Contribution& c = contributions_[static_cast<std::size_t>(slot)];
  CallFacts facts;
  facts.what = c.call.what;
  facts.bytes = bytes_of(c);
  if (algorithm_) facts.algorithm = name_of(*algorithm_);
  return facts;
}

void Operation::tell_listeners() noexcept {
  for (int slot = 0; slot < slot_count(); ++slot) {
    Account* const account = account_at(clique_->slot(slot));
    if (account == nullptr) continue;
    static_cast<void>(guarded([&] {
      const Contribution& c = contribution(slot);
      account->end_collective(facts(slot),
                              c.request != nullptr ? std::optional(c.begin) : std::nullopt);
    }));
  }
}

}  // namespace ep
