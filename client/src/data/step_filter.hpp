#pragma once

#include <memory>
#include <span>
#include <utility>

#include "space/steps.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// What moves points between clients, as a filter of the workflow.
class StepFilter final : public io::SpatialFilter {
 public:
  explicit StepFilter(std::unique_ptr<io::StepRun> run) : run_(std::move(run)) {}
  void take(std::span<const std::span<const double>> values, config::Instant date) override {
    run_->take(values, date.ms);
  }
  std::span<const double> deliver() override { return run_->deliver(); }
  bool would_deliver(config::Instant date) const override { return run_->would_deliver(date.ms); }
  bool takes_all() const override { return run_->takes_all(); }

 private:
  std::unique_ptr<io::StepRun> run_;
};

}  // namespace epios::client
