#include "events.hpp"

#include <ep/ep.hpp>

#include "tags.hpp"

namespace ep::caf {

namespace {

// An element of an event variable is a pointer to the compiler.
std::int64_t& count_of(const Coarray& coarray, std::size_t index) {
  static_assert(sizeof(void*) == sizeof(std::int64_t));
  return *reinterpret_cast<std::int64_t*>(coarray.own() + index * sizeof(std::int64_t));
}

}  // namespace

void Events::add(const Coarray& coarray) { coarrays_[coarray.number()] = &coarray; }

void Events::remove(const Coarray& coarray) { coarrays_.erase(coarray.number()); }

void Events::post(const Coarray& coarray, std::size_t index, int rank) {
  const Post post{coarray.number(), static_cast<std::int64_t>(index)};
  check(EP_Send(&post, sizeof post, MPI_BYTE, rank, tags::event, comm_));
}

void Events::wait(const Coarray& coarray, std::size_t index, std::int64_t count) {
  hear();
  while (count_of(coarray, index) < count) receive();
  count_of(coarray, index) -= count;
}

std::int64_t Events::query(const Coarray& coarray, std::size_t index) {
  hear();
  return count_of(coarray, index);
}

void Events::receive() {
  Post post{};
  check(EP_Recv(&post, sizeof post, MPI_BYTE, EP_ANY_SOURCE, tags::event, comm_, EP_STATUS_IGNORE));
  const auto found = coarrays_.find(post.coarray);
  if (found != coarrays_.end()) ++count_of(*found->second, static_cast<std::size_t>(post.index));
}

void Events::hear() {
  for (;;) {
    int is_there = 0;
    check(EP_Iprobe(EP_ANY_SOURCE, tags::event, comm_, &is_there, EP_STATUS_IGNORE));
    if (is_there == 0) return;
    receive();
  }
}

}  // namespace ep::caf
