#include "workflow/workflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "accumulator.hpp"
#include "config/error.hpp"
#include "sample_ledger.hpp"

namespace epios::io {

namespace {

/// A temporal operation and the streams that share it.
struct Filter {
  config::Sampling sampling;
  config::Schedule schedule;
  Accumulator accumulator;
  SampleLedger ledger;
  config::Schedule::Counters counters;
  // Of the send under way:
  config::Schedule::Decision decision;
  std::int64_t samples = 0;  ///< of the result
  ArrayValues result;

  void decide(const config::Schedule::Decision& next) {
    ledger.pass(schedule, counters, next);
    decision = next;
    counters = next.counters;
  }
  void finish(std::int64_t record, bool is_late) {
    samples = accumulator.samples();
    result = {accumulator.finish(), std::nullopt};
    ledger.leave(schedule, record, samples, is_late);
  }
};

struct Output {
  int stream = 0;
  std::size_t filter = 0;  ///< index into SourceState::filters
  std::unique_ptr<Sink> sink;
};

struct SourceState {
  const ArrayLayout* layout = nullptr;
  std::optional<double> marker;
  std::vector<Filter> filters;
  std::vector<Output> outputs;               ///< in stream order
  std::optional<config::Instant> last_used;  ///< date of the last send that had an effect
  std::int64_t repeated_sends = 0;
};

void check_data(const config::Stream& stream) {
  if (stream.expression < 0) return;
  throw Error(ErrorCode::configuration,
              fmt::format("field '{}' is the result of an expression (no run can work it out yet). "
                          "Write a field that the model sends?",
                          stream.id));
}

void check_grid(const config::Model& model, const config::Stream& stream,
                const config::Source& source) {
  if (stream.grid == source.grid) return;
  const auto& grid = model.grids[static_cast<std::size_t>(stream.grid)];
  const auto& source_grid = model.grids[static_cast<std::size_t>(source.grid)];
  if (grid.elements == source_grid.elements) return;
  throw Error(ErrorCode::configuration,
              fmt::format("field '{}' is on grid '{}', its source '{}' on grid '{}' (there are no "
                          "spatial transformations yet). Write it on the grid of its source?",
                          stream.id, grid.id, source.id, source_grid.id));
}

}  // namespace

struct Workflow::Impl {
  std::vector<ArrayLayout> layouts;  ///< per grid
  std::vector<SourceState> sources;
  std::vector<std::pair<std::size_t, std::size_t>> filters;  ///< per stream: source and filter

