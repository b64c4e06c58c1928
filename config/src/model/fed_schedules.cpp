#include "config/fed_schedules.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "config/coupled_contexts.hpp"
#include "config/index.hpp"
#include "config/spatial.hpp"
#include "config/transformation_traits.hpp"
#include "time/first_not_over.hpp"

namespace epios::config {

namespace {

using Data = Schedule::Data;
using NextData = Schedule::NextData;

/// So many dates are looked at before none is expected any more.
constexpr int most_looks = 100;

/// Remembers the latest answers, for all copies: one question about a chain leads to many about
/// what it is fed by.
class Remembering {
 public:
  explicit Remembering(NextData next) : known_(std::make_shared<Known>(Known{std::move(next)})) {}
  Data operator()(Instant date) const {
    for (const Answer& answer : known_->answers) {
      if (answer.from <= date && date <= answer.data.date) return answer.data;
    }
    const Data data = known_->next(date);
    known_->answers.at(known_->oldest) = {date, data};
    known_->oldest = (known_->oldest + 1) % known_->answers.size();
    return data;
  }

 private:
  struct Answer {
    Instant from;  // this date or a later one was asked for
    Data data{{std::numeric_limits<std::int64_t>::min()}, {}};
  };
  struct Known {
    NextData next;
    std::array<Answer, 16> answers{};
    std::size_t oldest = 0;
  };
  std::shared_ptr<Known> known_;  // copies of a NextData have the same answers
};

NextData remembering(NextData next) {
  if (!next) return {};
  return Remembering(std::move(next));
}

/// Questions come in about the order of the dates: each search begins where the last one ended.
NextData dates_of_records(ReadSchedule dates) {
  if (dates.is_once()) return {};  // it is there at all dates
  return [dates = std::move(dates), last = std::int64_t{0}](Instant date) mutable {
    last = first_not_over_near(last, [&](std::int64_t n) { return dates.date_of(n) < date; });
    const Instant comes = dates.date_of(last);
    return Data{comes, comes};
  };
}

/// A record that no data come for is no result. Behind as many as one would look at the next one
/// counts as one, with data or without: whoever looked on would ask each schedule of a chain for
/// many dates of the one before it, and so for many more in all.
NextData dates_of_results(const Schedule& results) {
  if (results.operation() == Operation::once) return {};
  return [results, has_gaps = !results.always_has_data(),
          last = std::int64_t{0}](Instant date) mutable {
    last = first_not_over_near(last, [&](std::int64_t n) { return results.due_date(n) < date; });
    std::int64_t record = last;
    if (has_gaps) {
      for (int look = 0; look < most_looks && !results.has_data(record); ++look) ++record;
    }
    const Instant comes = results.due_date(record);
    return Data{comes, std::min(comes, results.times().of(record).end)};
  };
}

/// The first date from there on that all have; none: not among so many that one would look at.
std::optional<Data> meeting(const std::vector<NextData>& all, Instant date) {
  for (int look = 0; look < most_looks; ++look) {
    Data latest{date, {std::numeric_limits<std::int64_t>::min()}};
    for (const NextData& next : all) {
      const Data data = next(latest.date);
      latest = {data.date, std::max(latest.of, data.of)};
    }
    if (latest.date == date) return latest;
    date = latest.date;
  }
  return std::nullopt;
}

/// Data that meet are there at dates that all of them have. Where these never meet, that is an
/// error elsewhere: nobody looks for them again at each date.
NextData common(std::vector<NextData> all, Instant start) {
  if (all.empty()) return {};
  if (all.size() == 1) return std::move(all.front());
  if (!meeting(all, start)) return [](Instant date) { return Data{date, date}; };
  return remembering([all = std::move(all)](Instant date) {
    return meeting(all, date).value_or(Data{date, date});
  });
}

NextData dates_of_source(const Model& model, SourceId source) {
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

namespace {

/// Returns a text that is equal for equal dates only.
std::string text_of(const OutputDates& dates) {
  std::string out = dates.has_initial ? "initial" : "";
  if (dates.has_anchor) out += fmt::format(" from {}", dates.anchor.ms);
  for (const Instant end : dates.ends) out += fmt::format(" {}", end.ms);
  for (const DateWindow& window : dates.windows) {
    out += fmt::format(" {}-{}", window.first.ms, window.last.ms);
  }
  if (dates.is_climatology()) {
    out += fmt::format(" {} of {}", dates.cycle_periods, dates.climatology_freq.text());
  }
  return out;
}

/// Builds schedules in the order of the nodes, arguments first. Dates that are equal are one,
/// however many nodes have them: what is known of them is known to all.
class Builder {
 public:
  explicit Builder(const Model& model) : model_(model), calendar_(model.calendar()) {}

  /// Dates at which data come, by number; none: at any date.
  using Dates = std::set<int>;
  struct Results {
    Schedule schedule;
    Dates dates;
  };

  Dates of_source(SourceId source) {
    return add(fmt::format("source {}", static_cast<int>(source)),
               remembering(dates_of_source(model_, source)));
  }
  /// `data`: when what the operation works on comes.
  const Results& of_operation(const Sampling& sampling, const Dates& data) {
    const std::string key = fmt::format(
        "{}{}|{}|{}|{}|{}|{}", name(sampling.operation), sampling.is_weighted ? "+weight" : "",
        calendar_.normal(sampling.freq_op).text(), calendar_.normal(sampling.freq_offset).text(),
        calendar_.normal(sampling.output_freq).text(), text_of(sampling.dates),
        fmt::join(data, ","));
    if (const auto known = results_.find(key); known != results_.end()) return known->second;
    Schedule schedule(calendar_, model_.start_date, sampling);
    schedule.feed(of_all(data));
    Dates dates = add(key, remembering(dates_of_results(schedule)));
    return results_.emplace(key, Results{std::move(schedule), std::move(dates)}).first->second;
  }

 private:
  /// Returns when data come for an operation.
  NextData of_all(const Dates& dates) {
    const auto [found, is_new] = common_.try_emplace(dates);
    if (is_new) {
      std::vector<NextData> all;
      for (const int number : dates) all.push_back(nth(next_, number));
      found->second = common(std::move(all), model_.start_date);
    }
    return found->second;
  }
  Dates add(const std::string& key, NextData next) {
    if (!next) return {};
    const auto [found, is_new] = known_.emplace(key, static_cast<int>(next_.size()));
    if (is_new) next_.push_back(std::move(next));
    return {found->second};
  }

  const Model& model_;
  Calendar calendar_;
  std::map<std::string, Results> results_;
  std::map<std::string, int> known_;
  std::vector<NextData> next_;  // per number
  std::map<Dates, NextData> common_;
};

}  // namespace

FedSchedules::FedSchedules(const Model& model, const DataGraph& graph)
    : schedules_(graph.nodes.size()), takes_what_comes_(graph.nodes.size()) {
  const Calendar calendar = model.calendar();
  Builder builder(model);
  IndexedVector<DataNodeId, bool> is_unknown(graph.nodes.size());
  IndexedVector<DataNodeId, Builder::Dates> of_node(graph.nodes.size());
  for (const DataNodeId n : graph.nodes.ids()) {
    const DataNode& node = graph.nodes[n];
    is_unknown[n] = has_own_dates(model, node);
    Builder::Dates all;
    for (const DataNodeId argument : node.arguments) {
      all.insert(of_node[argument].begin(), of_node[argument].end());
      if (is_unknown[argument]) is_unknown[n] = true;
    }
    if (node.kind == DataNode::Kind::temporal) {
      const Builder::Results& results = builder.of_operation(node.sampling, all);
      schedules_[n] = results.schedule;
      of_node[n] = results.dates;
      takes_what_comes_[n] =
          is_unknown[n] && (is_centered(node.sampling.operation) ||
                            calendar.are_equal(node.sampling.freq_op, calendar.timestep()));
      is_unknown[n] = false;
    } else if (node.kind == DataNode::Kind::source) {
      of_node[n] = builder.of_source(node.source);
    } else if (!is_unknown[n]) {
      of_node[n] = std::move(all);
    }
  }
}

namespace {

std::vector<Schedule> schedules_of(const Model& model, const DataGraph& graph,
                                   std::span<const DataNodeId> nodes) {
  const FedSchedules schedules(model, graph);
  std::vector<Schedule> out;
  out.reserve(nodes.size());
  for (const DataNodeId node : nodes) out.push_back(schedules.of(node));
  return out;
}

}  // namespace

std::vector<Schedule> fed_schedules_of_streams(const Model& model) {
  const DataGraph graph = data_graph(model);
  return schedules_of(model, graph, graph.of_stream);
}

std::vector<Schedule> fed_schedules_of_sent(const Model& model) {
  const DataGraph graph = data_graph(model);
  return schedules_of(model, graph, graph.of_sent);
}

std::vector<Schedule> fed_schedules_of_results(const Model& model) {
  const DataGraph graph = data_graph(model);
  return schedules_of(model, graph, graph.of_result);
}

}  // namespace epios::config
