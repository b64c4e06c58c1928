#include "reduction.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "directory.hpp"

namespace epios::io {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::size_t at(std::int64_t index) { return static_cast<std::size_t>(index); }

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
  for (std::size_t t = 0; levels() > 0 && t < targets.keys.size(); ++t) {
    wanted_.push_back({targets.places[t]});
  }
  collect(frame, what, comm);
  if (comm != nullptr) {
    rank_ = comm->rank();
    plan(targets, *comm);
  } else {
    std::size_t t = 0;
    for (Part& part : parts_) {
      part.number = targets_.size();
      targets_.push_back(part.target);
      while (t < wanted_.size() && targets.keys[t] < part.target) ++t;
      if (t < wanted_.size() && targets.keys[t] == part.target) {
        wanted_[t].rank = 0;
        wanted_[t].number = part.number;
      }
    }
  }
}

std::size_t ReductionPlan::number_of(std::int64_t target) const {
  return static_cast<std::size_t>(std::lower_bound(targets_.begin(), targets_.end(), target) -
                                  targets_.begin());
}

/// The sources of this client by the targets that they belong to.
void ReductionPlan::collect(const Frame& frame, const What& what, const ep::Comm* comm) {
  std::vector<std::int64_t> keys;
  std::vector<std::int64_t> places;
  if (levels() > 0) {
    keys = frame.sources.keys;
    places = frame.sources.places;
  }
  if (comm != nullptr && what.counts_once) {
    const std::int64_t end = end_of(*comm, keys.empty() ? 0 : keys.back() + 1);
    const Directory directory(*comm, end, keys);
    const std::vector<int> lowest = directory.lowest(keys);
    std::size_t kept = 0;
    for (std::size_t k = 0; k < keys.size(); ++k) {
      if (lowest[k] != comm->rank()) continue;
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
  for (const auto& [target, place] : by_target) {
    if (parts_.empty() || parts_.back().target != target) parts_.push_back({target});
    parts_.back().places.push_back(place);
  }
}

/// Who puts which target together, and who wants it.
void ReductionPlan::plan(const Points& targets, const ep::Comm& comm) {
  std::vector<std::int64_t> keys;
  for (const Part& part : parts_) keys.push_back(part.target);
  std::vector<std::int64_t> asked;
  if (!wanted_.empty()) asked = targets.keys;
  const std::int64_t end = end_of(
      comm, std::max(keys.empty() ? 0 : keys.back() + 1, asked.empty() ? 0 : asked.back() + 1));
  const Directory directory(comm, end, keys);
  const std::vector<int> ranks = directory.any(keys);
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    parts_[p].rank = ranks[p];
    if (ranks[p] == rank_) targets_.push_back(keys[p]);
  }
  const std::vector<int> of_asked = directory.any(asked);
  std::vector<std::vector<std::int64_t>> wishes(static_cast<std::size_t>(comm.size()));
  for (std::size_t t = 0; t < wanted_.size(); ++t) {
    wanted_[t].rank = of_asked[t];
    if (of_asked[t] >= 0) wishes[at(of_asked[t])].push_back(asked[t]);
  }
  const auto others = exchange_lists(comm, wishes);
  results_sent_.resize(wishes.size());
  results_received_.resize(wishes.size());
  std::vector<std::size_t> next(wishes.size());
  for (std::size_t t = 0; t < wanted_.size(); ++t) {
    if (wanted_[t].rank < 0) continue;
    wanted_[t].number =
        wanted_[t].rank == rank_ ? number_of(asked[t]) : next[at(wanted_[t].rank)]++;
  }
  for (std::size_t r = 0; r < wishes.size(); ++r) {
    if (static_cast<int>(r) == rank_) continue;
    results_received_[r] = wishes[r].size() * levels() * sizeof(double);
    results_sent_[r] = others[r].size() * levels() * sizeof(double);
    if (others[r].empty()) continue;
    Portion& out = outgoing_.emplace_back();
    out.rank = static_cast<int>(r);
    for (const std::int64_t key : others[r]) out.numbers.push_back(number_of(key));
  }
  plan_parts(comm);
}

/// Parts of targets that others put together.
void ReductionPlan::plan_parts(const ep::Comm& comm) {
  std::vector<std::vector<std::int64_t>> away(static_cast<std::size_t>(comm.size()));
  std::size_t own = 0;
  for (Part& part : parts_) {
    if (part.rank == rank_) {
      part.number = own++;
    } else {
      part.number = away[at(part.rank)].size();
      part.is_alone = false;
      away[at(part.rank)].push_back(part.target);
    }
  }
  const auto from = exchange_lists(comm, away);
  parts_sent_.resize(away.size());
  parts_received_.resize(away.size());
  std::vector<std::uint8_t> is_shared(targets_.size());
  for (std::size_t r = 0; r < away.size(); ++r) {
    parts_sent_[r] = away[r].size() * levels() * words_ * sizeof(std::int64_t);
    parts_received_[r] = from[r].size() * levels() * words_ * sizeof(std::int64_t);
    if (from[r].empty()) continue;
    Portion& in = incoming_.emplace_back();
    in.rank = static_cast<int>(r);
    for (const std::int64_t key : from[r]) {
      in.numbers.push_back(number_of(key));
      is_shared[in.numbers.back()] = 1;
    }
  }
  for (Part& part : parts_) {
    if (part.rank != rank_ || is_shared[part.number] == 0) continue;
    part.is_alone = false;
    has_shared_ = true;
  }
}

Reduction::Reduction(const ReductionPlan& plan, const ep::Comm* comm, int tag)
    : plan_(plan),
      results_(plan.targets_.size() * plan.levels(), missing),
      partial_(plan.operation_) {
  if (comm == nullptr) return;
  if (plan.has_shared_) stored_.resize(results_.size() * plan.words_);
  parcels_ = std::make_unique<Parcels>(*comm, plan.parts_sent_, plan.parts_received_, tag);
  answers_ = std::make_unique<Parcels>(*comm, plan.results_sent_, plan.results_received_, tag + 1);
}

void Reduction::take(const double* values, std::int64_t date) {
  const std::size_t count = plan_.levels();
  for (const ReductionPlan::Part& part : plan_.parts_) {
    std::int64_t* to = nullptr;
    if (!part.is_alone) {
      to = (part.rank == plan_.rank_ ? stored_.data()
                                     : parcels_->to<std::int64_t>(part.rank).data()) +
           part.number * count * plan_.words_;
    }
    for (std::size_t level = 0; level < count; ++level) {
      const double* const from = values + plan_.offset(level, plan_.source_array_);
      partial_.clear();
      for (const std::int64_t place : part.places) partial_.add(from[place]);
      if (to == nullptr) {
        results_[part.number * count + level] = partial_.value();
      } else {
        partial_.store({to + level * plan_.words_, plan_.words_});
      }
    }
  }
  date_ = date;
  if (parcels_) parcels_->start(date);
}

/// Targets of which others have some, too.
void Reduction::put_together() {
  const std::size_t count = plan_.levels();
  for (const ReductionPlan::Portion& in : plan_.incoming_) {
    const auto from = parcels_->from<std::int64_t>(in.rank);
    for (std::size_t k = 0; k < in.numbers.size() * count; ++k) {
      const std::size_t slot = in.numbers[k / count] * count + k % count;
      const std::span<std::int64_t> stored(stored_.data() + slot * plan_.words_, plan_.words_);
      partial_.clear();
      partial_.add(stored);
      partial_.add(from.subspan(k * plan_.words_, plan_.words_));
      partial_.store(stored);
    }
  }
  for (const ReductionPlan::Part& part : plan_.parts_) {
    if (part.rank != plan_.rank_ || part.is_alone) continue;
    for (std::size_t level = 0; level < count; ++level) {
      const std::size_t slot = part.number * count + level;
      partial_.clear();
      partial_.add(
          std::span<const std::int64_t>(stored_.data() + slot * plan_.words_, plan_.words_));
      results_[slot] = partial_.value();
    }
  }
}

void Reduction::deliver(double* to, const Check& check) {
  const std::size_t count = plan_.levels();
  if (parcels_) {
    parcels_->wait("what other clients have of a field that is reduced", check);
    put_together();
    for (const ReductionPlan::Portion& out : plan_.outgoing_) {
      double* result = answers_->to<double>(out.rank).data();
      for (const std::size_t number : out.numbers) {
        result = std::copy_n(results_.data() + number * count, count, result);
      }
    }
    answers_->start(date_);
    answers_->wait("the result of a field that is reduced", check);
  }
  for (const ReductionPlan::Wanted& wanted : plan_.wanted_) {
    const double* from = nullptr;
    if (wanted.rank == plan_.rank_) from = results_.data() + wanted.number * count;
    if (wanted.rank >= 0 && wanted.rank != plan_.rank_) {
      from = answers_->from<double>(wanted.rank).data() + wanted.number * count;
    }
    double* const target = to + plan_.before_.array * wanted.place;
    for (std::size_t level = 0; level < count; ++level) {
      target[plan_.offset(level, plan_.target_array_)] = from == nullptr ? missing : from[level];
    }
  }
}

}  // namespace epios::io
