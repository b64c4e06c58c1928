// EP_Init at a program's start, and EP_Abort at its end if asked for ("abort").
#include <cstdio>
#include <cstring>
#include <ep/ep.hpp>

namespace {

int fail(const char* text) {
  std::fprintf(stderr, "%s (%s)\n", text, EP_Last_error());
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  int flag = 1;
  ep::check(EP_Initialized(&flag));
  if (flag != 0) return fail("initialized before the start");
  ep::check(EP_Init(&argc, &argv));
  ep::check(EP_Initialized(&flag));
  if (flag != 1) return fail("not initialized");
  int level = -1;
  if (MPI_Query_thread(&level) != MPI_SUCCESS) return 2;
  if (level != MPI_THREAD_SINGLE) return fail("not the level of EP_Init");
  const int one = 1;
  int size = 0;
  int sum = 0;
  ep::check(EP_Comm_size(EP_COMM_WORLD, &size));
  ep::check(EP_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, EP_COMM_WORLD));
  if (sum != size) return fail("a wrong sum");
  if (argc > 1 && std::strcmp(argv[1], "abort") == 0) {
    int rank = 0;
    ep::check(EP_Comm_rank(EP_COMM_WORLD, &rank));
    if (rank == 0) {
      std::printf("about to abort\n");
      ep::check(EP_Abort(EP_COMM_WORLD, 7));
    }
    // The others wait for what never comes: only the end of the job ends them.
    int never = 0;
    ep::check(EP_Recv(&never, 1, MPI_INT, 0, 0, EP_COMM_WORLD, EP_STATUS_IGNORE));
    std::printf("still there\n");
    return 0;
  }
  ep::check(EP_Finalize());
  ep::check(EP_Initialized(&flag));
  return flag == 0 ? 0 : fail("initialized after the end");
}
