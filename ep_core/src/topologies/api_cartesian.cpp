// C functions of grids, and helpers of all topologies. In order: access to the topology of a
// communicator and to lists of programs, placing ranks in a grid, creation, queries, sub-grids.
#include <ep/ep.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "creation/api_creation.hpp"
#include "handles/api_arguments.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "topologies/api_topology.hpp"
#include "topologies/cartesian.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

const Topology& ep::topology_of(const Endpoint& endpoint, Topology::Kind kind) {
  const Topology* const topology = topology_in(endpoint);
  if (topology == nullptr || topology->kind != kind) {
    fail(EP_ERR_TOPOLOGY, "the communicator has no such topology (none, or one of another kind).");
  }
  return *topology;
}

std::span<const int> ep::checked_list(int count, const int* list, const char* what) {
  if (count < 0) fail(EP_ERR_ARG, "count ", count, " of ", what, " (negative).");
  if (count > 0) check_out(list);
  return {list, static_cast<std::size_t>(count)};
}

void ep::give_list(std::span<const int> values, int room, int* out) {
  if (room < 0) fail(EP_ERR_ARG, "room for ", room, " values (negative).");
  const auto count = std::min(values.size(), static_cast<std::size_t>(room));
  if (count > 0) check_out(out);
  std::copy_n(values.begin(), count, out);
}

namespace {

const Topology& grid_of(const Endpoint& endpoint) {
  return topology_of(endpoint, Topology::Kind::cartesian);
}

// Positions of a grid that must fit into `size` endpoints.
int checked_positions(std::span<const int> dims, int size) {
  std::int64_t positions = 1;
  for (const int dim : dims) {
    if (dim <= 0) fail(EP_ERR_DIMS, "dimension ", dim, " of a grid (not positive).");
    positions *= dim;
    if (positions > size) {
      fail(EP_ERR_DIMS, "a grid of ", positions, " or more positions (the communicator has ", size,
           " ranks).");
    }
  }
  return static_cast<int>(positions);
}

// The rank in the grid, EP_UNDEFINED for those that are left over.
int rank_in_grid(const Endpoint& endpoint, std::span<const int> dims, bool reorder) {
  const int positions = checked_positions(dims, endpoint.local_group().size());
  if (endpoint.rank >= positions) return EP_UNDEFINED;
  if (!reorder) return endpoint.rank;
  return compact_ranks(endpoint.local_group(), dims)[static_cast<std::size_t>(endpoint.rank)];
}

void check_rank_in(const Endpoint& endpoint, int rank) {
  const int size = endpoint.local_group().size();
  if (rank < 0 || rank >= size) {
    fail(EP_ERR_RANK, "rank ", rank, " (the group has ", size, " ranks).");
  }
}

}  // namespace

int EP_Topo_test(EP_Comm comm, int* status) {
  return call_on(comm, [&] {
    check_out(status);
    const Endpoint& endpoint = endpoint_of(comm);
    *status = EP_UNDEFINED;
    const Topology* const topology = topology_in(endpoint);
    if (topology == nullptr) return;
    switch (topology->kind) {
      case Topology::Kind::cartesian:
        *status = EP_CART;
        break;
      case Topology::Kind::graph:
        *status = EP_GRAPH;
        break;
      case Topology::Kind::dist_graph:
        *status = EP_DIST_GRAPH;
        break;
    }
  });
}

int EP_Cart_create(EP_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                   EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Cart_create");
    const auto lengths = checked_list(ndims, dims, "dimensions");
    const auto wraps = checked_list(ndims, periods, "periods");
    const int rank = rank_in_grid(endpoint, lengths, reorder != 0);
    Membership mine;
    mine.color = rank == EP_UNDEFINED ? EP_UNDEFINED : 0;
    mine.key = rank;
    const auto created = create_members(endpoint, mine, "EP_Cart_create");
    if (created.empty()) return;
    *out = handle_of(&endpoint, created.front());
    (*out)->topology = std::make_shared<const Topology>(
        make_grid({lengths.begin(), lengths.end()}, {wraps.begin(), wraps.end()}, rank));
  });
}

