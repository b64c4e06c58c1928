#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cliques/rank_table.hpp"
#include "topologies/topology.hpp"

namespace ep {

// Arithmetic of grids; ranks are row-major.

int rank_of_coords(const Topology& grid, std::span<const int> coords);
std::vector<int> coords_of_rank(std::span<const int> dims, int rank);
/// Returns the neighbour at a distance along one dimension, EP_PROC_NULL beyond a border.
int neighbour(const Topology& grid, int rank, int direction, std::int64_t displacement);
/// Makes a grid with the neighbours of `rank`: per dimension the lower, then the upper one.
Topology make_grid(std::vector<int> dims, std::vector<int> periods, int rank);

/// Fills zeros with factors of `nodes`, as equal as possible and not increasing. Throws
/// EP_ERR_DIMS.
void fill_dims(int nodes, std::span<int> dims);

/// Returns for each old rank its rank in a grid where every process holds a compact block. Keeps
/// the old ranks if processes hold different or interleaved numbers of ranks, or if no block fits.
std::vector<int> compact_ranks(const RankTable& ranks, std::span<const int> dims);

}  // namespace ep
