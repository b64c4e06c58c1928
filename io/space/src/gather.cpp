#include "gather.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "directory.hpp"

namespace epios::io {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t block = 512;

std::vector<std::int64_t> once(std::vector<std::int64_t> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

/// Of a key; -1: it is none of the points.
std::int64_t place_of(const Points& points, std::int64_t key) {
  const auto found = std::lower_bound(points.keys.begin(), points.keys.end(), key);
  if (found == points.keys.end() || *found != key) return -1;
  return points.places[static_cast<std::size_t>(found - points.keys.begin())];
}

}  // namespace

GatherPlan::GatherPlan(const Frame& frame, Stencils stencils, Missing missing,
                       const ep::Comm* comm)
    : before_(frame.before),
      behind_(frame.behind),
      source_array_(frame.source_array),
      target_array_(frame.target_array),
      stencils_(std::move(stencils)),
      missing_(missing) {
  is_before_whole_ = std::adjacent_find(before_.places.begin(), before_.places.end(),
                                        [](std::int64_t a, std::int64_t b) { return b != a + 1; }) ==
                     before_.places.end();
  entries_.reserve(stencils_.sources.size());
  for (const std::int64_t key : stencils_.sources) {
    entries_.push_back(place_of(frame.sources, key));
  }
  halo_size_ = frame.levels();
  if (comm != nullptr) plan(frame.sources, *comm);
  for (std::int64_t& entry : entries_) {
    if (entry >= 0) entry *= before_.array;
  }
}

/// What is not here comes from the lowest rank that has it.
void GatherPlan::plan(const Points& sources, const ep::Comm& comm) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::size_t levels = before_.points.size() * behind_.points.size();
  std::vector<std::int64_t> lacked;
  for (std::size_t e = 0; levels > 0 && e < entries_.size(); ++e) {
    if (entries_[e] < 0) lacked.push_back(stencils_.sources[e]);
  }
  lacked = once(std::move(lacked));
  std::int64_t own_end = std::max(sources.keys.empty() ? 0 : sources.keys.back() + 1,
                                  lacked.empty() ? 0 : lacked.back() + 1);
  std::int64_t size = 0;
  ep::check(EP_Allreduce(&own_end, &size, 1, MPI_INT64_T, MPI_MAX, comm.get()));
  const Directory directory(
      comm, size, levels > 0 ? std::span<const std::int64_t>(sources.keys)
                             : std::span<const std::int64_t>());
  const std::vector<int> holders = directory.lowest(lacked);
  std::vector<std::vector<std::int64_t>> wanted(ranks);
  for (std::size_t k = 0; k < lacked.size(); ++k) {
    if (holders[k] >= 0) wanted[static_cast<std::size_t>(holders[k])].push_back(lacked[k]);
  }
  // Numbers of what comes, rank by rank; behind them what nobody has.
  std::vector<std::int64_t> next(ranks);
  std::int64_t nobody = 0;
  for (std::size_t r = 0; r < ranks; ++r) {
    next[r] = nobody;
    nobody += static_cast<std::int64_t>(wanted[r].size());
  }
  std::vector<std::int64_t> numbers;
  for (const int holder : holders) {
    numbers.push_back(holder < 0 ? nobody : next[static_cast<std::size_t>(holder)]++);
  }
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    if (entries_[e] >= 0) continue;
    const auto found = std::lower_bound(lacked.begin(), lacked.end(), stencils_.sources[e]);
    const bool is_asked = found != lacked.end();
    const std::int64_t number =
        is_asked ? numbers[static_cast<std::size_t>(found - lacked.begin())] : nobody;
    entries_[e] = -1 - number * static_cast<std::int64_t>(levels);
  }
  halo_size_ = static_cast<std::size_t>(nobody + 1) * levels;
  const auto questions = exchange_lists(comm, wanted);
  sends_.resize(ranks);
  receives_.resize(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    receives_[r] = wanted[r].size() * levels * sizeof(double);
    if (questions[r].empty()) continue;
    Sent& sent = sent_.emplace_back();
    sent.rank = static_cast<int>(r);
    for (const std::int64_t key : questions[r]) sent.places.push_back(place_of(sources, key));
    sends_[r] = sent.places.size() * levels * sizeof(double);
  }
}

