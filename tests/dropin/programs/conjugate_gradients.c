// Conjugate gradients for a sparse matrix whose couplings make the ranks a graph: each rank owns
// some unknowns, coupled to those of the ranks next to it in a ring and, for even ranks, of the
// rank opposite. Only neighbours in the graph exchange values. MPI: Dist_graph_create_adjacent,
// Dist_graph_neighbors(_count), Topo_test, Neighbor_alltoall, Neighbor_allgatherv, Allreduce.
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { n = 8, largest = 4 };  // unknowns of a rank; neighbours

typedef struct {
  MPI_Comm comm;
  int neighbours[largest];
  int count;
} Graph;

static int add(int* list, int count, int candidate, int self) {
  if (candidate == self) return count;
  for (int i = 0; i < count; ++i) {
    if (list[i] == candidate) return count;
  }
  list[count] = candidate;
  return count + 1;
}

static Graph connect(void) {
  Graph graph;
  int rank = 0;
  int size = 0;
  int list[largest];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int count = add(list, 0, (rank + 1) % size, rank);
  count = add(list, count, (rank + size - 1) % size, rank);
  if (size % 2 == 0 && size / 2 % 2 == 0 && rank % 2 == 0) {
    count = add(list, count, (rank + size / 2) % size, rank);
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, count, list, MPI_UNWEIGHTED, count, list,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph.comm);
  int topology = MPI_UNDEFINED;
  int is_weighted = 1;
  int sources = 0;
  int to[largest];
  MPI_Topo_test(graph.comm, &topology);
  MPI_Dist_graph_neighbors_count(graph.comm, &sources, &graph.count, &is_weighted);
  MPI_Dist_graph_neighbors(graph.comm, largest, graph.neighbours, MPI_UNWEIGHTED, largest, to,
                           MPI_UNWEIGHTED);
  printf("rank %d: %s graph, %d neighbours, first %d\n", rank,
         topology == MPI_DIST_GRAPH && !is_weighted ? "unweighted" : "other", sources,
         sources > 0 ? graph.neighbours[0] : -1);
  return graph;
}

// y = A x: 8 on the diagonal, -1 between own neighbours and between same places of neighbour ranks.
static void multiply(const Graph* graph, const double* x, double* y) {
  double theirs[largest * n];
  int counts[largest];
  int places[largest];
  for (int i = 0; i < graph->count; ++i) {
    counts[i] = n;
    places[i] = (graph->count - 1 - i) * n;  // not in their order
  }
  MPI_Neighbor_allgatherv(x, n, MPI_DOUBLE, theirs, counts, places, MPI_DOUBLE, graph->comm);
  for (int i = 0; i < n; ++i) {
    y[i] = 8 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < n - 1 ? x[i + 1] : 0);
    for (int k = 0; k < graph->count; ++k) y[i] -= theirs[k * n + i];
  }
}

static double dot(const Graph* graph, const double* a, const double* b) {
  double mine = 0;
  double sum = 0;
  for (int i = 0; i < n; ++i) mine += a[i] * b[i];
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, graph->comm);
  return sum;
}

static int solve(const Graph* graph, const double* b, double* x) {
  double r[n], p[n], q[n];
  for (int i = 0; i < n; ++i) {
    x[i] = 0;
    r[i] = p[i] = b[i];
  }
  double rr = dot(graph, r, r);
  int steps = 0;
  for (; rr > 1e-20 && steps < 200; ++steps) {
    multiply(graph, p, q);
    const double alpha = rr / dot(graph, p, q);
    for (int i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double before = rr;
    rr = dot(graph, r, r);
    for (int i = 0; i < n; ++i) p[i] = r[i] + rr / before * p[i];
  }
  return steps;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  Graph graph = connect();
  MPI_Comm_rank(graph.comm, &rank);
  double b[n], x[n], check[n];
  for (int i = 0; i < n; ++i) b[i] = 1 + (rank * n + i) % 5;
  const int steps = solve(&graph, b, x);
  multiply(&graph, x, check);
  double error = 0;
  for (int i = 0; i < n; ++i) error = fmax(error, fabs(check[i] - b[i]));
  printf("rank %d: x[0] %.7f, x[%d] %.7f, %s\n", rank, x[0], n - 1, x[n - 1],
         error < 1e-8 && steps < 200 ? "solved" : "not solved");

  // Each tells each neighbour something else.
  int out[largest];
  int in[largest];
  for (int i = 0; i < graph.count; ++i) out[i] = rank * 100 + graph.neighbours[i];
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, graph.comm);
  for (int i = 0; i < graph.count; ++i) {
    printf("rank %d heard %d from %d\n", rank, in[i], graph.neighbours[i]);
  }
  MPI_Comm_free(&graph.comm);
  MPI_Finalize();
  return 0;
}
