// Any text as a duration, a date of any calendar, time units of a file, an expression, a value of
// each attribute, a report of a run, the statistics of an earlier run. What is accepted must
// survive being printed.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "config/attribute_table.hpp"
#include "config/calendar.hpp"
#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/error.hpp"
#include "config/expression.hpp"
#include "config/file_dates.hpp"
#include "config/model.hpp"
#include "config/run_report.hpp"
#include "config/server_plan.hpp"
#include "config/statistics.hpp"
#include "language/value_text.hpp"
#include "restart/statistics_format.hpp"

namespace {

using namespace epios::config;  // NOLINT(google-build-using-namespace)

void expect(bool law, const char* what) {
  if (law) return;
  std::fprintf(stderr, "text_fuzz: %s\n", what);
  std::abort();
}

std::uint8_t take(std::string_view& text) {
  if (text.empty()) return 0;
  const auto out = static_cast<std::uint8_t>(text.front());
  text.remove_prefix(1);
  return out;
}

Calendar calendar_of(std::string_view& text) {
  constexpr std::array types = {CalendarType::gregorian, CalendarType::julian,
                                CalendarType::no_leap,   CalendarType::all_leap,
                                CalendarType::d360,      CalendarType::user_defined};
  const CalendarType type = types.at(take(text) % types.size());
  UserCalendar user;
  if (type == CalendarType::user_defined) {
    constexpr std::array<std::int64_t, 6> days = {86'400, 1, 3600, 88'775, 10'087'200, 60};
    user.day_length_s = days.at(take(text) % days.size());
    for (int months = take(text) % 14; months > 0; --months) {
      user.month_lengths.push_back(take(text) % 32);
    }
    if (user.month_lengths.empty()) user.year_length_s = take(text) * 100'000;
    user.leap_month = take(text) % 15;
    user.leap_drift = take(text) / 256.0;
    user.leap_drift_offset = take(text) / 256.0;
    user.origin_year = take(text);
  }
  Duration timestep;
  timestep.second = 1800;
  return Calendar(type, timestep, user);
}

void check_duration(std::string_view text) {
  const Duration duration = Duration::parse(text);
  expect(Duration::parse(duration.text()) == duration, "a duration changes when it is printed");
}

void check_date(std::string_view text) {
  const Calendar calendar = calendar_of(text);
  const Instant instant = calendar.parse(text);
  expect(calendar.parse(calendar.text(instant)) == instant, "a date changes when it is printed");
  expect(calendar.instant(calendar.date(instant)) == instant, "a date is another one");
  static_cast<void>(calendar.format(instant, "%y-%mo-%d %h:%mi:%s %S %D %x %"));
  Duration step;
  step.day = 1;
  expect(calendar.add(instant, step) > instant, "a day later is not later");
  expect(calendar.second_of_day(instant) >= 0 && calendar.second_of_year(instant) >= 0,
         "a time before its day");
}

void check_file_dates(std::string_view text) {
  const Calendar run = calendar_of(text);
  constexpr std::array names = {"", "standard", "noleap", "360_day", "julian", "none", "x"};
  const char* const calendar = names.at(take(text) % names.size());
  std::vector<double> stamps(take(text) % 8 + 1U);
  for (double& stamp : stamps) {
    const std::uint8_t kind = take(text);
    stamp = kind - 100.0;
    if (kind > 250) stamp *= std::pow(10.0, take(text));
    if (kind == 250) stamp = std::nan("");
  }
  const FileDates dates(run, text, calendar);
  const RecordDates records(dates, stamps);
  Duration period;
  period.month = 1;
  const DateCycle cycle(run, records, period);
  const std::int64_t found = cycle.find(records, records.first());
  expect(found >= -1 && found < static_cast<std::int64_t>(records.size()), "no such record");
  static_cast<void>(cycle.text());
}

void check_expression(std::string_view text) {
  const ParsedExpression parsed = parse_expression(text);
  if (parsed.mistake) {
    expect(parsed.mistake->offset <= text.size() && !parsed.mistake->problem.empty(),
           "a mistake is nowhere");
    return;
  }
  const auto& nodes = parsed.expression.nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    expect(nodes[n].offset <= text.size(), "a node is nowhere");
    for (const int argument : nodes[n].arguments) {
      expect(argument >= 0 && static_cast<std::size_t>(argument) < n, "an argument comes later");
    }
  }
  const std::string printed = parsed.expression.text();
  const ParsedExpression again = parse_expression(printed);
  expect(!again.mistake && again.expression.text() == printed, "an expression is not its text");
}

