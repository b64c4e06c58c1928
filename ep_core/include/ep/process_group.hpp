/// @file
/// The group of processes of a communicator that may be freed elsewhere.
#pragma once

#include <array>
#include <cstddef>
#include <ep/ep.hpp>
#include <string>
#include <utility>
#include <vector>

namespace ep {

/// Owns the group of a communicator's processes and keeps it after the communicator has been freed.
/// A default-constructed object has no members. All functions are local and throw Error. MPI-3.1
/// 6.3.2.
class ProcessGroup {
 public:
  /// Makes a group without members.
  ProcessGroup() = default;
  /// Stores the group of `comm`, which may be freed afterwards. Throws Error.
  explicit ProcessGroup(MPI_Comm comm) {
    check_call(MPI_Comm_group(comm, &group_), "MPI_Comm_group");
  }
  ProcessGroup(const ProcessGroup&) = delete;
  ProcessGroup& operator=(const ProcessGroup&) = delete;
  ProcessGroup(ProcessGroup&& other) noexcept
      : group_(std::exchange(other.group_, MPI_GROUP_NULL)) {}
  ProcessGroup& operator=(ProcessGroup&& other) noexcept {
    std::swap(group_, other.group_);
    return *this;
  }
  ~ProcessGroup() {
    int is_over = 0;
    if (group_ == MPI_GROUP_NULL || MPI_Finalized(&is_over) != MPI_SUCCESS || is_over != 0) return;
    static_cast<void>(MPI_Group_free(&group_));
  }

  /// Returns the rank in this group of each process of `comm`, in the order of `comm`, or
  /// MPI_UNDEFINED for a process that is not in the group. Local. MPI-3.1 6.3.1.
  std::vector<int> ranks_of(MPI_Comm comm) const {
    MPI_Group theirs = MPI_GROUP_NULL;
    check_call(MPI_Comm_group(comm, &theirs), "MPI_Comm_group");
    int size = 0;
    check_call(MPI_Group_size(theirs, &size), "MPI_Group_size");
    std::vector<int> ranks(static_cast<std::size_t>(size));
    std::vector<int> out(ranks.size());
    for (int i = 0; i < size; ++i) ranks[static_cast<std::size_t>(i)] = i;
    check_call(MPI_Group_translate_ranks(theirs, size, ranks.data(), group_, out.data()),
               "MPI_Group_translate_ranks");
    check_call(MPI_Group_free(&theirs), "MPI_Group_free");
    return out;
  }

 private:
  /// MPI's own text: the last one of this library is of another call, or there is none.
  static void check_call(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    int error_class = MPI_ERR_OTHER;
    if (MPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
    if (MPI_Error_class(code, &error_class) != MPI_SUCCESS) error_class = MPI_ERR_OTHER;
    const std::string why(text.data(), static_cast<std::size_t>(length));
    throw Error(error_class, std::string(call) + " failed (" + why + ").");
  }

  MPI_Group group_ = MPI_GROUP_NULL;
};

}  // namespace ep
