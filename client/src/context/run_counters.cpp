#include "context/run_counters.hpp"

#include <algorithm>

#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::client {

void RunCounters::show(const RunClock& clock, const ContextAccount& account, const ServerLink& link,
                       const config::Model& model) {
  const config::Date date = clock.calendar().date(clock.now());
  slot_->step.set(clock.step());
  slot_->year.set(date.year);
  slot_->month.set(clock.calendar().has_months() ? date.month : 0);
  slot_->day.set(date.day);
  slot_->hour.set(date.hour);
  slot_->minute.set(date.minute);
  slot_->second.set(date.second);
  slot_->sends.set(account.sends());
  slot_->records.set(link.account().records);
  slot_->bytes.set(link.account().bytes);
  slot_->in_library_s.set(account.in_library_s());
  slot_->blocked_s.set(link.account().blocked_s);
  // One look at each server's channel, and at each field: not in each of many short steps.
  constexpr std::int64_t between_ns = 100'000'000;
  const std::int64_t now_ns = config::page_clock_ns();
  if (now_ns - looked_at_ns_ >= between_ns) {
    looked_at_ns_ = now_ns;
    slot_->fullest_channel.set(link.fullest_channel());
    show_blocked(link, model);
  }
  slot_->updated_ns.set(now_ns);
}

void RunCounters::show_end(const RunClock& clock, const ContextAccount& account,
                           const ServerLink& link, const config::Model& model) {
  looked_at_ns_ = 0;
  show(clock, account, link, model);
}

/// Those that are shown stay in their places as long as they are among the first: a reader takes a
/// name and a figure one after the other.
void RunCounters::show_blocked(const ServerLink& link, const config::Model& model) {
  const std::vector<ServerLink::StreamCost>& costs = link.costs();
  for (std::size_t s = 0; s < costs.size(); ++s) {
    if (costs[s].blocked_s <= 0) continue;
    const auto number = static_cast<std::int32_t>(s) + 1;
    config::BlockedField* place = nullptr;
    for (config::BlockedField& shown : slot_->blocked) {
      if (shown.stream.get() == number) {
        place = &shown;
        break;
      }
      if (place == nullptr || shown.blocked_s.get() < place->blocked_s.get()) place = &shown;
    }
    if (place->stream.get() != number) {
      if (place->blocked_s.get() >= costs[s].blocked_s) continue;
      place->stream.set(0);
      place->name.set(nth(model.streams, static_cast<int>(s)).name);
      place->stream.set(number);
    }
    place->blocked_s.set(costs[s].blocked_s);
  }
}

}  // namespace epios::client
