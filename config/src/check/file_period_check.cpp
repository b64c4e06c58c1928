// Warns about periods of a file that are valid and yet have no effect or a surprising one:
// attributes of cuts without cuts, cuts and flushes between records, and names that repeat.
#include "check/file_period_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "config/file_format.hpp"
#include "config/file_series.hpp"
#include "config/model.hpp"
#include "config/split_rule.hpp"
#include "text/text.hpp"
#include "time/multiples.hpp"
#include "time/time_error.hpp"

namespace epios::config {

namespace {

constexpr std::int64_t parts_to_look_at = 60;

class FilePeriodCheck {
 public:
  FilePeriodCheck(const FilePeriods& periods, Findings& findings) : p_(periods), f_(findings) {}

  void run() {
    check_format();
    if (!p_.attributes.split_freq) {
      if (p_.resolved.find("split_freq") == nullptr) check_unused();
    } else if (p_.clock.is_known) {
      check_split();
    }
    if (p_.clock.is_known) check_sync();
  }

 private:
  void warn(std::string_view attribute, std::string why, std::string suggestion) {
    f_.warning(Code::bad_split, origin_of(p_.resolved, attribute, p_.file), problem(attribute),
               std::move(why), std::move(suggestion));
  }
  void refuse(Code code, std::string_view attribute, std::string why, std::string suggestion) {
    f_.error(code, origin_of(p_.resolved, attribute, p_.file), problem(attribute), std::move(why),
             std::move(suggestion));
  }

  /// Not inherited: what is said for many files need not have an effect on each.
  bool is_own(std::string_view attribute) const { return p_.file.find(attribute) != nullptr; }

  /// "split_freq '1d' of file 'f'"
  std::string problem(std::string_view attribute) const {
    const Value& value = *p_.resolved.find(attribute)->value;
    const Duration* duration = std::get_if<Duration>(&value);
    return fmt::format("{} '{}' of {}", attribute,
                       duration != nullptr ? duration->text() : std::get<std::string>(value),
                       p_.file.title());
  }

  bool is_shorter(const Duration& a, const Duration& b) const {
    const Calendar& calendar = p_.clock.calendar;
    return calendar.add(p_.clock.start, a) < calendar.add(p_.clock.start, b);
  }

  void check_unused() {
    constexpr std::array<std::string_view, 4> attributes{"split_freq_format", "split_start_offset",
                                                         "split_end_offset", "split_last_date"};
    for (const std::string_view attribute : attributes) {
      if (!is_own(attribute)) continue;
      warn(attribute, "it has no effect: without split_freq the file is not cut",
           "Add split_freq=\"1y\", or remove it.");
    }
  }

  /// Text that looks like a part of a date and is none.
  void check_format() {
    if (!p_.attributes.split_freq_format) return;
    constexpr std::array<std::string_view, 8> tokens{"%y", "%mo", "%mi", "%d",
                                                     "%h", "%s",  "%S",  "%D"};
    std::string_view rest = *p_.attributes.split_freq_format;
    for (std::size_t at = rest.find('%'); at != std::string_view::npos; at = rest.find('%')) {
      rest.remove_prefix(at);
      std::size_t size = 0;
      for (const std::string_view token : tokens) {
        if (rest.starts_with(token)) size = token.size();
      }
      if (size == 0) {
        warn("split_freq_format",
             fmt::format("'{}' is no part of a date and stays as it is", rest.substr(0, 2)),
             "Use %y, %mo, %d, %h, %mi, %s, %S and %D.");
        return;
      }
      rest.remove_prefix(size);
    }
  }

  void check_split() {
    if (!is_last_date_good()) return;
    const Duration& split = *p_.attributes.split_freq;
    if (const std::optional<Duration>& output = p_.attributes.output_freq) {
      if (is_shorter(split, *output)) {
        warn("split_freq",
             fmt::format("it is shorter than output_freq '{}': parts without a record are left "
                         "out",
                         output->text()),
             "Use a multiple of output_freq.");
      } else if (!is_multiple(p_.clock.calendar, p_.clock.start, split, *output)) {
        warn("split_freq",
             fmt::format("it is not a multiple of output_freq '{}': records would begin in one "
                         "part and end in the next",
                         output->text()),
             "Use a multiple of output_freq.");
      }
    }
    check_names();
  }

