#include "period_builder.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "multiples.hpp"
#include "time_error.hpp"

namespace epios::config {

namespace {

Operation operation_of(std::string_view word) {
  if (word == "average") return Operation::average;
  if (word == "accumulate") return Operation::accumulate;
  if (word == "minimum") return Operation::minimum;
  if (word == "maximum") return Operation::maximum;
  if (word == "once") return Operation::once;
  return Operation::instant;
}

}  // namespace

PeriodBuilder::PeriodBuilder(const ContextStore& store, Inheritance& inheritance,
                             Findings& findings, const Clock& clock)
    : store_(store), inheritance_(inheritance), findings_(findings), clock_(clock) {}

Sampling PeriodBuilder::sampling_of(int field, FieldAttributes& attributes,
                                    const FileAttributes& file) {
  const Node& element = store_.at(field);
  Sampling sampling;
  if (inheritance_.of(field).is_broken("operation")) return sampling;
  if (!attributes.operation) {
    findings_.error(element.origin,
                    fmt::format("field '{}' has no operation", inheritance_.public_id(field)),
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
  sampling.operation = operation_of(*attributes.operation);
  sampling.output_freq = file.output_freq.value_or(Duration{});
  const bool is_instant = sampling.operation == Operation::instant;
  sampling.freq_op = attributes.freq_op.value_or(is_instant ? sampling.output_freq : step);
  sampling.freq_offset = attributes.freq_offset.value_or(sampling.freq_op + step * -1.0);
  if (!clock_.is_known) return sampling;
  if (is_freq_op_good && file.output_freq) {
    check_freq_op(field, sampling.freq_op, sampling.output_freq);
  }
  if (is_offset_good && (is_freq_op_good || (!attributes.freq_op && file.output_freq))) {
    check_freq_offset(field, sampling.freq_offset, sampling.freq_op);
  }
  return sampling;
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
      findings_.error(origin, problem,
                      "a period must be positive, and a fraction of a month has no length");
    } else {
      findings_.error(
          origin, problem,
          fmt::format("it is shorter than the time step '{}'", clock_.calendar.timestep().text()),
          "Use a multiple of the time step.");
    }
  } catch (const TimeError& error) {
    findings_.error(origin, problem, error.why());
  }
  return false;
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
  findings_.error(origin_of(inheritance_.of(node), attribute, element),
                  fmt::format("{} '{}' of {}", attribute, duration.text(), element.title()),
                  std::move(why), "Use a multiple of the time step.");
  return false;
}

void PeriodBuilder::check_freq_op(int field, const Duration& freq_op, const Duration& output_freq) {
  const Node& element = store_.at(field);
  if (is_multiple(clock_.calendar, clock_.start, output_freq, freq_op)) return;
  findings_.error(origin_of(inheritance_.of(field), "freq_op", element),
                  fmt::format("freq_op '{}' of {}", freq_op.text(), element.title()),
                  fmt::format("it does not divide output_freq '{}' of the file, so that records "
                              "would hold samples of unequal number or none",
                              output_freq.text()),
                  "Use a freq_op that divides output_freq.");
}

void PeriodBuilder::check_freq_offset(int field, const Duration& freq_offset,
                                      const Duration& freq_op) {
  const Node& element = store_.at(field);
  std::string why =
      fmt::format("samples would be taken outside of their period, freq_op '{}'", freq_op.text());
  try {
    const auto date = [this](const Duration& d) { return clock_.calendar.add(clock_.start, d); };
    if (date(freq_offset) >= clock_.start && date(freq_offset) < date(freq_op)) return;
  } catch (const TimeError& error) {
    why = error.why();
  }
  findings_.error(origin_of(inheritance_.of(field), "freq_offset", element),
                  fmt::format("freq_offset '{}' of {}", freq_offset.text(), element.title()),
                  std::move(why), "Use 0s or more, and less than freq_op.");
}

}  // namespace epios::config
