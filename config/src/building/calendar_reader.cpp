// Reads the calendar of a context: type, time step and dates. Without a valid type, dates cannot be
// judged; then only mistakes in the text are reported.
#include "building/calendar_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "config/model.hpp"
#include "language/attribute_fill.hpp"
#include "text/text.hpp"
#include "time/date_text.hpp"
#include "time/time_error.hpp"

namespace epios::config {

namespace {

constexpr std::array<std::string_view, 6> user_attributes{
    "day_length",      "month_lengths",   "year_length",
    "leap_year_month", "leap_year_drift", "leap_year_drift_offset"};

CalendarType type_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, CalendarType>, 6> types{
      {{"Gregorian", CalendarType::gregorian},
       {"Julian", CalendarType::julian},
       {"NoLeap", CalendarType::no_leap},
       {"AllLeap", CalendarType::all_leap},
       {"D360", CalendarType::d360},
       {"user_defined", CalendarType::user_defined}}};
  for (const auto& [name, type] : types) {
    if (name == word) return type;
  }
  return CalendarType::gregorian;
}

class CalendarReader {
 public:
  CalendarReader(const ContextStore& store, Inheritance& inheritance, Findings& findings)
      : node_(store.at(store.calendar_node())),
        context_id_(store.id()),
        resolved_(inheritance.of(store.calendar_node())),
        findings_(findings),
        attributes_(filled<CalendarAttributes>(resolved_)) {}

  Clock read(Model& model) {
    Clock clock;
    if (node_.settings.empty()) {
      findings_.missing(Code::calendar_incomplete, node_.origin, {context_id_, "calendar", {}, {}},
                        fmt::format("context '{}' has no calendar", context_id_),
                        "nothing says how model time runs",
                        "Add <calendar type=\"Gregorian\" timestep=\"1h\"/>?");
      return clock;
    }
    if (!attributes_.type && !resolved_.is_broken("type")) {
      missing("type", "Add type=\"Gregorian\" or another kind.");
    }
    if (!attributes_.timestep && !resolved_.is_broken("timestep")) {
      missing("timestep", "Add timestep=\"1h\"?");
    }
    model.calendar_type = type_of(attributes_.type.value_or(""));
    if (!is_user_calendar_good(model)) {
      model.calendar_type = CalendarType::gregorian;  // dates cannot be judged
      return clock;
    }
    if (attributes_.timestep && timestep_is_good(model)) model.timestep = *attributes_.timestep;
    clock.is_known = attributes_.type.has_value() && !model.timestep.is_zero();
    clock.calendar = model.calendar();
    if (!attributes_.type) return clock;  // dates cannot be judged
    model.start_date = date("start_date", *attributes_.start_date, clock.calendar);
    // The default origin of XIOS lies before the dates on which calendars agree.
    if (attributes_.time_origin) {
      model.time_origin = date("time_origin", *attributes_.time_origin, clock.calendar);
    } else if (!findings_.is_compatible()) {
      model.time_origin = model.start_date;
    }
    clock.start = model.start_date;
    clock.origin = model.time_origin;
    return clock;
  }

 private:
  void missing(std::string_view attribute, std::string suggestion) {
    findings_.missing(Code::calendar_incomplete, node_.origin,
                      {context_id_, "calendar", {}, std::string(attribute)},
                      fmt::format("the calendar of context '{}' has no {}", context_id_, attribute),
                      "it is mandatory", std::move(suggestion));
  }

  void refuse(std::string_view attribute, std::string why, std::string suggestion = {}) {
    findings_.error(Code::bad_calendar, origin_of(resolved_, attribute, node_),
                    fmt::format("{} of the calendar", attribute), std::move(why),
                    std::move(suggestion));
  }

  bool is_given(std::string_view attribute) const { return resolved_.find(attribute) != nullptr; }

