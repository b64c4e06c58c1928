// ep_spare: a parked process (epexec -spare), which runs what EP_Comm_spawn loads into it.
#include <ep/program.h>

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--help") {
    std::puts(
        "A process that waits for MPI_Comm_spawn. `epexec -spare K` starts K of them beside a "
        "program.\n"
        "usage: ep_spare");
    return 0;
  }
  return ep_program_serve();
}
