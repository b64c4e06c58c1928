// Dates as files have them, for dates_test.py: a line for each record that a reader must decode to
// the date that the calendar gives.
//   calendar|units|value|year|month|day|hour|minute|second|millisecond
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "config/model.hpp"
#include "file/cf.hpp"

namespace {

namespace config = epios::config;
namespace io = epios::io;

/// One scalar field, a record every day.
config::Model model_of(config::CalendarType type, const config::UserCalendar& user,
                       const std::string& origin, const std::string& start, bool in_days) {
  config::Model model;
  model.calendar_type = type;
  model.user_calendar = user;
  model.timestep = {.hour = 1};
  model.time_origin = model.calendar().parse(origin);
  model.start_date = model.calendar().parse(start);
  model.grids.push_back({"one", {}});
  config::Stream& stream = model.streams.emplace_back();
  stream.id = stream.name = "f";
  stream.sampling = {config::Operation::instant, {.day = 1}, {}, {.day = 1}};
  config::File& file = model.files.emplace_back();
  file.path = "f.nc";
  file.streams = {config::StreamId(0)};
  if (in_days) file.attributes.time_units = "days";
  return model;
}

const std::string& text_of(const io::VariableSpec& variable, const std::string& name) {
  const auto found = std::find_if(variable.attributes.begin(), variable.attributes.end(),
                                  [&](const auto& attribute) { return attribute.name == name; });
  return std::get<std::string>(found->value);
}

void print(const config::Model& model) {
  const config::Calendar calendar = model.calendar();
  const io::CfFile cf =
      io::describe_file(model, 0, {}, {}, {io::place_stream(model, 0, io::FilePlacement{{0}})});
  const auto& time = cf.times.front();
  const auto& variable = cf.spec.variables[static_cast<std::size_t>(time.variable)];
  const config::RecordTimes times = model.record_times(model.streams.front());
  for (const std::int64_t record :
       {0, 1, 58, 59, 60, 365, 366, 1000, 36523, 36524, 36525, 200'000}) {
    const config::RecordTime interval = times.of(record);
    const config::Date date = calendar.date(interval.end);
    std::printf("%s|%s|%.17g|%lld|%d|%d|%d|%d|%d|%d\n", text_of(variable, "calendar").c_str(),
                text_of(variable, "units").c_str(),
                io::time_values(model, model.files.front(), time, interval, 0).front(),
                static_cast<long long>(date.year), date.month, date.day, date.hour, date.minute,
                date.second, date.millisecond);
  }
}

}  // namespace

int main() {
  using config::CalendarType;
  const config::UserCalendar none;
  config::UserCalendar of_360{86400, std::vector<std::int64_t>(12, 30)};
  config::UserCalendar of_365{86400, {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}};
  config::UserCalendar of_366{86400, {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}};
  config::UserCalendar like_julian = of_365;
  like_julian.leap_month = 2;
  like_julian.leap_drift = 0.25;
  // The sum passes a whole number during years 0, 4, 8, ...
  like_julian.leap_drift_offset = 0.75;
  const std::vector<std::pair<CalendarType, config::UserCalendar>> calendars = {
      {CalendarType::gregorian, none},
      {CalendarType::julian, none},
      {CalendarType::no_leap, none},
      {CalendarType::all_leap, none},
      {CalendarType::d360, none},
      {CalendarType::user_defined, of_360},
      {CalendarType::user_defined, of_365},
      {CalendarType::user_defined, of_366},
      {CalendarType::user_defined, like_julian}};
  for (const auto& [type, user] : calendars) {
    for (const char* start : {"2000-01-01", "2000-02-28 12:30:15.250", "1850-01-01", "1582-10-04",
                              "1582-10-15", "1500-02-28", "0001-01-01"}) {
      for (const char* origin : {start, "2000-01-01", "1900-01-01", "1582-10-15", "1582-10-14",
                                 "1500-03-01", "0001-01-01", "0000-01-01", "0000-02-28 06:00:00",
                                 "-0001-12-30", "-4712-01-01", "9000-01-01 00:00:00.125"}) {
        print(model_of(type, user, origin, start, false));
        print(model_of(type, user, origin, start, true));
      }
    }
  }
}
