#include "workflow/workflow.hpp"

#include <utility>

#include "config/fp_guard.hpp"
#include "workflow_state.hpp"

namespace epios::io {

Workflow::Workflow(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink,
                   const MakeSink& make_result_sink, const MakeSpatial& make_spatial,
                   const MakeSink& make_coupled_sink)
    : impl_(std::make_unique<Impl>(model, parts, make_sink, make_result_sink, make_spatial,
                                   make_coupled_sink)) {}

Workflow::Workflow(Workflow&&) noexcept = default;
Workflow& Workflow::operator=(Workflow&&) noexcept = default;
Workflow::~Workflow() = default;

const ArrayLayout& Workflow::layout(int grid) const { return impl_->layout(grid); }

void Workflow::send(int source, config::Instant now, std::span<const double> array,
                    Array lifetime) {
  const config::FpGuard guard;
  impl_->send(source, now, array, lifetime);
}

void Workflow::send(int source, config::Instant now, std::span<const float> array, Array lifetime) {
  const config::FpGuard guard;
  impl_->send(source, now, array, lifetime);
}

void Workflow::let_go(int source, config::Instant now) {
  const config::FpGuard guard;
  impl_->let_go(source, now);
}

void Workflow::deliver() {
  const config::FpGuard guard;
  impl_->deliver();
}

void Workflow::expect(int source, config::Instant now) { impl_->expect(source, now); }

void Workflow::provide(int source, config::Instant now, std::span<const double> array) {
  send(source, now, array, Array::stays);
}

bool Workflow::may_want(int source, config::Instant date) const {
  return impl_->may_want(source, date);
}

void Workflow::send_idle(int source, config::Instant now, std::size_t size) {
  impl_->send_idle(source, now, size);
}

void Workflow::pass(int stream, config::Instant now) {
  const config::FpGuard guard;
  impl_->pass(stream, now);
}

void Workflow::pass_sent(int sent, config::Instant now) {
  const config::FpGuard guard;
  impl_->pass_sent(sent, now);
}

OpenRecords Workflow::open_records(int stream) const { return impl_->open_records(stream); }

void Workflow::finish(config::Instant end) {
  const config::FpGuard guard;
  impl_->finish(end);
}

config::OperationState Workflow::state(int operation) const { return impl_->state(operation); }

Workflow::KeptArrays Workflow::kept_arrays(int operation) {
  Accumulator& accumulator = impl_->accumulator(operation);
  return {accumulator.kept_values(), accumulator.kept_counts()};
}

void Workflow::take_up(int operation, const config::OperationState& state) {
  impl_->take_up(operation, state);
}

void Workflow::resume() { impl_->resume(); }

const StreamAccount& Workflow::account(int stream) const { return impl_->account(stream); }

std::int64_t Workflow::repeated_sends(int source) const { return impl_->repeated_sends(source); }

std::optional<Workflow::SoleRecord> Workflow::sole_record(int source, config::Instant now) const {
  return impl_->sole_record(source, now);
}

bool Workflow::is_active(int source, config::Instant now) const {
  return impl_->is_active(source, now);
}

}  // namespace epios::io
