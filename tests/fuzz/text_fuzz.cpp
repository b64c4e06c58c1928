// Any text as what people write into XML and into files that a run reads: expressions, durations,
// dates of each calendar, dates of output, patterns of file names, units of time, values of
// attributes, and documents of stores of Zarr. What is accepted must be the same when it is written
// and read again. The first byte says which.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/attribute_table.hpp"
#include "config/calendar.hpp"
#include "config/error.hpp"
#include "config/expression.hpp"
#include "config/file_dates.hpp"
#include "config/value_print.hpp"
#include "language/value_text.hpp"
#include "reading/zarr_documents.hpp"
#include "time/output_dates.hpp"

namespace {

using namespace epios;  // NOLINT(google-build-using-namespace)

void expect(bool law, const char* what) {
  if (law) return;
  std::fprintf(stderr, "text_fuzz: %s\n", what);
  std::abort();
}

void check_expression(std::string_view text) {
  const config::ParsedExpression parsed = config::parse_expression(text);
  if (parsed.mistake) {
    expect(!parsed.mistake->problem.empty(), "a mistake without a text");
    expect(parsed.mistake->offset <= text.size(), "a mistake behind the text");
    return;
  }
  const auto& nodes = parsed.expression.nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const config::ExpressionNode& node = nodes[config::ExpressionNodeId(n)];
    for (const config::ExpressionNodeId argument : node.arguments) {
      expect(static_cast<std::size_t>(argument) < n, "a node before its argument");
    }
  }
  const std::string printed = parsed.expression.text();
  const config::ParsedExpression again = config::parse_expression(printed);
  // Each sign and each term has parentheses of its own in it.
  if (again.mistake && again.mistake->problem.starts_with("it is nested deeper")) return;
  expect(!again.mistake && again.expression.text() == printed,
         "an expression is another one when it is printed");
}

void check_duration(std::string_view text) {
  const config::Duration duration = config::Duration::parse(text);
  expect(config::Duration::parse(duration.text()) == duration, "a duration changes in its text");
}

/// A planet for the last kind of calendar, as its parameters need be.
config::UserCalendar planet(unsigned which) {
  config::UserCalendar out;
  out.day_length_s = which % 2 == 0 ? 88'775 : 10;
  if (which % 3 == 0) {
    out.year_length_s = 59'355'072;
  } else {
    out.month_lengths = {30, 20, 1};
    out.leap_month = 2;
    out.leap_drift = 0.25;
  }
  return out;
}

config::Calendar calendar_of(unsigned which) {
  constexpr unsigned kinds = 6;
  config::Duration step;
  step.second = 1800;
  return {static_cast<config::CalendarType>(which % kinds), step, planet(which / kinds)};
}

void check_date(unsigned which, std::string_view text) {
  const config::Calendar calendar = calendar_of(which);
  const config::Instant instant = calendar.parse(text);
  expect(calendar.parse(calendar.text(instant)) == instant, "a date changes in its text");
  expect(calendar.instant(calendar.date(instant)) == instant, "a date is another instant");
  const std::string day = calendar.format(instant, "%y-%mo-%d %h:%mi:%s %S %D %x");
  expect(day.find('%') == day.rfind("%x"), "a pattern keeps its letters");
}

void check_pattern(unsigned which, std::string_view text) {
  const config::Calendar calendar = calendar_of(which);
  static_cast<void>(calendar.format(config::Instant{which * 86'400'000LL}, text));
}

/// "units\ncalendar\nnumbers"
void check_time_of_files(unsigned which, std::string_view text) {
  const std::size_t first = std::min(text.find('\n'), text.size());
  const std::string_view units = text.substr(0, first);
  std::string_view rest = text.substr(std::min(first + 1, text.size()));
  const std::size_t second = std::min(rest.find('\n'), rest.size());
  const config::Calendar run = calendar_of(which);
  const config::FileDates dates(run, units, rest.substr(0, second));
  rest.remove_prefix(std::min(second + 1, rest.size()));
  std::vector<double> stamps;
  const std::string numbers(rest);
  for (const char* at = numbers.c_str(); *at != '\0';) {
    char* end = nullptr;
    const double value = std::strtod(at, &end);
    at = end == at ? at + 1 : end;
    if (end != nullptr) stamps.push_back(value);
  }
  const config::RecordDates records(dates, stamps);
  expect(records.size() == stamps.size(), "records without dates");
  if (records.size() == 0) return;
  expect(records.first() <= records.last(), "the first date is behind the last one");
  config::Duration month;
  month.month = which % 2 == 0 ? 1 : 0;
  month.hour = which % 2 == 0 ? 0 : 6;
  if (month.month > 0 && !run.has_months()) return;
  const config::DateCycle cycle(run, records, month);
  for (const config::Instant date : {records.first(), config::Instant{0}}) {
    const std::int64_t found = cycle.find(records, date);
    expect(found >= -1 && found < static_cast<std::int64_t>(records.size()), "a record of nothing");
  }
}

