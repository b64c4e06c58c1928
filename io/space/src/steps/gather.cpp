// Weighted sums over points of this and other clients. The plan finds who sends which points; a
// Gather sends them and sums each row in the order of its sources.
#include "steps/gather.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "config/index.hpp"
#include "grid/index.hpp"
#include "grid/missing.hpp"
#include "space/directory.hpp"

namespace epios::io {

namespace {

std::vector<std::int64_t> once(std::vector<std::int64_t> keys) {
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

/// Returns the place of a key, or -1 if it is none of the points.
std::int64_t place_of(const Points& points, std::int64_t key) {
  const auto found = std::lower_bound(points.keys.begin(), points.keys.end(), key);
  if (found == points.keys.end() || *found != key) return -1;
  return nth(points.places, found - points.keys.begin());
}

}  // namespace

GatherPlan::GatherPlan(const Frame& frame, Stencils stencils, const RowGaps& gaps,
                       const ep::Comm* comm, Use use)
    : before_(frame.before),
      behind_(frame.behind),
      source_array_(frame.source_array),
      target_array_(frame.target_array),
      begin_(std::move(stencils.begin)),
      places_(std::move(stencils.targets.places)),
      weights_(std::move(stencils.weights)),
      first_order_(std::move(stencils.first_order)),
      gaps_(gaps),
      halo_size_(frame.levels()) {
  if (gaps_.least_cover > 0 && gaps_.renormalizes) renormalize();
  is_before_whole_ = std::adjacent_find(before_.places.begin(), before_.places.end(),
                                        [](std::int64_t a, std::int64_t b) {
                                          return b != a + 1;
                                        }) == before_.places.end();
  const bool is_one = before_.places.size() == 1 && use == Use::sums;
  for (std::size_t t = 0; is_one && t < targets(); ++t) {
    rows_.push_back(
        row_scale(first_entry(t), first_entry(t + 1), [this](std::size_t e) { return weight(e); }));
  }
  std::vector<std::int64_t> entries;
  entries.reserve(stencils.sources.size());
  for (const std::int64_t key : stencils.sources) entries.push_back(place_of(frame.sources, key));
  if (comm != nullptr) plan(frame.sources, stencils.sources, *comm, entries);
  if (use == Use::blocks) let_wait(entries);
  for (std::int64_t& entry : entries) {
    if (entry >= 0) entry *= before_.array;
  }
  entries_ = CompactList(std::move(entries));
}

void GatherPlan::renormalize() {
  for (std::size_t t = 0; t < targets(); ++t) {
    const std::size_t first = first_entry(t);
    const std::size_t end = first_entry(t + 1);
    double whole = 0;
    for (std::size_t e = first; e < end; ++e) whole += weight(e);
    covered_.push_back(whole);
    if (!(whole > 0)) continue;
    for (auto* list : {&weights_, &first_order_}) {
      for (std::size_t e = first; e < end && !list->empty(); ++e) (*list)[e] /= whole;
    }
  }
}

std::size_t GatherPlan::bytes() const {
  const auto of = [](const auto& list) { return list.capacity() * sizeof(*list.data()); };
  return entries_.bytes() + begin_.bytes() + places_.bytes() + of(rows_) + of(covered_) +
         of(weights_) + of(first_order_) + of(waiting_) + of(kept_) + of(before_.points) +
         of(before_.places) + of(behind_.points) + of(behind_.places) + halo_size_ * sizeof(double);
}

/// Points that this client lacks come from the lowest rank that has them.
void GatherPlan::plan(const Points& sources, const std::vector<std::int64_t>& keys,
                      const ep::Comm& comm, std::vector<std::int64_t>& entries) {
  const auto ranks = static_cast<std::size_t>(comm.size());
  const std::size_t levels = before_.points.size() * behind_.points.size();
  std::vector<std::int64_t> lacked;
  for (std::size_t e = 0; levels > 0 && e < entries.size(); ++e) {
    if (entries[e] < 0) lacked.push_back(keys[e]);
  }
  lacked = once(std::move(lacked));
  std::int64_t own_end = std::max(sources.keys.empty() ? 0 : sources.keys.back() + 1,
                                  lacked.empty() ? 0 : lacked.back() + 1);
  std::int64_t size = 0;
  ep::check(EP_Allreduce(&own_end, &size, 1, MPI_INT64_T, MPI_MAX, comm.get()));
  const Directory directory(
      comm, size,
      levels > 0 ? std::span<const std::int64_t>(sources.keys) : std::span<const std::int64_t>());
  const std::vector<int> holders = directory.lowest(lacked);
  std::vector<std::vector<std::int64_t>> wanted(ranks);
  for (std::size_t k = 0; k < lacked.size(); ++k) {
    if (holders[k] >= 0) nth(wanted, holders[k]).push_back(lacked[k]);
  }
  // Numbers of what comes, rank by rank, behind the one of what nobody has.
  std::vector<std::int64_t> next(ranks);
  std::int64_t points = 1;
  for (std::size_t r = 0; r < ranks; ++r) {
    next[r] = points;
    points += static_cast<std::int64_t>(wanted[r].size());
  }
  std::vector<std::int64_t> numbers;
  numbers.reserve(holders.size());
  for (const int holder : holders) {
    numbers.push_back(holder < 0 ? 0 : nth(next, holder)++);
  }
  for (std::size_t e = 0; e < entries.size(); ++e) {
    if (entries[e] >= 0) continue;
    const auto found = std::lower_bound(lacked.begin(), lacked.end(), keys[e]);
    const bool is_asked = found != lacked.end();
    const std::int64_t number = is_asked ? nth(numbers, found - lacked.begin()) : 0;
    entries[e] = -1 - number * static_cast<std::int64_t>(levels);
  }
  halo_size_ = static_cast<std::size_t>(points) * levels;
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

void GatherPlan::let_wait(std::vector<std::int64_t>& entries) {
  const std::size_t levels = before_.points.size() * behind_.points.size();
  for (std::size_t t = 0; t < targets(); ++t) {
    const auto first = entries.begin() + begin_[t];
    const auto end = entries.begin() + begin_[t + 1];
    // -1 is the point that nobody has.
    if (std::none_of(first, end, [](std::int64_t entry) { return entry < -1; })) continue;
    waiting_.push_back(t);
    for (auto entry = first; entry != end; ++entry) {
      if (*entry < 0) continue;
      kept_.push_back(*entry);
      *entry = -1 - static_cast<std::int64_t>(halo_size_);
      halo_size_ += levels;
    }
  }
}

double GatherPlan::unowned_value() const {
  return gaps_.leaves_out_masked ? masked_value : missing;
}

Gather::Gather(const GatherPlan& plan, const ep::Comm* comm, int tag, StepTraffic& traffic,
               std::size_t arrays)
    : plan_(plan),
      arrays_(arrays),
      // Also of places that nobody has.
      halo_(plan.halo_size_, plan.unowned_value()),
      halo_shares_(arrays > 1 ? plan.halo_size_ : 0) {
  if (comm == nullptr) return;
  const auto of_all = [arrays](std::vector<std::size_t> bytes) {
    for (std::size_t& of_rank : bytes) of_rank *= arrays;
    return bytes;
  };
  exchange_ = std::make_unique<PersistentExchange>(*comm, of_all(plan.sends_),
                                                   of_all(plan.receives_), tag, traffic);
}

void Gather::take(std::span<const double* const> arrays, std::int64_t date) {
  if (!exchange_) return;
  const Level& before = plan_.before_;
  for (const GatherPlan::Sent& sent : plan_.sent_) {
    double* to = exchange_->to<double>(sent.rank).data();
    for (const double* const values : arrays) {
      for (const std::int64_t place : sent.places) {
        for (const std::int64_t behind : plan_.behind_.places) {
          const double* const from = values + before.array * (place + plan_.source_array_ * behind);
          for (const std::int64_t level : before.places) *to++ = from[level];
        }
      }
    }
  }
  exchange_->start(date);
}

void Gather::receive(std::size_t array, std::vector<double>& halo) {
  if (!exchange_) return;
  auto at = halo.begin() +
            static_cast<std::ptrdiff_t>(plan_.before_.points.size() * plan_.behind_.points.size());
  for (const int rank : exchange_->origins()) {
    const auto all = exchange_->from<double>(rank);
    const auto part = all.subspan(array * (all.size() / arrays_), all.size() / arrays_);
    at = std::copy(part.begin(), part.end(), at);
  }
  if (array + 1 == arrays_) exchange_->open();
}

void Gather::deliver(const double* values, double* to, std::size_t array) {
  receive(array, halo_);
  if (plan_.before_.places.size() == 1) {
    const std::size_t targets = plan_.targets();
    for (std::size_t first = 0; first < targets;) {
      std::size_t end = first + 1;
      const std::int64_t most = plan_.begin_[first] + GatherPlan::near_entries;
      while (end < targets && plan_.begin_[end + 1] <= most) ++end;
      plan_.work_out_targets(values, halo_.data(), to, first, end);
      first = end;
    }
    return;
  }
  const std::size_t levels = plan_.behind_.places.size();
  for (std::size_t b = 0; b < levels; ++b) plan_.work_out(values, b, halo_.data(), to);
}

/// The value of one source of a target, at one of the levels before.
double GatherPlan::value(const Place& place, std::size_t entry, std::size_t before) const {
  const std::int64_t at = entries_[entry];
  if (at < 0) return place.there[static_cast<std::size_t>(-1 - at) + before];
  return place.here[at + before_.places[before]];
}

/// Returns the value of one target and level whose sources are partly missing.
double GatherPlan::with_gaps(const Place& place, std::size_t target, std::size_t before) const {
  const std::vector<double>& weights = first_order_.empty() ? weights_ : first_order_;
  const std::size_t first = first_entry(target);
  const std::size_t end = first_entry(target + 1);
  const RowResult result = row_with_gaps(
      end - first, [&](std::size_t k) { return weights.empty() ? 1.0 : weights[first + k]; },
      [&](std::size_t k) { return value(place, first + k, before); }, gaps_,
      covered_.empty() ? 1 : covered_[target]);
  return result.is_missing ? missing : result.value;
}

void GatherPlan::work_out_targets(const double* values, const double* halo, double* to,
                                  std::size_t first, std::size_t end) const {
  const std::size_t levels = behind_.places.size();
  std::size_t b = 0;
  for (; b + 4 <= levels; b += 4) work_out_side<4>(values, b, halo, to, first, end);
  for (; b + 2 <= levels; b += 2) work_out_side<2>(values, b, halo, to, first, end);
  if (b < levels) work_out_side<1>(values, b, halo, to, first, end);
}

template <std::size_t Side>
void GatherPlan::work_out_side(const double* values, std::size_t behind, const double* halo,
                               double* to, std::size_t first, std::size_t end) const {
  std::array<const double*, Side> here{};
  std::array<double*, Side> out{};
  for (std::size_t k = 0; k < Side; ++k) {
    const std::int64_t level = behind_.places[behind + k];
    here[k] = values + before_.array * source_array_ * level + before_.places[0];
    out[k] = to + before_.array * target_array_ * level + before_.places[0];
  }
  const double* const there = halo + behind;
  const bool leaves_out = gaps_.leaves_out_missing || gaps_.leaves_out_masked;
  const auto values_of = [&](std::size_t e) {
    std::array<double, Side> of{};
    const std::int64_t at = entries_[e];
    for (std::size_t k = 0; k < Side; ++k) {
      of[k] = at < 0 ? there[static_cast<std::size_t>(-1 - at) + k] : here[k][at];
    }
    return of;
  };
  const auto weight_of = [this](std::size_t e) { return weight(e); };
  for (std::size_t t = first; t < end; ++t) {
    const std::size_t begin = first_entry(t);
    const std::size_t behind_last = first_entry(t + 1);
    std::array<double, Side> results{};
    if (begin < behind_last) {
      results = row_values<Side>(begin, behind_last, rows_[t], weight_of, values_of);
    } else {
      results.fill(missing);
    }
    const std::int64_t target = before_.array * places_[t];
    for (std::size_t k = 0; k < Side; ++k) {
      double result = results[k];
      if (std::isnan(result)) {
        result = leaves_out ? with_gaps({here[k] - before_.places[0], there + k}, t, 0) : missing;
      }
      out[k][target] = result;
    }
  }
}

/// All targets of one level behind.
void GatherPlan::work_out(const double* values, std::size_t behind, const double* halo,
                          double* to) const {
  const std::size_t count = before_.places.size();
  const Place place{values + before_.array * source_array_ * behind_.places[behind],
                    halo + behind * count};
  double* const out = to + before_.array * target_array_ * behind_.places[behind];
  const bool leaves_out = gaps_.leaves_out_missing || gaps_.leaves_out_masked;
  const double* const weights = weights_.empty() ? nullptr : weights_.data();
  for (std::size_t t = 0; t < targets(); ++t) {
    const std::size_t first = first_entry(t);
    const std::size_t end = first_entry(t + 1);
    double* const target = out + before_.array * places_[t];
    for (std::size_t from = 0; from < count; from += block) {
      const std::size_t n = std::min(block, count - from);
      const std::int64_t* const places = before_.places.data() + from;
      RowSums<block> row;
      for (std::size_t e = first; e < end; ++e) {
        add(place, e, from, n, weights == nullptr ? 1.0 : weights[e], row);
      }
      for (std::size_t a = 0; a < n; ++a) {
        double result = row.is_empty() ? missing : row.value(a, row.whole());
        if (std::isnan(result)) result = leaves_out ? with_gaps(place, t, from + a) : missing;
        target[places[a]] = result;
      }
    }
  }
}

/// Adds one source at `n` levels from `from` on.
void GatherPlan::add(const Place& place, std::size_t entry, std::size_t from, std::size_t n,
                     double weight, RowSums<block>& row) const {
  const std::int64_t at = entries_[entry];
  const std::int64_t* const places = before_.places.data() + from;
  const double* values = nullptr;
  if (at < 0) {
    values = place.there + static_cast<std::size_t>(-1 - at) + from;
  } else if (is_before_whole_) {
    values = place.here + at + places[0];
  }
  if (values != nullptr) return row.add(weight, n, [&](std::size_t a) { return values[a]; });
  const double* const here = place.here + at;
  row.add(weight, n, [&](std::size_t a) { return here[places[a]]; });
}

}  // namespace epios::io
