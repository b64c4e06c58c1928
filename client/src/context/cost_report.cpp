// What a context has cost: each client has figures of its streams, which the first client sums up
// for the report of the run. No collective call is used, as some client may have given up; what
// lacks is said.
#include "context/cost_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <span>
#include <utility>
#include <vector>

#include "config/index.hpp"
#include "config/model.hpp"
#include "data/infinite_data.hpp"
#include "data/stream_sums.hpp"
#include "session/log.hpp"

namespace epios::client {
namespace {

/// For clients that have seen the end of the context already.
constexpr double most_s = 5;

std::vector<StreamFigures> figures_of(const std::vector<ServerLink::StreamCost>& costs) {
  std::vector<StreamFigures> out;
  out.reserve(costs.size());
  for (const auto& cost : costs) {
    out.push_back({static_cast<double>(cost.bytes), static_cast<double>(cost.waits), cost.blocked_s,
                   cost.blocked_s, cost.packing_s});
  }
  return out;
}

/// What all clients together have had.
config::FieldCost summed_cost(const StreamFigures& sums, std::int64_t records) {
  config::FieldCost out;
  out.records_sent = records;
  out.bytes_sent = static_cast<std::int64_t>(sums.bytes);
  out.waits = static_cast<std::int64_t>(sums.waits);
  out.blocked_s = {sums.blocked_s, sums.most_blocked_s};
  out.packing_s = sums.packing_s;
  return out;
}

/// What this client alone has had.
config::FieldCost own_cost(const ServerLink::StreamCost& of) {
  config::FieldCost out;
  out.records_sent = of.records;
  out.bytes_sent = of.bytes;
  out.waits = of.waits;
  out.blocked_s = {of.blocked_s, of.blocked_s};
  out.packing_s = of.packing_s;
  return out;
}

std::vector<config::ServerCost> server_costs(const std::vector<io::ServerLoad>& loads) {
  std::vector<config::ServerCost> out;
  for (const io::ServerLoad& load : loads) {
    out.push_back({load.server, load.open_s, load.busy_s, load.writing_s});
  }
  return out;
}

}  // namespace

config::ContextCost CostReport::context_cost(const Costs& costs) const {
  config::ContextCost out;
  out.id = group_.id();
  out.times_opened = 1;
  out.clients = group_.clients().size();
  out.stopped = stopped_;
  out.slowest_step = slowest_step();
  for (std::size_t f = 0; f < model_.files.size(); ++f) {
    out.files.push_back(account_.file_cost(static_cast<int>(f), costs));
  }
  return out;
}

/// In order of their beginnings.
config::SlowestStep CostReport::slowest_step() const {
  const SlowestStep::Step& slowest = run_.link().slowest_step();
  config::SlowestStep out;
  if (slowest.spans.empty()) return out;
  std::vector<SlowestStep::Span> spans = slowest.spans;
  std::stable_sort(spans.begin(), spans.end(),
                   [](const auto& a, const auto& b) { return a.begin < b.begin; });
  out.step = slowest.step;
  const RunClock& clock = run_.clock();
  const std::int64_t steps_before = clock.model_step() - clock.step();  // in earlier runs
  out.date = clock.calendar().text(clock.date_of(steps_before + slowest.step));
  out.more = slowest.more;
  for (const SlowestStep::Span& span : spans) {
    out.spans.push_back({span.stream < 0 ? "" : nth(model_.streams, span.stream).name, span.is_wait,
                         std::chrono::duration<double>(span.begin - spans.front().begin).count(),
                         span.seconds});
  }
  return out;
}

/// `sums`: of columns of BlockedHistory, over so many clients.
config::BlockedOverTime CostReport::blocked_over_time(std::span<const StreamFigures> sums,
                                                      int clients) const {
  const BlockedHistory& own = run_.link().blocked();
  config::BlockedOverTime out;
  out.steps_per_column = own.steps_per_column();
  for (std::size_t c = 0; c < std::min(sums.size(), own.columns_in_use()); ++c) {
    const double seconds = own.values()[c].seconds;
    const double of_all = seconds * std::max(1, clients);
    out.seconds.push_back(seconds);
    out.shares.push_back(of_all > 0 ? std::clamp(sums[c].blocked_s / of_all, 0.0, 1.0) : 0);
  }
  return out;
}

void CostReport::add_unfinished() const {
  SessionState& session = group_.client().session();
  session.add_to_report(run_.cost());
  if (!group_.leads()) return;
  const auto& costs = run_.link().costs();
  config::ContextCost cost =
      context_cost([&](std::size_t stream) { return own_cost(costs[stream]); });
  for (std::size_t f = 0; f < cost.files.size(); ++f) {
    config::FileCost& file = cost.files[f];
    if (file.path.empty()) file.path = nth(model_.files, f).path;
    if (file.error.empty()) {
      file.error = fmt::format("not ended: '{}.part' says which records are whole", file.path);
    }
  }
  session.add_to_report(std::move(cost), server_costs(account_.loads()));
}

std::string CostReport::infinity_text(std::size_t field, double values, double first_step) const {
  return received_infinity_text(model_, run_.received().name(static_cast<int>(field)),
                                static_cast<std::int64_t>(values),
                                run_.clock().date_of(static_cast<std::int64_t>(first_step)));
}

CostReport::Sums CostReport::add(double closing_s) const {
  SessionState& session = group_.client().session();
  ClientCost own = run_.cost();
  own.closing_s = closing_s;
  session.add_to_report(own);
  const auto& costs = run_.link().costs();
  std::vector<StreamFigures> figures = figures_of(costs);
  const std::size_t streams = figures.size();
  if (exchange_ != nullptr) {
    for (const std::int64_t dropped : exchange_->fields().dropped()) {
      figures.emplace_back().most_dropped = static_cast<double>(dropped);
    }
  }
  const std::size_t received = figures.size();
  for (const InfiniteReceived& of : run_.received().infinite()) {
    StreamFigures& own_figures = figures.emplace_back();
    own_figures.infinite = static_cast<double>(of.values);
    own_figures.infinite_at = static_cast<double>(of.first_step);
  }
  const std::size_t columns = figures.size();
  for (const BlockedHistory::Column& column : run_.link().blocked().values()) {
    figures.emplace_back().blocked_s = column.blocked_s;
  }
  const StreamSums sums =
      sum_of_streams(group_.clients(), group_.number().value_or(0), std::move(figures), most_s);
  Sums out;
  for (std::size_t s = streams; s < received; ++s) {
    out.dropped.push_back(static_cast<std::int64_t>(sums.streams[s].most_dropped));
  }
  if (!group_.leads()) {
    // What ends a strict run ends it on each client that has met it.
    const auto own_values =
        group_.is_strict() ? run_.received().infinite() : std::vector<InfiniteReceived>();
    for (std::size_t f = 0; f < own_values.size(); ++f) {
      if (own_values[f].values == 0) continue;
      out.infinite.push_back(infinity_text(f, static_cast<double>(own_values[f].values),
                                           static_cast<double>(own_values[f].first_step)));
    }
    return out;
  }
  for (std::size_t s = received; s < columns; ++s) {
    const StreamFigures& of = sums.streams[s];
    if (of.infinite == 0) continue;
    out.infinite.push_back(infinity_text(s - received, of.infinite, of.infinite_at));
  }
  if (const int size = group_.clients().size(); sums.clients < size) {
    log_warning(fmt::format(
        "context '{}': what is reported of its fields lacks {} of {} clients (they have not ended "
        "in order)",
        group_.id(), size - sums.clients, size));
  }
  config::ContextCost cost = context_cost(
      [&](std::size_t stream) { return summed_cost(sums.streams[stream], costs[stream].records); });
  cost.blocked = blocked_over_time(std::span(sums.streams).subspan(columns), sums.clients);
  session.add_to_report(std::move(cost), server_costs(account_.loads()));
  return out;
}

}  // namespace epios::client
