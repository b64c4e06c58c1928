#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "config/temporal.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// Returns the first of the records [begin, end) of a source whose data somebody wants; -1: none is
/// in sight.
std::int64_t first_wanted(const io::Workflow& workflow, int source,
                          const config::ReadSchedule& dates, std::int64_t begin, std::int64_t end);

/// Records of a source that come at dates: which one is due, and which ones the calendar went past
/// although somebody wanted them. Dates only go forward.
class PassedRecords {
 public:
  PassedRecords(const config::ReadSchedule& dates, std::int64_t first);

  struct Look {
    std::int64_t due = -1;                  ///< record of the date; -1: none
    std::optional<config::Instant> lost{};  ///< date of the first that is lost: told once
  };
  Look come_to(config::Instant now, const io::Workflow& workflow, int source);

 private:
  config::ReadSchedule dates_;
  std::int64_t next_;  // the first whose date is to come
  config::Instant next_date_;
  bool was_told_ = false;
};

/// Returns the warning. `place`: "context 'c': field 'f' of file 'x'"; `data` and `period`: what
/// has the dates, and the attribute that says how often.
std::string passed_text(const config::Calendar& calendar, std::string_view place,
                        config::Instant lost, config::Instant before, config::Instant now,
                        std::string_view data, std::string_view period);

}  // namespace epios::client
