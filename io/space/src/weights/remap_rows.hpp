/// @file
/// Rows of weights from several threads, and the matrix made of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/weights.hpp"

namespace epios::io {

struct RowEntry {
  std::int64_t source = 0;  ///< number of the cell
  double weight = 0;
  double first = 0;  ///< weight of order 1
};

/// Rows made by one thread, in their order.
class RowList {
 public:
  /// `covered` is above 1 for a target that source cells cover more than once.
  void add(std::size_t target, std::span<const RowEntry> entries, double covered);

 private:
  friend Weights assembled(const Cells& target, std::vector<RowList>&& lists, bool with_first);
  struct Row {
    std::uint32_t target;
    std::uint32_t count;
    double covered;
  };
  std::vector<Row> rows_;
  std::vector<RowEntry> entries_;
};

Weights assembled(const Cells& target, std::vector<RowList>&& lists, bool with_first);

/// Sorts by source, adds up repeated sources in the given order, and removes zeros.
void merge(std::vector<RowEntry>& row);

/// Changes the largest weight by rounding errors so that the sum of all, in order, is exactly 1
/// where that is possible. For sums that are 1 except for rounding.
void make_sum_one(std::vector<RowEntry>& row, double RowEntry::*weight);

Weights conservative_weights(const Cells& source, const Cells& target, const RemapOptions& options);
Weights nearest_weights(const Cells& source, const Cells& target, const RemapOptions& options);
Weights bilinear_weights(const Cells& source, const Cells& target, const RemapOptions& options);

}  // namespace epios::io