void check_output_dates(unsigned which, std::string_view text) {
  const config::Calendar calendar = calendar_of(which);
  const config::Instant start = calendar.instant({2000, 1, 1});
  const config::OutputDates dates = config::parse_output_dates(calendar, start, text);
  expect(dates.ends.empty() || dates.windows.empty(), "both a list and windows");
  expect(dates.is_list() || !dates.windows.empty(), "neither a list nor windows");
  expect(std::is_sorted(dates.ends.begin(), dates.ends.end()), "a list that goes back");
  for (const config::DateWindow& window : dates.windows) {
    expect(window.first <= window.last, "a window that ends before it begins");
  }
}

void check_value(unsigned which, std::string_view text) {
  const std::span<const config::AttributeInfo> rows = config::attribute_table();
  const config::AttributeInfo& row = rows[which * 7 % rows.size()];
  const config::ParsedValue parsed = config::parse_value(row, text);
  expect(parsed.value.has_value() == parsed.why.empty(), "no value, and no reason");
  static_cast<void>(config::first_of_list(row, text));
  static_cast<void>(config::numbers_before_letters(row, text));
  if (!parsed.value) return;
  const std::string printed = config::printed(*parsed.value);
  const config::ParsedValue again = config::parse_value(row, printed);
  expect(again.value.has_value(), "a value is none when it is printed");
  expect(config::printed(*again.value) == printed, "a value is another one when it is printed");
}

/// A store in memory, of this process alone.
const std::string& store() {
  // It outlives what is called at exit.
  static const auto* const folder = [] {
    const char* const above = std::getenv("TMPDIR");
    std::string path = std::string(above != nullptr ? above : "/dev/shm") + "/text_fuzz.XXXXXX";
    if (::mkdtemp(path.data()) == nullptr) std::abort();
    return new std::string(std::move(path));
  }();
  return *folder;
}

void remove_store() {
  static_cast<void>(::unlink((store() + "/.zmetadata").c_str()));
  static_cast<void>(::rmdir(store().c_str()));
}

void check_store(std::string_view text) {
  static const bool is_registered = std::atexit(remove_store) == 0;
  expect(is_registered, "the folder of the store would stay");
  std::ofstream(store() + "/.zmetadata", std::ios::binary) << text;
  const io::ZarrContents contents = io::read_zarr_documents(store());
  expect(contents.storage.size() == contents.variables.size(), "an array without its storage");
  for (const io::StoredVariable& variable : contents.variables) {
    for (const int dimension : variable.dimensions) {
      expect(dimension >= 0 && static_cast<std::size_t>(dimension) < contents.dimensions.size(),
             "an array has a dimension that is not there");
    }
  }
}

void check_text(unsigned kind, unsigned which, std::string_view text) {
  switch (kind % 9) {
    case 0:
      return check_expression(text);
    case 1:
      return check_duration(text);
    case 2:
      return check_date(which, text);
    case 3:
      return check_pattern(which, text);
    case 4:
      return check_time_of_files(which, text);
    case 5:
      return check_value(which, text);
    case 6:
      return check_store(text);
    case 8:
      return check_output_dates(which, text);
    default:
      return check_store(
          "{\"zarr_consolidated_format\": 1, \"metadata\": {\".zgroup\": "
          "{\"zarr_format\": 2}, \"a/.zarray\": " +
          std::string(text) + "}}");
  }
}

}  // namespace

namespace epios::io {

// What documents need of sources that need NetCDF and decoders.

const std::string& StoredVariable::attribute(const std::string& wanted) const {
  static const std::string none;
  const auto found = std::find_if(attributes.begin(), attributes.end(),
                                  [&](const StoredAttribute& its) { return its.name == wanted; });
  return found == attributes.end() ? none : found->text;
}

std::string missing_library(ZarrPipeline::Compressor /*compressor*/) { return {}; }

}  // namespace epios::io

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  try {
    check_text(data[0], data[1], {reinterpret_cast<const char*>(data + 2), size - 2});
  } catch (const Error& error) {
    expect(error.what()[0] != '\0', "an error without a text");
    expect(error.code() != ErrorCode::internal, error.what());
  }
  return 0;
}
