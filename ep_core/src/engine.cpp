#include "engine.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "clique.hpp"
#include "error.hpp"
#include "operation.hpp"
#include "p2p.hpp"
#include "process.hpp"
#include "raw_message.hpp"
#include "wire.hpp"

namespace ep {

namespace {

// Messages taken from one wire before the others get a turn. Who waits looks whether it was the
// one before asking for more, as a fruitless look costs half a message.
constexpr int most_per_visit = 32;
constexpr int most_per_look = 1;
// Fruitless looks before a thread may go to sleep.
constexpr int quiet_rounds = 3;

}  // namespace

void Engine::attach(const std::shared_ptr<Wire>& wire) {
  const std::lock_guard lock(mutex_);
  wires_.push_back(wire);
  wire_count_.fetch_add(1);
  if (wire->size() > 1) peer_wires_.fetch_add(1);
  if (wire->has_peers_off_node()) off_node_wires_.fetch_add(1);
}

// The list keeps an expired entry until the next round: the destructor may run inside one.
void Engine::detach(const Wire& wire) noexcept {
  wire_count_.fetch_sub(1);
  if (wire.size() > 1) peer_wires_.fetch_sub(1);
  if (wire.has_peers_off_node()) off_node_wires_.fetch_sub(1);
}

void Engine::shut_down() {
  const std::lock_guard lock(mutex_);
  wires_.clear();
}

void Engine::add(MPI_Request raw, Request& request, const std::shared_ptr<Clique>& clique,
                 int peer) {
  {
    const std::lock_guard lock(intake_mutex_);
    intake_.push_back({raw, &request, clique, peer});
    pending_.fetch_add(1);
  }
  process().registry().kick_poller();
}

void Engine::progress() {
  if (peer_wires_.load(std::memory_order_relaxed) > 0 || has_pending()) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) drive(most_per_look);
  }
  advance_operations();
}

void Engine::progress_for_sure() {
  // A probe that finds nothing may only have moved the message within reach of the next one
  // (MPICH looks first and progresses then).
  for (int quiet = 0; quiet < quiet_rounds; ++quiet) {
    const std::uint64_t before = events();
    {
      const std::lock_guard lock(mutex_);
      drive(most_per_visit);
    }
    advance_operations();
    if (events() != before) quiet = -1;
  }
}

void Engine::watch(Operation& operation) {
  const std::lock_guard lock(collective_mutex_);
  collective_.push_back(&operation);
  operation_count_.fetch_add(1);
}

// Any number of threads at a time: they share the parts of one operation.
void Engine::advance_operations() {
  if (operation_count_.load(std::memory_order_seq_cst) == 0) return;
  for (std::size_t i = 0;; ++i) {
    Operation* const operation = pin_operation(i);
    if (operation == nullptr) return;
    if (operation->advance()) events_.fetch_add(1, std::memory_order_relaxed);
    if (operation->is_over()) forget(*operation);
    operation->unpin();
  }
}

Operation* Engine::pin_operation(std::size_t index) {
  const std::lock_guard lock(collective_mutex_);
  if (index >= collective_.size()) return nullptr;
  collective_[index]->pin();
  return collective_[index];
}

// The first who sees that it is over gives its pin back.
void Engine::forget(Operation& operation) {
  {
    const std::lock_guard lock(collective_mutex_);
    const auto found = std::find(collective_.begin(), collective_.end(), &operation);
    if (found == collective_.end()) return;
    *found = collective_.back();
    collective_.pop_back();
    operation_count_.fetch_sub(1);
  }
  operation.unpin();
}

void Engine::drive(int most_per_wire) {
  if (has_pending()) test_pending();
  for (std::size_t i = 0; i < wires_.size();) {
    if (const std::shared_ptr<Wire> wire = wires_[i].lock(); wire) {
      if (wire->size() > 1) drain(wire, most_per_wire);
      ++i;
    } else {
      wires_.erase(wires_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
}

void Engine::test_pending() {
  {
    const std::lock_guard lock(intake_mutex_);
    std::move(intake_.begin(), intake_.end(), std::back_inserter(operations_));
    intake_.clear();
  }
  for (std::size_t i = 0; i < operations_.size();) {
    int flag = 0;
    MPI_Status status;
    const int code = MPI_Test(&operations_[i].raw, &flag, &status);
    if (code == MPI_SUCCESS && flag == 0) {
      ++i;
      continue;
    }
    const RawOperation finished = std::move(operations_[i]);
    operations_[i] = std::move(operations_.back());
    operations_.pop_back();
    pending_.fetch_sub(1);
    events_.fetch_add(1, std::memory_order_relaxed);
    // A peer may wait for the end of the transfer, or for what MPI sent at last.
    finished.clique->wire()->ring(finished.peer);
    complete_raw(*finished.request, code);
  }
}

void Engine::ring_peers_of_pending() {
  if (!has_pending()) return;
  const std::lock_guard lock(mutex_);
  for (const RawOperation& operation : operations_) operation.clique->wire()->ring(operation.peer);
}

void Engine::drain(const std::shared_ptr<Wire>& wire, int most) {
  for (int taken = 0; taken < most; ++taken) {
    int flag = 0;
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, wire->comm(), &flag, &status), "MPI_Iprobe");
    if (flag == 0) return;
    events_.fetch_add(1, std::memory_order_relaxed);
    take_in(*wire, RawMessage(wire->comm(), status));
  }
}

}  // namespace ep
