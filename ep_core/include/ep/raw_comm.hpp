/// @file
/// Questions about communicators of MPI itself, which the layers above may not ask it.
#pragma once

#include <ep/ep.hpp>
#include <utility>
#include <vector>

namespace ep {

inline MPI_Fint to_fortran(MPI_Comm comm) { return MPI_Comm_c2f(comm); }
inline MPI_Comm from_fortran(MPI_Fint comm) { return MPI_Comm_f2c(comm); }

/// A communicator of some processes of another one, freed with this object: before MPI ends, by all
/// of its processes. Empty: MPI_COMM_NULL. One thread at a time.
class GroupComm {
 public:
  GroupComm() = default;
  /// Of these ranks of `comm`, in their order, among them this process's. Collective over these
  /// alone: others may never have heard of it. Waits inside MPI until all of them are here. 6.4.2.
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

  MPI_Comm get() const noexcept { return comm_; }
  /// The process will end without MPI_Finalize: nothing is freed.
  MPI_Comm release() noexcept { return std::exchange(comm_, MPI_COMM_NULL); }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Rank of this process in MPI_COMM_WORLD, and its size. Local.
struct WorldPlace {
  int rank = 0, size = 0;
};
inline WorldPlace own_place_in_world() {
  WorldPlace out;
  check(MPI_Comm_rank(MPI_COMM_WORLD, &out.rank));
  check(MPI_Comm_size(MPI_COMM_WORLD, &out.size));
  return out;
}

}  // namespace ep
