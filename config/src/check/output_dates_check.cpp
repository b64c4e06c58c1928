// Reads output_dates and output_initial of files, and checks them: against the time steps, the
// start of the run, other attributes of the file, and the samples of its fields.
#include "check/output_dates_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "config/model.hpp"
#include "config/split_rule.hpp"
#include "language/attribute_fill.hpp"
#include "time/first_not_over.hpp"
#include "time/output_dates.hpp"
#include "time/time_error.hpp"

namespace epios::config {

namespace {

bool is_on_a_step(const Clock& clock, Instant date) {
  const Calendar& calendar = clock.calendar;
  const Instant second = calendar.at_step(clock.start, 1);
  const std::int64_t about = (date.ms - clock.start.ms) / (second.ms - clock.start.ms);
  const std::int64_t step = first_not_over_near(
      about, [&](std::int64_t n) { return calendar.at_step(clock.start, n) < date; });
  return calendar.at_step(clock.start, step) == date;
}

class DatesReader {
 public:
  DatesReader(const DatedFile& file, Findings& findings) : d_(file), findings_(findings) {}

  OutputDates read() {
    OutputDates out;
    if (d_.attributes.output_dates && d_.clock.is_known) {
      try {
        out = parse_output_dates(d_.clock.calendar, d_.clock.start, *d_.attributes.output_dates);
      } catch (const TimeError& error) {
        findings_.error(Code::bad_output_dates, place("output_dates"), problem(), error.why(),
                        error.suggestion());
        return {};
      }
    }
    check_list(out);
    add_anchor(out);
    add_initial(out);
    add_climatology(out);
    return out;
  }

 private:
  Origin place(std::string_view attribute) const {
    return origin_of(d_.resolved, attribute, d_.file);
  }
  std::string problem() const {
    return fmt::format("output_dates '{}' of {}", *d_.attributes.output_dates, d_.file.title());
  }

  void check_list(const OutputDates& dates) {
    if (!dates.is_list()) return;
    const bool are_both_here =
        d_.file.find("output_freq") != nullptr && d_.file.find("output_dates") != nullptr;
    if (are_both_here) {
      findings_.warning(Code::without_effect, place("output_freq"),
                        fmt::format("output_freq of {} has no effect", d_.file.title()),
                        "its output_dates are a list, which says when there is a record",
                        "Remove one of the two.");
    }
    for (const Instant date : dates.ends) {
      if (date < d_.clock.start || is_on_a_step(d_.clock, date)) continue;
      findings_.error(
          Code::bad_output_dates, place("output_dates"), problem(),
          fmt::format("no time step of '{}' ends at {}", d_.clock.calendar.timestep().text(),
                      d_.clock.calendar.text(date)),
          "Use dates of time steps.");
      return;
    }
  }

  /// Returns true if the calendar itself has such periods: parts of a day, days, months, years.
  bool is_of_calendar(const Duration& period) const {
    const Calendar& calendar = d_.clock.calendar;
    const auto [months, seconds] = calendar.parts(period);
    const auto divides = [](double part, double whole) {
      return part > 0 && std::fmod(whole, part) == 0;
    };
    const auto year = static_cast<double>(calendar.months_per_year());
    if (months > 0) return seconds == 0 && (divides(months, year) || divides(year, months));
    if (divides(seconds, static_cast<double>(calendar.day_length_s()))) return true;
    // Days are counted from 1 January if all years have a whole number of such periods.
    return has_equal_years() && divides(static_cast<double>(calendar.day_length_s()), seconds) &&
           divides(seconds, static_cast<double>(calendar.year_length_s(0)));
  }

  void refuse_anchor(std::string why, std::string suggestion) {
    findings_.error(
        Code::bad_output_dates, place("output_anchor"),
        fmt::format("output_anchor=\"{}\" of {}", *d_.attributes.output_anchor, d_.file.title()),
        std::move(why), std::move(suggestion));
  }

