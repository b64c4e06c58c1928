// The temporal rules: which date takes a sample and which one lets a record leave. The rules for
// data at every step come first, then schedules that are fed by data at certain dates; searches
// start near an estimate.
#include "config/temporal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "time/first_not_over.hpp"

namespace epios::config {

namespace {

struct OperationWords {
  std::string_view name;
  std::string_view cell_method;
};
/// In the order of Operation.
constexpr std::array<OperationWords, 6> operations{{{"instant", "point"},
                                                    {"average", "mean"},
                                                    {"accumulate", "sum"},
                                                    {"minimum", "minimum"},
                                                    {"maximum", "maximum"},
                                                    {"once", ""}}};

const OperationWords& words_of(Operation operation) {
  return operations.at(static_cast<std::size_t>(operation));
}

void require_positive(const Calendar& calendar, Instant start, const Duration& duration,
                      std::string_view name) {
  if (calendar.add(start, duration) > start) return;
  throw Error(ErrorCode::configuration,
              fmt::format("{} '{}' does not move time forward (a period must be positive, and a "
                          "fraction of a month has no length).",
                          name, duration.text()));
}

/// How many periods of about that length are between two dates.
std::int64_t periods(Instant from, Instant to, double about_ms) {
  return std::llround(std::floor(static_cast<double>(to.ms - from.ms) / about_ms));
}

/// Returns true if the dates of output are a list that has no such record.
bool is_behind_list(const Sampling& sampling, std::int64_t record) {
  const OutputDates& dates = sampling.dates;
  return dates.is_list() && record >= static_cast<std::int64_t>(dates.ends.size());
}

}  // namespace

std::string_view name(Operation operation) { return words_of(operation).name; }

std::optional<Operation> operation_named(std::string_view word) {
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (operations.at(i).name == word) return static_cast<Operation>(i);
  }
  return std::nullopt;
}

std::string_view cell_method(Operation operation) { return words_of(operation).cell_method; }

bool is_centered(Operation operation) {
  return operation != Operation::instant && operation != Operation::once;
}

bool has_time(Operation operation) { return operation != Operation::once; }

std::int64_t records_at_a_time(const Sampling& sampling) {
  return std::max<std::int64_t>(sampling.dates.cycle_periods, 1);
}

bool is_each_sample(const Calendar& calendar, const Sampling& sampling) {
  if (sampling.dates.is_climatology()) return false;
  if (sampling.dates.is_list()) return sampling.operation == Operation::instant;
  return calendar.are_equal(sampling.freq_op, sampling.output_freq);
}

/// Sums of milliseconds are exact, and inside of what calendars know.
constexpr std::int64_t farthest_ms = 9'000'000'000'000'000;
constexpr Instant never = RecordTimes::never;

Schedule::Schedule(const Calendar& calendar, Instant start, const Sampling& sampling)
    : calendar_(calendar),
      start_(start),
      sampling_(sampling),
      times_(calendar, start, sampling),
      origin_(times_.origin()) {
  require_positive(calendar, start, sampling.freq_op, "freq_op");
  const bool is_list = sampling.dates.is_list();
  if (!is_list) require_positive(calendar, start, sampling.output_freq, "output_freq");
  ms_.are_whole = true;
  const auto in_ms = [&](const Duration& duration) -> std::int64_t {
    const Duration normal = calendar.normal(duration);
    const double ms = normal.second * 1000;
    ms_.are_whole = ms_.are_whole && normal.month == 0 && normal.timestep == 0 &&
                    ms == std::round(ms) && std::abs(ms) < static_cast<double>(farthest_ms);
    return ms_.are_whole ? std::llround(ms) : 0;
  };
  ms_.freq_op = in_ms(sampling.freq_op);
  ms_.freq_offset = in_ms(sampling.freq_offset);
  ms_.output_freq = in_ms(sampling.output_freq);
  ms_.timestep = in_ms(calendar.timestep());
  const auto about = [&](const Duration& duration) {
    const Calendar::Parts parts = calendar.parts(duration);
    const double month_s = static_cast<double>(calendar.year_length_s(calendar.date(start).year)) /
                           std::max(calendar.months_per_year(), 1);
    return std::max(1000 * (parts.months * month_s + parts.seconds), 1.0);
  };
  about_ms_ = {about(sampling.freq_op), is_list ? 1.0 : about(sampling.output_freq)};
  if (!is_list) return;
  const std::vector<Instant>& ends = sampling.dates.ends;
  about_ms_.output_freq = std::max(
      static_cast<double>(ends.back().ms - start.ms) / static_cast<double>(ends.size()), 1.0);
}

