// Resolves the periods of files and fields (freq_op, freq_offset, output_freq) into Sampling and
// Reading, and reports periods that make no sense. Time steps in a duration are expressed in units
// first.
#include "building/period_builder.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "check/output_dates_check.hpp"
#include "config/model.hpp"
#include "language/attribute_fill.hpp"
#include "time/first_not_over.hpp"
#include "time/multiples.hpp"
#include "time/time_error.hpp"

namespace epios::config {

PeriodBuilder::PeriodBuilder(const ContextStore& store, Inheritance& inheritance,
                             Findings& findings, const Clock& clock)
    : store_(store), inheritance_(inheritance), findings_(findings), clock_(clock) {}

Sampling PeriodBuilder::sampling_of(int field, FieldAttributes& attributes,
                                    const FileAttributes& file, const OutputDates& dates) {
  const Node& element = store_.at(field);
  Sampling sampling;
  if (inheritance_.of(field).is_broken("operation")) return sampling;
  if (freq_offset_of(field) == nullptr) attributes.freq_offset.reset();
  if (!attributes.operation) {
    findings_.error(Code::no_operation, element.origin,
                    fmt::format("{} has no operation", inheritance_.title(field)),
                    "a field in a file needs a temporal operation",
                    "Add operation=\"average\" or another of instant, accumulate, minimum, "
                    "maximum.");
    return sampling;
  }
  const bool is_freq_op_good = settle(attributes.freq_op, "freq_op", field) &&
                               is_on_steps(*attributes.freq_op, "freq_op", field);
  const bool is_offset_good =
      expand(attributes.freq_offset) && is_on_steps(*attributes.freq_offset, "freq_offset", field);
  const Duration step = without_timesteps({0, 0, 0, 0, 0, 0, 1});
  sampling.operation = operation_named(*attributes.operation).value();
  sampling.output_freq = file.output_freq.value_or(Duration{});
  const bool is_instant = sampling.operation == Operation::instant;
  const bool is_each = is_instant && !dates.is_list();
  sampling.freq_op = attributes.freq_op.value_or(is_each ? sampling.output_freq : step);
  sampling.freq_offset = attributes.freq_offset.value_or(sampling.freq_op + step * -1.0);
  sampling.is_weighted = is_weighted(field, attributes, sampling.operation);
  if (!clock_.is_known) return sampling;
  const bool has_period = sampling.operation != Operation::once;
  if (is_freq_op_good && file.output_freq && has_period) {
    check_freq_op(field, sampling.freq_op, sampling.output_freq);
  }
  const bool is_freq_op_known = is_freq_op_good || !inheritance_.of(field).is_broken("freq_op");
  if (is_offset_good && is_freq_op_known &&
      (is_freq_op_good || (!attributes.freq_op && file.output_freq))) {
    check_freq_offset(field, sampling.freq_offset, sampling.freq_op);
  }
  if (!has_period) return sampling;
  if (is_instant && (dates.is_list() || dates.has_initial)) {
    check_instant_at_dates({element, inheritance_.of(field), inheritance_.title(field), clock_},
                           sampling, dates, findings_);
    if (dates.is_list()) sampling.freq_op = step;  // samples are those at the dates
    if (dates.is_list()) sampling.freq_offset = {};
  }
  if (dates.is_climatology()) {
    check_operation_of_climatology(
        {element, inheritance_.of(field), inheritance_.title(field), clock_}, sampling.operation,
        findings_);
  }
  sampling.dates = dates;
  return sampling;
}

Reading PeriodBuilder::reading_of(int field, FieldAttributes& attributes,
                                  const FileAttributes& file) {
  const Resolved& resolved = inheritance_.of(field);
  read_.insert(field);
  Reading reading;
  const std::string operation = attributes.operation.value_or("instant");
  reading.is_once = operation == "once";
  if (!reading.is_once && operation != "instant" && !resolved.is_broken("operation")) {
    findings_.error(Code::bad_reading, origin_of(resolved, "operation", store_.at(field)),
                    fmt::format("{} of a file that is read has operation=\"{}\"",
                                inheritance_.title(field), operation),
                    "records are received as they are",
                    "Write operation=\"instant\", or \"once\" for one record at any date.");
  }
  if (expand(attributes.freq_offset) &&
      is_on_steps(*attributes.freq_offset, "freq_offset", field)) {
    reading.offset = *attributes.freq_offset;
  }
  reading.period = file.output_freq.value_or(Duration{});
  return reading;
}

const Setting* PeriodBuilder::freq_offset_of(int field) {
  const Setting* const setting = inheritance_.of(field).find("freq_offset");
  for (int at = field; setting != nullptr && at >= 0; at = inheritance_.reference(at)) {
    if (read_.contains(at) && inheritance_.of(at).find("freq_offset") == setting) return nullptr;
  }
  return setting;
}

std::optional<Sampling> PeriodBuilder::nested_sampling(int owner, int operand,
                                                       const Origin& place) {
  const std::string problem = fmt::format("expression of {}", store_.at(owner).title());
  FieldAttributes attributes = filled<FieldAttributes>(inheritance_.of(operand));
  if (inheritance_.of(operand).is_broken("operation")) return std::nullopt;
  if (!attributes.operation) {
    auto [use, is_first] = uses_without_operation_.try_emplace(operand, Use{place, 0});
    if (is_first) operands_without_operation_.push_back(operand);
    ++use->second.count;
    return std::nullopt;
  }
  const std::optional<Duration> period = period_of_results(owner);
  if (!period) return std::nullopt;
  const Duration step = without_timesteps({0, 0, 0, 0, 0, 0, 1});
  Sampling sampling;
  sampling.operation = operation_named(*attributes.operation).value();
  sampling.is_weighted = is_weighted(operand, attributes, sampling.operation);
  sampling.output_freq = *period;
  // The freq_op of the owner says when there are results; what goes into them comes as it is sent.
  if (operand == owner) attributes.freq_op = attributes.freq_offset = std::nullopt;
  if (freq_offset_of(operand) == nullptr) attributes.freq_offset.reset();
  const bool has_freq_op = settle(attributes.freq_op, "freq_op", operand);
  if (!has_freq_op && attributes.freq_op) return std::nullopt;  // reported
  if (has_freq_op && !is_on_steps(*attributes.freq_op, "freq_op", operand)) return std::nullopt;
  const bool is_instant = sampling.operation == Operation::instant;
  sampling.freq_op = attributes.freq_op.value_or(is_instant ? *period : step);
  if (expand(attributes.freq_offset)) {
    if (!is_on_steps(*attributes.freq_offset, "freq_offset", operand)) return std::nullopt;
    if (clock_.is_known) check_freq_offset(operand, *attributes.freq_offset, sampling.freq_op);
  }
  sampling.freq_offset = attributes.freq_offset.value_or(sampling.freq_op + step * -1.0);
  if (clock_.is_known && sampling.operation != Operation::once &&
      !is_multiple(clock_.calendar, clock_.start, sampling.output_freq, sampling.freq_op)) {
    findings_.warning(Code::bad_freq_op, place, problem,
                      fmt::format("freq_op '{}' of {} does not divide freq_op '{}', the period of "
                                  "'@': results are made of the samples of their period, of "
                                  "unequal number or none",
                                  sampling.freq_op.text(), store_.at(operand).title(),
                                  sampling.output_freq.text()),
                      "Use a freq_op that is a multiple of the operand's?");
  }
  if (sampling.operation != Operation::once) warn_of_single_samples(owner, place);
  return sampling;
}

/// Results at every time step are made of one sample each: whatever the operation, they are it.
void PeriodBuilder::warn_of_single_samples(int owner, const Origin& place) {
  const Node& element = store_.at(owner);
  const Resolved& resolved = inheritance_.of(owner);
  if (resolved.find("freq_op") != nullptr || resolved.is_broken("freq_op")) return;
  if (!owners_of_single_samples_.insert(owner).second) return;
  findings_.doubtful(
      Code::without_effect, place,
      {store_.id(), "field", element.has_automatic_id ? std::string() : element.id, "freq_op"},
      fmt::format("'@' in the expression of {} has no effect", element.title()),
      "without freq_op of that field '@' has a result at every time step, of one sample",
      "Add freq_op=\"1d\" for daily results, or leave out '@'?");
}

std::optional<Sampling> PeriodBuilder::exchange_sampling(int field, bool is_received) {
  const Resolved& resolved = inheritance_.of(field);
  FieldAttributes attributes = filled<FieldAttributes>(resolved);
  const bool has_period = settle(attributes.freq_op, "freq_op", field);
  if (has_period && !is_on_steps(*attributes.freq_op, "freq_op", field)) return std::nullopt;
  if (!has_period && (attributes.freq_op || resolved.is_broken("freq_op"))) return std::nullopt;
  const Duration step = without_timesteps({0, 0, 0, 0, 0, 0, 1});
  Sampling sampling;
  sampling.output_freq = attributes.freq_op.value_or(step);
  // A record is received as it is.
  if (attributes.operation && (!is_received || *attributes.operation == name(Operation::once))) {
    sampling.operation = operation_named(*attributes.operation).value();
  }
  // An operation over several samples uses data of every step; a single value is taken when it is
  // due.
  const bool is_single = !is_centered(sampling.operation);
  sampling.freq_op = is_single ? sampling.output_freq : step;
  sampling.freq_offset = sampling.freq_op + step * -1.0;
  if (freq_offset_of(field) == nullptr) attributes.freq_offset.reset();
  sampling.is_weighted = !is_received && is_weighted(field, attributes, sampling.operation);
  if (!expand(attributes.freq_offset)) return sampling;
  if (!is_on_steps(*attributes.freq_offset, "freq_offset", field)) return std::nullopt;
  if (!is_single && !begins_with_a_step(field, *attributes.freq_offset, step)) return sampling;
  if (clock_.is_known) check_freq_offset(field, *attributes.freq_offset, sampling.freq_op);
  sampling.freq_offset = *attributes.freq_offset;
  return sampling;
}

/// Returns true if data of every step may be taken from there on: from the first step, or from the
/// state at the start.
bool PeriodBuilder::begins_with_a_step(int field, const Duration& freq_offset,
                                       const Duration& step) {
  const Calendar& calendar = clock_.calendar;
  if (freq_offset.is_zero() || calendar.are_equal(freq_offset, step * -1.0)) return true;
  const Node& element = store_.at(field);
  findings_.warning(
      Code::without_effect, origin_of(inheritance_.of(field), "freq_offset", element),
      fmt::format("freq_offset '{}' of {} has no effect", freq_offset.text(), element.title()),
      "an operation over several steps takes data of each of them for a partner",
      "Use \"-1ts\" to begin with the state at the start, or remove it?");
  return false;
}

std::optional<Duration> PeriodBuilder::period_of_results(int owner) {
  std::optional<Duration> period = filled<FieldAttributes>(inheritance_.of(owner)).freq_op;
  if (!period) {
    if (inheritance_.of(owner).is_broken("freq_op")) return std::nullopt;
    return without_timesteps({0, 0, 0, 0, 0, 0, 1});
  }
  const bool is_good = settle(period, "freq_op", owner) && is_on_steps(*period, "freq_op", owner);
  return is_good ? period : std::nullopt;
}

void PeriodBuilder::report_missing_operations() {
  for (const int operand : operands_without_operation_) {
    const Use& use = uses_without_operation_.at(operand);
    const std::string others =
        use.count > 1 ? fmt::format(" and {} more", use.count - 1) : std::string();
    findings_.error(Code::no_operation, store_.at(operand).origin,
                    fmt::format("{} has no operation", inheritance_.title(operand)),
                    fmt::format("'@' asks for it at {}{}", use.first.text(), others),
                    "Add operation=\"average\"?");
  }
}

bool PeriodBuilder::is_weighted(int field, const FieldAttributes& attributes, Operation operation) {
  if (attributes.weight.value_or("samples") != "time") return false;
  if (operation == Operation::average) return true;
  // A group may give it to fields of all operations.
  const Node& element = store_.at(field);
  if (element.find("weight") != nullptr && element.find("operation") != nullptr) {
    findings_.warning(Code::without_effect, origin_of(inheritance_.of(field), "weight", element),
                      fmt::format("weight of {} has no effect", inheritance_.title(field)),
                      "only averages are weighted", "Remove it, or use operation=\"average\".");
  }
  return false;
}

Duration PeriodBuilder::without_timesteps(const Duration& duration) const {
  if (!clock_.is_known || duration.timestep == 0) return duration;
  Duration rest = duration;
  rest.timestep = 0;
  return rest + clock_.calendar.timestep() * duration.timestep;
}

bool PeriodBuilder::expand(std::optional<Duration>& duration) const {
  if (!duration) return false;
  duration = without_timesteps(*duration);
  return true;
}

bool PeriodBuilder::settle(std::optional<Duration>& duration, const char* attribute, int node) {
  if (!duration) return false;
  const Node& element = store_.at(node);
  const Origin origin = origin_of(inheritance_.of(node), attribute, element);
  const std::string problem =
      fmt::format("{} '{}' of {}", attribute, duration->text(), element.title());
  expand(duration);
  if (!clock_.is_known) return true;
  try {
    const Instant end = clock_.calendar.add(clock_.start, *duration);
    const Instant step = clock_.calendar.add(clock_.start, clock_.calendar.timestep());
    if (end >= step) return true;
    if (end <= clock_.start) {
      findings_.error(Code::bad_period, origin, problem,
                      "a period must be positive, and a fraction of a month has no length");
    } else {
      findings_.error(
          Code::bad_period, origin, problem,
          fmt::format("it is shorter than the time step '{}'", clock_.calendar.timestep().text()),
          "Use a multiple of the time step.");
    }
  } catch (const TimeError& error) {
    findings_.error(Code::bad_period, origin, problem, error.why(), error.suggestion());
  }
  return false;
}

bool PeriodBuilder::is_shorter_than_step(const Duration& duration) const {
  if (!clock_.is_known) return false;
  try {
    const Instant end = clock_.calendar.add(clock_.start, without_timesteps(duration));
    const Instant step = clock_.calendar.add(clock_.start, clock_.calendar.timestep());
    return end > clock_.start && end < step;
  } catch (const TimeError&) {
    return false;  // reported where the period is used
  }
}

bool PeriodBuilder::is_on_steps(const Duration& duration, const char* attribute, int node) {
  if (!clock_.is_known) return true;
  const Node& element = store_.at(node);
  const Duration step = clock_.calendar.timestep();
  std::string why = fmt::format("it is not a multiple of the time step '{}'", step.text());
  try {
    if (is_multiple(clock_.calendar, clock_.start, duration, step)) return true;
  } catch (const TimeError& error) {
    why = error.why();
  }
  findings_.error(Code::bad_period, origin_of(inheritance_.of(node), attribute, element),
                  fmt::format("{} '{}' of {}", attribute, duration.text(), element.title()),
                  std::move(why), "Use a multiple of the time step.");
  return false;
}

void PeriodBuilder::check_freq_op(int field, const Duration& freq_op, const Duration& output_freq) {
  const Node& element = store_.at(field);
  if (is_multiple(clock_.calendar, clock_.start, output_freq, freq_op)) return;
  findings_.warning(Code::bad_freq_op, origin_of(inheritance_.of(field), "freq_op", element),
                    fmt::format("freq_op '{}' of {}", freq_op.text(), element.title()),
                    fmt::format("it does not divide output_freq '{}' of the file: records are made "
                                "of the samples of their period, of unequal number or none",
                                output_freq.text()),
                    "Use a freq_op that divides output_freq?");
}

/// Samples may be taken outside of the period of their record, as XIOS takes them.
void PeriodBuilder::check_freq_offset(int field, const Duration& freq_offset,
                                      const Duration& freq_op) {
  const Node& element = store_.at(field);
  const Origin origin = origin_of(inheritance_.of(field), "freq_offset", element);
  const std::string problem =
      fmt::format("freq_offset '{}' of {}", freq_offset.text(), element.title());
  const Calendar& calendar = clock_.calendar;
  try {
    const Instant end = calendar.add(clock_.start, freq_op);
    const auto sample = [&](std::int64_t k) {
      return calendar.add(clock_.start,
                          freq_offset + calendar.timestep() + freq_op * static_cast<double>(k));
    };
    if (end <= clock_.start) return;  // reported
    if (sample(0) < clock_.start) {
      const std::int64_t lost =
          first_not_over(0, [&](std::int64_t k) { return sample(k) < clock_.start; });
      findings_.warning(Code::bad_freq_offset, origin, problem,
                        fmt::format("the first {} due at {}, before the run starts: a record of "
                                    "nothing else has no values",
                                    lost == 1 ? "sample is" : fmt::format("{} samples are", lost),
                                    calendar.text(sample(0))),
                        "Use \"-1ts\" for the state at the start?");
    } else if (calendar.add(clock_.start, freq_offset) >= end) {
      findings_.tolerate(Code::bad_freq_offset, origin, problem,
                         fmt::format("samples are taken after the period that their record stands "
                                     "for, freq_op '{}'",
                                     freq_op.text()),
                         "Use less than freq_op?");
    }
  } catch (const TimeError& error) {
    findings_.error(Code::bad_freq_offset, origin, problem, error.why(),
                    "Use \"-1ts\" or more, and less than freq_op.");
  }
}

}  // namespace epios::config
