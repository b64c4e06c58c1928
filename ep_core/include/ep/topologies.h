/// @file
/// Virtual topologies; included by <ep/ep.h>.
///
/// Creation is collective over the parent, an intracommunicator; everything else is local. With
/// `reorder`, EP_Cart_create gives each process a compact block of the grid where its shape allows,
/// and the graph functions give each process a part of the graph with few edges to others, unless
/// that cuts no less than the parent's order. A communicator without the right topology is
/// EP_ERR_TOPOLOGY. Duplicates have the topology of their parent.
#ifndef EP_TOPOLOGIES_H
#define EP_TOPOLOGIES_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EP_GRAPH 1
#define EP_CART 2
#define EP_DIST_GRAPH 3
#define EP_UNWEIGHTED EP_POINTER_OF(int*, 1)
#define EP_WEIGHTS_EMPTY EP_POINTER_OF(int*, 2)

/// EP_GRAPH, EP_CART, EP_DIST_GRAPH or EP_UNDEFINED.
int EP_Topo_test(EP_Comm comm, int* status);

/// Ranks beyond the grid get EP_COMM_NULL. A grid larger than the parent is EP_ERR_DIMS.
int EP_Cart_create(EP_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                   EP_Comm* out);
/// Fills the zeros of `dims` with factors of `nnodes` as equal as possible, falling.
int EP_Dims_create(int nnodes, int ndims, int dims[]);
int EP_Cartdim_get(EP_Comm comm, int* ndims);
int EP_Cart_get(EP_Comm comm, int maxdims, int dims[], int periods[], int coords[]);
int EP_Cart_rank(EP_Comm comm, const int coords[], int* rank);
int EP_Cart_coords(EP_Comm comm, int rank, int maxdims, int coords[]);
/// EP_PROC_NULL beyond a border.
int EP_Cart_shift(EP_Comm comm, int direction, int displacement, int* source, int* dest);
/// Collective over `comm`.
int EP_Cart_sub(EP_Comm comm, const int remain_dims[], EP_Comm* out);
/// The rank that EP_Cart_create with `reorder` would give, or EP_UNDEFINED.
int EP_Cart_map(EP_Comm comm, int ndims, const int dims[], const int periods[], int* rank);

int EP_Graph_create(EP_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                    EP_Comm* out);
int EP_Graphdims_get(EP_Comm comm, int* nnodes, int* nedges);
int EP_Graph_get(EP_Comm comm, int maxindex, int maxedges, int index[], int edges[]);
int EP_Graph_neighbors_count(EP_Comm comm, int rank, int* count);
int EP_Graph_neighbors(EP_Comm comm, int rank, int maxneighbors, int neighbors[]);
int EP_Graph_map(EP_Comm comm, int nnodes, const int index[], const int edges[], int* rank);

/// Weights are EP_UNWEIGHTED at all endpoints or at none.
int EP_Dist_graph_create_adjacent(EP_Comm comm, int indegree, const int sources[],
                                  const int sourceweights[], int outdegree,
                                  const int destinations[], const int destweights[], MPI_Info info,
                                  int reorder, EP_Comm* out);
/// Any endpoint may give any edges. Memory and time in proportion to the edges of the whole graph.
int EP_Dist_graph_create(EP_Comm comm, int count, const int sources[], const int degrees[],
                         const int destinations[], const int weights[], MPI_Info info, int reorder,
                         EP_Comm* out);
int EP_Dist_graph_neighbors_count(EP_Comm comm, int* indegree, int* outdegree, int* weighted);
int EP_Dist_graph_neighbors(EP_Comm comm, int maxindegree, int sources[], int sourceweights[],
                            int maxoutdegree, int destinations[], int destweights[]);

#ifdef __cplusplus
}
#endif

#endif