namespace {

/// Answers by number. Each costs many questions to others in a deep chain, hence those that are
/// near each other are all known: the table grows as far as they need.
template <class Answer>
class KnownAnswers {
 public:
  template <class AnswerOf>
  Answer of(std::int64_t number, const AnswerOf& answer_of) {
    if (known_.empty()) known_.resize(least);
    if (slot(number).number == number) return slot(number).answer;
    const Answer answer = answer_of(number);  // may ask for others
    while (slot(number).number >= 0 && known_.size() < most) grow();
    slot(number) = {number, answer};
    return answer;
  }

 private:
  static constexpr std::size_t least = 16;
  static constexpr std::size_t most = 1024;
  struct Known {
    std::int64_t number = -1;
    Answer answer;
  };
  Known& slot(std::int64_t number) {
    return known_[static_cast<std::size_t>(number) % known_.size()];
  }
  void grow() {
    std::vector<Known> before(2 * known_.size());
    before.swap(known_);
    for (const Known& known : before) {
      if (known.number >= 0) slot(known.number) = known;
    }
  }
  std::vector<Known> known_;
};

}  // namespace

struct Schedule::Fed {
  NextData next;
  KnownAnswers<SampleDate> samples;
  KnownAnswers<Instant> records;
  KnownAnswers<char> have_data;  // records
  std::optional<Counters> before_start;
  std::int64_t last_record = 0;  // that end_of_data() has found
};

void Schedule::feed(NextData next) {
  if (!next) return;
  fed_ = std::make_shared<Fed>(Fed{std::move(next), {}, {}, {}, std::nullopt, 0});
  waits_for_data_ =
      samples_at_dates() || !calendar_.are_equal(sampling_.freq_op, calendar_.timestep());
}

const Schedule::NextData* Schedule::fed_by() const { return fed_ ? &fed_->next : nullptr; }

Instant Schedule::sampling_date(std::int64_t sample) const { return this->sample(sample).date; }

Schedule::SampleDate Schedule::sample(std::int64_t number) const {
  if (samples_at_dates() && is_behind_list(sampling_, number)) return {never, never, false};
  if (!fed_) return {unfed_sampling_date(number), {}, true};
  return fed_->samples.of(number, [this](std::int64_t k) { return fed_sample(k); });
}

/// Samples without data keep their dates. Of those that the same data come next for, the first ones
/// are without: dates of samples never go back.
Schedule::SampleDate Schedule::fed_sample(std::int64_t number) const {
  const Instant own = unfed_sampling_date(number);
  const Instant end = end_of_data(own);
  const Data data = fed_->next(own);
  const bool has_data = data.of <= end;
  return {has_data ? data.date : own, end, has_data};
}

/// With an offset of more than freq_op the model's own data are from behind the period, too.
Instant Schedule::end_of_data(Instant own) const {
  if (sampling_.operation == Operation::once) return {std::numeric_limits<std::int64_t>::max()};
  std::int64_t& record = fed_->last_record;
  record = first_not_over_near(record, [&](std::int64_t n) { return date_of_record(n, 1) < own; });
  return std::max(times_.end_of(record), date_of_record(record, 1));
}

