// How data go through the graph; workflow_building.cpp makes it, workflow_questions.cpp looks
// ahead.
#include "workflow_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "config/error.hpp"
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

void Workflow::Impl::check_size(int source, std::size_t size) const {
  const ArrayLayout& layout = layout_of_source(source);
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
  SourceAccount& account = sources_[at(source)];
  if (account.last_used == now) {
    ++account.repeated_sends;
    return;
  }
  if (coming_ > 0 && now_ != now) deliver(0);
  Leaf& leaf = leaves_[at(source)];
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
  Leaf& leaf = leaves_[at(source)];
  if (!leaf.is_there || !std::exchange(leaf.stays, false)) return;
  leaf.is_there = leaf.date == now;
  if (leaf.is_there) keep(leaf);
}

void Workflow::Impl::send_idle(int source, config::Instant now, std::size_t size) {
  check_size(source, size);
  SourceAccount& account = sources_[at(source)];
  if (account.last_used == now) ++account.repeated_sends;
}

/// Data of a leaf are there: what can be worked out with them is; they are kept if something else
/// waits for more. Late ones do not meet others any more: which of these are still there would
/// depend on the order of the sends.
void Workflow::Impl::arrive(int index, const Arrival& arrival) {
  const auto& [date, depth, is_late] = arrival;
  Leaf& leaf = leaves_[at(index)];
  leaf.date = date;
  leaf.is_there = true;
  leaf.coming.reset();
  Level& level = levels_[depth];
  level.ready.clear();
  ask(date);
  for (const int r : leaf.roots) {
    const Root& root = roots_[at(r)];
    if (root.done == date || (is_late && root.leaves.size() > 1)) continue;
    if (is_complete(root, date) && is_wanted(root, date)) level.ready.push_back(r);
  }
  const bool is_used = !level.ready.empty();
  work_out(level, arrival);
  if (leaf.filter >= 0 || leaf.spatial >= 0) return;
  ask(date);
  leaf.is_there = is_awaited(index, date);
  if (leaf.is_there) keep(leaf);
  if (is_used || leaf.is_there) sources_[at(index)].last_used = date;
}

