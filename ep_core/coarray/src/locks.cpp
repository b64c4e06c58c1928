#include "locks.hpp"

#include <algorithm>
#include <array>
#include <ep/ep.hpp>
#include <string>

#include "outcome.hpp"
#include "tags.hpp"

namespace ep::caf {

namespace {

constexpr std::int32_t nobody = 0;
// An element of a lock variable is a pointer to the compiler.
constexpr std::ptrdiff_t element_bytes = sizeof(void*);

Place variable(const Coarray& coarray, std::size_t index, int rank) {
  return coarray.at(rank) + static_cast<std::ptrdiff_t>(index) * element_bytes;
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
  if (std::ranges::find(held_, name) != held_.end()) {
    throw Failure(Stat::locked, "this image has locked that variable already.");
  }
}

void Locks::acquire(const Coarray& coarray, std::size_t index, int rank) {
  const LockName name = name_of(coarray, index, rank);
  check_not_held(name);
  const std::int32_t before =
      reach_.update(rank, variable(coarray, index, rank), self_, MPI_REPLACE);
  if (before != nobody) {
    check(EP_Send(&name, sizeof name, MPI_BYTE, before - 1, tags::waiting, comm_));
    check(EP_Recv(nullptr, 0, MPI_BYTE, before - 1, tags::granted, comm_, EP_STATUS_IGNORE));
  }
  held_.push_back(name);
}

bool Locks::try_acquire(const Coarray& coarray, std::size_t index, int rank) {
  const LockName name = name_of(coarray, index, rank);
  check_not_held(name);
  const Place place = variable(coarray, index, rank);
  if (reach_.exchange(rank, place, nobody, self_) != nobody) {
    reach_.let_others();
    return false;
  }
  held_.push_back(name);
  return true;
}

void Locks::release(const Coarray& coarray, std::size_t index, int rank) {
  const LockName name = name_of(coarray, index, rank);
  const Place place = variable(coarray, index, rank);
  const auto found = std::ranges::find(held_, name);
  if (found == held_.end()) {
    const std::int32_t last = reach_.update(rank, place, 0, MPI_NO_OP);
    if (last == nobody) throw Failure(Stat::unlocked, "that variable is not locked.");
    throw Failure(Stat::locked_other_image, "another image has locked that variable.");
  }
  held_.erase(found);
  if (reach_.exchange(rank, place, self_, nobody) == self_) return;
  check(EP_Send(nullptr, 0, MPI_BYTE, wait_for_waiter(name), tags::granted, comm_));
}

// Who is next has put its number into the variable, and says so by a message that may be on its
// way.
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
