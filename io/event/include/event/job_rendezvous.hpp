/// @file
/// The rendezvous of the processes of a job if not all of MPI_COMM_WORLD use this library.
#pragma once

#include <ep/raw_comm.hpp>
#include <string_view>
#include <vector>

namespace epios::io {

/// Parses a list of ranks, "0-3,8", into ascending ranks without repetitions. Throws
/// Error{argument} for text that is no list, contains ranks from `size` on, or lacks `self`. Local,
/// pure.
std::vector<int> rendezvous_ranks(std::string_view text, int self, int size);

/// The communicator of a job. It is the given one or, if that is MPI_COMM_WORLD and the environment
/// variable EPIOS_RANKS lists some of its ranks, one of these processes alone. Belongs to one
/// thread; outlives the Job made of it.
class JobRendezvous {
 public:
  /// Collective over the processes that meet; after half a minute it reports who waits. Throws
  /// Error{argument} for an invalid list, before it waits for anybody. Local without a list.
  explicit JobRendezvous(MPI_Comm comm);

  MPI_Comm comm() const { return own_.get() != MPI_COMM_NULL ? own_.get() : given_; }
  /// Returns true if EPIOS_RANKS lists the ranks. Local.
  static bool is_listed();
  /// Keeps the communicator, because the process will end without MPI_Finalize.
  void abandon() { own_.release(); }

 private:
  MPI_Comm given_;
  ep::GroupComm own_;
};

}  // namespace epios::io
