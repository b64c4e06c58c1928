// Drives the communication between processes: tests pending operations, takes in messages, advances
// collectives. One thread at a time does so for all; the others continue or wait. In order: traffic
// and operations, entry points, driven objects, one round of driving, draining one communicator.
#include "progress/engine.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <new>
#include <utility>

#include "process/error.hpp"
#include "progress/progress.hpp"

namespace ep {

namespace {

// Number of messages taken from one communicator before the others get a turn. A waiting thread
// checks its condition before it takes more, as a fruitless probe costs half as much as a message.
constexpr int most_per_visit = 32;
constexpr int most_per_look = 1;
// Largest number of pending operations tested in one visit.
constexpr std::size_t most_tests_per_look = 8;
// Number of visits without a call of MPI for each one with a call, if no message is expected from
// MPI. MPI makes progress only in such calls, also with operations of other threads.
constexpr std::uint32_t looks_per_raw = 4;
// Number of fruitless visits before a thread may sleep.
constexpr int quiet_rounds = 3;
// A visit costs as much as several of the calls that do not need one.
constexpr unsigned calls_per_look = 64;

}  // namespace

void Engine::attach(const std::shared_ptr<Traffic>& traffic) {
  const std::lock_guard lock(mutex_);
  traffic_.push_back(traffic);
  traffic_count_.fetch_add(1);
  if (traffic->has_peers()) peer_count_.fetch_add(1);
  if (traffic->has_peers_off_node()) off_node_count_.fetch_add(1);
}

// The list keeps an expired entry until the next round: the destructor may run inside one.
void Engine::detach(const Traffic& traffic) noexcept {
  traffic_count_.fetch_sub(1);
  if (traffic.has_peers()) peer_count_.fetch_sub(1);
  if (traffic.has_peers_off_node()) off_node_count_.fetch_sub(1);
}

void Engine::shut_down() {
  const std::lock_guard lock(mutex_);
  traffic_.clear();
}

void Engine::add(MPI_Request raw, RawOwner& owner, std::shared_ptr<Traffic> traffic, int peer) {
  {
    const std::lock_guard lock(intake_mutex_);
    intake_.push_back({raw, &owner, std::move(traffic), peer});
    pending_.fetch_add(1);
  }
  registry().kick_poller();
}

void Engine::look_now_and_then() noexcept {
  thread_local unsigned calls = 0;
  if (++calls % calls_per_look == 0) look();
}

void Engine::look() noexcept {
  if (mpi_is_finalized()) return;
  const int code = guarded([this] { progress(); });
  if (code == EP_SUCCESS) return;
  const std::lock_guard lock(kept_mutex_);
  if (has_kept_.load(std::memory_order_relaxed)) return;  // the first counts
  kept_code_ = code;
  kept_text_ = last_error();
  has_kept_.store(true, std::memory_order_release);
}

void Engine::throw_kept() {
  const std::lock_guard lock(kept_mutex_);
  if (kept_code_ == EP_ERR_NO_MEM) {
    throw Error(
        EP_ERR_NO_MEM,
        "out of memory (an allocation failed while messages were taken in, of which one may "
        "be lost: this process cannot communicate any more). Start fewer processes on the "
        "node?");
  }
  if (!has_kept_.exchange(false)) return;
  throw Error(kept_code_, kept_text_);
}

void Engine::note_queued(int more) noexcept {
  queued_.fetch_add(more, std::memory_order_seq_cst);
  if (more > 0) registry().kick_poller();
}

void Engine::send_queued() {
  if (queued_.load(std::memory_order_seq_cst) == 0) return;
  WaitPoint point;
  registry().wait(point, {.reason = "other processes to take what was sent"},
                  [this] { return queued_.load(std::memory_order_seq_cst) == 0; });
}

void Engine::progress(Asking asking) {
  if (has_kept_.load(std::memory_order_relaxed)) throw_kept();
  if (peer_count_.load(std::memory_order_relaxed) > 0 || has_pending()) {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (lock.owns_lock()) drive(most_per_look, most_tests_per_look, asking);
  }
  advance_driven();
}

void Engine::progress_for_sure() {
  // A fruitless probe may have moved a message within reach of the next probe (MPICH checks first
  // and makes progress then).
  for (int quiet = 0; quiet < quiet_rounds; ++quiet) {
    const std::uint64_t before = events();
    {
      const std::lock_guard lock(mutex_);
      drive(most_per_visit, std::numeric_limits<std::size_t>::max(), Asking::always);
    }
    advance_driven();
    if (events() != before) quiet = -1;
  }
}

void Engine::watch(Driven& driven) {
  const std::lock_guard lock(driven_mutex_);
  driven_.push_back(&driven);
  driven_count_.fetch_add(1);
}

// Any number of threads may be here; they share the items of one operation.
void Engine::advance_driven() {
  if (driven_count_.load(std::memory_order_seq_cst) == 0) return;
  for (std::size_t i = 0;;) {
    Driven* const driven = pin_driven(i);
    if (driven == nullptr) return;
    if (driven->advance()) events_.fetch_add(1, std::memory_order_relaxed);
    if (driven->is_over()) {
      forget(*driven);  // another one takes its place
    } else {
      ++i;
    }
    driven->unpin();
  }
}

Driven* Engine::pin_driven(std::size_t index) {
  const std::lock_guard lock(driven_mutex_);
  if (index >= driven_.size()) return nullptr;
  driven_[index]->pin();
  return driven_[index];
}

// The first thread that sees the end of an object releases its pin.
void Engine::forget(Driven& driven) {
  {
    const std::lock_guard lock(driven_mutex_);
    const auto found = std::find(driven_.begin(), driven_.end(), &driven);
    if (found == driven_.end()) return;
    *found = driven_.back();
    driven_.pop_back();
    driven_count_.fetch_sub(1);
  }
  driven.unpin();
}

void Engine::drive(int most_each, std::size_t most_tests, Asking asking) try {
  const bool asks_raw = asking == Asking::always || ++looks_ % looks_per_raw == 0;
  const bool has_queued = queued_.load(std::memory_order_relaxed) > 0;
  if (pending_.load(std::memory_order_relaxed) > 0) test_pending(most_tests);
  for (std::size_t i = 0; i < traffic_.size();) {
    if (const std::shared_ptr<Traffic> traffic = traffic_[i].lock(); traffic) {
      if (has_queued && traffic->push_shm()) events_.fetch_add(1, std::memory_order_relaxed);
      if (traffic->has_peers()) drain(*traffic, most_each, asks_raw);
      ++i;
    } else {
      traffic_.erase(traffic_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
} catch (const std::bad_alloc&) {
  // A message whose memory was refused is lost, and waits that outlast errors of other traffic
  // would wait for it for ever: from now on all of them fail.
  const std::lock_guard lock(kept_mutex_);
  kept_code_ = EP_ERR_NO_MEM;
  has_kept_.store(true, std::memory_order_release);
  throw;
}

void Engine::test_pending(std::size_t most) {
  {
    const std::lock_guard lock(intake_mutex_);
    std::move(intake_.begin(), intake_.end(), std::back_inserter(operations_));
    intake_.clear();
  }
  // A test of any request lets MPI advance all of them; an ended request is noticed when its turn
  // comes.
  for (std::size_t left = std::min(most, operations_.size()); left > 0; --left) {
    if (next_test_ >= operations_.size()) next_test_ = 0;
    const std::size_t i = next_test_;
    int flag = 0;
    MPI_Status status;
    const int code = MPI_Test(&operations_[i].raw, &flag, &status);
    if (code == MPI_SUCCESS && flag == 0) {
      ++next_test_;
      continue;
    }
    const RawOperation finished = std::move(operations_[i]);
    operations_[i] = std::move(operations_.back());
    operations_.pop_back();
    pending_.fetch_sub(1);
    events_.fetch_add(1, std::memory_order_relaxed);
    // A peer may wait for the end of the transfer, or for what MPI sent at last.
    finished.traffic->ring(finished.peer);
    finished.owner->end_raw(code);
  }
}

void Engine::ring_peers_of_pending() {
  if (!has_pending()) return;
  const std::lock_guard lock(mutex_);
  for (const RawOperation& operation : operations_) operation.traffic->ring(operation.peer);
  if (queued_.load(std::memory_order_relaxed) == 0) return;
  for (const auto& entry : traffic_) {
    if (const std::shared_ptr<Traffic> traffic = entry.lock(); traffic)
      traffic->ring_full_inboxes();
  }
}

void Engine::drain(Traffic& traffic, int most, bool asks_raw) {
  int taken = 0;
  for (; taken < most && traffic.take_in_shm(); ++taken) {
    events_.fetch_add(1, std::memory_order_relaxed);
  }
  if (!asks_raw && !traffic.expects_raw()) return;
  for (taken = 0; taken < most; ++taken) {
    int flag = 0;
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, traffic.comm(), &flag, &status),
              "MPI_Iprobe");
    if (flag == 0) return;
    events_.fetch_add(1, std::memory_order_relaxed);
    traffic.take_in(RawMessage(traffic.comm(), status));
  }
}

}  // namespace ep