  /// Sends the records that wait for data of their last date in vain. One without samples is not
  /// sent: the file has missing values there.
  static void finish_late_records(SourceState& source);
  template <class T>
  void send(int index, config::Instant now, std::span<const T> array);
  static void check_size(const SourceState& source, std::size_t size);
};

Workflow::Workflow(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink)
    : impl_(std::make_unique<Impl>()) {
  for (std::size_t grid = 0; grid < model.grids.size(); ++grid) {
    impl_->layouts.emplace_back(model, parts, static_cast<int>(grid));
  }
  for (const config::Source& source : model.sources) {
    SourceState& state = impl_->sources.emplace_back();
    state.layout = &impl_->layouts[static_cast<std::size_t>(source.grid)];
    if (source.detect_missing_value) state.marker = source.default_value;
  }
  for (std::size_t s = 0; s < model.streams.size(); ++s) {
    const config::Stream& stream = model.streams[s];
    check_data(stream);
    const auto source = static_cast<std::size_t>(stream.source);
    check_grid(model, stream, model.sources[source]);
    SourceState& state = impl_->sources[source];
    auto filter = std::find_if(state.filters.begin(), state.filters.end(),
                               [&](const Filter& f) { return f.sampling == stream.sampling; });
    if (filter == state.filters.end()) {
      state.filters.push_back({stream.sampling,
                               model.schedule(stream),
                               Accumulator(*state.layout, stream.sampling.operation, state.marker),
                               SampleLedger(stream.sampling.operation),
                               {},
                               {},
                               0,
                               {}});
      filter = state.filters.end() - 1;
    }
    const auto number = static_cast<std::size_t>(filter - state.filters.begin());
    impl_->filters.emplace_back(source, number);
    state.outputs.push_back({static_cast<int>(s), number, make_sink(static_cast<int>(s))});
  }
}

Workflow::Workflow(Workflow&&) noexcept = default;
Workflow& Workflow::operator=(Workflow&&) noexcept = default;
Workflow::~Workflow() = default;

std::int64_t Workflow::array_size(int source) const {
  return impl_->sources[static_cast<std::size_t>(source)].layout->size();
}

const ArrayLayout& Workflow::layout(int grid) const {
  return impl_->layouts[static_cast<std::size_t>(grid)];
}

void Workflow::Impl::finish_late_records(SourceState& source) {
  for (Filter& filter : source.filters) {
    if (filter.accumulator.samples() == 0) filter.decision.late_record = -1;
    if (filter.decision.late_record >= 0) filter.finish(filter.decision.late_record, true);
  }
  for (Output& output : source.outputs) {
    const Filter& filter = source.filters[output.filter];
    const std::int64_t record = filter.decision.late_record;
    if (record >= 0) output.sink->put(record, filter.samples, filter.result);
  }
}

void Workflow::Impl::check_size(const SourceState& source, std::size_t size) {
  const ArrayLayout& layout = *source.layout;
  if (static_cast<std::int64_t>(size) == layout.size()) return;
  throw Error(
      ErrorCode::argument,
      fmt::format("array has {} values (expected {}, that is {}). Do its extents agree with the "
                  "local sizes, halos included?",
                  size, layout.size(), layout.text()));
}

template <class T>
void Workflow::Impl::send(int index, config::Instant now, std::span<const T> array) {
  SourceState& source = sources[static_cast<std::size_t>(index)];
  check_size(source, array.size());
  if (source.last_used == now) ++source.repeated_sends;
  for (Filter& filter : source.filters) {
    filter.decide(filter.schedule.decide(now, filter.counters));
    if (filter.decision.sample) source.last_used = now;
  }
  finish_late_records(source);
  for (Filter& filter : source.filters) {
    const bool is_sampled = filter.decision.sample;
    const bool is_due = filter.decision.record >= 0;
    if (is_sampled && is_due && filter.sampling.operation == config::Operation::instant) {
      filter.result = {array, source.marker};
      filter.samples = filter.accumulator.samples() + 1;
      filter.ledger.leave(filter.schedule, filter.decision.record, filter.samples, false);
      filter.accumulator.forget();
    } else {
      if (is_sampled) filter.accumulator.add(array);
      if (is_due) filter.finish(filter.decision.record, false);
    }
  }
  for (Output& output : source.outputs) {
    const Filter& filter = source.filters[output.filter];
    const std::int64_t record = filter.decision.record;
    if (record >= 0) output.sink->put(record, filter.samples, filter.result);
  }
}

void Workflow::send(int source, config::Instant now, std::span<const double> array) {
  impl_->send(source, now, array);
}

void Workflow::send(int source, config::Instant now, std::span<const float> array) {
  impl_->send(source, now, array);
}

void Workflow::send_idle(int source, config::Instant now, std::size_t size) {
  SourceState& state = impl_->sources[static_cast<std::size_t>(source)];
  Impl::check_size(state, size);
  if (state.last_used == now) ++state.repeated_sends;
}

void Workflow::pass(int stream, config::Instant now) {
  SourceState& source = impl_->sources[impl_->filters[static_cast<std::size_t>(stream)].first];
  for (Filter& filter : source.filters) {
    filter.decide(filter.schedule.decide_passed(now, filter.counters));
  }
  Impl::finish_late_records(source);
}

void Workflow::finish(config::Instant end) {
  for (SourceState& source : impl_->sources) {
    for (Filter& filter : source.filters) {
      filter.decide(filter.schedule.decide_end(end, filter.counters));
    }
    Impl::finish_late_records(source);
    for (Filter& filter : source.filters) {
      filter.ledger.end(filter.counters, filter.accumulator.samples());
    }
  }
}

const StreamAccount& Workflow::account(int stream) const {
  const auto& [source, filter] = impl_->filters[static_cast<std::size_t>(stream)];
  return impl_->sources[source].filters[filter].ledger.account();
}

std::int64_t Workflow::repeated_sends(int source) const {
  return impl_->sources[static_cast<std::size_t>(source)].repeated_sends;
}

std::optional<Workflow::SoleRecord> Workflow::sole_record(int source, config::Instant now) const {
  const SourceState& state = impl_->sources[static_cast<std::size_t>(source)];
  if (state.marker) return std::nullopt;  // missing values are marked on the way
  std::optional<SoleRecord> out;
  for (std::size_t f = 0; f < state.filters.size(); ++f) {
    const Filter& filter = state.filters[f];
    const auto decision = filter.schedule.decide(now, filter.counters);
    if (decision.late_record >= 0 && filter.accumulator.samples() > 0) return std::nullopt;
    if (!decision.sample && decision.record < 0) continue;
    const bool is_array = decision.sample && decision.record >= 0 &&
                          filter.sampling.operation == config::Operation::instant;
    if (!is_array) return std::nullopt;
    for (const Output& output : state.outputs) {
      if (output.filter != f) continue;
      if (out) return std::nullopt;
      out = SoleRecord{output.stream, decision.record};
    }
  }
  return out;
}

bool Workflow::is_active(int source, config::Instant now) const {
  const SourceState& state = impl_->sources[static_cast<std::size_t>(source)];
  return std::any_of(state.filters.begin(), state.filters.end(), [&](const Filter& filter) {
    const auto decision = filter.schedule.decide(now, filter.counters);
    return decision.sample || decision.record >= 0 ||
           (decision.late_record >= 0 && filter.accumulator.samples() > 0);
  });
}

}  // namespace epios::io
