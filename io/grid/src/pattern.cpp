#include "grid/pattern.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace epios::io {

namespace {

// Below this many places per run, a list of places is faster and hardly larger.
constexpr std::int64_t short_run = 4;

std::int64_t total(const std::vector<PlaceRun>& runs) {
  std::int64_t sum = 0;
  for (const PlaceRun& run : runs) sum += run.count;
  return sum;
}

bool is_everything(const PatternFactor& factor) {
  return factor.runs.size() == 1 && factor.runs[0] == PlaceRun{0, factor.places};
}

void append(std::vector<PlaceRun>& runs, const PlaceRun& run) {
  if (run.count == 0) return;
  if (!runs.empty() && runs.back().place + runs.back().count == run.place) {
    runs.back().count += run.count;
  } else {
    runs.push_back(run);
  }
}

/// Empty runs left out, neighbours joined.
std::vector<PlaceRun> joined(const std::vector<PlaceRun>& runs) {
  std::vector<PlaceRun> out;
  out.reserve(runs.size());
  for (const PlaceRun& run : runs) append(out, run);
  return out;
}

}  // namespace

Pattern::Pattern(std::span<const PatternFactor> factors) : count_(1) {
  is_whole_ = true;
  runs_ = {{0, 1}};
  for (const PatternFactor& factor : factors) {
    is_whole_ = is_whole_ && is_everything({factor.places, joined(factor.runs)});
    count_ *= total(factor.runs);
    array_size_ *= factor.places;
  }
  if (count_ == 0) {
    runs_.clear();
    is_whole_ = array_size_ == 0;
    return;
  }
  // The inner loop takes in elements from the fastest on: all that are whole, and the first that is
  // not. One that has a single place is an offset, and the next one takes its turn, with a step.
  std::int64_t whole = 1;  // places below the element at hand, all of them in the inner loop
  std::int64_t stride = 1;
  bool is_open = true;
  for (const PatternFactor& factor : factors) {
    std::vector<PlaceRun> runs = joined(factor.runs);
    if (is_open) {
      if (total(runs) == 1 && factor.places > 1 && whole == 1) {
        offset_ += runs[0].place * stride;
        step_ = stride * factor.places;
      } else if (is_everything({factor.places, runs}) && runs_.size() == 1) {
        whole *= factor.places;
        runs_[0].count = whole;
      } else {
        for (PlaceRun& run : runs) run = {run.place * whole, run.count * whole};
        runs_ = std::move(runs);
        is_open = false;
      }
    } else {
      levels_.push_back({std::move(runs), stride, 1});
    }
    stride *= factor.places;
  }
  for (std::size_t level = 1; level < levels_.size(); ++level) {
    levels_[level].inner = levels_[level - 1].inner * total(levels_[level - 1].runs);
  }
  // A step among whole elements is right only for those above the single place.
  inner_count_ = total(runs_);
  const std::int64_t pieces = static_cast<std::int64_t>(runs_.size());
  const std::int64_t last = runs_.back().place + runs_.back().count;
  if (pieces > 1 && inner_count_ < short_run * pieces &&
      last <= std::numeric_limits<std::uint32_t>::max()) {
    singles_.reserve(static_cast<std::size_t>(inner_count_));
    for (const PlaceRun& run : runs_) {
      for (std::int64_t k = 0; k < run.count; ++k) {
        singles_.push_back(static_cast<std::uint32_t>(run.place + k));
      }
    }
    runs_ = {};
  }
}

}  // namespace epios::io
