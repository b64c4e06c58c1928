#include "check/file_period_check.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "config/file_series.hpp"
#include "config/split_rule.hpp"
#include "text/text.hpp"
#include "time/multiples.hpp"
#include "time/time_error.hpp"

namespace epios::config {

namespace {

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

  /// A part of the same name would replace an earlier one.
  void check_names() {
    const bool has_format = p_.attributes.split_freq_format.has_value();
    const bool has_last_date = p_.attributes.split_last_date.has_value();
    if (!has_format && !has_last_date) return;  // dates down to the unit of the period differ
    constexpr int parts_to_look_at = 60;
    constexpr std::string_view extension = ".nc";
    const std::string base = p_.path.substr(0, p_.path.size() - extension.size());
    const FileSeries series(p_.clock.calendar, p_.clock.start, p_.clock.start,
                            split_rule(p_.attributes, p_.clock.calendar));
    std::unordered_map<std::string, int> parts;
    for (int part = 0; part < parts_to_look_at; ++part) {
      const auto [other, is_free] = parts.emplace(series.name(base, part), part);
      if (is_free) continue;
      SplitRule rule = split_rule(p_.attributes, p_.clock.calendar);
      rule.format.clear();
      const FileSeries plain(p_.clock.calendar, p_.clock.start, p_.clock.start, std::move(rule));
      refuse(Code::bad_split, has_format ? "split_freq_format" : "split_last_date",
             fmt::format("parts {} and {} of the file would both be '{}{}'", other->second + 1,
                         part + 1, other->first, extension),
             has_format ? fmt::format("Use \"{}\", as without the attribute.", plain.format())
                        : "Keep %start_date% in the name.");
      return;
    }
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
