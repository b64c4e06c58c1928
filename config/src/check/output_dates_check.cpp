// Reads output_dates and output_initial of files, and checks them: against the time steps, the
// start of the run, other attributes of the file, and the samples of its fields.
#include "check/output_dates_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "config/model.hpp"
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
    add_initial(out);
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
    if (!out.is_list()) {
      out.has_initial = true;
    } else if (out.ends.front() > d_.clock.start) {
      out.ends.insert(out.ends.begin(), d_.clock.start);
    }
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
  const auto& [field, resolved, title, clock] = dated;
  const Calendar& calendar = clock.calendar;
  const Setting* const freq_op = resolved.find("freq_op");
  const Setting* const freq_offset = resolved.find("freq_offset");
  if (freq_op == nullptr && freq_offset == nullptr) return;
  const char* const attribute = freq_op != nullptr ? "freq_op" : "freq_offset";
  const std::string text = (freq_op != nullptr ? given.freq_op : given.freq_offset).text();
  const auto refuse = [&](Code code, std::string why) {
    findings.error(code, origin_of(resolved, attribute, field),
                   fmt::format("{} '{}' of {}", attribute, text, title), std::move(why),
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
