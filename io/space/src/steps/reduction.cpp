// Reductions over points of several clients, exact whatever their order. Partial results go up a
// tree of clients in rounds, until one client has the result.
#include "steps/reduction.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "grid/index.hpp"
#include "grid/missing.hpp"
#include "space/directory.hpp"

namespace epios::io {

namespace {

/// Size of what keys are below, on all ranks.
std::int64_t end_of(const ep::Comm& comm, std::int64_t own) {
  std::int64_t all = 0;
  ep::check(EP_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_MAX, comm.get()));
  return all;
}

}  // namespace

ReduceOperation reduce_operation(std::string_view word) {
  if (word == "min") return ReduceOperation::minimum;
  if (word == "max") return ReduceOperation::maximum;
  return word == "sum" ? ReduceOperation::sum : ReduceOperation::average;
}

void PartialResult::clear() {
  count_ = 0;
  if (is_sum(operation_)) sum_.clear();
}

void PartialResult::add(double value) {
  if (std::isnan(value)) return;
  if (is_sum(operation_)) {
    sum_.add(value);
  } else if (count_ == 0) {
    extreme_ = value;
  } else {
    extreme_ = operation_ == ReduceOperation::minimum ? std::min(extreme_, value)
                                                      : std::max(extreme_, value);
  }
  ++count_;
}

void PartialResult::add(std::span<const std::int64_t> stored) {
  const std::int64_t count = stored[0];
  if (count == 0) return;
  if (is_sum(operation_)) {
    sum_.add(stored.subspan(1));
    count_ += count;
    return;
  }
  add(std::bit_cast<double>(stored[1]));
  count_ += count - 1;
}

void PartialResult::store(std::span<std::int64_t> to) {
  to[0] = count_;
  if (is_sum(operation_)) {
    sum_.store(to.subspan(1));
  } else {
    to[1] = std::bit_cast<std::int64_t>(extreme_);
  }
}

double PartialResult::value() {
  if (count_ == 0) return missing;
  if (!is_sum(operation_)) return extreme_ == 0 ? 0.0 : extreme_;  // one zero of two
  const double sum = sum_.value();
  return operation_ == ReduceOperation::sum ? sum : sum / static_cast<double>(count_);
}

ReductionPlan::ReductionPlan(const Frame& frame, const Points& targets, const What& what,
                             const ep::Comm* comm)
    : operation_(what.operation),
      words_(PartialResult::words(what.operation)),
      before_(frame.before),
      behind_(frame.behind),
      source_array_(frame.source_array),
      target_array_(frame.target_array) {
  collect(frame, targets, what, comm);
  if (comm != nullptr) plan(*comm, what.salt);
}

/// The sources of this client by the targets that they belong to, and the targets that it wants.
void ReductionPlan::collect(const Frame& frame, const Points& targets, const What& what,
                            const ep::Comm* comm) {
  std::vector<std::int64_t> keys;
  std::vector<std::int64_t> places;
  if (levels() > 0) {
    keys = frame.sources.keys;
    places = frame.sources.places;
  }
  if (comm != nullptr && what.counts_once) {
    const std::int64_t end = end_of(*comm, keys.empty() ? 0 : keys.back() + 1);
    const std::vector<Directory::Stretch> repeated = Directory(*comm, end, keys).repeated();
    auto next = repeated.begin();
    std::size_t kept = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      while (next != repeated.end() && next->end <= keys[k]) ++next;
      const bool is_repeated = next != repeated.end() && next->first <= keys[k];
      if (is_repeated && next->lowest != comm->rank()) continue;
      keys[kept] = keys[k];
      places[kept++] = places[k];
    }
    keys.resize(kept);
    places.resize(kept);
  }
  std::vector<std::pair<std::int64_t, std::int64_t>> by_target;
  by_target.reserve(keys.size());
  for (std::size_t k = 0; k < keys.size(); ++k) {
    by_target.emplace_back(what.target_of(keys[k]), places[k] * before_.array);
  }
  if (!std::is_sorted(by_target.begin(), by_target.end())) {
    std::sort(by_target.begin(), by_target.end());
  }
  const std::size_t wanted = levels() > 0 ? targets.keys.size() : 0;
  std::size_t t = 0;
  const auto add_wanted_below = [&](std::int64_t key) {
    for (; t < wanted && targets.keys[t] < key; ++t) {
      members_.push_back({targets.keys[t], places_.size(), targets.places[t]});
    }
  };
  for (const auto& [target, place] : by_target) {
    if (members_.empty() || members_.back().target != target) {
      add_wanted_below(target);
      members_.push_back({target, places_.size()});
      if (t < wanted && targets.keys[t] == target) members_.back().place = targets.places[t++];
    }
    places_.push_back(place);
  }
  add_wanted_below(std::numeric_limits<std::int64_t>::max());
  members_.push_back({std::numeric_limits<std::int64_t>::max(), places_.size()});
}

