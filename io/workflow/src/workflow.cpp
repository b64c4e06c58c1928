#include "workflow/workflow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "accumulator.hpp"
#include "config/error.hpp"

namespace epios::io {

namespace {

/// A temporal operation and the streams that share it.
struct Filter {
  config::Sampling sampling;
  config::Schedule schedule;
  Accumulator accumulator;
  config::Schedule::Counters counters;
  // Of the send under way:
  config::Schedule::Decision decision;
  std::span<const double> result;
};

struct Output {
  int stream = 0;
  std::size_t filter = 0;  ///< index into SourceState::filters
  std::unique_ptr<Sink> sink;
};

struct SourceState {
  const LocalLayout* layout = nullptr;
  std::optional<double> marker;
  std::vector<Filter> filters;
  std::vector<Output> outputs;  ///< in stream order
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
  std::vector<LocalLayout> layouts;  ///< per grid
  std::vector<SourceState> sources;
  std::unique_ptr<double[]> scratch;
  std::size_t scratch_size = 0;

  /// Decides what `now` means to every filter of `source`, and sends the records that wait for data
  /// of their last date in vain. One without samples is not sent: the file has missing values
  /// there.
  static void finish_late_records(SourceState& source, config::Instant now);
  template <class T>
  void send(int index, config::Instant now, std::span<const T> array);
};

Workflow::Workflow(const config::Model& model, const MakeSink& make_sink)
    : impl_(std::make_unique<Impl>()) {
  for (std::size_t grid = 0; grid < model.grids.size(); ++grid) {
    impl_->layouts.emplace_back(model, static_cast<int>(grid));
  }
  for (const config::Source& source : model.sources) {
    SourceState& state = impl_->sources.emplace_back();
    state.layout = &impl_->layouts[static_cast<std::size_t>(source.grid)];
    if (source.detect_missing_value) state.marker = source.default_value;
    const std::int64_t volume = state.layout->box().volume();
    impl_->scratch_size = std::max(impl_->scratch_size, static_cast<std::size_t>(volume));
  }
  // Memory that no send uses is never touched, so it costs nothing.
  impl_->scratch = std::make_unique_for_overwrite<double[]>(impl_->scratch_size);
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
                               {},
                               {},
                               {}});
      filter = state.filters.end() - 1;
    }
    state.outputs.push_back({static_cast<int>(s),
                             static_cast<std::size_t>(filter - state.filters.begin()),
                             make_sink(static_cast<int>(s))});
  }
}

Workflow::Workflow(Workflow&&) noexcept = default;
Workflow& Workflow::operator=(Workflow&&) noexcept = default;
Workflow::~Workflow() = default;

std::int64_t Workflow::array_size(int source) const {
  return impl_->sources[static_cast<std::size_t>(source)].layout->array_size();
}

const LocalLayout& Workflow::layout(int grid) const {
  return impl_->layouts[static_cast<std::size_t>(grid)];
}

void Workflow::Impl::finish_late_records(SourceState& source, config::Instant now) {
  for (Filter& filter : source.filters) {
    filter.decision = filter.schedule.decide(now, filter.counters);
    filter.counters = filter.decision.counters;
    if (!filter.accumulator.has_samples()) filter.decision.late_record = -1;
    if (filter.decision.late_record >= 0) filter.result = filter.accumulator.finish();
  }
  for (Output& output : source.outputs) {
    const Filter& filter = source.filters[output.filter];
    const std::int64_t record = filter.decision.late_record;
    if (record >= 0) output.sink->put(record, filter.result);
  }
}

template <class T>
void Workflow::Impl::send(int index, config::Instant now, std::span<const T> array) {
  SourceState& source = sources[static_cast<std::size_t>(index)];
  const LocalLayout& layout = *source.layout;
  if (static_cast<std::int64_t>(array.size()) != layout.array_size()) {
    throw Error(
        ErrorCode::argument,
        fmt::format("array has {} values (expected {}, for the part {} of the grid). Do its "
                    "extents agree with the local sizes, halos included?",
                    array.size(), layout.array_size(), layout.box().text()));
  }
  finish_late_records(source, now);
  std::optional<std::span<const double>> points;
  for (Filter& filter : source.filters) {
    const bool is_sampled = filter.decision.sample;
    const bool is_due = filter.decision.record >= 0;
    if (is_sampled && is_due && filter.sampling.operation == config::Operation::instant) {
      if (!points) points = points_of(layout, array, source.marker, {scratch.get(), scratch_size});
      filter.result = *points;
      filter.accumulator.forget();
    } else {
      if (is_sampled) filter.accumulator.add(array);
      if (is_due) filter.result = filter.accumulator.finish();
    }
  }
  for (Output& output : source.outputs) {
    const Filter& filter = source.filters[output.filter];
    if (filter.decision.record >= 0) output.sink->put(filter.decision.record, filter.result);
  }
}

void Workflow::send(int source, config::Instant now, std::span<const double> array) {
  impl_->send(source, now, array);
}

void Workflow::send(int source, config::Instant now, std::span<const float> array) {
  impl_->send(source, now, array);
}

bool Workflow::is_active(int source, config::Instant now) const {
  const SourceState& state = impl_->sources[static_cast<std::size_t>(source)];
  return std::any_of(state.filters.begin(), state.filters.end(), [&](const Filter& filter) {
    const auto decision = filter.schedule.decide(now, filter.counters);
    return decision.sample || decision.record >= 0 ||
           (decision.late_record >= 0 && filter.accumulator.has_samples());
  });
}

}  // namespace epios::io
