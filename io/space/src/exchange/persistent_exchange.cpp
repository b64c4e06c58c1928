#include "exchange/persistent_exchange.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <ep/ep.hpp>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"

namespace epios::io {

namespace {

std::vector<std::size_t> places_of(std::span<const std::size_t> sizes) {
  std::vector<std::size_t> out{0};
  for (const std::size_t size : sizes) {
    out.push_back(out.back() + (size == 0 ? 0 : size + sizeof(std::int64_t)));
  }
  return out;
}

}  // namespace

PersistentExchange::PersistentExchange(const ep::Comm& comm, std::span<const std::size_t> sends,
                                       std::span<const std::size_t> receives, int tag,
                                       StepTraffic& traffic)
    : comm_(comm),
      traffic_(traffic),
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
    add(sent_, sent_at_, rank, targets_, EP_Ssend_init);
  }
  open();
}

PersistentExchange::~PersistentExchange() {
  bool is_under_way = false;
  for (std::size_t r = 0; r < requests_.size(); ++r) {
    if (r < origins_.size() ? are_receives_open_ : is_active_) {
      int is_over = 0;
      EP_Cancel(&requests_[r]);
      EP_Test(&requests_[r], &is_over, EP_STATUS_IGNORE);
      is_under_way = is_under_way || is_over == 0;
    }
    EP_Request_free(&requests_[r]);
  }
  if (!is_under_way) return;
  // After an error only. Nobody says when those are over: their bytes must outlive this.
  static_cast<void>(new std::vector<std::byte>(std::move(sent_)));      // NOLINT
  static_cast<void>(new std::vector<std::byte>(std::move(received_)));  // NOLINT
}

void PersistentExchange::open() {
  if (are_receives_open_) return;
  if (!origins_.empty()) {
    ep::check(EP_Startall(static_cast<int>(origins_.size()), requests_.data()));
  }
  are_receives_open_ = true;
}

void PersistentExchange::start(std::int64_t date) {
  date_ = date;
  for (const int rank : targets_) {
    std::memcpy(sent_.data() + nth(sent_at_, rank), &date, date_bytes);
  }
  open();
  is_active_ = !requests_.empty();
  if (targets_.empty()) return;
  traffic_.messages += static_cast<std::int64_t>(targets_.size());
  traffic_.bytes += static_cast<std::int64_t>(sent_.size());
  ep::check(EP_Startall(static_cast<int>(targets_.size()), requests_.data() + origins_.size()));
}

bool PersistentExchange::is_done() {
  if (!is_active_) return true;
  int is_done = 0;
  ep::check(EP_Testall(static_cast<int>(requests_.size()), requests_.data(), &is_done,
                       EP_STATUSES_IGNORE));
  if (is_done == 0) return false;
  is_active_ = false;
  are_receives_open_ = false;
  for (const int rank : origins_) {
    std::int64_t date = 0;
    std::memcpy(&date, received_.data() + nth(received_at_, rank), date_bytes);
    if (date == date_) continue;
    throw Error(
        ErrorCode::mismatch,
        fmt::format("a client has sent points of {} s {} than this one (rank {} of those "
                    "that exchange them). Do all clients send the field at the same steps?",
                    std::abs(date - date_) / 1000, date > date_ ? "later" : "earlier", rank));
  }
  return true;
}

std::vector<int> PersistentExchange::awaited() const {
  std::vector<int> out;
  if (!is_active_) return out;
  for (std::size_t r = 0; r < origins_.size(); ++r) {
    int has_come = 0;
    ep::check(EP_Request_get_status(requests_[r], &has_come, EP_STATUS_IGNORE));
    if (has_come == 0) out.push_back(origins_[r]);
  }
  return out;
}

}  // namespace epios::io