  bool is_period_good(const char* attribute, const std::optional<Duration>& period) {
    if (!period) return true;
    if (*d_.attributes.output_anchor == "forecast") {
      if (d_.clock.calendar.parts(*period).months == 0) return true;
      refuse_anchor(fmt::format("{} '{}' has months, which have no length from the reference time",
                                attribute, period->text()),
                    "Use days, or output_anchor=\"calendar\".");
      return false;
    }
    if (is_of_calendar(*period)) return true;
    refuse_anchor(fmt::format("{} '{}' is no period of the calendar", attribute, period->text()),
                  "Use a part of a day (6h), 1d, a part of a year in months (3mo), or years.");
    return false;
  }

  void add_anchor(OutputDates& out) {
    const std::optional<Instant> anchor = output_anchor(d_.attributes, d_.clock.origin);
    if (!anchor || !d_.clock.is_known) return;
    if (out.is_list()) {
      findings_.warning(Code::without_effect, place("output_anchor"),
                        fmt::format("output_anchor of {} has no effect", d_.file.title()),
                        "its output_dates are a list", "Remove one of the two.");
      return;
    }
    const std::optional<Duration>& freq = d_.attributes.output_freq;
    if (!freq) return;  // reported
    if (!is_period_good("output_freq", freq)) return;
    if (!is_period_good("split_freq", d_.attributes.split_freq)) return;
    if (!is_period_good("climatology_freq", d_.attributes.climatology_freq)) return;
    out.has_anchor = true;
    out.anchor = *anchor;
    Sampling sampling;
    sampling.output_freq = *freq;
    sampling.dates = out;
    const Calendar& calendar = d_.clock.calendar;
    const RecordTimes times(calendar, d_.clock.start, sampling);
    constexpr std::int64_t looks = 12;
    for (std::int64_t record = 0; record < looks; ++record) {
      const Instant end = times.end_of(record);
      if (is_on_a_step(d_.clock, end)) continue;
      refuse_anchor(fmt::format("no time step of '{}' from the start, {}, ends at {}",
                                calendar.timestep().text(), calendar.text(d_.clock.start),
                                calendar.text(end)),
                    "Start at a date from which steps reach it, or use a shorter time step.");
      out.has_anchor = false;
      return;
    }
    if (times.origin() == d_.clock.start || d_.is_continued) return;
    findings_.add(
        Severity::note, Code::no_record, place("output_anchor"),
        fmt::format("the first record of {} is of a part of its period", d_.file.title()),
        fmt::format("it is that of {} to {}, the run begins at {}", calendar.text(times.origin()),
                    calendar.text(times.end_of(0)), calendar.text(d_.clock.start)),
        {});
  }

  void add_initial(OutputDates& out) {
    if (!d_.attributes.output_initial.value_or(false)) return;
    const bool is_appended = d_.attributes.append.value_or(false);
    if (is_appended && !d_.is_continued) {
      findings_.error(Code::bad_output_dates, place("output_initial"),
                      fmt::format("output_initial of {}", d_.file.title()),
                      "with append=\"true\" each run would write its start, which the run before "
                      "has written as its end",
                      "Remove one of the two, or add a statistics_file to the context.");
      return;
    }
    if (out.has_anchor) {
      const Instant begin =
          period_begin(d_.clock.calendar, out.anchor, d_.clock.start, *d_.attributes.output_freq);
      if (begin < d_.clock.start) {
        refuse_anchor(
            fmt::format("the start of the run, {}, is no date of output, and output_initial is "
                        "the record of the start",
                        d_.clock.calendar.text(d_.clock.start)),
            "Remove output_initial.");
        return;
      }
    }
    if (!out.is_list()) {
      out.has_initial = true;
    } else if (out.ends.front() > d_.clock.start) {
      out.ends.insert(out.ends.begin(), d_.clock.start);
    }
  }

  void refuse_climatology(const char* attribute, std::string why, std::string suggestion) {
    findings_.error(
        Code::bad_output_dates, place(attribute),
        fmt::format("climatology=\"{}\" of {}", *d_.attributes.climatology, d_.file.title()),
        std::move(why), std::move(suggestion));
  }

