#include "parcels.hpp"

namespace epios::io {

namespace {

std::vector<std::size_t> places_of(std::span<const std::size_t> sizes) {
  std::vector<std::size_t> out{0};
  for (const std::size_t size : sizes) out.push_back(out.back() + size);
  return out;
}

}  // namespace

Parcels::Parcels(const ep::Comm& comm, std::span<const std::size_t> sends,
                 std::span<const std::size_t> receives, int tag)
    : comm_(comm),
      sent_at_(places_of(sends)),
      received_at_(places_of(receives)),
      sent_(sent_at_.back()),
      received_(received_at_.back()) {
  const auto add = [&](std::vector<std::byte>& bytes, const std::vector<std::size_t>& at, int rank,
                       std::vector<int>& ranks, auto init) {
    const auto r = static_cast<std::size_t>(rank);
    const std::size_t size = at[r + 1] - at[r];
    if (size == 0) return;
    ranks.push_back(rank);
    EP_Request& request = requests_.emplace_back(EP_REQUEST_NULL);
    ep::check(init(bytes.data() + at[r], ep::message_count(size), MPI_BYTE, rank, tag, comm.get(),
                   &request));
  };
  for (int rank = 0; rank < static_cast<int>(receives.size()); ++rank) {
    add(received_, received_at_, rank, origins_, EP_Recv_init);
  }
  for (int rank = 0; rank < static_cast<int>(sends.size()); ++rank) {
    add(sent_, sent_at_, rank, targets_, EP_Send_init);
  }
}

Parcels::~Parcels() {
  for (EP_Request& request : requests_) EP_Request_free(&request);
}

void Parcels::start() {
  if (requests_.empty()) return;
  ep::check(EP_Startall(static_cast<int>(requests_.size()), requests_.data()));
}

void Parcels::wait(const char* what) {
  if (requests_.empty()) return;
  const int peer = origins_.empty() ? -1 : origins_.front();
  ep::wait_until(comm_, {what, origins_.size() == 1 ? peer : -1}, [this] {
    int is_done = 0;
    ep::check(EP_Testall(static_cast<int>(requests_.size()), requests_.data(), &is_done,
                         EP_STATUSES_IGNORE));
    return is_done != 0;
  });
}

}  // namespace epios::io