Gather::Gather(const GatherPlan& plan, const ep::Comm* comm, int tag)
    : plan_(plan), halo_(plan.halo_size_, missing) {
  if (comm == nullptr) return;
  parcels_ = std::make_unique<Parcels>(*comm, plan.sends_, plan.receives_, tag);
}

void Gather::take(const double* values) {
  if (!parcels_) return;
  const Level& before = plan_.before_;
  for (const GatherPlan::Sent& sent : plan_.sent_) {
    double* to = parcels_->to<double>(sent.rank).data();
    for (const std::int64_t place : sent.places) {
      for (const std::int64_t behind : plan_.behind_.places) {
        const double* const from = values + before.array * (place + plan_.source_array_ * behind);
        for (const std::int64_t level : before.places) *to++ = from[level];
      }
    }
  }
  parcels_->start();
}

void Gather::deliver(const double* values, double* to) {
  if (parcels_) {
    parcels_->wait("points that other clients have of a field that is transformed");
    auto at = halo_.begin();
    for (const int rank : parcels_->origins()) {
      const auto part = parcels_->from<double>(rank);
      at = std::copy(part.begin(), part.end(), at);
    }
  }
  for (std::size_t b = 0; b < plan_.behind_.places.size(); ++b) {
    plan_.work_out(values, b, halo_.data(), to);
  }
}

/// All targets of one level behind.
void GatherPlan::work_out(const double* values, std::size_t behind, const double* halo,
                          double* to) const {
  const std::size_t count = before_.places.size();
  const double* const here =
      values + before_.array * source_array_ * behind_.places[behind];
  const double* const there = halo + behind * count;
  double* const out = to + before_.array * target_array_ * behind_.places[behind];
  const bool leaves_out = missing_ == Missing::left_out;
  std::array<double, block> sum{};
  std::array<double, block> share{};  // of the weights, what is not missing
  for (std::size_t t = 0; t < stencils_.targets.keys.size(); ++t) {
    const auto first = static_cast<std::size_t>(stencils_.begin[t]);
    const auto end = static_cast<std::size_t>(stencils_.begin[t + 1]);
    double* const target = out + before_.array * stencils_.targets.places[t];
    for (std::size_t from = 0; from < count; from += block) {
      const std::size_t n = std::min(block, count - from);
      const std::int64_t* const places = before_.places.data() + from;
      double all = 0;
      std::fill_n(sum.begin(), n, 0.0);
      if (leaves_out) std::fill_n(share.begin(), n, 0.0);
      for (std::size_t e = first; e < end; ++e) {
        const double weight = stencils_.weights.empty() ? 1.0 : stencils_.weights[e];
        const std::int64_t entry = entries_[e];
        const bool is_here = entry >= 0;
        const double* const base = is_here ? here + entry : there + (-1 - entry) + from;
        const bool is_run = !is_here || is_before_whole_;
        const double* const run = is_here && is_run ? base + places[0] : base;
        all += weight;
        for (std::size_t a = 0; a < n; ++a) {
          const double value = is_run ? run[a] : base[places[a]];
          if (!leaves_out) {
            sum[a] += weight * value;
          } else if (!std::isnan(value)) {
            sum[a] += weight * value;
            share[a] += weight;
          }
        }
      }
      for (std::size_t a = 0; a < n; ++a) {
        double result = first == end ? missing : sum[a];
        if (leaves_out && share[a] != all) {
          result = share[a] == 0 ? missing : sum[a] * (all / share[a]);
        }
        target[places[a]] = result;
      }
    }
  }
}

}  // namespace epios::io
