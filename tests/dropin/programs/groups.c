// Communicators of all kinds: groups and their set operations, splits in reverse order, duplicates,
// two halves that talk through an intercommunicator and then merge.
// MPI: Comm_group,
// Group_incl/excl/range_incl/union/intersection/difference/translate_ranks/compare, Comm_create,
// Comm_create_group, Comm_split, Comm_split_type, Comm_dup, Intercomm_create, Comm_remote_size,
// Comm_test_inter, collectives over an intercommunicator, Intercomm_merge, names.
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static int rank;
static int size;

static void compare_groups(void) {
  MPI_Group all, low, odd, both, either, rest;
  int members[64];
  int odds = 0;
  for (int i = 1; i < size; i += 2) members[odds++] = i;
  int ranges[1][3] = {{0, size / 2, 1}};
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, odds, members, &odd);
  MPI_Group_range_incl(all, 1, ranges, &low);
  MPI_Group_intersection(low, odd, &both);
  MPI_Group_union(low, odd, &either);
  MPI_Group_difference(all, odd, &rest);
  int sizes[3];
  int self = MPI_UNDEFINED;
  int result = MPI_UNEQUAL;
  MPI_Group_size(both, &sizes[0]);
  MPI_Group_size(either, &sizes[1]);
  MPI_Group_size(rest, &sizes[2]);
  MPI_Group_rank(odd, &self);
  MPI_Group_compare(both, low, &result);
  const int first = 0;
  int translated = -1;
  MPI_Group_translate_ranks(odd, 1, &first, low, &translated);
  printf("rank %d: sizes %d %d %d, odd rank %d, equal %d, first odd is %d\n", rank, sizes[0],
         sizes[1], sizes[2], self == MPI_UNDEFINED ? -1 : self, result == MPI_IDENT, translated);

  MPI_Comm of_rest, of_odd;
  MPI_Comm_create(MPI_COMM_WORLD, rest, &of_rest);
  if (of_rest != MPI_COMM_NULL) {
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, of_rest);
    printf("rank %d: even ranks sum to %d\n", rank, sum);
    MPI_Comm_free(&of_rest);
  } else {
    MPI_Comm_create_group(MPI_COMM_WORLD, odd, 5, &of_odd);
    MPI_Comm_set_name(of_odd, "odd ones");
    char name[MPI_MAX_OBJECT_NAME];
    int length = 0;
    MPI_Comm_get_name(of_odd, name, &length);
    printf("rank %d: %s, %d letters\n", rank, name, length);
    MPI_Comm_free(&of_odd);
  }
  MPI_Group* const groups[] = {&all, &low, &odd, &both, &either, &rest};
  for (int i = 0; i < 6; ++i) MPI_Group_free(groups[i]);
}

static void split_in_reverse(void) {
  MPI_Comm reverse, copy, shared;
  int at = 0;
  int shared_size = 0;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 3, -rank, &reverse);
  MPI_Comm_dup(reverse, &copy);
  MPI_Comm_rank(copy, &at);
  int all[64];
  int count = 0;
  MPI_Comm_size(copy, &count);
  MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, copy);
  printf("rank %d is %d of %d, before %d\n", rank, at, count, all[count - 1]);
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &shared);
  MPI_Comm_size(shared, &shared_size);
  if (shared_size != size) printf("rank %d: not all on one node\n", rank);
  MPI_Comm_free(&shared);
  MPI_Comm_free(&copy);
  MPI_Comm_free(&reverse);
}

static void talk_between_halves(void) {
  const int is_upper = rank >= size / 2;
  MPI_Comm half, between, merged;
  int there = 0;
  int is_inter = 0;
  MPI_Comm_split(MPI_COMM_WORLD, is_upper, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_upper ? 0 : size / 2, 9, &between);
  MPI_Comm_remote_size(between, &there);
  MPI_Comm_test_inter(between, &is_inter);
  int sum = 0;  // of the other half
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, between);
  int word = rank * rank;
  int at = 0;
  MPI_Comm_rank(half, &at);
  const int root = !is_upper ? (at == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  if (!is_upper && at == 0) word = 4711;
  MPI_Bcast(&word, 1, MPI_INT, root, between);
  printf("rank %d: inter %d, %d there, their sum %d, word %d\n", rank, is_inter, there, sum, word);

  int new_rank = 0;
  MPI_Intercomm_merge(between, !is_upper, &merged);  // the upper half comes first
  MPI_Comm_rank(merged, &new_rank);
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(merged, MPI_COMM_WORLD, &relation);
  printf("rank %d: merged as %d, similar %d\n", rank, new_rank, relation == MPI_SIMILAR);
  MPI_Comm_free(&merged);
  MPI_Comm_free(&between);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  compare_groups();
  split_in_reverse();
  talk_between_halves();
  MPI_Finalize();
  return 0;
}