void check_values(std::string_view text) {
  const auto table = attribute_table();
  const AttributeInfo& row = table[(take(text) + 256U * take(text)) % table.size()];
  const ParsedValue parsed = parse_value(row, text);
  expect(parsed.value.has_value() != !parsed.why.empty(), "neither a value nor why not");
  if (parsed.value) {
    expect(accept_value(row, *parsed.value).value.has_value(), "a value that is not accepted");
  }
  static_cast<void>(first_of_list(row, text));
  static_cast<void>(numbers_before_letters(row, text));
  static_cast<void>(number_before_letters(text));
  static_cast<void>(variable_complaint("double", text));
}

const Model& model() {
  static const Model of_all = [] {
    Definitions definitions{Document(SourceTexts{{"iodef.xml", R"(<simulation>
      <context id="c" statistics_file="s.nc"><calendar type="NoLeap" timestep="1h" start_date="2000-01-01"/>
      <axis_definition><axis id="z" n_glo="2"/></axis_definition>
      <field_definition><field id="a" axis_ref="z" operation="average"/>
        <field id="m" axis_ref="z" operation="maximum"/></field_definition>
      <file_definition><file id="f" output_freq="1mo"><field field_ref="a"/>
        <field field_ref="m"/></file></file_definition></context></simulation>)"}})};
    return definitions.resolve("c", Purpose::plan);
  }();
  return of_all;
}

/// Attributes as lines of name=value, then a zero byte and numbers.
void check_statistics(std::string_view text) {
  static const std::vector<KeptOperation> kept = kept_operations(model());
  StoredStatistics stored;
  stored.attributes = {{"statistics_format", std::string(statistics_format)},
                       {"context", model().context_id}};
  const std::size_t end = std::min(text.find('\0'), text.size());
  for (std::string_view lines = text.substr(0, end); !lines.empty();) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t sign = std::min(line.find('='), line.size());
    stored.attributes[std::string(line.substr(0, sign))] =
        line.substr(std::min(sign + 1, line.size()));
  }
  text.remove_prefix(std::min(end + 1, text.size()));
  for (; text.size() >= sizeof(double); text.remove_prefix(sizeof(double))) {
    double number = 0;
    std::memcpy(&number, text.data(), sizeof number);
    stored.numbers.push_back(number);
  }
  // Small numbers, which the fuzzer finds more easily.
  for (const char c : text) stored.numbers.push_back(static_cast<double>(c));
  const Continuation found = continuation(model(), kept, stored);
  expect(found.from.size() == kept.size(), "an operation without a state");
  Model next = model();
  go_on(next, kept, found.state);
}

void check_text(unsigned kind, std::string_view text) {
  switch (kind % 8) {
    case 0:
      return check_duration(text);
    case 1:
      return check_date(text);
    case 2:
      return check_file_dates(text);
    case 3:
      return check_expression(text);
    case 4:
      return check_values(text);
    case 5:
      return static_cast<void>(read_nodes(text));
    case 6:
      return check_statistics(text);
    default:
      expect(!to_json(read_run_report(text)).empty(), "a report without text");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    check_text(data[0], {reinterpret_cast<const char*>(data + 1), size - 1});
  } catch (const epios::Error& error) {
    expect(error.code() != epios::ErrorCode::internal && *error.what() != '\0', error.what());
  }
  return 0;
}