bool Schedule::may_take(std::int64_t number, Instant now) const {
  if (!fed_) return true;
  const Data data = fed_->next(now);
  return (data.date == now ? data.of : now) <= sample(number).end;
}

// Durations are summed before the calendar sees them: months first, the rest after.
Instant Schedule::unfed_sampling_date(std::int64_t sample) const {
  if (samples_at_dates()) return times_.end_of(sample);
  if (sampling_.dates.has_initial && sampling_.operation == Operation::instant) --sample;
  if (ms_.are_whole && sample <= farthest_ms / ms_.freq_op) {
    return {origin_.ms + ms_.freq_offset + ms_.timestep + sample * ms_.freq_op};
  }
  return calendar_.add(origin_, sampling_.freq_offset + calendar_.timestep() +
                                    sampling_.freq_op * static_cast<double>(sample));
}

/// So many time steps behind the last date before a record leaves.
Instant Schedule::date_of_record(std::int64_t record, std::int64_t steps) const {
  if (sampling_.dates.is_list()) {
    const Instant end = times_.end_of(record);
    if (is_behind_list(sampling_, record)) return never;
    const Duration since_end = samples_at_dates()
                                   ? calendar_.timestep() * -1.0
                                   : sampling_.freq_offset + sampling_.freq_op * -1.0;
    return calendar_.add(end, since_end + calendar_.timestep() * static_cast<double>(steps));
  }
  if (sampling_.dates.has_initial) --record;
  if (ms_.are_whole && record < farthest_ms / ms_.output_freq) {
    return {origin_.ms + (record + 1) * ms_.output_freq + ms_.freq_offset - ms_.freq_op +
            steps * ms_.timestep};
  }
  return calendar_.add(origin_, sampling_.output_freq * static_cast<double>(record + 1) +
                                    sampling_.freq_offset + sampling_.freq_op * -1.0 +
                                    calendar_.timestep() * static_cast<double>(steps));
}

Instant Schedule::last_before_leaving(std::int64_t record) const {
  return date_of_record(record, 0);
}

Instant Schedule::due_date(std::int64_t record) const {
  if (sampling_.operation == Operation::once) return sampling_date(0);
  if (!waits_for_data_ || is_behind_list(sampling_, record)) return date_of_record(record, 1);
  return fed_->records.of(record, [this](std::int64_t n) { return fed_due_date(n); });
}

/// The data for the last sample may come later.
Instant Schedule::fed_due_date(std::int64_t record) const {
  const Instant date = date_of_record(record, 1);
  const std::int64_t samples =
      first_not_over_near(periods(unfed_sampling_date(0), date, about_ms_.freq_op) + 1,
                          [&](std::int64_t k) { return unfed_sampling_date(k) <= date; });
  return samples > 0 ? std::max(date, sampling_date(samples - 1)) : date;
}

bool Schedule::leaves(std::int64_t record, Instant now) const {
  return waits_for_data_ ? now >= due_date(record) : now > last_before_leaving(record);
}

std::int64_t Schedule::first_due(Instant date) const {
  if (sampling_.operation == Operation::once) return 0;
  // A record that waits for data is due later, never earlier.
  std::int64_t n =
      first_not_over_near(periods(date_of_record(0, 1), date, about_ms_.output_freq),
                          [&](std::int64_t record) { return date_of_record(record, 1) < date; });
  while (n > 0 && due_date(n - 1) >= date) --n;
  return n;
}

