#pragma once

#include <ep/ep.h>

#include <cstddef>
#include <cstdint>
#include <memory>

#include "datatypes/type_map.hpp"

namespace ep {

/// Properties of an MPI datatype.
struct TypeFacts {
  std::int64_t size;
  std::int64_t extent;
  bool contiguous;  ///< memory order is type map order without gaps: memcpy suffices
  bool named;       ///< predefined, so never freed
};

/// Returns the properties of `type`. Throws EP_ERR_TYPE for MPI_DATATYPE_NULL.
TypeFacts type_facts(MPI_Datatype type);

/// A view of `count` elements of `type` at `data`. It owns nothing.
struct TypedView {
  void* data;
  std::int64_t count;
  MPI_Datatype type;

  std::int64_t bytes() const { return type_facts(type).size * count; }
};

inline TypedView view_of(const void* data, std::int64_t count, MPI_Datatype type) {
  return {const_cast<void*>(data), count, type};
}

/// A view of elements without MPI's handle, which stays valid when the program frees the datatype.
/// It owns no data.
struct MappedView {
  std::byte* data = nullptr;
  std::int64_t count = 0;
  std::shared_ptr<const TypeMap> map;

  std::int64_t bytes() const noexcept { return map ? map->size * count : 0; }
  /// Returns the address of the bytes if they are one block, else null.
  std::byte* block() const noexcept {
    return map && map->is_dense(count) ? data + map->blocks.runs()[0].offset : nullptr;
  }
};

MappedView mapped(const TypedView& view);
/// Returns a view of plain bytes.
MappedView mapped_bytes(void* data, std::int64_t bytes);

/// Copies one message from `source` to `target` (both may have derived datatypes) and returns its
/// size in bytes. Writes no more than fits; the caller compares the size with the capacity.
std::int64_t copy_typed(const MappedView& source, const MappedView& target);
/// Copies bytes [begin, end) of a message, which both views have.
void copy_part(const MappedView& source, const MappedView& target, std::int64_t begin,
               std::int64_t end);
/// Unpacks bytes [begin, end) of a message.
void unpack_part(const void* bytes, const MappedView& target, std::int64_t begin, std::int64_t end);
/// Unpacks `size` bytes from the beginning.
void unpack_bytes(const void* bytes, std::int64_t size, const MappedView& target);
/// Packs all of `source` into `bytes`.
void pack_bytes(const MappedView& source, void* bytes);

inline std::int64_t copy_typed(const TypedView& source, const TypedView& target) {
  return copy_typed(mapped(source), mapped(target));
}
inline void unpack_bytes(const void* bytes, std::int64_t size, const TypedView& target) {
  unpack_bytes(bytes, size, mapped(target));
}
inline void pack_bytes(const TypedView& source, void* bytes) { pack_bytes(mapped(source), bytes); }

/// Returns a handle to `type` that outlives the caller's: the type itself if predefined, else a
/// duplicate to be given to drop_type().
MPI_Datatype keep_type(MPI_Datatype type);
void drop_type(MPI_Datatype type) noexcept;

/// Returns the address of element `index` of an array of `type`.
void* element_address(void* base, std::int64_t index, MPI_Datatype type);
inline const void* element_address(const void* base, std::int64_t index, MPI_Datatype type) {
  return element_address(const_cast<void*>(base), index, type);
}

}  // namespace ep
