// Prefix operations with an operation of our own: linear maps x -> a x + b modulo a prime, which
// may be joined in any grouping but not in any order. MPI: Type_create_struct with
// Type_create_resized, Op_create (not commutative), Op_commutative, Scan, Exscan, Reduce,
// Allreduce, Reduce_scatter_block, Reduce_local, Op_free.
#include <mpi.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { prime = 99991, maps = 3 };

typedef struct {
  char name;  // leaves a gap before a
  long a;
  int b;
} Map;

static long joins;  // how often this rank was asked to join; at least once, so not printed

// in first, inout after it.
static void join(void* in, void* inout, int* count, MPI_Datatype* type) {
  const Map* const first = in;
  Map* const second = inout;
  (void)type;
  for (int i = 0; i < *count; ++i) {
    const long a = second[i].a;
    second[i].b = (int)((a * first[i].b + second[i].b) % prime);
    second[i].a = a * first[i].a % prime;
    second[i].name = first[i].name;
  }
  ++joins;
}

static MPI_Datatype type_of_map(void) {
  const int lengths[3] = {1, 1, 1};
  const MPI_Aint places[3] = {offsetof(Map, name), offsetof(Map, a), offsetof(Map, b)};
  const MPI_Datatype types[3] = {MPI_CHAR, MPI_LONG, MPI_INT};
  MPI_Datatype packed, type;
  MPI_Type_create_struct(3, lengths, places, types, &packed);
  MPI_Type_create_resized(packed, 0, sizeof(Map), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&packed);
  return type;
}

static void print(const char* what, int rank, const Map* map, int count) {
  for (int i = 0; i < count; ++i) {
    printf("%s of rank %d, map %d: %c %ld %d\n", what, rank, i, map[i].name, map[i].a, map[i].b);
  }
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const MPI_Datatype type = type_of_map();
  MPI_Op op;
  int is_commutative = 1;
  MPI_Op_create(join, 0, &op);
  MPI_Op_commutative(op, &is_commutative);
  int bytes = 0;
  MPI_Aint low = 0;
  MPI_Aint extent = 0;
  MPI_Type_size(type, &bytes);
  MPI_Type_get_extent(type, &low, &extent);
  if (rank == 0) printf("commutative %d, bytes %d of %ld\n", is_commutative, bytes, (long)extent);

  Map mine[maps];
  for (int i = 0; i < maps; ++i) {
    mine[i] = (Map){(char)('a' + rank), 2 + rank * 3 + i, 5 + rank + 7 * i};
  }
  Map result[maps];
  memset(result, 0, sizeof result);
  MPI_Scan(mine, result, maps, type, op, MPI_COMM_WORLD);
  print("scan", rank, result, maps);
  MPI_Exscan(mine, result, maps, type, op, MPI_COMM_WORLD);
  if (rank > 0) print("exscan", rank, result, maps);
  MPI_Reduce(mine, result, maps, type, op, size - 1, MPI_COMM_WORLD);
  if (rank == size - 1) print("reduce", rank, result, maps);
  MPI_Allreduce(MPI_IN_PLACE, mine, maps, type, op, MPI_COMM_WORLD);
  print("allreduce", rank, mine, maps);

  MPI_Reduce_local(&mine[0], &mine[1], 1, type, op);
  print("reduce_local", rank, &mine[1], 1);
  if (joins == 0) MPI_Abort(MPI_COMM_WORLD, 1);

  MPI_Op_free(&op);
  MPI_Datatype last = type;
  MPI_Type_free(&last);
  MPI_Finalize();
  return 0;
}