Schedule::Decision Schedule::decide(Instant now, const Counters& so_far) const {
  if (sampling_.operation == Operation::once) return decide_once(now, so_far);
  Decision decision;
  Counters& counters = decision.counters;
  counters.records =
      first_not_over(so_far.records, [&](std::int64_t n) { return now > due_date(n); });
  if (counters.records > so_far.records) decision.late_record = so_far.records;
  // One date may be the first one after several sampling dates; it is fed once, unless all of them
  // were in the periods of earlier records.
  counters.samples =
      first_not_over(so_far.samples, [&](std::int64_t k) { return now >= sampling_date(k); });
  const std::int64_t last = counters.samples - 1;
  decision.sample = counters.samples > so_far.samples &&
                    (counters.records == so_far.records ||
                     sampling_date(last) > due_date(counters.records - 1)) &&
                    may_take(last, now);
  if (decision.sample && sampling_.is_weighted) {
    const std::int64_t begin = counters.records > so_far.records
                                   ? first_sample({due_date(counters.records - 1).ms + 1})
                                   : so_far.samples;
    decision.weight = counters.samples - std::max(begin, so_far.samples);
  }
  decision.period = counters.records;
  if (times_.skips_samples(decision.period)) decision.sample = false;
  if (leaves(decision.period, now)) {
    if (!leaves_out(decision.period)) decision.record = decision.period;
    ++counters.records;
  }
  return decision;
}

Schedule::Decision Schedule::decide_once(Instant now, const Counters& so_far) const {
  Decision decision;
  decision.counters = so_far;
  if (so_far.records > 0 || now < sampling_date(0)) return decision;
  decision.sample = true;
  decision.record = 0;
  decision.counters = {1, 1};
  return decision;
}

namespace {

/// Counts the records that are over, and the samples up to the last of them.
template <class IsOver>
Schedule::Decision passed(const Schedule& schedule, const Schedule::Counters& so_far,
                          const IsOver& is_over) {
  Schedule::Decision decision;
  decision.counters = so_far;
  if (schedule.operation() == Operation::once) return decision;
  Schedule::Counters& counters = decision.counters;
  counters.records = first_not_over(so_far.records, is_over);
  if (counters.records == so_far.records) return decision;
  decision.late_record = so_far.records;
  const Instant last = schedule.due_date(counters.records - 1);
  counters.samples = first_not_over(
      so_far.samples, [&](std::int64_t k) { return last >= schedule.sampling_date(k); });
  return decision;
}

}  // namespace

Schedule::Decision Schedule::decide_passed(Instant now, const Counters& so_far) const {
  return passed(*this, so_far, [&](std::int64_t n) { return now > due_date(n); });
}

Schedule::Decision Schedule::decide_end(Instant now, const Counters& so_far) const {
  Decision decision;
  Counters& counters = decision.counters;
  if (sampling_.operation == Operation::once) {
    const bool is_due = so_far.records > 0 || now >= sampling_date(0);
    counters = is_due ? Counters{1, 1} : so_far;
  } else {
    counters.samples =
        first_not_over(so_far.samples, [&](std::int64_t k) { return now >= sampling_date(k); });
    counters.records =
        first_not_over(so_far.records, [&](std::int64_t n) { return leaves(n, now); });
  }
  if (counters.records > so_far.records) decision.late_record = so_far.records;
  return decision;
}

Schedule::Decision Schedule::decide_pause(Instant now, const Counters& so_far) const {
  return passed(*this, so_far, [&](std::int64_t n) { return leaves(n, now); });
}

Instant Schedule::next_effect(const Counters& so_far) const {
  constexpr Instant no_more{std::numeric_limits<std::int64_t>::max()};
  if (sampling_.operation == Operation::once) {
    return so_far.records > 0 ? no_more : sampling_date(0);
  }
  if (is_behind_list(sampling_, so_far.records)) return no_more;
  const Instant leaves = waits_for_data_ ? due_date(so_far.records)
                                         : Instant{last_before_leaving(so_far.records).ms + 1};
  return std::min(sampling_date(so_far.samples), leaves);
}

