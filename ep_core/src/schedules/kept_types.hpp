#pragma once

#include <mpi.h>

#include <vector>

#include "process/error.hpp"
#include "schedules/operation.hpp"

namespace ep {

/// Holds duplicates of the types of a call, which its caller may free before the operation ends.
class KeptTypes {
 public:
  KeptTypes(Blocks& blocks, int count) {
    try {
      keep(blocks, count);
    } catch (const Error&) {
      drop();
      throw;
    }
  }
  KeptTypes(const KeptTypes&) = delete;
  KeptTypes(KeptTypes&&) = delete;
  KeptTypes& operator=(const KeptTypes&) = delete;
  KeptTypes& operator=(KeptTypes&&) = delete;
  ~KeptTypes() { drop(); }

  /// Gives the duplicates to an operation, which drops them.
  void give(std::vector<MPI_Datatype>& owner) { owner.swap(types_); }

 private:
  void keep(Blocks& blocks, int count) {
    if (blocks.types != nullptr) {
      for (int i = 0; i < count; ++i) types_.push_back(keep_type(blocks.types[i]));
      blocks.types = types_.data();
    } else if (blocks.type != MPI_DATATYPE_NULL) {
      const MPI_Datatype kept = keep_type(blocks.type);
      if (kept != blocks.type) types_.push_back(kept);
      blocks.type = kept;
    }
  }
  void drop() noexcept {
    for (const MPI_Datatype type : types_) drop_type(type);
    types_.clear();
  }

  std::vector<MPI_Datatype> types_;
};

}  // namespace ep
