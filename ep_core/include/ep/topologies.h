/// @file
/// Virtual topologies; included by <ep/ep.h>.
///
/// Creation is collective over the parent, an intracommunicator; everything else is local. With
/// `reorder`, EP_Cart_create gives each process a compact block of the grid where its shape allows,
/// and the graph functions give each process a subgraph with few edges to others, unless that cuts
/// no less than the parent's order. A communicator without the right topology is EP_ERR_TOPOLOGY.
/// Duplicates have the topology of their parent.
///
/// One thread at a time uses a handle. Arrays are the program's again when the call returns; output
/// arrays are written only as far as their given sizes. Errors beside those named: EP_ERR_COMM,
/// EP_ERR_RANK for an invalid rank or neighbour, EP_ERR_ARG for negative counts, null pointers, and
/// an `index` that decreases.
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
/// Instead of weights: every edge counts the same.
#define EP_UNWEIGHTED EP_POINTER_OF(int*, 1)
/// Instead of weights: the graph has weights, and this endpoint gives no edges.
#define EP_WEIGHTS_EMPTY EP_POINTER_OF(int*, 2)

/// Returns EP_GRAPH, EP_CART, EP_DIST_GRAPH or EP_UNDEFINED. 7.5.5.
int EP_Topo_test(EP_Comm comm, int* status);

/// Makes a grid with row-major ranks; `periods` tells which dimensions wrap. All endpoints give the
/// same arguments. Ranks beyond the grid get EP_COMM_NULL. EP_ERR_DIMS for a grid larger than the
/// parent or a length that is not positive. Collective. 7.5.1.
int EP_Cart_create(EP_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                   EP_Comm* out);
/// Fills the zeros of `dims` with factors of `nnodes`, as equal as possible and not increasing.
/// EP_ERR_DIMS if `nnodes` is no multiple of the given lengths. Any thread. 7.5.2.
int EP_Dims_create(int nnodes, int ndims, int dims[]);
/// Returns the number of dimensions. 7.5.5.
int EP_Cartdim_get(EP_Comm comm, int* ndims);
/// Returns the first `maxdims` lengths, periods and coordinates of the caller. 7.5.5.
int EP_Cart_get(EP_Comm comm, int maxdims, int dims[], int periods[], int coords[]);
/// Returns the rank at these coordinates; periodic ones wrap, others beyond the grid are
/// EP_ERR_ARG. 7.5.5.
int EP_Cart_rank(EP_Comm comm, const int coords[], int* rank);
/// Returns the first `maxdims` coordinates of a rank. 7.5.5.
int EP_Cart_coords(EP_Comm comm, int rank, int maxdims, int coords[]);
/// Returns the ranks to receive from and to send to, to shift data by `displacement` along
/// `direction`; EP_PROC_NULL beyond a border. EP_ERR_ARG if there is no such dimension. 7.5.6.
int EP_Cart_shift(EP_Comm comm, int direction, int displacement, int* source, int* dest);
/// Makes the grid of the endpoints that have the caller's coordinates in the dimensions that do not
/// remain. Collective. 7.5.7.
int EP_Cart_sub(EP_Comm comm, const int remain_dims[], EP_Comm* out);
/// Returns the rank that EP_Cart_create with `reorder` would give the caller, or EP_UNDEFINED.
/// 7.5.8.
int EP_Cart_map(EP_Comm comm, int ndims, const int dims[], const int periods[], int* rank);

/// Makes a graph: `index` has the running sums of the degrees of nodes 0 … nnodes - 1, `edges`
/// their neighbours one after the other. All endpoints give the same arguments. Endpoints with a
/// rank of `nnodes` or above get EP_COMM_NULL. EP_ERR_DIMS for more nodes than endpoints.
/// Collective. 7.5.3.
int EP_Graph_create(EP_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                    EP_Comm* out);
/// Returns the numbers of nodes and of edges. 7.5.5.
int EP_Graphdims_get(EP_Comm comm, int* nnodes, int* nedges);
/// Returns the first entries of `index` and `edges` as given to EP_Graph_create. 7.5.5.
int EP_Graph_get(EP_Comm comm, int maxindex, int maxedges, int index[], int edges[]);
/// Returns the degree of node `rank`. 7.5.5.
int EP_Graph_neighbors_count(EP_Comm comm, int rank, int* count);
/// Returns the first `maxneighbors` neighbours of node `rank`, as given. 7.5.5.
int EP_Graph_neighbors(EP_Comm comm, int rank, int maxneighbors, int neighbors[]);
/// Returns the rank that EP_Graph_create with `reorder` would give the caller, or EP_UNDEFINED.
/// 7.5.8.
int EP_Graph_map(EP_Comm comm, int nnodes, const int index[], const int edges[], int* rank);

/// Makes a distributed graph of which every endpoint gives its own sources and destinations; where
/// one names a destination, that endpoint names it as a source. Weights are EP_UNWEIGHTED at all
/// endpoints or at none. `info` is kept as by EP_Comm_set_info. With `reorder`, memory and time are
/// those of EP_Dist_graph_create. Collective. 7.5.4.
int EP_Dist_graph_create_adjacent(EP_Comm comm, int indegree, const int sources[],
                                  const int sourceweights[], int outdegree,
                                  const int destinations[], const int destweights[], MPI_Info info,
                                  int reorder, EP_Comm* out);
/// Makes a distributed graph of which any endpoint may give any edges: degrees[i] destinations of
/// sources[i], one source after the other. Neighbours are in the order of rank of the endpoints
/// that gave the edges. Weights and `info` as above. Memory and time are proportional to the edges
/// of the whole graph. Collective. 7.5.4.
int EP_Dist_graph_create(EP_Comm comm, int count, const int sources[], const int degrees[],
                         const int destinations[], const int weights[], MPI_Info info, int reorder,
                         EP_Comm* out);
/// Returns the caller's numbers of sources and destinations, and tells whether there are weights.
/// 7.5.5.
int EP_Dist_graph_neighbors_count(EP_Comm comm, int* indegree, int* outdegree, int* weighted);
/// Returns the caller's first sources and destinations with their weights, in the order in which
/// they were given; `sourceweights` and `destweights` may be EP_UNWEIGHTED. 7.5.5.
int EP_Dist_graph_neighbors(EP_Comm comm, int maxindegree, int sources[], int sourceweights[],
                            int maxoutdegree, int destinations[], int destweights[]);

#ifdef __cplusplus
}
#endif

#endif