Schedule::Counters Schedule::before_start() const {
  if (sampling_.operation == Operation::once) return {};
  if (fed_ && fed_->before_start) return *fed_->before_start;
  // With periods from before the start, data of the start itself are those of the time before it,
  // unless samples are the states at which their time begins.
  const Calendar::Parts offset = calendar_.parts(sampling_.freq_offset);
  const bool is_at_begin = offset.months < 0 || offset.seconds < 0;
  const Instant first{start_.ms + (sampling_.dates.has_anchor && !is_at_begin ? 1 : 0)};
  const Counters counters{
      first_not_over(0, [&](std::int64_t k) { return sampling_date(k) < first; }),
      first_due(start_)};
  if (fed_) fed_->before_start = counters;
  return counters;
}

std::int64_t Schedule::samples_of(std::int64_t record) const {
  if (leaves_out(record)) return 0;
  std::int64_t count = 0;
  any_period(record, [&](std::int64_t period) {
    const Samples samples = numbers_of(period);
    count += count_samples(samples.begin, samples.end);
    return false;
  });
  return count;
}

template <class IsThere>
bool Schedule::any_period(std::int64_t record, const IsThere& is_there) const {
  const std::int64_t distance = records_at_a_time(sampling_);
  for (std::int64_t n = times_.first_period_of(record); n <= record; n += distance) {
    if (is_there(n)) return true;
  }
  return false;
}

Schedule::Samples Schedule::numbers_of(std::int64_t record) const {
  if (sampling_.operation == Operation::once) return {0, 1};
  const std::int64_t before = before_start().samples;
  const auto until = [&](Instant date) { return std::max(before, first_sample({date.ms + 1})); };
  return {record > 0 ? until(due_date(record - 1)) : before, until(due_date(record))};
}

bool Schedule::has_data(std::int64_t record) const {
  return !leaves_out(record) &&
         any_period(record, [this](std::int64_t period) { return period_has_data(period); });
}

bool Schedule::period_has_data(std::int64_t record) const {
  const auto look = [this](std::int64_t number) {
    const Samples samples = numbers_of(number);
    return first_with_data(samples.begin, samples.end) < samples.end;
  };
  if (!fed_ || sampling_.operation == Operation::once) return look(record);
  return fed_->have_data.of(record, [&](std::int64_t number) -> char {
    const Instant before{number > 0 ? due_date(number - 1).ms : start_.ms - 1};
    if (takes_what_comes()) {  // whatever comes in the period is a sample
      const Instant first = std::max(Instant{before.ms + 1}, unfed_sampling_date(0));
      return fed_->next(std::max(first, start_)).date <= due_date(number) ? 1 : 0;
    }
    // Mostly the last sample is there.
    const Instant own = date_of_record(number, 1);
    const std::int64_t samples =
        first_not_over_near(periods(unfed_sampling_date(0), own, about_ms_.freq_op) + 1,
                            [&](std::int64_t k) { return unfed_sampling_date(k) <= own; });
    if (samples > 0 && sample(samples - 1).has_data && sampling_date(samples - 1) > before) {
      return 1;
    }
    return look(number) ? 1 : 0;
  }) != 0;
}

bool Schedule::always_has_data() const {
  if (sampling_.operation == Operation::once) return true;
  if (sampling_.dates.leaves_out()) return false;
  // Lengths of months differ, but not by so much.
  const bool is_often = ms_.are_whole ? ms_.freq_op <= ms_.output_freq
                                      : 2 * about_ms_.freq_op <= about_ms_.output_freq ||
                                            sampling_.freq_op == sampling_.output_freq;
  return !fed_ && is_often && before_start() == Counters{};
}

std::int64_t Schedule::records_with_samples(std::int64_t begin, std::int64_t end) const {
  if (begin >= end || always_has_data()) return end - begin;
  std::int64_t count = 0;
  for (std::int64_t record = begin; record < end; ++record) {
    if (samples_of(record) > 0) ++count;
  }
  return count;
}

