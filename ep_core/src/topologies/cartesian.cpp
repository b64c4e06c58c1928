// Arithmetic of grids: ranks and coordinates, balanced dimensions, and ranks that give each process
// a compact block. In order: coordinates, neighbours, factorisation, blocks with the least surface.
#include "topologies/cartesian.hpp"

#include <ep/ep.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <utility>

#include "process/error.hpp"

namespace ep {

std::vector<int> coords_of_rank(std::span<const int> dims, int rank) {
  std::vector<int> coords(dims.size());
  for (std::size_t d = dims.size(); d-- > 0;) {
    coords[d] = rank % dims[d];
    rank /= dims[d];
  }
  return coords;
}

namespace {

int row_major(std::span<const int> dims, std::span<const int> coords) {
  int rank = 0;
  for (std::size_t d = 0; d < dims.size(); ++d) rank = rank * dims[d] + coords[d];
  return rank;
}

int volume(std::span<const int> dims) {
  return std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>());
}

}  // namespace

int rank_of_coords(const Topology& grid, std::span<const int> coords) {
  std::vector<int> inside(coords.begin(), coords.end());
  for (std::size_t d = 0; d < inside.size(); ++d) {
    const int size = grid.dims[d];
    if (grid.periods[d] != 0) {
      inside[d] = (inside[d] % size + size) % size;
    } else if (inside[d] < 0 || inside[d] >= size) {
      fail(EP_ERR_ARG, "coordinate ", inside[d], " of dimension ", d, " (it has ", size,
           " positions and is not periodic).");
    }
  }
  return row_major(grid.dims, inside);
}

int neighbour(const Topology& grid, int rank, int direction, std::int64_t displacement) {
  std::vector<int> coords = coords_of_rank(grid.dims, rank);
  const auto d = static_cast<std::size_t>(direction);
  const int size = grid.dims[d];
  const std::int64_t position = coords[d] + displacement;
  if (grid.periods[d] == 0 && (position < 0 || position >= size)) return EP_PROC_NULL;
  coords[d] = static_cast<int>((position % size + size) % size);
  return row_major(grid.dims, coords);
}

Topology make_grid(std::vector<int> dims, std::vector<int> periods, int rank) {
  Topology grid;
  grid.kind = Topology::Kind::cartesian;
  grid.dims = std::move(dims);
  grid.periods = std::move(periods);
  for (int d = 0; d < static_cast<int>(grid.dims.size()); ++d) {
    grid.in_neighbours.push_back(neighbour(grid, rank, d, -1));
    grid.in_neighbours.push_back(neighbour(grid, rank, d, 1));
  }
  grid.out_neighbours = grid.in_neighbours;
  return grid;
}

namespace {

// The factorisation of `nodes` into `count` factors, none above `most`, whose largest is least;
// searched from the largest factor down. Empty if there is none.
std::vector<int> balanced_factors(int nodes, std::size_t count, int most) {
  if (count == 0) return {};
  if (count == 1) return nodes <= most ? std::vector<int>{nodes} : std::vector<int>{};
  for (int largest = 1; largest <= std::min(nodes, most); ++largest) {
    if (nodes % largest != 0) continue;
    std::vector<int> rest = balanced_factors(nodes / largest, count - 1, largest);
    if (rest.empty()) continue;
    rest.insert(rest.begin(), largest);
    return rest;
  }
  return {};
}

}  // namespace

void fill_dims(int nodes, std::span<int> dims) {
  std::int64_t given = 1;
  std::size_t open = 0;
  for (const int dim : dims) {
    if (dim < 0) fail(EP_ERR_DIMS, "dimension ", dim, " (negative).");
    if (dim == 0) {
      ++open;
    } else if (given <= nodes) {  // else it is too large already, and might overflow
      given *= dim;
    }
  }
  const bool fits = open == 0 ? nodes == given : nodes % given == 0;
  if (nodes <= 0 || !fits) {
    fail(EP_ERR_DIMS, nodes, " nodes in a grid with ", given,
         " positions in the given dimensions (not a multiple).");
  }
  const std::vector<int> factors =
      balanced_factors(static_cast<int>(nodes / given), open, static_cast<int>(nodes / given));
  std::size_t next = 0;
  for (int& dim : dims) {
    if (dim == 0) dim = factors[next++];
  }
}

namespace {

// The block of `count` positions with the least surface that tiles the grid; empty if none does.
std::vector<int> best_block(std::span<const int> dims, int count) {
  std::vector<int> best;
  std::int64_t least = INT64_MAX;
  std::vector<int> block(dims.size(), 1);
  const std::function<void(std::size_t, int)> search = [&](std::size_t d, int left) {
    if (d == dims.size()) {
      if (left != 1) return;
      std::int64_t surface = 0;
      for (std::size_t i = 0; i < dims.size(); ++i) {
        if (block[i] < dims[i]) surface += count / block[i];
      }
      if (surface < least) {
        least = surface;
        best = block;
      }
      return;
    }
    for (int length = 1; length <= std::min(left, dims[d]); ++length) {
      if (left % length != 0 || dims[d] % length != 0) continue;
      block[d] = length;
      search(d + 1, left / length);
    }
  };
  search(0, count);
  return best;
}

}  // namespace

std::vector<int> compact_ranks(const RankTable& ranks, std::span<const int> dims) {
  const int size = volume(dims);
  std::vector<int> out(static_cast<std::size_t>(ranks.size()));
  std::iota(out.begin(), out.end(), 0);
  const auto runs = ranks.runs();
  const int count = runs.empty() ? 0 : ranks.count(runs[0].process);
  const bool uniform = size == ranks.size() && std::all_of(runs.begin(), runs.end(), [&](auto& r) {
                         return ranks.count(r.process) == count;
                       });
  if (!uniform || count < 2) return out;
  for (int rank = 0; rank < size; ++rank) {
    if (ranks.place(rank).process != ranks.place(rank - rank % count).process) return out;
  }
  const std::vector<int> block = best_block(dims, count);
  if (block.empty()) return out;
  std::vector<int> blocks(dims.size());
  for (std::size_t d = 0; d < dims.size(); ++d) blocks[d] = dims[d] / block[d];
  for (int rank = 0; rank < size; ++rank) {
    std::vector<int> coords = coords_of_rank(blocks, rank / count);
    const std::vector<int> inside = coords_of_rank(block, rank % count);
    for (std::size_t d = 0; d < dims.size(); ++d) coords[d] = coords[d] * block[d] + inside[d];
    out[static_cast<std::size_t>(rank)] = row_major(dims, coords);
  }
  return out;
}

}  // namespace ep
