/// @file
/// Functions for MPI's own communicators, for layers above, which must not call MPI themselves.
#pragma once

#include <ep/ep.hpp>
#include <utility>
#include <vector>

namespace ep {

/// Returns the Fortran integer of an MPI communicator. Local.
inline MPI_Fint to_fortran(MPI_Comm comm) { return MPI_Comm_c2f(comm); }
/// Returns the MPI communicator of a Fortran integer. Local.
inline MPI_Comm from_fortran(MPI_Fint comm) { return MPI_Comm_f2c(comm); }

/// Owns an MPI communicator of some processes of another one. The destructor frees it, which is
/// collective: all its processes must destroy their objects before MPI_Finalize. A
/// default-constructed object holds MPI_COMM_NULL. One thread at a time may use an object.
class GroupComm {
 public:
  /// Makes an empty object (MPI_COMM_NULL).
  GroupComm() = default;
  /// Creates a communicator of `ranks` of `comm`, in this order; the calling process must be one of
  /// them. Collective over these ranks only. Waits inside MPI until all of them have called. Throws
  /// Error. MPI-3.1 6.4.2.
  GroupComm(MPI_Comm comm, const std::vector<int>& ranks) {
    MPI_Group all = MPI_GROUP_NULL;
    MPI_Group some = MPI_GROUP_NULL;
    check(MPI_Comm_group(comm, &all));
    check(MPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some));
    check(MPI_Comm_create_group(comm, some, 0, &comm_));
    check(MPI_Group_free(&some));
    check(MPI_Group_free(&all));
  }
  GroupComm(const GroupComm&) = delete;
  GroupComm& operator=(const GroupComm&) = delete;
  GroupComm(GroupComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  GroupComm& operator=(GroupComm&& other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  ~GroupComm() {
    if (comm_ != MPI_COMM_NULL) static_cast<void>(MPI_Comm_free(&comm_));
  }

  /// Returns the communicator, or MPI_COMM_NULL; this object keeps owning it.
  MPI_Comm get() const noexcept { return comm_; }
  /// Releases ownership and returns the communicator without freeing it, for a process that ends
  /// without MPI_Finalize.
  MPI_Comm release() noexcept { return std::exchange(comm_, MPI_COMM_NULL); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// The rank of this process in MPI_COMM_WORLD, and the size of MPI_COMM_WORLD.
struct WorldPlace {
  int rank = 0, size = 0;
};
/// Returns the rank of this process in MPI_COMM_WORLD and the size of that communicator. Local.
/// Throws Error.
inline WorldPlace own_place_in_world() {
  WorldPlace out;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &out.rank));
  check(MPI_Comm_size(MPI_COMM_WORLD, &out.size));
  return out;
}

}  // namespace ep
