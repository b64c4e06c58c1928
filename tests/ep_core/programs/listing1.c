/* The hybrid hello world of the endpoints proposal, with this library's names: a thread per
 * endpoint, and the first endpoint of all gathers the identities of all threads. */
#include <ep/ep.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { max_endpoints = 8 };

static pthread_t threads[max_endpoints];

static void check(int code) {
  if (code == EP_SUCCESS) return;
  fprintf(stderr, "listing1: error: %s\n", EP_Last_error());
  exit(EXIT_FAILURE);
}

static void* hello(void* id) {
  const int i = *(const int*)id;
  const long tid = (long)threads[i];
  int rank = 0;
  int size = 0;
  long* all = NULL;
  check(EP_Thread_attach(i, EP_COMM_CLIQUE));
  check(EP_Comm_size(EP_COMM_ENDPOINTS, &size));
  check(EP_Comm_rank(EP_COMM_ENDPOINTS, &rank));
  if (rank == 0) all = malloc((size_t)size * sizeof(long));
  check(EP_Gather(&tid, 1, MPI_LONG, all, 1, MPI_LONG, 0, EP_COMM_ENDPOINTS));
  if (rank == 0) {
    int distinct = 0;
    for (int j = 0; j < size; ++j) distinct += all[j] != 0;
    printf("number of endpoints is %d; thread ids received: %d\n", size, distinct);
    free(all);
  }
  return NULL;
}

int main(int argc, char** argv) {
  int ids[max_endpoints];
  int size = 0;
  int rank = 0;
  check(EP_Init_endpoint(&argc, &argv, max_endpoints, MPI_THREAD_FUNNELED, &size, &rank));
  /* The thread of main gives its endpoint up to the first of the new ones. */
  check(EP_Thread_inherit(EP_UNDEFINED));
  for (int i = 0; i < max_endpoints; ++i) ids[i] = i;
  for (int i = 0; i < max_endpoints; ++i) {
    if (pthread_create(&threads[i], NULL, hello, &ids[i]) != 0) return EXIT_FAILURE;
  }
  for (int i = 0; i < max_endpoints; ++i) {
    if (pthread_join(threads[i], NULL) != 0) return EXIT_FAILURE;
  }
  check(EP_Finalize());
  return EXIT_SUCCESS;
}