std::size_t ReductionPlan::number_of(std::int64_t target) const {
  const auto found =
      std::lower_bound(members_.begin(), members_.end(), target,
                       [](const Member& member, std::int64_t key) { return member.target < key; });
  return static_cast<std::size_t>(found - members_.begin());
}

/// Plans which rank combines the results of others, and in which round.
void ReductionPlan::plan(const ep::Comm& comm, std::int64_t salt) {
  std::vector<std::int64_t> keys;
  for (const Member& member : members_) keys.push_back(member.target);
  keys.pop_back();
  const std::int64_t end = end_of(comm, keys.empty() ? 0 : keys.back() + 1);
  const auto branches = Directory(comm, end, keys).tree(keys, salt);
  std::int64_t deepest = 0;
  for (std::size_t m = 0; m < branches.size(); ++m) {
    if (!branches[m].is_alone) members_[m].shared = static_cast<std::int64_t>(shared_++);
    deepest = std::max<std::int64_t>(deepest, branches[m].depth);
  }
  // The number of rounds is the largest depth of any client.
  for (std::int64_t depth = end_of(comm, deepest); depth > 0; --depth) {
    std::vector<Portion> up(as_index(comm.size()));
    for (std::size_t m = 0; m < branches.size(); ++m) {
      if (branches[m].depth == depth) up[as_index(branches[m].parent)].members.push_back(m);
    }
    rounds_.push_back(round_of(comm, up));
  }
}

/// Parts that go to others, by rank, and those that come from them.
ReductionPlan::Round ReductionPlan::round_of(const ep::Comm& comm,
                                             const std::vector<Portion>& up) const {
  Round out;
  std::vector<std::vector<std::int64_t>> sent(up.size());
  for (std::size_t r = 0; r < up.size(); ++r) {
    for (const std::size_t m : up[r].members) sent[r].push_back(members_[m].target);
    if (!up[r].members.empty()) out.up.push_back({static_cast<int>(r), up[r].members});
  }
  const auto come = exchange_lists(comm, sent);
  const std::size_t part = levels() * words_ * sizeof(std::int64_t);
  const std::size_t result = levels() * sizeof(double);
  for (std::size_t r = 0; r < up.size(); ++r) {
    out.parts_sent.push_back(sent[r].size() * part);
    out.parts_received.push_back(come[r].size() * part);
    out.results_sent.push_back(come[r].size() * result);
    out.results_received.push_back(sent[r].size() * result);
    if (come[r].empty()) continue;
    Portion& down = out.down.emplace_back();
    down.rank = static_cast<int>(r);
    for (const std::int64_t key : come[r]) down.members.push_back(number_of(key));
  }
  return out;
}

Reduction::Reduction(const ReductionPlan& plan, const ep::Comm* comm, int tag, StepTraffic& traffic)
    : plan_(plan),
      stored_(plan.shared_ * plan.levels() * plan.words_),
      results_((plan.members_.size() - 1) * plan.levels(), missing),
      phase_(2 * plan.rounds_.size()),
      partial_(plan.operation_) {
  for (const ReductionPlan::Round& round : plan.rounds_) {
    parts_.push_back(std::make_unique<PersistentExchange>(*comm, round.parts_sent,
                                                          round.parts_received, tag++, traffic));
    answers_.push_back(std::make_unique<PersistentExchange>(
        *comm, round.results_sent, round.results_received, tag++, traffic));
  }
}

/// Returns the stored result of a member at one level, to which others contribute, too.
std::span<std::int64_t> Reduction::stored(std::size_t member, std::size_t level) {
  const std::size_t slot = as_index(plan_.members_[member].shared) * plan_.levels() + level;
  return {stored_.data() + slot * plan_.words_, plan_.words_};
}