/// Of the samples [begin, end) the first that data come for; `end`: there is none.
std::int64_t Schedule::first_with_data(std::int64_t begin, std::int64_t end) const {
  if (!fed_) return begin;
  std::int64_t k = begin;
  while (k < end && !sample(k).has_data) {
    const Data data = fed_->next(unfed_sampling_date(k));
    k = first_not_over(k + 1, [&](std::int64_t other) {
      return unfed_sampling_date(other) <= data.date && sample(other).end < data.of;
    });
  }
  return std::min(k, end);
}

std::int64_t Schedule::first_sample(Instant date) const {
  return first_not_over_near(periods(unfed_sampling_date(0), date, about_ms_.freq_op),
                             [&](std::int64_t k) { return sampling_date(k) < date; });
}

Instant Schedule::next_sample(Instant date) const {
  constexpr std::int64_t most = 1000;
  const std::int64_t first = first_sample(date);
  return sampling_date(first_with_data(first, first + most));
}

std::int64_t Schedule::samples_within(std::int64_t begin, std::int64_t end) const {
  if (!sampling_.dates.skips_samples()) return count_samples(begin, end);
  std::int64_t count = 0;
  while ((begin = first_wanted_sample(*this, begin, end)) < end) {
    const std::int64_t next =
        std::clamp(numbers_of(first_due(sampling_date(begin))).end, begin + 1, end);
    count += count_samples(begin, next);
    begin = next;
  }
  return count;
}

std::int64_t Schedule::count_samples(std::int64_t begin, std::int64_t end) const {
  if (!fed_) return end - begin;
  std::int64_t count = 0;
  for (std::int64_t k = begin; k < end;) {
    if (takes_what_comes()) k = first_with_data(k, end);
    if (k == end) break;
    ++count;
    const Instant date = sampling_date(k);
    k = first_not_over(k, [&](std::int64_t other) { return sampling_date(other) <= date; });
  }
  return count;
}

template <class IsBefore>
std::int64_t Schedule::first_step(const IsBefore& is_before) const {
  return first_not_over(
      0, [&](std::int64_t step) { return is_before(calendar_.at_step(start_, step)); });
}

std::int64_t Schedule::step_of_sample(std::int64_t sample) const {
  const Instant date = sampling_date(sample);
  return first_step([date](Instant now) { return now < date; });
}

std::int64_t Schedule::step_of_record(std::int64_t record) const {
  if (sampling_.operation == Operation::once) return step_of_sample(0);
  if (waits_for_data_) {
    const Instant due = due_date(record);
    return first_step([due](Instant now) { return now < due; });
  }
  const Instant last = last_before_leaving(record);
  return first_step([last](Instant now) { return now <= last; });
}

std::int64_t Schedule::records_within(std::int64_t steps) const {
  if (steps < 0) return 0;
  if (sampling_.operation == Operation::once) return step_of_sample(0) <= steps ? 1 : 0;
  const Instant end = calendar_.at_step(start_, steps);
  return first_not_over(0, [&](std::int64_t n) { return leaves(n, end); });
}

ReadSchedule::ReadSchedule(const Calendar& calendar, Instant start, const Reading& reading)
    : calendar_(calendar), start_(start), reading_(reading) {
  if (!reading.is_once) require_positive(calendar, start, reading.period, "output_freq");
}

Instant ReadSchedule::date_of(std::int64_t record) const {
  const double periods = reading_.is_once ? 0.0 : static_cast<double>(record);
  return calendar_.add(start_, reading_.offset + reading_.period * periods);
}

std::int64_t ReadSchedule::latest(Instant now) const {
  if (reading_.is_once) return 0;
  if (now < date_of(0)) return -1;
  return first_not_over(0, [&](std::int64_t n) { return date_of(n + 1) <= now; });
}

std::int64_t ReadSchedule::record_at(Instant now) const {
  const std::int64_t record = latest(now);
  if (reading_.is_once || (record >= 0 && date_of(record) == now)) return record;
  return -1;
}

}  // namespace epios::config