  void add_climatology(OutputDates& out) {
    const std::optional<Duration>& freq = d_.attributes.climatology_freq;
    if (!d_.attributes.climatology) {
      const bool is_unknown = d_.resolved.is_broken("climatology");
      if (is_unknown || !freq || d_.file.find("climatology_freq") == nullptr) return;
      findings_.warning(Code::without_effect, place("climatology_freq"),
                        fmt::format("climatology_freq of {} has no effect", d_.file.title()),
                        "the file has no climatology", "Add climatology=\"year\"?");
      return;
    }
    if (d_.attributes.output_dates || out.has_initial) {
      const char* const other = out.has_initial ? "output_initial" : "output_dates";
      out.has_initial = false;  // reported
      return refuse_climatology(
          other,
          fmt::format("its records are those of all dates, which {} does not go with", other),
          fmt::format("Remove {}, or write two files.", other));
    }
    if (!freq) {
      // One that is there and no period has been reported.
      if (d_.resolved.find("climatology_freq") != nullptr) return;
      if (d_.resolved.is_broken("climatology_freq")) return;
      return refuse_climatology("climatology",
                                "without climatology_freq nothing says when its time is over",
                                "Add climatology_freq=\"10y\"?");
    }
    if (!d_.attributes.output_freq || !d_.clock.is_known) return;  // reported
    settle_cycle(*d_.attributes.output_freq, *freq, out);
  }

  /// Finds how many periods a cycle has: all cycles have the same number.
  void settle_cycle(const Duration& period, const Duration& whole, OutputDates& out) {
    const Calendar& calendar = d_.clock.calendar;
    const bool is_year = *d_.attributes.climatology == "year";
    const Duration cycle = is_year ? Duration{.year = 1} : Duration{.day = 1};
    const double count = times_in(period, cycle);
    if (!(count >= 2) || count != std::floor(count)) {
      return refuse_climatology(
          "output_freq",
          count == 1
              ? fmt::format("its output_freq '{}' is the whole {}, of which a record has a part",
                            period.text(), *d_.attributes.climatology)
              : fmt::format("its output_freq '{}' does not divide {} into equal numbers of periods",
                            period.text(), is_year ? "all years" : "the day"),
          is_year ? "Use 1mo, 3mo or 6mo." : "Use 1h, 3h or 6h.");
    }
    // Months have whole days.
    const Calendar::Parts parts = calendar.parts(whole);
    const bool has_whole_days = !is_year && parts.months >= 1 && parts.seconds == 0;
    const double cycles = has_whole_days ? 1 : times_in(cycle, whole);
    if (!(cycles >= 1) || cycles != std::floor(cycles)) {
      return refuse_climatology("climatology_freq",
                                fmt::format("its climatology_freq '{}' is no number of {}s",
                                            whole.text(), *d_.attributes.climatology),
                                is_year ? "Use 10y or 30y." : "Use 10d, 1mo or 1y.");
    }
    out.cycle_periods = std::llround(count);
    out.climatology_freq = whole;
  }

  /// Returns how often a period is in another one, if that does not depend on the date; else 0.
  double times_in(const Duration& part, const Duration& whole) const {
    const Calendar& calendar = d_.clock.calendar;
    const auto [part_months, part_seconds] = calendar.parts(part);
    auto [months, seconds] = calendar.parts(whole);
    if (part_months > 0) {
      return part_seconds == 0 && seconds == 0 ? months / part_months : 0;
    }
    if (months == 0) return seconds / part_seconds;
    const auto year = static_cast<double>(calendar.months_per_year());
    if (!has_equal_years() || seconds != 0 || months != year) return 0;
    return static_cast<double>(calendar.year_length_s(0)) / part_seconds;
  }

  bool has_equal_years() const {
    const CalendarType type = d_.clock.calendar.type();
    return type == CalendarType::no_leap || type == CalendarType::all_leap ||
           type == CalendarType::d360;
  }

