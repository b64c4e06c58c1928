#pragma once

#include <ep/ep.h>

#include <cstdint>

namespace ep {

/// What moving data needs to know of an MPI datatype.
struct TypeFacts {
  std::int64_t size;
  std::int64_t lower_bound;
  std::int64_t extent;
  bool contiguous;  ///< order in memory = order of the type map, no gaps: memcpy will do
  bool named;       ///< predefined: never freed
};

/// Throws EP_ERR_TYPE for MPI_DATATYPE_NULL.
TypeFacts type_facts(MPI_Datatype type);

/// `count` elements of `type` at `data`; a view, owns nothing.
struct TypedView {
  void* data;
  int count;
  MPI_Datatype type;

  std::int64_t bytes() const { return type_facts(type).size * count; }
};

inline TypedView view_of(const void* data, int count, MPI_Datatype type) {
  return {const_cast<void*>(data), count, type};
}

/// Copies one message from `source` to `target` (both may be derived) and returns its bytes. A
/// message that does not fit writes at most the part that fits; the caller compares bytes with
/// capacity.
std::int64_t copy_typed(const TypedView& source, const TypedView& target);
/// The same from packed bytes.
void unpack_bytes(const void* bytes, std::int64_t size, const TypedView& target);
/// Packs all of `source` into `bytes`.
void pack_bytes(const TypedView& source, void* bytes);

/// A handle to `type` that outlives the caller's: the type itself when predefined, else a duplicate
/// to be given to drop_type().
MPI_Datatype keep_type(MPI_Datatype type);
void drop_type(MPI_Datatype type) noexcept;

/// The address of element `index` of an array of `type`.
void* element_address(void* base, std::int64_t index, MPI_Datatype type);
inline const void* element_address(const void* base, std::int64_t index, MPI_Datatype type) {
  return element_address(const_cast<void*>(base), index, type);
}

}  // namespace ep