  /// Takes what type user_defined needs, and lets no other type have any of it.
  bool is_user_calendar_good(Model& model) {
    if (model.calendar_type != CalendarType::user_defined) {
      for (const std::string_view attribute : user_attributes) {
        if (attributes_.type && is_given(attribute)) {
          refuse(attribute, fmt::format("type '{}' has a year of its own", *attributes_.type),
                 "Use type=\"user_defined\".");
        }
      }
      return true;
    }
    if (!are_user_attributes_complete()) return false;
    UserCalendar& user = model.user_calendar;
    user.day_length_s = *attributes_.day_length;
    if (attributes_.month_lengths) user.month_lengths = attributes_.month_lengths->values;
    user.year_length_s = attributes_.year_length.value_or(0);
    user.leap_month = attributes_.leap_year_month.value_or(0);
    user.leap_drift = attributes_.leap_year_drift.value_or(0);
    user.leap_drift_offset = attributes_.leap_year_drift_offset.value_or(0);
    auto complaint = user.complaint();
    if (!complaint && attributes_.leap_year_month == 0) {
      complaint = {"leap_year_month", fmt::format("months are 1 to {}", user.month_lengths.size())};
    }
    if (complaint) {
      refuse(complaint->attribute, complaint->why);
      return false;
    }
    user.origin_year = year_of_origin(date_form(model.calendar()));
    return true;
  }

  bool are_user_attributes_complete() {
    for (const std::string_view attribute : user_attributes) {
      if (resolved_.is_broken(attribute)) return false;
    }
    if (!attributes_.day_length) {
      missing("day_length", "Add day_length=\"86400\"?");
      return false;
    }
    if (!attributes_.month_lengths && !attributes_.year_length) {
      missing("month_lengths", "Add month_lengths, or year_length if there are no months.");
      return false;
    }
    if (attributes_.month_lengths && attributes_.month_lengths->values.empty()) {
      refuse("month_lengths", "there is no month", "Use year_length if there are none.");
      return false;
    }
    if (is_given("leap_year_month") != is_given("leap_year_drift")) {
      const bool has_month = is_given("leap_year_month");
      refuse(
          has_month ? "leap_year_month" : "leap_year_drift",
          fmt::format("leap years need {} too", has_month ? "leap_year_drift" : "leap_year_month"));
      return false;
    }
    if (is_given("leap_year_drift_offset") && !is_given("leap_year_drift")) {
      refuse("leap_year_drift_offset", "leap years need leap_year_month and leap_year_drift too");
      return false;
    }
    return true;
  }

  /// Leap years are counted from it, so that it is read before they are known.
  std::int64_t year_of_origin(DateForm form) const {
    if (!is_given("time_origin")) return 0;
    try {
      const std::string& text = *attributes_.time_origin;
      return parse_date(text.substr(0, text.find('+')), form).year;
    } catch (const TimeError&) {
      return 0;  // reported where the date is read
    }
  }

  bool timestep_is_good(const Model& model) {
    const Duration& step = *attributes_.timestep;
    const Origin origin = origin_of(resolved_, "timestep", node_);
    const std::string problem = fmt::format("time step '{}'", step.text());
    if (step.timestep != 0) {
      findings_.error(Code::bad_period, origin, problem,
                      "a time step cannot be measured in time steps", "Use y, mo, d, h, mi and s.");
      return false;
    }
    try {
      const Calendar calendar(model.calendar_type, step, model.user_calendar);
      if (calendar.add(Instant{}, step) > Instant{}) return true;
      findings_.error(Code::bad_period, origin, problem,
                      "it must be positive, and a fraction of a month has no length");
    } catch (const TimeError& error) {
      findings_.error(Code::bad_period, origin, problem, error.why(), error.suggestion());
    }
    return false;
  }

  Instant date(std::string_view attribute, const std::string& text, const Calendar& calendar) {
    if (!is_given(attribute)) return {};
    try {
      return calendar.parse(text);
    } catch (const TimeError& error) {
      findings_.error(Code::bad_date, origin_of(resolved_, attribute, node_),
                      fmt::format("{} '{}' of the calendar", attribute, text), error.why(),
                      error.suggestion());
    }
    return {};
  }

  const Node& node_;
  const std::string& context_id_;
  const Resolved& resolved_;
  Findings& findings_;
  CalendarAttributes attributes_;
};

}  // namespace

Clock read_calendar(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                    Model& model) {
  return CalendarReader(store, inheritance, findings).read(model);
}

}  // namespace epios::config
