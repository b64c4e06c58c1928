#include "cliques/rank_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ep {

RankTable::RankTable(std::span<const Place> places) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    const Place& place = places[i];
    if (!runs_.empty()) {
      RankRun& last = runs_.back();
      if (last.process == place.process && last.first_slot + last.length == place.slot) {
        ++last.length;
        continue;
      }
    }
    runs_.push_back({static_cast<int>(i), place.process, place.slot, 1});
  }
  index_runs();
}

RankTable::RankTable(std::vector<RankRun> runs) : runs_(std::move(runs)) { index_runs(); }

void RankTable::index_runs() {
  size_ = runs_.empty() ? 0 : runs_.back().first_rank + runs_.back().length;
  by_place_.resize(runs_.size());
  std::iota(by_place_.begin(), by_place_.end(), 0);
  std::sort(by_place_.begin(), by_place_.end(), [this](int a, int b) {
    const RankRun& x = runs_[static_cast<std::size_t>(a)];
    const RankRun& y = runs_[static_cast<std::size_t>(b)];
    return std::pair(x.process, x.first_slot) < std::pair(y.process, y.first_slot);
  });
}

const RankRun& RankTable::run_of(int rank) const {
  const auto after = std::upper_bound(runs_.begin(), runs_.end(), rank,
                                      [](int r, const RankRun& run) { return r < run.first_rank; });
  return *std::prev(after);
}

Place RankTable::place(int rank) const {
  const RankRun& run = run_of(rank);
  return {run.process, run.first_slot + (rank - run.first_rank)};
}

int RankTable::id(int rank) const {
  const RankRun& run = run_of(rank);
  return run.first_id + (rank - run.first_rank);
}

int RankTable::run_end(int rank) const {
  const RankRun* run = &run_of(rank);
  const RankRun* const last = &runs_.back();
  while (run != last && run[1].process == run->process) ++run;
  return run->first_rank + run->length;
}

int RankTable::rank(Place place) const {
  const auto after = std::upper_bound(
      by_place_.begin(), by_place_.end(), place, [this](const Place& wanted, int index) {
        const RankRun& run = runs_[static_cast<std::size_t>(index)];
        return std::pair(wanted.process, wanted.slot) < std::pair(run.process, run.first_slot);
      });
  if (after == by_place_.begin()) return -1;
  const RankRun& run = runs_[static_cast<std::size_t>(*std::prev(after))];
  if (run.process != place.process || place.slot >= run.first_slot + run.length) return -1;
  return run.first_rank + (place.slot - run.first_slot);
}

int RankTable::count(int process) const {
  auto first = std::lower_bound(
      by_place_.begin(), by_place_.end(), process,
      [this](int index, int p) { return runs_[static_cast<std::size_t>(index)].process < p; });
  int total = 0;
  for (; first != by_place_.end(); ++first) {
    const RankRun& run = runs_[static_cast<std::size_t>(*first)];
    if (run.process != process) break;
    total += run.length;
  }
  return total;
}

}  // namespace ep
