#include "programs/job_statistics.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "traces/observation.hpp"

namespace ep {

namespace {

int as_count(std::int64_t bytes) {
  if (bytes > INT32_MAX) fail(EP_ERR_OTHER, bytes, " bytes of statistics (too many to gather).");
  return static_cast<int>(bytes);
}

}  // namespace

void conclude_observation(EP_Comm world) {
  Observation& own = observation();
  if (own.trace() != nullptr) own.trace()->flush();
  if (!own.counts()) return;
  const std::string mine = own.take_statistics().write();
  const auto processes = static_cast<std::size_t>(world->local_group().size());
  const bool is_first = world->rank == 0;
  int size = as_count(static_cast<std::int64_t>(mine.size()));
  std::vector<int> sizes(processes);
  check(EP_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, world));
  std::vector<int> offsets(processes);
  std::int64_t all = 0;
  for (std::size_t p = 0; is_first && p < processes; ++p) {
    offsets[p] = as_count(all);
    all += sizes[p];
  }
  std::string bytes(static_cast<std::size_t>(as_count(all)), '\0');
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
  static_cast<void>(own.take_statistics());
}

}  // namespace ep
