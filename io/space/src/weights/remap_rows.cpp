#include "weights/remap_rows.hpp"

#include <algorithm>
#include <cmath>

namespace epios::io {

void RowList::add(std::size_t target, std::span<const RowEntry> entries, double covered) {
  rows_.push_back(
      {static_cast<std::uint32_t>(target), static_cast<std::uint32_t>(entries.size()), covered});
  entries_.insert(entries_.end(), entries.begin(), entries.end());
}

Weights assembled(const Cells& target, std::vector<RowList>&& lists, bool with_first) {
  const std::size_t rows = target.size();
  Weights weights;
  weights.target.resize(rows);
  for (std::size_t r = 0; r < rows; ++r) weights.target[r] = target.number(r);
  weights.offsets.assign(rows + 1, 0);
  weights.covered.assign(rows, 0);
  for (const RowList& list : lists) {
    for (const RowList::Row& row : list.rows_) {
      weights.offsets[row.target + 1] = row.count;
      weights.covered[row.target] = std::min(row.covered, 1.0);
      if (row.covered > 1) weights.overfull.push_back(target.number(row.target));
    }
  }
  std::sort(weights.overfull.begin(), weights.overfull.end());
  for (std::size_t r = 0; r < rows; ++r) weights.offsets[r + 1] += weights.offsets[r];
  const auto entries = static_cast<std::size_t>(weights.offsets[rows]);
  weights.source.resize(entries);
  weights.weight.resize(entries);
  if (with_first) weights.first_order.resize(entries);
  for (RowList& list : lists) {
    std::size_t from = 0;
    for (const RowList::Row& row : list.rows_) {
      auto to = static_cast<std::size_t>(weights.offsets[row.target]);
      for (std::uint32_t k = 0; k < row.count; ++k, ++from, ++to) {
        weights.source[to] = list.entries_[from].source;
        weights.weight[to] = list.entries_[from].weight;
        if (with_first) weights.first_order[to] = list.entries_[from].first;
      }
    }
    list = {};
  }
  return weights;
}

void merge(std::vector<RowEntry>& row) {
  std::stable_sort(row.begin(), row.end(),
                   [](const RowEntry& a, const RowEntry& b) { return a.source < b.source; });
  std::size_t end = 0;
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (end > 0 && row[end - 1].source == row[k].source) {
      row[end - 1].weight += row[k].weight;
      row[end - 1].first += row[k].first;
    } else {
      row[end++] = row[k];
    }
  }
  row.resize(end);
  std::erase_if(row, [](const RowEntry& entry) { return entry.weight == 0 && entry.first == 0; });
}

void make_sum_one(std::vector<RowEntry>& row, double RowEntry::*weight) {
  if (row.empty()) return;
  const auto largest =
      std::max_element(row.begin(), row.end(), [&](const RowEntry& a, const RowEntry& b) {
        return std::abs(a.*weight) < std::abs(b.*weight);
      });
  constexpr int rounds = 4;
  for (int round = 0; round < rounds; ++round) {
    double sum = 0;
    for (const RowEntry& entry : row) sum += entry.*weight;
    if (sum == 1) return;
    (*largest).*weight += 1 - sum;
  }
}

}  // namespace epios::io
