#include "data/passed_records.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace epios::client {

std::int64_t first_wanted(const io::Workflow& workflow, int source,
                          const config::ReadSchedule& dates, std::int64_t begin, std::int64_t end) {
  constexpr std::int64_t most_ahead = 744;  // a month of hours
  end = std::min(end, begin + most_ahead);
  for (std::int64_t record = begin; record < end; ++record) {
    if (workflow.may_want(source, dates.date_of(record))) return record;
  }
  return -1;
}

PassedRecords::PassedRecords(const config::ReadSchedule& dates, std::int64_t first)
    : dates_(dates), next_(first), next_date_(dates.date_of(first)) {}

PassedRecords::Look PassedRecords::come_to(config::Instant now, const io::Workflow& workflow,
                                           int source) {
  Look out;
  if (dates_.is_once()) return {0, {}};
  if (now < next_date_) return out;  // as most steps are
  const std::int64_t latest = now == next_date_ ? next_ : dates_.latest(now);
  if (dates_.date_of(latest) == now) out.due = latest;
  if (!was_told_) {
    const std::int64_t end = out.due < 0 ? latest + 1 : latest;
    const std::int64_t lost = first_wanted(workflow, source, dates_, next_, end);
    was_told_ = lost >= 0;
    if (was_told_) out.lost = dates_.date_of(lost);
  }
  next_ = latest + 1;
  next_date_ = dates_.date_of(next_);
  return out;
}

std::string passed_text(const config::Calendar& calendar, std::string_view place,
                        config::Instant lost, config::Instant before, config::Instant now,
                        std::string_view data, std::string_view period) {
  return fmt::format(
      "{}: the record of {} is lost to what is made of it (the calendar went from {} to {}; later "
      "ones may be lost, too). Is the calendar to be updated to each date of {}, or does {} say "
      "too many?",
      place, calendar.text(lost), calendar.text(before), calendar.text(now), data, period);
}

}  // namespace epios::client
