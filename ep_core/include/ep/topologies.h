/// @file
/// Virtual topologies; included by <ep/ep.h>.
///
/// The functions that create communicators are collective over the parent, an intracommunicator;
/// all others are local. With `reorder`, EP_Cart_create gives each process a compact block of the
/// grid if its shape allows it, and the graph functions give each process a subgraph with few edges
/// to others, unless the parent's order cuts as few edges. Functions fail with EP_ERR_TOPOLOGY for
/// a communicator without the required topology. Duplicates have the topology of their parent.
///
/// One thread at a time uses a handle. Arrays may be reused when the call returns; output arrays
/// are filled up to their given sizes. The caller frees new communicators. Errors besides those
/// named with a function: EP_ERR_COMM, EP_ERR_RANK for an invalid rank or neighbour, EP_ERR_ARG for
/// negative counts, null pointers, and an `index` array that decreases.
///
/// Numbers after functions are sections of MPI-3.1.
#ifndef EP_TOPOLOGIES_H
#define EP_TOPOLOGIES_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EP_GRAPH 1
#define EP_CART 2
#define EP_DIST_GRAPH 3
/// Stands for weights: all edges have the same weight.
#define EP_UNWEIGHTED EP_POINTER_OF(int*, 1)
/// Stands for weights: the graph has weights, but this endpoint gives no edges.
#define EP_WEIGHTS_EMPTY EP_POINTER_OF(int*, 2)

/// Returns the kind of topology: EP_GRAPH, EP_CART, EP_DIST_GRAPH or EP_UNDEFINED. 7.5.5.
int EP_Topo_test(EP_Comm comm, int* status);

/// Creates a Cartesian grid with row-major ranks; `periods` is non-zero for periodic dimensions.
/// All endpoints give the same arguments. Ranks beyond the grid get EP_COMM_NULL. Fails with
/// EP_ERR_DIMS for a grid larger than the parent or a length that is not positive. Collective.
/// 7.5.1.
int EP_Cart_create(EP_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                   EP_Comm* out);
/// Replaces the zeros in `dims` by factors of `nnodes`, as equal as possible and in non-increasing
/// order. Fails with EP_ERR_DIMS if `nnodes` is not a multiple of the product of the given lengths.
/// Any thread. 7.5.2.
int EP_Dims_create(int nnodes, int ndims, int dims[]);
/// Returns the number of dimensions of the grid. 7.5.5.
int EP_Cartdim_get(EP_Comm comm, int* ndims);
/// Returns the first `maxdims` lengths, periods and coordinates of the caller. 7.5.5.
int EP_Cart_get(EP_Comm comm, int maxdims, int dims[], int periods[], int coords[]);
/// Returns the rank at these coordinates. Coordinates of periodic dimensions wrap; others fail with
/// EP_ERR_ARG if they are outside the grid. 7.5.5.
int EP_Cart_rank(EP_Comm comm, const int coords[], int* rank);
/// Returns the first `maxdims` coordinates of a rank. 7.5.5.
int EP_Cart_coords(EP_Comm comm, int rank, int maxdims, int coords[]);
/// Returns the ranks from which to receive and to which to send for a shift of data by
/// `displacement` along dimension `direction`; EP_PROC_NULL beyond a border. Fails with EP_ERR_ARG
/// for an unknown dimension. 7.5.6.
int EP_Cart_shift(EP_Comm comm, int direction, int displacement, int* source, int* dest);
/// Creates the grid of the endpoints that share the caller's coordinates in the dimensions for
/// which `remain_dims` is 0. Collective. 7.5.7.
int EP_Cart_sub(EP_Comm comm, const int remain_dims[], EP_Comm* out);
/// Returns the rank that EP_Cart_create with `reorder` would give the caller, or EP_UNDEFINED.
/// 7.5.8.
int EP_Cart_map(EP_Comm comm, int ndims, const int dims[], const int periods[], int* rank);

/// Creates a graph: `index` holds the running sums of the degrees of nodes 0 … nnodes - 1, `edges`
/// their neighbours one node after the other. All endpoints give the same arguments. Ranks from
/// `nnodes` on get EP_COMM_NULL. Fails with EP_ERR_DIMS for more nodes than endpoints. Collective.
/// 7.5.3.
int EP_Graph_create(EP_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                    EP_Comm* out);
/// Returns the numbers of nodes and of edges. 7.5.5.
int EP_Graphdims_get(EP_Comm comm, int* nnodes, int* nedges);
/// Returns the first `maxindex` and `maxedges` entries of `index` and `edges` as given to
/// EP_Graph_create. 7.5.5.
int EP_Graph_get(EP_Comm comm, int maxindex, int maxedges, int index[], int edges[]);
/// Returns the degree of node `rank`. 7.5.5.
int EP_Graph_neighbors_count(EP_Comm comm, int rank, int* count);
/// Returns the first `maxneighbors` neighbours of node `rank`, in the given order. 7.5.5.
int EP_Graph_neighbors(EP_Comm comm, int rank, int maxneighbors, int neighbors[]);
/// Returns the rank that EP_Graph_create with `reorder` would give the caller, or EP_UNDEFINED.
/// 7.5.8.
int EP_Graph_map(EP_Comm comm, int nnodes, const int index[], const int edges[], int* rank);

/// Creates a distributed graph in which every endpoint gives its own sources and destinations; each
/// edge must be given at both ends. Weights are EP_UNWEIGHTED at all endpoints or at none. `info`
/// is read as by EP_Comm_set_info. With `reorder`, memory and time are those of
/// EP_Dist_graph_create. Collective. 7.5.4.
int EP_Dist_graph_create_adjacent(EP_Comm comm, int indegree, const int sources[],
                                  const int sourceweights[], int outdegree,
                                  const int destinations[], const int destweights[], MPI_Info info,
                                  int reorder, EP_Comm* out);
/// Creates a distributed graph in which any endpoint may give any edges: degrees[i] destinations of
/// sources[i], one source after the other. Neighbours are ordered by the ranks of the endpoints
/// that gave the edges. Weights are EP_UNWEIGHTED at all endpoints or at none; `info` is read as by
/// EP_Comm_set_info. Costs memory and time proportional to the edges of the whole graph.
/// Collective. 7.5.4.
int EP_Dist_graph_create(EP_Comm comm, int count, const int sources[], const int degrees[],
                         const int destinations[], const int weights[], MPI_Info info, int reorder,
                         EP_Comm* out);
/// Returns the caller's numbers of sources and destinations, and 1 in `*weighted` if the graph has
/// weights. 7.5.5.
int EP_Dist_graph_neighbors_count(EP_Comm comm, int* indegree, int* outdegree, int* weighted);
/// Returns the caller's first sources and destinations with their weights, in the order in which
/// they were given; `sourceweights` and `destweights` may be EP_UNWEIGHTED. 7.5.5.
int EP_Dist_graph_neighbors(EP_Comm comm, int maxindegree, int sources[], int sourceweights[],
                            int maxoutdegree, int destinations[], int destweights[]);

#ifdef __cplusplus
}
#endif

#endif
