// A program of 1996: names of MPI-1 that MPI-3.1 only keeps as deprecated, beside types and calls
// of the same age that are still good. MPI: Attr_put, Attr_get, Attr_delete, Keyval_create,
// Keyval_free, NULL_COPY_FN, DUP_FN, the attributes TAG_UB, HOST, IO and WTIME_IS_GLOBAL,
// Get_processor_name, Waitany, Waitsome, Testall, Graph_create, Cancel, MAXLOC, Error_string,
// Pcontrol.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { items = 6 };

static int rank, size;

static int copy_next(MPI_Comm comm, int key, void* extra, void* in, void* out, int* flag) {
  (void)comm;
  (void)key;
  *(void**)out = (int*)in + 1;
  *flag = *(int*)extra;
  return MPI_SUCCESS;
}

static void old_attributes(void) {
  static int values[3] = {11, 22, 33};
  int extra = 1;
  int key, dup_key, null_key, flags[4];
  int* found[3] = {NULL, NULL, NULL};
  MPI_Comm dup;
  MPI_Keyval_create(copy_next, MPI_NULL_DELETE_FN, &key, &extra);
  MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &dup_key, NULL);
  MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &null_key, NULL);
  MPI_Attr_put(MPI_COMM_WORLD, key, &values[0]);
  MPI_Attr_put(MPI_COMM_WORLD, dup_key, &values[2]);
  MPI_Attr_put(MPI_COMM_WORLD, null_key, &values[2]);
  MPI_Comm_dup(MPI_COMM_WORLD, &dup);
  MPI_Attr_get(dup, key, &found[0], &flags[0]);
  MPI_Attr_get(dup, dup_key, &found[1], &flags[1]);
  MPI_Attr_get(dup, null_key, &found[2], &flags[2]);
  printf("rank %d: %d %d, there %d %d %d\n", rank, *found[0], *found[1], flags[0], flags[1],
         flags[2]);
  MPI_Attr_delete(MPI_COMM_WORLD, key);
  MPI_Attr_delete(MPI_COMM_WORLD, dup_key);
  MPI_Attr_delete(MPI_COMM_WORLD, null_key);
  MPI_Comm_free(&dup);
  MPI_Keyval_free(&key);
  MPI_Keyval_free(&dup_key);
  MPI_Keyval_free(&null_key);

  int* value = NULL;
  const int keys[4] = {MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL};
  for (int i = 0; i < 4; ++i) {
    MPI_Attr_get(MPI_COMM_WORLD, keys[i], &value, &flags[i]);
    if (flags[i] && value == NULL) printf("rank %d: attribute %d without value\n", rank, i);
  }
  printf("rank %d: environment has %d %d %d\n", rank, flags[0], flags[1], flags[2]);
}

// Everybody sends to rank 0, which takes what comes first.
static void collect(void) {
  int out[items], in[64], indices[64], done = 0, count = 0, any = 0, flag = 0;
  long sum = 0;
  MPI_Request sends[items], receives[64];
  MPI_Status statuses[64];
  for (int i = 0; i < items; ++i) {
    out[i] = rank * 10 + i;
    MPI_Isend(&out[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &sends[i]);
  }
  for (int i = 0; rank == 0 && i < items * size && i < 64; ++i) {
    MPI_Irecv(&in[i], 1, MPI_INT, i / items, i % items, MPI_COMM_WORLD, &receives[i]);
  }
  if (rank == 0) {
    MPI_Waitany(items * size, receives, &any, statuses);
    sum = in[any];
    for (done = 1; done < items * size; done += count) {
      MPI_Waitsome(items * size, receives, &count, indices, statuses);
      for (int i = 0; i < count; ++i) sum += in[indices[i]];
    }
    MPI_Waitany(items * size, receives, &any, statuses);
    printf("collected %ld, nothing left %d\n", sum, any == MPI_UNDEFINED);
  }
  while (!flag) MPI_Testall(items, sends, &flag, MPI_STATUSES_IGNORE);
}

static void the_rest(void) {
  struct {
    double value;
    int index;
  } mine = {(rank * 7) % 5, rank}, best;
  MPI_Allreduce(&mine, &best, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD);
  printf("rank %d: best %.1f at %d\n", rank, best.value, best.index);

  int index[64], edges[128], count = 0, neighbours[2], cancelled = 0, length = 0;
  for (int i = 0; i < size; ++i) {
    edges[2 * i] = (i + 1) % size;
    edges[2 * i + 1] = (i + size - 1) % size;
    index[i] = 2 * i + 2;
  }
  MPI_Comm ring;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &ring);
  MPI_Graph_neighbors_count(ring, rank, &count);
  MPI_Graph_neighbors(ring, rank, 2, neighbours);
  printf("rank %d: %d neighbours %d %d\n", rank, count, neighbours[0], neighbours[1]);
  MPI_Request request;
  MPI_Status status;
  MPI_Irecv(&count, 1, MPI_INT, rank, 99, ring, &request);
  MPI_Cancel(&request);
  MPI_Wait(&request, &status);
  MPI_Test_cancelled(&status, &cancelled);
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  MPI_Get_processor_name(name, &length);
  MPI_Pcontrol(1);
  printf("rank %d: cancelled %d, name %s\n", rank, cancelled,
         length > 0 && (size_t)length == strlen(name) ? "good" : "bad");
  MPI_Comm_free(&ring);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  old_attributes();
  collect();
  the_rest();
  MPI_Finalize();
  return 0;
}
