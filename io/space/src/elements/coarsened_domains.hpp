/// @file
/// Domains of the next coarser level: a cell for each block of cells.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/spatial.hpp"

namespace epios::io {

/// The blocks of cells of a domain that are cells of the next coarser level: four children of a
/// pixel of HEALPix, or two columns and two rows (fewer at the ends of an odd number).
class CellBlocks {
 public:
  explicit CellBlocks(const config::DomainAttributes& source);

  /// Returns the number of blocks.
  std::int64_t size() const { return columns_ * rows_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t parent(std::int64_t cell) const;
  /// Appends the cells of a block, ascending.
  void add_children(std::int64_t block, std::vector<std::int64_t>& cells) const;

 private:
  std::int64_t ni_ = 1, nj_ = 1;
  std::int64_t columns_ = 1, rows_ = 1;
  std::int64_t nside_ = 0;  ///< of HEALPix
  bool is_ring_ = false;
};

/// Gives the target of a step that coarsens a domain its part on this client: the blocks of which
/// no client of lower rank, among those with the same points of other elements, has a cell. Also
/// coordinates, bounds, areas and masks, from those of the cells. Collective.
void coarsen(config::Model& model, const config::SpatialStep& step, const ep::Comm& clients);

/// Returns the part of its block that each cell is, for the cells of `blocks`, one block after the
/// other: by given areas, else by areas on the sphere; nothing if all cells of a block are alike.
/// Collective.
std::vector<double> shares_of_cells(const config::Domain& source,
                                    const std::vector<std::int64_t>& blocks,
                                    const ep::Comm& clients);

}  // namespace epios::io
