#include "workflow/workflow.hpp"

#include <utility>

#include "fp_guard.hpp"
#include "workflow_state.hpp"

namespace epios::io {

Workflow::Workflow(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink)
    : impl_(std::make_unique<Impl>(model, parts, make_sink)) {}

Workflow::Workflow(Workflow&&) noexcept = default;
Workflow& Workflow::operator=(Workflow&&) noexcept = default;
Workflow::~Workflow() = default;

std::int64_t Workflow::array_size(int source) const {
  return impl_->layout_of_source(source).size();
}

const ArrayLayout& Workflow::layout(int grid) const { return impl_->layout(grid); }

void Workflow::send(int source, config::Instant now, std::span<const double> array) {
  const FpGuard guard;
  impl_->send(source, now, array);
}

void Workflow::send(int source, config::Instant now, std::span<const float> array) {
  const FpGuard guard;
  impl_->send(source, now, array);
}

void Workflow::send_idle(int source, config::Instant now, std::size_t size) {
  impl_->send_idle(source, now, size);
}

void Workflow::pass(int stream, config::Instant now) {
  SourceState& source = impl_->sources[impl_->filters[static_cast<std::size_t>(stream)].first];
  for (Filter& filter : source.filters) {
    filter.decide(filter.schedule.decide_passed(now, filter.counters));
  }
  Impl::finish_late_records(source);
}

void Workflow::finish(config::Instant end) {
  const FpGuard guard;
  impl_->finish(end);
}

const StreamAccount& Workflow::account(int stream) const { return impl_->account(stream); }

std::int64_t Workflow::repeated_sends(int source) const { return impl_->repeated_sends(source); }

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
  return impl_->is_active(source, now);
}

}  // namespace epios::io
