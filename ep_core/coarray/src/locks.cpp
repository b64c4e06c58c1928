#include "locks.hpp"

#include <algorithm>
#include <ep/ep.hpp>
#include <string>

#include "outcome.hpp"
#include "tags.hpp"

namespace ep::caf {

namespace {

// Values of a lock variable. Above `nobody`: the image that last requested the lock. Below: an
// image that ended while it held the lock; a waiting image receives the same value.
constexpr std::int32_t nobody = 0;

// An element of a lock variable is a pointer to the compiler.
constexpr std::ptrdiff_t element_bytes = sizeof(void*);

Place variable(const Coarray& coarray, std::size_t index, int rank) {
  return coarray.at(rank) + static_cast<std::ptrdiff_t>(index) * element_bytes;
}

std::int32_t left_by(std::int32_t image, State state) {
  return -2 * image - (state == State::failed ? 1 : 0);
}

bool is_left_by_failed(std::int32_t left) { return left < nobody && left % 2 != 0; }

// Returns the next value after a variable left by an image. Only a failed image's lock becomes
// free.
std::int32_t after(std::int32_t left) { return is_left_by_failed(left) ? nobody : left; }

[[noreturn]] void fail_for(std::int32_t left) {
  const std::string by = "that variable was locked by image " + std::to_string(-left / 2);
  if (is_left_by_failed(left)) {
    throw Failure(Stat::unlocked_failed_image, by + ", which has failed (it is unlocked now).");
  }
  throw Failure(Stat::stopped_image, by + ", which has stopped (nobody else can unlock it).");
}

LockName name_of(const Coarray& coarray, std::size_t index, int rank) {
  return {coarray.number(), static_cast<std::int64_t>(index), rank};
}

}  // namespace

Locks::Locks(EP_Comm comm, Reach& reach) : comm_(comm), reach_(reach) {
  int rank = 0;
  check(EP_Comm_rank(comm, &rank));
  self_ = rank + 1;
}

void Locks::check_not_held(const LockName& name) const {
  if (std::ranges::find(held_, name, &Held::lock) != held_.end()) {
    throw Failure(Stat::locked, "this image has locked that variable already.");
  }
}

void Locks::acquire(const Coarray& coarray, std::size_t index, int rank) {
  const Held lock{name_of(coarray, index, rank), variable(coarray, index, rank)};
  check_not_held(lock.lock);
  std::int32_t before = reach_.update(rank, lock.place, self_, MPI_REPLACE);
  if (before > nobody) {
    check(EP_Send(&lock.lock, sizeof lock.lock, MPI_BYTE, before - 1, tags::waiting, comm_));
    check(EP_Recv(&before, 1, MPI_INT32_T, before - 1, tags::granted, comm_, EP_STATUS_IGNORE));
  }
  if (before != nobody) {
    hand_on(lock, after(before));
    fail_for(before);
  }
  held_.push_back(lock);
}

bool Locks::try_acquire(const Coarray& coarray, std::size_t index, int rank) {
  const Held lock{name_of(coarray, index, rank), variable(coarray, index, rank)};
  check_not_held(lock.lock);
  const std::int32_t before = reach_.exchange(rank, lock.place, nobody, self_);
  if (before == nobody) {
    held_.push_back(lock);
    return true;
  }
  // Only one of the images that find a failed image's lock reports it.
  if (before < nobody && reach_.exchange(rank, lock.place, before, after(before)) == before) {
    fail_for(before);
  }
  reach_.let_others();
  return false;
}

void Locks::release(const Coarray& coarray, std::size_t index, int rank) {
  const LockName name = name_of(coarray, index, rank);
  const auto found = std::ranges::find(held_, name, &Held::lock);
  if (found == held_.end()) {
    const Place place = variable(coarray, index, rank);
    const std::int32_t last = reach_.update(rank, place, 0, MPI_NO_OP);
    if (last == nobody || is_left_by_failed(last)) {
      throw Failure(Stat::unlocked, "that variable is not locked.");
    }
    throw Failure(Stat::locked_other_image, "another image has locked that variable.");
  }
  const Held lock = *found;
  held_.erase(found);
  hand_on(lock, nobody);
}

void Locks::forget(const Coarray& coarray) {
  std::erase_if(held_, [&](const Held& held) { return held.lock.coarray == coarray.number(); });
}

void Locks::leave(State state) {
  for (const Held& held : held_) hand_on(held, left_by(self_, state));
  held_.clear();
}

// Passes the lock to the next waiting image, or sets the variable to `state` if there is none.
void Locks::hand_on(const Held& held, std::int32_t state) {
  const int rank = static_cast<int>(held.lock.rank);
  if (reach_.exchange(rank, held.place, self_, state) == self_) return;
  check(EP_Send(&state, 1, MPI_INT32_T, wait_for_waiter(held.lock), tags::granted, comm_));
}

// Returns the rank of the next waiting image. It has put its number into the variable, but its
// message may not have arrived yet.
int Locks::wait_for_waiter(const LockName& name) {
  for (;;) {
    const auto found = std::ranges::find(waiters_, name, &Waiter::lock);
    if (found != waiters_.end()) {
      const int rank = found->rank;
      waiters_.erase(found);
      return rank;
    }
    Waiter waiter{};
    EP_Status status{};
    check(EP_Recv(&waiter.lock, sizeof waiter.lock, MPI_BYTE, EP_ANY_SOURCE, tags::waiting, comm_,
                  &status));
    waiter.rank = status.EP_SOURCE;
    waiters_.push_back(waiter);
  }
}

}  // namespace ep::caf
