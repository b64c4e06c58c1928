#include <ep/ep.h>

#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>

#include "datatypes/datatype.hpp"
#include "datatypes/external32.hpp"
#include "datatypes/overlap.hpp"
#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "process/counts.hpp"
#include "process/error.hpp"
#include "process/raw_large.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

#ifdef EP_LARGE_COUNTS
using Size = MPI_Count;
#else
using Size = MPI_Aint;
#endif

namespace {

// Returns `bytes`, those of `view` at `position` of a packed buffer, which must have room for them.
std::int64_t checked_room(const MappedView& view, std::int64_t bytes, const void* packed,
                          std::int64_t size, std::int64_t position, int error_class) {
  if (position < 0 || size < position) {
    fail(EP_ERR_ARG, "position ", position, " in a packed buffer of ", size, " bytes.");
  }
  if (packed == nullptr && bytes > 0) fail(EP_ERR_BUFFER, "the packed buffer is a null pointer.");
  if (bytes > size - position) {
    fail(error_class, bytes, " bytes at position ", position, " of a packed buffer of ", size,
         " bytes. Ask EP_Pack_size?");
  }
  std::byte* const place = static_cast<std::byte*>(const_cast<void*>(packed)) + position;
  check_disjoint(view, mapped_bytes(place, bytes), "EP_Pack or EP_Unpack");
  return bytes;
}

void check_representation(const char* representation) {
  check_out(representation);
  if (std::strcmp(representation, "external32") == 0) return;
  fail(EP_ERR_UNSUPPORTED_DATAREP, "data representation '", representation,
       "' of packed data (external32 is known).");
}

}  // namespace

int EP_COUNTED(Pack)(const void* inbuf, Count incount, MPI_Datatype type, void* outbuf,
                     Count outsize, Count* position, EP_Comm comm) {
  return call_local(comm, [&] {
    check_out(position);
    static_cast<void>(endpoint_of(comm));
    const MappedView view = checked_message(inbuf, incount, type);
    const std::int64_t bytes =
        checked_room(view, view.bytes(), outbuf, outsize, *position, EP_ERR_TRUNCATE);
    pack_bytes(view, static_cast<std::byte*>(outbuf) + *position);
    *position += static_cast<Count>(bytes);
  });
}

int EP_COUNTED(Unpack)(const void* inbuf, Count insize, Count* position, void* outbuf,
                       Count outcount, MPI_Datatype type, EP_Comm comm) {
  return call_local(comm, [&] {
    check_out(position);
    static_cast<void>(endpoint_of(comm));
    const MappedView view = checked_message(outbuf, outcount, type);
    const std::int64_t bytes =
        checked_room(view, view.bytes(), inbuf, insize, *position, EP_ERR_TRUNCATE);
    unpack_bytes(static_cast<const std::byte*>(inbuf) + *position, bytes, view);
    *position += static_cast<Count>(bytes);
  });
}

int EP_COUNTED(Pack_size)(Count incount, MPI_Datatype type, EP_Comm comm, Count* size) {
  return call_local(comm, [&] {
    check_out(size);
    static_cast<void>(endpoint_of(comm));
    if (incount < 0) fail(EP_ERR_COUNT, "count ", incount, " (negative).");
    const std::int64_t bytes = type_facts(type).size * incount;
    if (bytes > std::numeric_limits<Count>::max()) {
      fail(EP_ERR_COUNT, incount, " elements are ", bytes,
           " bytes (a packed buffer has at most 2^31 - 1). Pack in parts?");
    }
    *size = static_cast<Count>(bytes);
  });
}

// MPI converts datatypes whose portable representation is not known here, which involves no
// waiting.

int EP_COUNTED(Pack_external)(const char* representation, const void* inbuf, Count incount,
                              MPI_Datatype type, void* outbuf, Size outsize, Size* position) {
  return guarded([&] {
    check_representation(representation);
    check_out(position);
    const MappedView view = checked_message(inbuf, incount, type);
    if (has_external32(*view.map)) {
      const std::int64_t bytes = external32_size(*view.map) * incount;
      checked_room(view, bytes, outbuf, outsize, *position, EP_ERR_TRUNCATE);
      pack_external32(view, static_cast<std::byte*>(outbuf) + *position);
      *position += static_cast<Size>(bytes);
      return;
    }
    MPI_Count at = *position;
    pack_external(representation, inbuf, incount, type, outbuf, outsize, &at);
    *position = static_cast<Size>(at);
  });
}

int EP_COUNTED(Unpack_external)(const char* representation, const void* inbuf, Size insize,
                                Size* position, void* outbuf, Count outcount, MPI_Datatype type) {
  return guarded([&] {
    check_representation(representation);
    check_out(position);
    const MappedView view = checked_message(outbuf, outcount, type);
    if (has_external32(*view.map)) {
      const std::int64_t bytes = external32_size(*view.map) * outcount;
      checked_room(view, bytes, inbuf, insize, *position, EP_ERR_TRUNCATE);
      unpack_external32(static_cast<const std::byte*>(inbuf) + *position, bytes, view);
      *position += static_cast<Size>(bytes);
      return;
    }
    MPI_Count at = *position;
    unpack_external(representation, inbuf, insize, &at, outbuf, outcount, type);
    *position = static_cast<Size>(at);
  });
}

int EP_COUNTED(Pack_external_size)(const char* representation, Count incount, MPI_Datatype type,
                                   Size* size) {
  return guarded([&] {
    check_representation(representation);
    check_out(size);
    if (incount < 0) fail(EP_ERR_COUNT, "count ", incount, " (negative).");
    const std::shared_ptr<const TypeMap> map = map_of(type);
    *size = static_cast<Size>(has_external32(*map) ? external32_size(*map) * incount
                                                   : external_size(representation, incount, type));
  });
}
