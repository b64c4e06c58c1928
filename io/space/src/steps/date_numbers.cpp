#include "steps/date_numbers.hpp"

#include <algorithm>
#include <vector>

#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::io {

namespace {

using Kind = config::DataNode::Kind;

/// The source that determines when a node has values. Among several it is the one with the fewest
/// dates, because operands meet at dates that all of them have.
struct Origin {
  std::optional<config::Schedule> results;
  std::optional<config::Reading> reading;
};

Origin origin_of(const config::Model& model, const config::DataGraph& graph,
                 config::DataNodeId node) {
  Origin out;
  const config::FedSchedules schedules(model, graph);
  config::Instant least{};
  std::vector<config::DataNodeId> open{node};
  while (!open.empty()) {
    const config::DataNodeId number = open.back();
    const config::DataNode& next = graph.nodes[number];
    open.pop_back();
    if (next.kind == Kind::temporal) {
      const config::Instant due = schedules.of(number).due_date(0);
      if (out.results && due < least) continue;
      least = due;
      out.results = schedules.of(number);
    } else if (next.kind == Kind::source) {
      const config::ReadFieldId read = model.sources[next.source].read_field;
      if (read >= 0) out.reading = model.read_fields[read].reading;
    } else {
      open.insert(open.end(), next.arguments.begin(), next.arguments.end());
    }
  }
  return out;
}

config::Schedule each_step(const config::Model& model) {
  const config::Duration step{0, 0, 0, 0, 0, 0, 1};
  const config::Sampling sampling{config::Operation::instant, step, {}, step};
  return {model.calendar(), model.start_date, sampling};
}

}  // namespace

DateNumbers::DateNumbers(const config::Model& model, const config::DataGraph& graph,
                         config::DataNodeId node)
    : schedule_(each_step(model)), steps_before_(model.steps_before) {
  const Origin origin = origin_of(model, graph, node);
  if (origin.results) {
    schedule_ = *origin.results;
    return;
  }
  is_sent_ = !origin.reading;
  if (origin.reading) read_.emplace(model.calendar(), model.start_date, *origin.reading);
}

std::int64_t DateNumbers::due(config::Instant date) const {
  while (schedule_.due_date(last_due_) < date) ++last_due_;
  while (last_due_ > 0 && !(schedule_.due_date(last_due_ - 1) < date)) --last_due_;
  return last_due_;
}

std::int64_t DateNumbers::at(config::Instant date) const {
  if (read_) return std::max<std::int64_t>(read_->latest(date), 0);
  const std::int64_t step = due(date);
  if (!is_sent_) return step;
  if (first_ < 0) return steps_before_ / std::max<std::int64_t>(step + 1 - steps_before_, 1);
  if (step <= last_) return first_number_ + (last_ - first_) / std::max<std::int64_t>(period_, 1);
  const std::int64_t period =
      period_ > 0 ? std::min(period_, step - last_) : std::max<std::int64_t>(step - last_, 1);
  return first_number_ + (step - first_ + period / 2) / period;
}

void DateNumbers::pass(config::Instant date) {
  if (!is_sent_) return;
  const std::int64_t step = due(date);
  if (first_ < 0) {
    first_number_ = at(date);
    first_ = step;
  } else if (step > last_) {
    period_ = period_ > 0 ? std::min(period_, step - last_) : step - last_;
  }
  last_ = step;
}

}  // namespace epios::io