  bool is_last_date_good() {
    if (!p_.attributes.split_last_date) return true;
    try {
      p_.clock.calendar.parse(*p_.attributes.split_last_date);
      return true;
    } catch (const TimeError& error) {
      refuse(Code::bad_date, "split_last_date", error.why(), error.suggestion());
    }
    return false;
  }

  /// A part of the same name would replace an earlier one. Nothing is wrong with a run that ends
  /// before, but where no two parts could follow each other.
  void check_names() {
    const bool has_format = p_.attributes.split_freq_format.has_value();
    const bool has_last_date = p_.attributes.split_last_date.has_value();
    if (!has_format && !has_last_date) return;  // dates down to the unit of the period differ
    const std::string base(stem_of(p_.path));
    const FileSeries series = series_of(split_rule(p_.attributes, p_.clock.calendar));
    const std::int64_t first = series.part_of({p_.clock.start.ms + 1});
    std::unordered_map<std::string, std::int64_t> parts;
    for (std::int64_t part = 0; part < parts_to_look_at; ++part) {
      const auto [other, is_free] = parts.emplace(series.name(base, first + part), part);
      if (is_free) continue;
      const std::string names =
          fmt::format("parts {} and {} of the file would both be '{}{}'", other->second + 1,
                      part + 1, other->first, suffix_of(p_.path));
      const std::string better = has_format ? better_format() : "Keep %start_date% in the name.";
      const char* const attribute = has_format ? "split_freq_format" : "split_last_date";
      if (part == other->second + 1) return refuse(Code::bad_split, attribute, names, better);
      return warn(attribute, names + ": a run that comes so far loses the later one", better);
    }
    if (has_format) check_later_names(series, base, first);
  }

  /// Dates without a year come again after a year: nothing is wrong with a run that ends before.
  void check_later_names(const FileSeries& series, const std::string& base, std::int64_t first) {
    constexpr std::array<Duration, 5> periods{
        {{.minute = 1}, {.hour = 1}, {.day = 1}, {.month = 1}, {.year = 1}}};
    for (const Duration& period : periods) {
      for (const std::int64_t part :
           {first, first + 1}) {  // the months that follow differ in length
        const Instant date = p_.clock.calendar.add(series.period(part).end, period);
        const std::int64_t later = series.part_of(date);
        if (later - first < parts_to_look_at ||
            series.name(base, later) != series.name(base, part)) {
          continue;
        }
        return warn("split_freq_format",
                    fmt::format("parts {} and {} of the file would both be '{}{}': a run that "
                                "comes so far loses the later one",
                                part - first + 1, later - first + 1, series.name(base, part),
                                suffix_of(p_.path)),
                    better_format());
      }
    }
  }

  /// Runs that go on with each other's files cut them at the same dates.
  FileSeries series_of(SplitRule rule) const {
    const Clock& clock = p_.clock;
    const bool is_continued = p_.attributes.append.value_or(false);
    const Instant reference = is_continued ? std::min(clock.origin, clock.start) : clock.start;
    return {clock.calendar, reference, clock.origin, std::move(rule)};
  }

  std::string better_format() const {
    SplitRule rule = split_rule(p_.attributes, p_.clock.calendar);
    rule.format.clear();
    return fmt::format("Use \"{}\", as without the attribute.",
                       series_of(std::move(rule)).format());
  }

  void check_sync() {
    if (!p_.attributes.sync_freq || !is_own("sync_freq")) return;
    const Duration& sync = *p_.attributes.sync_freq;
    const std::optional<Duration>& output = p_.attributes.output_freq;
    const std::optional<Duration>& split = p_.attributes.split_freq;
    if (output && is_shorter(sync, *output)) {
      warn("sync_freq",
           fmt::format("it is shorter than output_freq '{}': between records there is nothing to "
                       "flush",
                       output->text()),
           "Use a multiple of output_freq.");
    } else if (split && !is_shorter(sync, *split)) {
      warn("sync_freq",
           fmt::format("it has no effect: parts are complete every '{}' already, by split_freq",
                       split->text()),
           "Use a shorter period, or remove it.");
    }
  }

  const FilePeriods& p_;
  Findings& f_;
};

}  // namespace

void check_file_periods(const FilePeriods& periods, Findings& findings) {
  FilePeriodCheck(periods, findings).run();
}

}  // namespace epios::config
