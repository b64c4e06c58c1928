#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "file_grid.hpp"
#include "space/weights.hpp"

namespace epios::io {

/// The result of --check for one variable, over all its slabs.
struct FieldCheck {
  double least = 0, most = 0;  ///< of the source
  double target_least = 0, target_most = 0;
  std::int64_t count = 0, target_count = 0;  ///< numbers of values that are not missing
  double integral = 0,
         target_integral = 0;  ///< integrals of the absolute value over the unit sphere
  double worst = 0;            ///< largest relative difference of the integrals of a slab
  double worst_source_area = 0, worst_target_area = 0;  ///< covered by values in that slab
};

/// Weights between two grids of files, and what is needed to apply them slab by slab.
class GridRemap {
 public:
  /// Remarks on cells go to standard error.
  GridRemap(const FileGrid& source, const FileGrid& target, const Weights& weights, int threads,
            double least_cover);
  /// Values in the order of the source's cells (NaN: missing) to those of the target's.
  void apply(const std::vector<double>& values, std::vector<double>& results) const;
  void check(const std::vector<double>& values, const std::vector<double>& results,
             FieldCheck& check) const;

 private:
  double cover_of(std::size_t row, const std::vector<double>& values) const;

  const Weights& weights_;
  int threads_;
  double least_cover_;
  std::vector<double> source_area_, target_area_;
};

/// "sst: -1.8 to 31.2 becomes -1.7 to 30.9; integrals differ by 1.2e-16".
std::string text_of(const std::string& variable, const FieldCheck& check);

}  // namespace epios::io
