// How data go through the graph: they arrive at a leaf, complete roots are worked out, results
// leave for sinks and arrive at further leaves. Behind that what happens without data: the end of a
// run, dates that pass, state of a run before. (workflow_graph makes the graph, outlook asks ahead,
// evaluation does the arithmetic.)
#include "workflow_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "grid/missing.hpp"
#include "kernels.hpp"

namespace epios::io {

namespace {

/// The marker as an array of T holds it.
template <class T>
double widened(std::optional<double> marker) {
  return marker ? static_cast<double>(static_cast<T>(*marker)) : missing;
}

ArrayValues as_array(const LeafValues& values, std::int64_t size, std::optional<double> marker) {
  const auto n = static_cast<std::size_t>(size);
  if (values.floats != nullptr) return {std::span(values.floats, n), marker};
  return {std::span(values.doubles, values.doubles == nullptr ? 0 : n), marker};
}

}  // namespace

Workflow::Impl::Impl(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink,
                     const MakeSink& make_result_sink, const MakeSpatial& make_spatial,
                     const MakeSink& make_coupled_sink)
    : graph_(make_workflow_graph(model, parts, make_sink, make_result_sink, make_spatial,
                                 make_coupled_sink)),
      waiting_(model, graph_.schedules_of_streams),
      outlook_(graph_, waiting_),
      evaluation_(graph_),
      sources_(model.sources.size()),
      passes_(graph_.filters.size()) {
  for (std::size_t s = 0; s < graph_.stream_count; ++s) {
    const auto stream = static_cast<int>(s);
    if (waiting_.may_wait(stream)) graph_.filter(graph_.filter_of_stream(stream)).keep_results();
  }
  if (model.statistics_file >= 0) kept_ = static_cast<std::size_t>(model.kept_operations);
  // Data that come while something else of their way has not arrived go on deeper than that.
  levels_.resize((graph_.spatials.empty() ? 1 : 2) * (graph_.depth + 1));
  for (Level& level : levels_) {
    level.ready.reserve(graph_.roots.size());
    level.due.reserve(graph_.filters.size());
    level.streams.reserve(graph_.sinks.size());
  }
}

void Workflow::Impl::check_size(int source, std::size_t size) const {
  const ArrayLayout& layout = graph_.layout(graph_.leaf(source).grid);
  if (static_cast<std::int64_t>(size) == layout.size()) return;
  throw Error(
      ErrorCode::argument,
      fmt::format("array has {} values (expected {}, that is {}). Do its extents agree with the "
                  "local sizes, halos included?",
                  size, layout.size(), layout.text()));
}

template <class T>
void Workflow::Impl::send(int source, config::Instant now, std::span<const T> array,
                          Array lifetime) {
  check_size(source, array.size());
  SourceAccount& account = this->source(source);
  if (account.last_used == now) {
    ++account.repeated_sends;
    return;
  }
  if (coming_ > 0 && now_ != now) deliver(0);
  Leaf& leaf = graph_.leaf(source);
  leaf.values.doubles = nullptr;
  leaf.values.floats = nullptr;
  if constexpr (std::is_same_v<T, float>) {
    leaf.values.floats = array.data();
  } else {
    leaf.values.doubles = array.data();
  }
  leaf.values.marker = widened<T>(leaf.marker);
  leaf.stays = lifetime == Array::stays;
  now_ = now;
  arrive(source, {now, 0, false});
}

template void Workflow::Impl::send(int, config::Instant, std::span<const double>, Array);
template void Workflow::Impl::send(int, config::Instant, std::span<const float>, Array);

/// What others of this date still need is copied; what is older nobody needs any more.
void Workflow::Impl::let_go(int source, config::Instant now) {
  Leaf& leaf = graph_.leaf(source);
  if (!leaf.is_there || !std::exchange(leaf.stays, false)) return;
  leaf.is_there = leaf.date == now;
  if (leaf.is_there) keep(leaf);
}

void Workflow::Impl::send_idle(int source, config::Instant now, std::size_t size) {
  check_size(source, size);
  SourceAccount& account = this->source(source);
  if (account.last_used == now) ++account.repeated_sends;
}

/// Data of a leaf are there: what can be worked out with them is; they are kept if something else
/// waits for more. Late ones do not meet others any more: which of these are still there would
/// depend on the order of the sends.
void Workflow::Impl::arrive(int index, const Arrival& arrival) {
  const auto& [date, depth, is_late] = arrival;
  Leaf& leaf = graph_.leaf(index);
  leaf.date = date;
  leaf.is_there = true;
  leaf.coming.reset();
  Level& level = levels_[depth];
  level.ready.clear();
  outlook_.ask(date);
  for (const int r : leaf.roots) {
    const Root& root = graph_.root(r);
    if (root.done == date || (is_late && root.leaves.size() > 1)) continue;
    if (outlook_.is_complete(root, date) && outlook_.is_wanted(root, date))
      level.ready.push_back(r);
  }
  const bool is_used = !level.ready.empty();
  work_out(level, arrival);
  if (leaf.filter >= 0 || leaf.spatial >= 0) return;
  outlook_.ask(date);
  leaf.is_there = outlook_.is_awaited(index, date);
  if (leaf.is_there) keep(leaf);
  if (is_used || leaf.is_there) source(index).last_used = date;
}

/// The model may change its array as soon as it has been sent.
void Workflow::Impl::keep(Leaf& leaf) {
  if (leaf.stays) return;
  const LeafValues& values = leaf.values;
  const bool is_as_it_is = values.doubles != nullptr && std::isnan(values.marker);
  graph_.layout(leaf.grid).for_each_piece([&](std::int64_t place, std::int64_t count) {
    double* const to = leaf.copy.get() + place;
    if (is_as_it_is) {
      std::copy_n(values.doubles + place, count, to);
    } else if (values.floats != nullptr) {
      kernels::load(values.floats + place, to, values.marker, count);
    } else {
      kernels::load(values.doubles + place, to, values.marker, count);
    }
  });
  leaf.values.doubles = leaf.copy.get();
  leaf.values.floats = nullptr;
  leaf.values.marker = missing;
}

void Workflow::Impl::work_out(Level& level, const Arrival& arrival) {
  choose_takers(level, arrival.date);
  decide(level, arrival.date);
  send_late_results(level, arrival.depth);
  evaluation_.take_samples(level.ready);
  feed_spatials(level, arrival);
  finish_due(level, arrival.date);
  send_results(level, arrival.depth, arrival.is_late);
}

/// Asks all questions, before anything changes.
void Workflow::Impl::choose_takers(const Level& level, config::Instant date) {
  for (const int r : level.ready) {
    const Root& root = graph_.root(r);
    for (const int f : root.filters) graph_.filter(f).is_chosen = outlook_.is_of_use(f, date);
    for (const int s : root.spatials) graph_.spatial(s).is_chosen = outlook_.is_taken_on(s, date);
  }
}

void Workflow::Impl::decide(const Level& level, config::Instant date) {
  for (const int r : level.ready) {
    Root& root = graph_.root(r);
    root.done = date;
    for (const int f : root.filters) {
      Filter& filter = graph_.filter(f);
      if (!filter.is_chosen) {
        filter.rest();
        continue;
      }
      release(f);
      filter.decide(date);
    }
  }
}

/// Finishes the results of filters that are due at the date.
void Workflow::Impl::finish_due(Level& level, config::Instant date) {
  level.due.clear();
  for (const int r : level.ready) {
    const Root& root = graph_.root(r);
    for (const int f : root.filters) {
      Filter& filter = graph_.filter(f);
      if (!filter.is_due()) continue;
      if (passes_through(root, filter)) {
        const Leaf& leaf = graph_.leaf(root.operands.front());
        filter.finish(date, as_array(leaf.values, graph_.layout(root.grid).size(), leaf.marker));
      } else if (is_left_to_taker(root, filter)) {
        filter.finish_for_taker(date);
      } else {
        filter.finish(date);
      }
      if (filter.leaf >= 0) graph_.leaf(filter.leaf).coming = date;
      level.due.push_back(f);
    }
  }
}

/// Sends records whose period has ended without data of its last date. One without samples is not
/// sent: the file has missing values there if another of its fields has that record, else none.
void Workflow::Impl::send_late_results(Level& level, std::size_t depth) {
  do {
    level.due.clear();
    for (const int r : level.ready) {
      for (const int f : graph_.root(r).filters) {
        if (graph_.filter(f).accumulators().late().empty()) continue;
        graph_.filter(f).finish_late();
        level.due.push_back(f);
      }
    }
    send_results(level, depth, true);
  } while (!level.due.empty());
}

void Workflow::Impl::feed_spatials(const Level& level, const Arrival& arrival) {
  for (const int r : level.ready) {
    for (const int s : graph_.root(r).spatials) {
      Spatial& spatial = graph_.spatial(s);
      if (std::exchange(spatial.is_chosen, false)) feed(spatial, arrival);
    }
  }
}

/// What a late record brings about and what comes now may both go through a step: the second one
/// waits, here, until the first has arrived. Nobody else is waited for.
void Workflow::Impl::feed(Spatial& spatial, const Arrival& arrival) {
  for (std::size_t k = 0; k < spatial.inputs.size(); ++k) {
    Spatial::Input& input = spatial.inputs[k];
    const Root& of = graph_.root(input.root);
    const double* const array = evaluation_.array_of(of);
    const auto size = static_cast<std::size_t>(graph_.layout(of.grid).size());
    const bool is_kept = array == nullptr || spatial.is_coming;
    if (is_kept && array != nullptr) std::copy_n(array, size, input.values.get());
    spatial.arrays[k] = {is_kept ? input.values.get() : array, size};
  }
  const Spatial::Taken taken{arrival.date, arrival.is_late};
  if (!spatial.is_coming) return take(spatial, taken);
  graph_.leaf(spatial.leaf).coming = arrival.date;
  spatial.next = taken;
}

void Workflow::Impl::take(Spatial& spatial, const Spatial::Taken& taken) {
  Leaf& leaf = graph_.leaf(spatial.leaf);
  const bool is_more = spatial.filter->would_deliver(taken.date);
  leaf.is_there = leaf.is_there && !is_more;
  if (is_more) leaf.coming = taken.date;
  spatial.filter->take(spatial.arrays, taken.date);
  if (!is_more) return;
  spatial.is_coming = true;
  spatial.taken = taken;
  ++coming_;
}

/// What is made of what arrives comes later in the order of the graph.
void Workflow::Impl::deliver(std::size_t depth) {
  for (Spatial& spatial : graph_.spatials) {
    while (spatial.is_coming) {
      Leaf& leaf = graph_.leaf(spatial.leaf);
      leaf.values.doubles = spatial.filter->deliver().data();
      spatial.is_coming = false;
      --coming_;
      const std::optional<Spatial::Taken> next = std::exchange(spatial.next, std::nullopt);
      arrive(spatial.leaf, {spatial.taken.date, depth, spatial.taken.is_late});
      if (!next) continue;
      for (std::size_t k = 0; k < spatial.inputs.size(); ++k) {
        spatial.arrays[k] = {spatial.inputs[k].values.get(), spatial.arrays[k].size()};
      }
      take(spatial, *next);
    }
  }
}

/// Records go to their sinks in the order of streams, then results to who works on with them.
void Workflow::Impl::send_results(Level& level, std::size_t depth, bool are_late) {
  if (level.due.empty()) return;
  level.streams.clear();
  for (const int f : level.due) {
    const std::vector<int>& streams = graph_.filter(f).streams;
    level.streams.insert(level.streams.end(), streams.begin(), streams.end());
  }
  std::sort(level.streams.begin(), level.streams.end());
  for (const int f : level.due) graph_.filter(f).is_leaving = true;
  for (const int stream : level.streams) {
    const std::int64_t record = graph_.filter(graph_.filter_of_stream(stream)).record();
    if (waiting_.hold(stream, record, now_)) continue;
    put(stream);
    for (int s = waiting_.next_of_file(stream, now_); s >= 0;) {
      put(s);
      s = waiting_.next_of_file(stream, now_);
    }
  }
  for (const int f : level.due) {
    const Filter& filter = graph_.filter(f);
    if (filter.leaf < 0) continue;
    graph_.leaf(filter.leaf).values.doubles =
        std::get<std::span<const double>>(filter.result().values).data();
    arrive(filter.leaf, {filter.result_date(), depth + 1, are_late});
  }
  for (const int f : level.due) graph_.filter(f).is_leaving = false;
}

void Workflow::Impl::put(int stream) {
  const Filter& filter = graph_.filter(graph_.filter_of_stream(stream));
  if (filter.is_left_to_taker()) return evaluation_.put_worked_out(stream, filter);
  graph_.sink(stream).put(filter.record(), filter.samples(), filter.result());
}

/// Records that have waited for others, which have not come.
void Workflow::Impl::release(int index) {
  if (waiting_.is_idle()) return;
  for (const int stream : graph_.filter(index).streams) {
    if (waiting_.release(stream, now_)) put(stream);
  }
}

/// The records of a filter whose period is over, if they have samples.
void Workflow::Impl::send_late_result(int index) {
  Filter& filter = graph_.filter(index);
  while (!filter.accumulators().late().empty()) {
    filter.finish_late();
    Level& level = levels_.front();
    level.due.assign(1, index);
    send_results(level, 0, true);
  }
}

void Workflow::Impl::finish(config::Instant end) {
  // What takes the state of the others is sent after this.
  const std::size_t count = kept_.value_or(graph_.filters.size());
  deliver(0);
  now_ = end;
  for (std::size_t f = 0; f < count; ++f) {
    release(static_cast<int>(f));
    graph_.filters[f].decide_end(end);
    send_late_result(static_cast<int>(f));
    deliver(0);
  }
  for (std::size_t f = 0; f < count; ++f) graph_.filters[f].end();
}

config::OperationState Workflow::Impl::state(int operation) const {
  const WorkflowGraph::KeptState& kept = nth(graph_.kept_states, operation);
  const Filter& filter = graph_.filter(kept.filter);
  config::OperationState state = filter.state(kept.slot);
  for (const int stream : filter.streams) {
    if (!waiting_.waits(stream) || filter.accumulators().slot_of(filter.record()) != kept.slot)
      continue;
    state.held_samples = filter.samples();
    state.held_at = now_;
  }
  return state;
}

void Workflow::Impl::take_up(int operation, const config::OperationState& state) {
  const WorkflowGraph::KeptState& kept = nth(graph_.kept_states, operation);
  Filter& filter = graph_.filter(kept.filter);
  filter.take_up(state, kept.slot);
  if (state.counters.records > 0 && kept.slot == 0) resumed_.push_back(kept.filter);
  if (state.held_samples == 0) return;
  for (const int stream : filter.streams) waiting_.take_up(stream, filter.record(), state.held_at);
}

/// Files of this run hold what was written once, too.
void Workflow::Impl::resume() {
  for (const int index : resumed_) {
    Filter& filter = graph_.filter(index);
    if (!filter.finish_again()) continue;
    for (const int stream : filter.streams) put(stream);
  }
  resumed_.clear();
}

bool Workflow::Impl::is_active(int source, config::Instant now) {
  if (this->source(source).last_used == now) return false;
  outlook_.ask(now);
  return outlook_.is_awaited(source, now);
}

void Workflow::Impl::pass_sent(int sent, config::Instant now) {
  pass(static_cast<int>(graph_.first_sent) + sent, now);
}

void Workflow::Impl::pass(int stream, config::Instant now) {
  deliver(0);
  now_ = now;
  passes_.begin();
  pass_filter(graph_.filter_of_stream(stream), now);
}

/// First those whose results it takes.
void Workflow::Impl::pass_filter(int index, config::Instant now) {
  if (!passes_.is_first(index)) return;
  pass_root(graph_.root_of_filter(index), now);
  release(index);
  graph_.filter(index).decide_passed(now);
  send_late_result(index);
  deliver(0);
}

void Workflow::Impl::pass_root(int index, config::Instant now) {
  for (const int l : graph_.root(index).leaves) {
    const Leaf& leaf = graph_.leaf(l);
    if (leaf.filter >= 0) pass_filter(leaf.filter, now);
    if (leaf.spatial >= 0) pass_root(graph_.spatial(leaf.spatial).inputs.front().root, now);
  }
}

}  // namespace epios::io