int EP_Dims_create(int nnodes, int ndims, int dims[]) {
  return guarded([&] {
    static_cast<void>(checked_list(ndims, dims, "dimensions"));
    fill_dims(nnodes, {dims, static_cast<std::size_t>(ndims)});
  });
}

int EP_Cartdim_get(EP_Comm comm, int* ndims) {
  return call_on(comm, [&] {
    check_out(ndims);
    *ndims = static_cast<int>(grid_of(endpoint_of(comm)).dims.size());
  });
}

int EP_Cart_get(EP_Comm comm, int maxdims, int dims[], int periods[], int coords[]) {
  return call_on(comm, [&] {
    const Endpoint& endpoint = endpoint_of(comm);
    const Topology& grid = grid_of(endpoint);
    give_list(grid.dims, maxdims, dims);
    give_list(grid.periods, maxdims, periods);
    give_list(coords_of_rank(grid.dims, endpoint.rank), maxdims, coords);
  });
}

int EP_Cart_rank(EP_Comm comm, const int coords[], int* rank) {
  return call_on(comm, [&] {
    check_out(rank);
    const Topology& grid = grid_of(endpoint_of(comm));
    const int ndims = static_cast<int>(grid.dims.size());
    *rank = rank_of_coords(grid, checked_list(ndims, coords, "coordinates"));
  });
}

int EP_Cart_coords(EP_Comm comm, int rank, int maxdims, int coords[]) {
  return call_on(comm, [&] {
    const Endpoint& endpoint = endpoint_of(comm);
    const Topology& grid = grid_of(endpoint);
    check_rank_in(endpoint, rank);
    give_list(coords_of_rank(grid.dims, rank), maxdims, coords);
  });
}

int EP_Cart_shift(EP_Comm comm, int direction, int displacement, int* source, int* dest) {
  return call_on(comm, [&] {
    check_out(source);
    check_out(dest);
    const Endpoint& endpoint = endpoint_of(comm);
    const Topology& grid = grid_of(endpoint);
    if (direction < 0 || direction >= static_cast<int>(grid.dims.size())) {
      fail(EP_ERR_ARG, "direction ", direction, " (the grid has ", grid.dims.size(),
           " dimensions).");
    }
    *source = neighbour(grid, endpoint.rank, direction, -std::int64_t{displacement});
    *dest = neighbour(grid, endpoint.rank, direction, displacement);
  });
}

int EP_Cart_sub(EP_Comm comm, const int remain_dims[], EP_Comm* out) {
  return call_creating(comm, out, [&] {
    Endpoint& endpoint = intra_endpoint_of(comm, "EP_Cart_sub");
    const Topology& grid = grid_of(endpoint);
    const int ndims = static_cast<int>(grid.dims.size());
    const auto remains = checked_list(ndims, remain_dims, "dimensions");
    const std::vector<int> coords = coords_of_rank(grid.dims, endpoint.rank);
    std::vector<int> dims;
    std::vector<int> periods;
    Membership mine;
    for (std::size_t d = 0; d < coords.size(); ++d) {
      if (remains[d] != 0) {
        dims.push_back(grid.dims[d]);
        periods.push_back(grid.periods[d]);
        mine.key = mine.key * grid.dims[d] + coords[d];
      } else {
        mine.color = mine.color * grid.dims[d] + coords[d];
      }
    }
    const int rank = mine.key;
    *out = handle_of(&endpoint, create_members(endpoint, mine, "EP_Cart_sub").front());
    (*out)->topology =
        std::make_shared<const Topology>(make_grid(std::move(dims), std::move(periods), rank));
  });
}

int EP_Cart_map(EP_Comm comm, int ndims, const int dims[], const int periods[], int* rank) {
  return call_on(comm, [&] {
    check_out(rank);
    const Endpoint& endpoint = intra_endpoint_of(comm, "EP_Cart_map");
    static_cast<void>(checked_list(ndims, periods, "periods"));
    *rank = rank_in_grid(endpoint, checked_list(ndims, dims, "dimensions"), true);
  });
}
