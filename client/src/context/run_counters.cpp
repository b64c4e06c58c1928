#include "context/run_counters.hpp"

namespace epios::client {

void RunCounters::show(const RunClock& clock, const ContextAccount& account,
                       const ServerLink& link) {
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
  // One look at each server's channel: not in each of many short steps.
  constexpr std::int64_t between_ns = 100'000'000;
  const std::int64_t now_ns = config::page_clock_ns();
  if (now_ns - looked_at_ns_ >= between_ns) {
    looked_at_ns_ = now_ns;
    slot_->fullest_channel.set(link.fullest_channel());
  }
  slot_->updated_ns.set(now_ns);
}

}  // namespace epios::client
