#include "process/process.hpp"

#include <mpi.h>

#include "process/error.hpp"

namespace ep {

namespace {

static_assert(MPI_THREAD_SINGLE == 0);

struct AddedErrors final : Extension {
  static constexpr Room room = Room::process;
  ErrorCodes codes;
};

/// Keeps a process from being destroyed at exit.
union Immortal {
  constexpr Immortal() : state() {}
  Immortal(const Immortal&) = delete;
  Immortal(Immortal&&) = delete;
  Immortal& operator=(const Immortal&) = delete;
  Immortal& operator=(Immortal&&) = delete;
  ~Immortal() {}  // NOLINT(modernize-use-equals-default): that of a union would be deleted

  Process state;
};

}  // namespace

Process& process() noexcept {
  static constinit Immortal instance;  // NOLINT: the one state of the process
  return instance.state;
}

ErrorCodes& error_codes() { return process().extension<AddedErrors>().codes; }

bool mpi_is_finalized() noexcept {
  int flag = 0;
  return MPI_Finalized(&flag) != MPI_SUCCESS || flag != 0;
}

void Process::enter() {
  int level = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&level), "MPI_Query_thread");
  int rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  thread_level_.store(level);
  world_rank_.store(rank);
  entries_.fetch_add(1);
  was_entered_.store(true);
}

std::uint64_t Process::next_uid() noexcept {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(world_rank())) << 32U) |
         next_uid_.fetch_add(1);
}

}  // namespace ep
