#include "config/fed_schedules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "config/coupled_contexts.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"
#include "time/first_not_over.hpp"

namespace epios::config {

namespace {

using NextDate = Schedule::NextDate;

/// Questions come in about the order of the dates: each search begins where the last one ended.
template <class DateOf>
NextDate next_of(DateOf date_of) {
  return [date_of = std::move(date_of), last = std::int64_t{0}](Instant date) mutable {
    last = first_not_over_near(last, [&](std::int64_t n) { return date_of(n) < date; });
    return date_of(last);
  };
}

NextDate dates_of_records(ReadSchedule dates) {
  if (dates.is_once()) return {};  // it is there at all dates
  return next_of([dates = std::move(dates)](std::int64_t record) { return dates.date_of(record); });
}

NextDate dates_of_results(const Schedule& results) {
  if (results.operation() == Operation::once) return {};
  return next_of([results](std::int64_t record) { return results.due_date(record); });
}

/// The first date from there on that all have; none: not among so many that one would look at.
std::optional<Instant> meeting(const std::vector<NextDate>& all, Instant date) {
  constexpr int most = 100;
  for (int round = 0; round < most; ++round) {
    const Instant before = date;
    for (const NextDate& next : all) date = next(date);
    if (date == before) return date;
  }
  return std::nullopt;
}

/// Data that meet are there at dates that all of them have. Where these never meet, that is an
/// error elsewhere: nobody looks for them again at each date.
NextDate common(std::vector<NextDate> all, Instant start) {
  if (all.empty()) return {};
  if (all.size() == 1) return std::move(all.front());
  if (!meeting(all, start)) return [](Instant date) { return date; };
  return [all = std::move(all)](Instant date) { return meeting(all, date).value_or(date); };
}

NextDate dates_of_source(const Model& model, SourceId source) {
  const ReadFieldId read = model.sources[source].read_field;
  if (read >= 0) {
    return dates_of_records(model.schedule(model.read_fields[read]));
  }
  for (const CoupledField* const field : coupled_fields(model, ElementKind::coupler_in)) {
    if (field->source == source) return dates_of_records(receiving_dates(model, *field));
  }
  return {};
}

/// Returns true if the results of a step come at other dates than its arguments.
bool has_own_dates(const Model& model, const DataNode& node) {
  if (node.kind != DataNode::Kind::spatial) return false;
  const auto step = spatial_step(model, model.expressions[node.expression]);
  return step && traits_of(step->transformation->kind).work == TransformationWork::splitting;
}

}  // namespace

FedSchedules::FedSchedules(const Model& model, const DataGraph& graph)
    : schedules_(graph.nodes.size()), takes_what_comes_(graph.nodes.size()) {
  const Calendar calendar = model.calendar();
  std::vector<bool> is_unknown(graph.nodes.size());
  // Dates that are equal are one, on however many ways data come.
  std::map<std::string, int> known;
  std::vector<NextDate> dates;
  std::vector<std::set<int>> of_node(graph.nodes.size());
  const auto number_of = [&](const std::string& key, NextDate next) -> std::set<int> {
    if (!next) return {};
    const auto [found, is_new] = known.emplace(key, static_cast<int>(dates.size()));
    if (is_new) dates.push_back(std::move(next));
    return {found->second};
  };
  for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
    const DataNode& node = graph.nodes[n];
    is_unknown[n] = has_own_dates(model, node);
    std::set<int> all;
    for (const int argument : node.arguments) {
      const auto at = static_cast<std::size_t>(argument);
      all.insert(of_node[at].begin(), of_node[at].end());
      if (is_unknown[at]) is_unknown[n] = true;
    }
    if (node.kind == DataNode::Kind::temporal) {
      Schedule& schedule = schedules_[n].emplace(calendar, model.start_date, node.sampling);
      std::vector<NextDate> feeds;
      for (const int date : all) feeds.push_back(dates[static_cast<std::size_t>(date)]);
      if (NextDate next = common(std::move(feeds), model.start_date))
        schedule.feed(std::move(next));
      const Sampling& s = node.sampling;
      of_node[n] =
          number_of(fmt::format("{}|{}|{}|{}", calendar.normal(s.freq_op).text(),
                                calendar.normal(s.freq_offset).text(),
                                calendar.normal(s.output_freq).text(), fmt::join(all, ",")),
                    dates_of_results(schedule));
      takes_what_comes_[n] = is_unknown[n] && calendar.are_equal(s.freq_op, calendar.timestep());
      is_unknown[n] = false;
    } else if (node.kind == DataNode::Kind::source) {
      of_node[n] =
          number_of(fmt::format("source {}", node.source), dates_of_source(model, node.source));
    } else if (!is_unknown[n]) {
      of_node[n] = std::move(all);
    }
  }
}

std::vector<Schedule> fed_schedules_of_streams(const Model& model) {
  const DataGraph graph = data_graph(model);
  const FedSchedules schedules(model, graph);
  std::vector<Schedule> out;
  out.reserve(graph.of_stream.size());
  for (const int node : graph.of_stream) out.push_back(schedules.of(node));
  return out;
}

}  // namespace epios::config
