#include "output_dates.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "config/fed_schedules.hpp"

namespace epios::layouts {

std::vector<OutputDate> output_dates(const config::Model& model, std::int64_t steps) {
  const std::vector<config::Schedule> schedules = config::fed_schedules_of_streams(model);
  std::map<std::int64_t, std::vector<int>> found;
  for (std::size_t s = 0; s < schedules.size(); ++s) {
    const std::int64_t records = schedules[s].records_within(steps);
    for (std::int64_t r = schedules[s].before_start().records; r < records; ++r) {
      if (schedules[s].times().leaves_out_any() && schedules[s].times().leaves_out(r)) continue;
      found[schedules[s].step_of_record(r)].push_back(static_cast<int>(s));
    }
  }
  std::vector<OutputDate> dates;
  for (auto& [step, streams] : found) dates.push_back({step, std::move(streams)});
  return dates;
}

std::int64_t usual_steps(const config::Model& model) {
  constexpr std::int64_t periods = 4;
  std::int64_t longest = 1;
  for (const config::Schedule& schedule : config::fed_schedules_of_streams(model)) {
    if (!config::has_time(schedule.operation())) continue;
    const std::int64_t first = schedule.before_start().records;
    longest =
        std::max(longest, schedule.step_of_record(first + 1) - schedule.step_of_record(first));
  }
  return periods * longest;
}

}  // namespace epios::layouts