/// The model may change its array as soon as it has been sent.
void Workflow::Impl::keep(Leaf& leaf) {
  if (leaf.stays) return;
  const LeafValues& values = leaf.values;
  const bool is_as_it_is = values.doubles != nullptr && std::isnan(values.marker);
  layouts_[at(leaf.grid)].for_each_piece([&](std::int64_t place, std::int64_t count) {
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
  const config::Instant date = arrival.date;
  // All questions before anything changes.
  for (const int r : level.ready) {
    for (const int f : roots_[at(r)].filters) filters_[at(f)].is_chosen = is_of_use(f, date);
    for (const int s : roots_[at(r)].spatials) spatials_[at(s)].is_chosen = is_taken_on(s, date);
  }
  for (const int r : level.ready) {
    roots_[at(r)].done = date;
    for (const int f : roots_[at(r)].filters) {
      Filter& filter = filters_[at(f)];
      if (!filter.is_chosen) {
        filter.rest();
        continue;
      }
      release(f);
      filter.decide(date);
    }
  }
  send_late_results(level, arrival.depth);
  take_samples(level);
  feed_spatials(level, arrival);
  level.due.clear();
  for (const int r : level.ready) {
    const Root& root = roots_[at(r)];
    for (const int f : root.filters) {
      Filter& filter = filters_[at(f)];
      if (!filter.is_due()) continue;
      if (passes_through(root, filter)) {
        const Leaf& leaf = leaves_[at(root.operands.front())];
        filter.finish(date, as_array(leaf.values, layouts_[at(root.grid)].size(), leaf.marker));
      } else if (is_left_to_taker(root, filter)) {
        filter.finish_for_taker(date);
      } else {
        filter.finish(date);
      }
      if (filter.leaf >= 0) leaves_[at(filter.leaf)].coming = date;
      level.due.push_back(f);
    }
  }
  send_results(level, arrival.depth, arrival.is_late);
}

/// An instant of what the model sends is the model's array itself.
bool Workflow::Impl::passes_through(const Root& root, const Filter& filter) const {
  return root.is_source && filter.passes_through();
}

/// An instant of arithmetic need not be an array before it is a record.
bool Workflow::Impl::is_left_to_taker(const Root& root, const Filter& filter) const {
  return root.may_be_left_to_taker && filter.passes_through();
}

/// Whether the filter takes the sample of this date into its accumulator.
bool Workflow::Impl::is_fed(const Root& root, const Filter& filter) const {
  return filter.takes_sample() && !passes_through(root, filter) && !is_left_to_taker(root, filter);
}

/// Records whose period has ended without data of its last date. One without samples is not sent:
/// the file has missing values there.
void Workflow::Impl::send_late_results(Level& level, std::size_t depth) {
  level.due.clear();
  for (const int r : level.ready) {
    for (const int f : roots_[at(r)].filters) {
      if (!filters_[at(f)].is_late()) continue;
      filters_[at(f)].finish_late();
      level.due.push_back(f);
    }
  }
  send_results(level, depth, true);
}

void Workflow::Impl::take_samples(const Level& level) {
  for (const int r : level.ready) {
    Root& root = roots_[at(r)];
    root.takes_sample = std::any_of(root.filters.begin(), root.filters.end(),
                                    [&](int f) { return is_fed(root, filters_[at(f)]); });
    for (const int s : root.spatials) {
      Spatial& spatial = spatials_[at(s)];
      for (Spatial::Input& input : spatial.inputs) {
        if (input.root != r) continue;
        input.copies = spatial.is_chosen && array_of(root) == nullptr;
        root.takes_sample = root.takes_sample || input.copies;
      }
    }
  }
  for (const int r : level.ready) {
    Root& root = roots_[at(r)];
    if (!root.takes_sample) continue;
    if (root.is_alone) {
      evaluate_alone(root);
    } else {
      evaluate(level, root.grid);
    }
  }
}

/// What the program works out next, among others, and from which values.
void Workflow::Impl::choose(const Root& root) {
  program_->choose(root.result);
  for (const int index : root.operands) {
    const Leaf& leaf = leaves_[at(index)];
    LeafValues values = leaf.values;
    const auto from = leaf.places_of_points.find(root.grid);
    if (from != leaf.places_of_points.end()) {
      values.from = from->second.data();
    } else if (leaf.grid != root.grid && !leaf.places.empty()) {
      values.places = leaf.places.data();
    }
    program_->set_leaf(leaf.node, values);
  }
}

/// All ready roots of one grid at once.
void Workflow::Impl::evaluate(const Level& level, int grid) {
  program_->choose_none();
  for (const int r : level.ready) {
    Root& root = roots_[at(r)];
    if (!root.takes_sample || root.grid != grid || root.is_alone) continue;
    choose(root);
    root_of_result_[at(root.result)] = r;
    for (const int f : root.filters) {
      const int leaf = filters_[at(f)].leaf;
      if (leaf >= 0 && filters_[at(f)].takes_sample()) leaves_[at(leaf)].is_there = false;
    }
  }
  layouts_[at(grid)].for_each_piece([&](std::int64_t first, std::int64_t size) {
    program_->run(first, size,
                  [&](int result, const double* values, std::int64_t place, std::int64_t count) {
                    const Root& root = roots_[at(root_of_result_[at(result)])];
                    for (const int f : root.filters) {
                      Filter& filter = filters_[at(f)];
                      if (is_fed(root, filter)) filter.accumulator().add(values, place, count);
                    }
                    for (const int s : root.spatials) {
                      const Spatial::Input& input = spatials_[at(s)].inputs.front();
                      if (input.copies) std::copy_n(values, count, input.values.get() + place);
                    }
                  });
  });
  for (const int r : level.ready) {
    Root& root = roots_[at(r)];
    if (!root.takes_sample || root.grid != grid || root.is_alone) continue;
    root.takes_sample = false;
    for (const int f : root.filters) {
      Filter& filter = filters_[at(f)];
      if (is_fed(root, filter)) filter.accumulator().end_sample();
    }
  }
}

/// An input of a spatial filter, whose arithmetic others may need, too.
void Workflow::Impl::evaluate_alone(Root& root) {
  const auto self = static_cast<int>(&root - roots_.data());
  program_->choose_none();
  choose(root);
  layouts_[at(root.grid)].for_each_piece([&](std::int64_t first, std::int64_t size) {
    program_->run(first, size,
                  [&](int, const double* values, std::int64_t place, std::int64_t count) {
                    for (const int s : root.spatials) {
                      for (const Spatial::Input& input : spatials_[at(s)].inputs) {
                        if (input.root == self)
                          std::copy_n(values, count, input.values.get() + place);
                      }
                    }
                  });
  });
  root.takes_sample = false;
}

/// The values of a root, where they are an array already; else null.
const double* Workflow::Impl::array_of(const Root& root) const {
  if (!root.is_source) return nullptr;
  const LeafValues& values = leaves_[at(root.operands.front())].values;
  return std::isnan(values.marker) ? values.doubles : nullptr;
}

/// What a late record brings about and what comes now may both go through a step: the second one
/// waits, here, until the first has arrived. Nobody else is waited for.
void Workflow::Impl::feed_spatials(const Level& level, const Arrival& arrival) {
  for (const int r : level.ready) {
    const Root& root = roots_[at(r)];
    for (const int s : root.spatials) {
      Spatial& spatial = spatials_[at(s)];
      if (!std::exchange(spatial.is_chosen, false)) continue;
      for (std::size_t k = 0; k < spatial.inputs.size(); ++k) {
        Spatial::Input& input = spatial.inputs[k];
        const Root& of = roots_[at(input.root)];
        const double* const array = array_of(of);
        const auto size = static_cast<std::size_t>(layouts_[at(of.grid)].size());
        const bool is_kept = array == nullptr || spatial.is_coming;
        if (is_kept && array != nullptr) std::copy_n(array, size, input.values.get());
        spatial.arrays[k] = {is_kept ? input.values.get() : array, size};
      }
      const Taken taken{arrival.date, arrival.is_late};
      if (!spatial.is_coming) {
        take(spatial, taken);
        continue;
      }
      leaves_[at(spatial.leaf)].coming = arrival.date;
      spatial.next = taken;
    }
  }
}

void Workflow::Impl::take(Spatial& spatial, const Taken& taken) {
  Leaf& leaf = leaves_[at(spatial.leaf)];
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
  for (Spatial& spatial : spatials_) {
    while (spatial.is_coming) {
      Leaf& leaf = leaves_[at(spatial.leaf)];
      leaf.values.doubles = spatial.filter->deliver().data();
      spatial.is_coming = false;
      --coming_;
      const std::optional<Taken> next = std::exchange(spatial.next, std::nullopt);
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
    const std::vector<int>& streams = filters_[at(f)].streams;
    level.streams.insert(level.streams.end(), streams.begin(), streams.end());
  }
  std::sort(level.streams.begin(), level.streams.end());
  for (const int f : level.due) filters_[at(f)].is_leaving = true;
  for (const int stream : level.streams) {
    const std::int64_t record = filters_[at(filter_of_stream_[at(stream)])].record();
    if (waiting_.hold(stream, record, now_)) continue;
    put(stream);
    for (int s = waiting_.next_of_file(stream, now_); s >= 0;) {
      put(s);
      s = waiting_.next_of_file(stream, now_);
    }
  }
  for (const int f : level.due) {
    const Filter& filter = filters_[at(f)];
    if (filter.leaf < 0) continue;
    leaves_[at(filter.leaf)].values.doubles =
        std::get<std::span<const double>>(filter.result().values).data();
    arrive(filter.leaf, {filter.result_date(), depth + 1, are_late});
  }
  for (const int f : level.due) filters_[at(f)].is_leaving = false;
}

void Workflow::Impl::put(int stream) {
  const Filter& filter = filters_[at(filter_of_stream_[at(stream)])];
  if (filter.is_left_to_taker()) return put_worked_out(stream, filter);
  sinks_[at(stream)]->put(filter.record(), filter.samples(), filter.result());
}

void Workflow::Impl::put_worked_out(int stream, const Filter& filter) {
  class OfProgram final : public Calculation {
   public:
    OfProgram(Program& program, int result) : program_(program), result_(result) {}
    void work_out(std::int64_t place, std::int64_t count, double* to) override {
      program_.run_into(result_, place, count, to);
    }

   private:
    Program& program_;
    int result_;
  };
  const Root& root = roots_[at(root_of_filter_[at(filter_of_stream_[at(stream)])])];
  program_->choose_none();
  choose(root);
  OfProgram values(*program_, root.result);
  sinks_[at(stream)]->put_worked_out(filter.record(), filter.samples(), values);
}

/// Records that have waited for others, which have not come.
void Workflow::Impl::release(int index) {
  if (waiting_.is_idle()) return;
  for (const int stream : filters_[at(index)].streams) {
    if (waiting_.release(stream, now_)) put(stream);
  }
}

/// The record of a filter whose period is over, if it has samples.
void Workflow::Impl::send_late_result(int index) {
  Filter& filter = filters_[at(index)];
  if (!filter.is_late()) return;
  filter.finish_late();
  Level& level = levels_.front();
  level.due.assign(1, index);
  send_results(level, 0, true);
}

void Workflow::Impl::finish(config::Instant end) {
  // What takes the state of the others is sent after this.
  const std::size_t count = kept_.value_or(filters_.size());
  deliver(0);
  now_ = end;
  for (std::size_t f = 0; f < count; ++f) {
    release(static_cast<int>(f));
    filters_[f].decide_end(end);
    send_late_result(static_cast<int>(f));
    deliver(0);
  }
  for (std::size_t f = 0; f < count; ++f) filters_[f].end();
}

config::OperationState Workflow::Impl::state(int operation) const {
  const Filter& filter = filters_[at(operation)];
  config::OperationState state = filter.state();
  for (const int stream : filter.streams) {
    if (!waiting_.waits(stream)) continue;
    state.held_samples = filter.samples();
    state.held_at = now_;
  }
  return state;
}

void Workflow::Impl::take_up(int operation, const config::OperationState& state) {
  Filter& filter = filters_[at(operation)];
  filter.take_up(state);
  if (state.held_samples == 0) return;
  for (const int stream : filter.streams) waiting_.take_up(stream, filter.record(), state.held_at);
}

/// Files of this run hold what was written once, too.
void Workflow::Impl::resume() {
  for (Filter& filter : filters_) {
    if (!filter.finish_again()) continue;
    for (const int stream : filter.streams) put(stream);
  }
}

void Workflow::Impl::pass(int stream, config::Instant now) {
  deliver(0);
  now_ = now;
  passes_.begin();
  pass_filter(filter_of_stream_[at(stream)], now);
}

/// First those whose results it takes.
void Workflow::Impl::pass_filter(int index, config::Instant now) {
  if (!passes_.is_first(index)) return;
  pass_root(root_of_filter_[at(index)], now);
  release(index);
  filters_[at(index)].decide_passed(now);
  send_late_result(index);
  deliver(0);
}

void Workflow::Impl::pass_root(int index, config::Instant now) {
  for (const int l : roots_[at(index)].leaves) {
    const Leaf& leaf = leaves_[at(l)];
    if (leaf.filter >= 0) pass_filter(leaf.filter, now);
    if (leaf.spatial >= 0) pass_root(spatials_[at(leaf.spatial)].inputs.front().root, now);
  }
}

}  // namespace epios::io