void Reduction::take(const double* values, std::int64_t date) {
  const std::size_t count = plan_.levels();
  for (std::size_t m = 0; m + 1 < plan_.members_.size(); ++m) {
    const ReductionPlan::Member& member = plan_.members_[m];
    const std::size_t end = plan_.members_[m + 1].begin;
    for (std::size_t level = 0; level < count; ++level) {
      const double* const from = values + plan_.offset(level, plan_.source_array_);
      partial_.clear();
      for (std::size_t p = member.begin; p < end; ++p) partial_.add(from[plan_.places_[p]]);
      if (member.shared >= 0) {
        partial_.store(stored(m, level));
      } else {
        results_[m * count + level] = partial_.value();
      }
    }
  }
  date_ = date;
  phase_ = 0;
  begin_round();
}

bool Reduction::is_done() {
  const std::size_t rounds = parts_.size();
  while (phase_ < 2 * rounds) {
    PersistentExchange& exchange =
        phase_ < rounds ? *parts_[phase_] : *answers_[2 * rounds - 1 - phase_];
    if (!exchange.is_done()) return false;
    end_round();
    ++phase_;
    begin_round();
  }
  return true;
}

const PersistentExchange* Reduction::exchange() const {
  const std::size_t rounds = parts_.size();
  if (phase_ >= 2 * rounds) return nullptr;
  return phase_ < rounds ? parts_[phase_].get() : answers_[2 * rounds - 1 - phase_].get();
}

/// Sends this client's contributions to others.
void Reduction::begin_round() {
  const std::size_t rounds = parts_.size();
  const std::size_t count = plan_.levels();
  if (phase_ < rounds) {
    for (const ReductionPlan::Portion& up : plan_.rounds_[phase_].up) {
      std::int64_t* to = parts_[phase_]->to<std::int64_t>(up.rank).data();
      for (const std::size_t m : up.members) {
        to = std::copy_n(stored(m, 0).data(), count * plan_.words_, to);
      }
    }
    parts_[phase_]->start(date_);
  } else if (phase_ < 2 * rounds) {
    const std::size_t round = 2 * rounds - 1 - phase_;
    for (const ReductionPlan::Portion& down : plan_.rounds_[round].down) {
      double* to = answers_[round]->to<double>(down.rank).data();
      for (const std::size_t m : down.members) {
        to = std::copy_n(results_.data() + m * count, count, to);
      }
    }
    answers_[round]->start(date_);
  }
}

/// Adds the contributions of others.
void Reduction::end_round() {
  const std::size_t rounds = parts_.size();
  const std::size_t count = plan_.levels();
  if (phase_ < rounds) {
    put_together(phase_);
    parts_[phase_]->open();
    if (phase_ + 1 == rounds) {
      for (std::size_t m = 0; m + 1 < plan_.members_.size(); ++m) value_of_stored(m);
    }
    return;
  }
  const std::size_t round = 2 * rounds - 1 - phase_;
  for (const ReductionPlan::Portion& up : plan_.rounds_[round].up) {
    const double* from = answers_[round]->from<double>(up.rank).data();
    for (const std::size_t m : up.members) {
      std::copy_n(from, count, results_.data() + m * count);
      from += count;
    }
  }
  answers_[round]->open();
}

void Reduction::put_together(std::size_t round) {
  const std::size_t count = plan_.levels();
  for (const ReductionPlan::Portion& down : plan_.rounds_[round].down) {
    std::span<const std::int64_t> from = parts_[round]->from<std::int64_t>(down.rank);
    for (const std::size_t m : down.members) {
      for (std::size_t level = 0; level < count; ++level) {
        const std::span<std::int64_t> known = stored(m, level);
        partial_.clear();
        partial_.add(known);
        partial_.add(from.first(plan_.words_));
        partial_.store(known);
        from = from.subspan(plan_.words_);
      }
    }
  }
}

/// All parts have gone up: what they come to. Where this client is not the first of the tree, it
/// will be told.
void Reduction::value_of_stored(std::size_t member) {
  if (plan_.members_[member].shared < 0) return;
  for (std::size_t level = 0; level < plan_.levels(); ++level) {
    partial_.clear();
    partial_.add(std::span<const std::int64_t>(stored(member, level)));
    results_[member * plan_.levels() + level] = partial_.value();
  }
}

void Reduction::deliver(double* to) {
  const std::size_t count = plan_.levels();
  for (std::size_t m = 0; m + 1 < plan_.members_.size(); ++m) {
    const std::int64_t place = plan_.members_[m].place;
    if (place < 0) continue;
    double* const target = to + plan_.before_.array * place;
    for (std::size_t level = 0; level < count; ++level) {
      target[plan_.offset(level, plan_.target_array_)] = results_[m * count + level];
    }
  }
}

}  // namespace epios::io
