#include "programs/job_statistics.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "handles/endpoint.hpp"
#include "traces/observation.hpp"

namespace ep {

namespace {

// Encodes the statistics, or empty ones if those of all processes might not fit into one gather.
std::string bytes_of(const Statistics& statistics, std::size_t processes) {
  std::string bytes = statistics.write();
  return bytes.size() < INT32_MAX / processes ? bytes : Statistics().write();
}

}  // namespace

void agree_on_statistics(EP_Comm world) {
  Observation& local = observation();
  const std::array<int, 2> mine{local.counts() ? 1 : 0, local.counts() ? 0 : 1};
  std::array<int, 2> all{};  // true if any process counts, and true if any does not
  check(EP_Allreduce(mine.data(), all.data(), 2, MPI_INT, MPI_MAX, world));
  local.set_gathered(all[0] == 1 && all[1] == 0);
  if (all[0] == 1 && all[1] == 1 && local.counts()) {
    std::fprintf(stderr,
                 "ep: warning: EP_STATISTICS is 1 in some processes only, process %d among them. "
                 "These tell each for itself.\n",
                 local.world_rank());
  }
}

void conclude_observation(EP_Comm world) {
  Observation& local = observation();
  if (local.trace() != nullptr) local.trace()->flush();
  if (!local.is_gathered()) return;
  const auto processes = static_cast<std::size_t>(world->local_group().size());
  const std::string mine = bytes_of(local.take_statistics(), processes);
  const bool is_first = world->rank == 0;
  const int size = static_cast<int>(mine.size());
  std::vector<int> sizes(processes);
  check(EP_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, world));
  std::vector<int> offsets(processes);
  int all = 0;
  for (std::size_t p = 0; is_first && p < processes; ++p) {
    offsets[p] = all;
    all += sizes[p];
  }
  std::string bytes(static_cast<std::size_t>(all), '\0');
  check(EP_Gatherv(mine.data(), size, MPI_CHAR, bytes.data(), sizes.data(), offsets.data(),
                   MPI_CHAR, 0, world));
  if (is_first) {
    Statistics job;
    for (std::size_t p = 0; p < processes; ++p) {
      job.add(Statistics::read(std::string_view(bytes).substr(static_cast<std::size_t>(offsets[p]),
                                                              static_cast<std::size_t>(sizes[p]))));
    }
    const std::string where =
        std::to_string(processes) + (processes == 1 ? " process" : " processes");
    std::fputs(job.table(where).c_str(), stderr);
  }
  // The gathering itself is not of the program.
  static_cast<void>(local.take_statistics());
}

}  // namespace ep
