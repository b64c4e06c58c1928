/// @file
/// Where the processes of a job meet when not all of MPI_COMM_WORLD use this library.
#pragma once

#include <ep/raw_comm.hpp>
#include <string_view>
#include <vector>

namespace epios::io {

/// "0-3,8": ranks, ascending, without those that are given twice. Throws Error{argument} for text
/// that is no list, has ranks from `size` on, or lacks `self`. Local, pure.
std::vector<int> rendezvous_ranks(std::string_view text, int self, int size);

/// The communicator of a job: the one that is given or, if that is MPI_COMM_WORLD and the
/// environment variable EPIOS_RANKS lists some of its ranks, one of these processes alone. Belongs
/// to one thread; outlives the Job made of it.
class JobRendezvous {
 public:
  /// Collective over the processes that meet; says after half a minute who waits. Throws
  /// Error{argument} for a list that cannot be, before anybody is waited for. Local where nothing
  /// is listed.
  explicit JobRendezvous(MPI_Comm comm);

  MPI_Comm comm() const { return own_.get() != MPI_COMM_NULL ? own_.get() : given_; }
  /// Whether EPIOS_RANKS says who meets. Local.
  static bool is_listed();
  /// The process will end without MPI_Finalize.
  void abandon() { own_.release(); }

 private:
  MPI_Comm given_;
  ep::GroupComm own_;
};

}  // namespace epios::io