  const DatedFile& d_;
  Findings& findings_;
};

}  // namespace

bool has_date_list(const FileAttributes& attributes) {
  return attributes.output_dates && !has_windows(*attributes.output_dates);
}

OutputDates read_output_dates(const DatedFile& file, Findings& findings) {
  return DatesReader(file, findings).read();
}

void check_instant_at_dates(const DatedField& dated, const Sampling& given,
                            const OutputDates& dates, Findings& findings) {
  const Resolved& resolved = dated.resolved;
  const Clock& clock = dated.clock;
  const Calendar& calendar = clock.calendar;
  const Setting* const freq_op = resolved.find("freq_op");
  const Setting* const freq_offset = resolved.find("freq_offset");
  if (freq_op == nullptr && freq_offset == nullptr) return;
  const char* const attribute = freq_op != nullptr ? "freq_op" : "freq_offset";
  const std::string text = (freq_op != nullptr ? given.freq_op : given.freq_offset).text();
  const auto refuse = [&](Code code, std::string why) {
    findings.error(code, origin_of(resolved, attribute, dated.field),
                   fmt::format("{} '{}' of {}", attribute, text, dated.title), std::move(why),
                   fmt::format("Remove {}, or add {}=\"_reset_\" to the field in the file.",
                               attribute, attribute));
  };
  if (dates.has_initial) {
    const Duration standard = given.freq_op + calendar.timestep() * -1.0;
    if (freq_offset != nullptr && !calendar.are_equal(given.freq_offset, standard)) {
      refuse(Code::bad_freq_offset, "with output_initial samples count from the start");
    }
    return;
  }
  Sampling samples = given;
  samples.dates = {};
  samples.output_freq = given.freq_op;
  const Schedule schedule(calendar, clock.start, samples);
  for (const Instant date : dates.ends) {
    if (date < clock.start) continue;
    const std::int64_t sample = schedule.first_sample(date);
    if (schedule.sampling_date(sample) == date) continue;
    refuse(Code::bad_freq_op,
           fmt::format("it has no sample at {}, a date of output_dates", calendar.text(date)));
    return;
  }
}

void check_operation_of_climatology(const DatedField& dated, Operation operation,
                                    Findings& findings) {
  if (is_centered(operation) || !has_time(operation)) return;
  const auto& [field, resolved, title, clock] = dated;
  findings.error(Code::bad_output_dates, origin_of(resolved, "operation", field),
                 fmt::format("operation=\"{}\" of {}", name(operation), title),
                 "a record of a climatology is made of many samples",
                 "Use average, minimum, maximum or accumulate; freq_op says which samples.");
}

void settle_first_record(const DatedFile& dated, const Model& model, bool is_whole, File& file,
                         Findings& findings) {
  if (file.streams.empty()) return;
  std::optional<std::int64_t> first;
  bool has_any = false;
  bool has_instant = false;
  bool leaves_out = false;
  for (const StreamId s : file.streams) {
    const Stream& stream = model.streams[s];
    if (!has_time(stream.sampling.operation)) continue;
    leaves_out = leaves_out || stream.sampling.dates.leaves_out();
    has_instant = has_instant || stream.sampling.operation == Operation::instant;
    const RecordTimes times = model.record_times(stream);
    const std::int64_t due = first_not_over(
        0, [&](std::int64_t record) { return times.end_of(record) < model.start_date; });
    const std::int64_t its = times.first_wanted(due);
    has_any = has_any || !times.leaves_out(its);
    first = std::min(first.value_or(its), its);
  }
  if (!first || !leaves_out) return;
  file.first_record = *first;
  if (!is_whole) return;  // which is reported
  const FileAttributes& attributes = dated.attributes;
  if (attributes.output_initial.value_or(false) && !has_instant) {
    findings.warning(Code::without_effect, origin_of(dated.resolved, "output_initial", dated.file),
                     fmt::format("output_initial of {} has no effect", dated.file.title()),
                     "none of its fields is an instant, and others have nothing at the start",
                     "Add operation=\"instant\" to a field, or remove it.");
  }
  if (has_any || !attributes.output_dates) return;
  const bool is_list = has_date_list(attributes);
  findings.warning(
      Code::without_effect, origin_of(dated.resolved, "output_dates", dated.file),
      fmt::format("output_dates '{}' of {}", *attributes.output_dates, dated.file.title()),
      is_list ? fmt::format("they are before the start of the run, {}: the file gets no record",
                            dated.clock.calendar.text(dated.clock.start))
              : "no period of output_freq of this run is inside: the file gets no record",
      is_list ? "Use later dates, or enabled=\"false\"."
              : "Use wider windows, a shorter output_freq, or enabled=\"false\".");
}

}  // namespace epios::config
