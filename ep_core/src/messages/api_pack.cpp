#include <ep/ep.h>

#include <climits>
#include <cstddef>

#include "datatypes/datatype.hpp"
#include "datatypes/overlap.hpp"
#include "handles/endpoint.hpp"
#include "messages/api_message.hpp"
#include "process/error.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

namespace {

// How much of `view` there is to move at `position` of a packed buffer.
std::int64_t checked_room(const MappedView& view, const void* packed, int size, const int* position,
                          int error_class) {
  check_out(position);
  const std::int64_t bytes = view.bytes();
  if (*position < 0 || size < *position) {
    fail(EP_ERR_ARG, "position ", *position, " in a packed buffer of ", size, " bytes.");
  }
  if (packed == nullptr && bytes > 0) fail(EP_ERR_BUFFER, "the packed buffer is a null pointer.");
  if (bytes > size - *position) {
    fail(error_class, bytes, " bytes at position ", *position, " of a packed buffer of ", size,
         " bytes. Ask EP_Pack_size?");
  }
  std::byte* const place = static_cast<std::byte*>(const_cast<void*>(packed)) + *position;
  check_disjoint(view, mapped_bytes(place, bytes), "EP_Pack or EP_Unpack");
  return bytes;
}

}  // namespace

int EP_Pack(const void* inbuf, int incount, MPI_Datatype type, void* outbuf, int outsize,
            int* position, EP_Comm comm) {
  return guarded_naming(comm, [&] {
    static_cast<void>(endpoint_of(comm));
    const MappedView view = checked_message(inbuf, incount, type);
    const std::int64_t bytes = checked_room(view, outbuf, outsize, position, EP_ERR_TRUNCATE);
    pack_bytes(view, static_cast<std::byte*>(outbuf) + *position);
    *position += static_cast<int>(bytes);
  });
}

int EP_Unpack(const void* inbuf, int insize, int* position, void* outbuf, int outcount,
              MPI_Datatype type, EP_Comm comm) {
  return guarded_naming(comm, [&] {
    static_cast<void>(endpoint_of(comm));
    const MappedView view = checked_message(outbuf, outcount, type);
    const std::int64_t bytes = checked_room(view, inbuf, insize, position, EP_ERR_TRUNCATE);
    unpack_bytes(static_cast<const std::byte*>(inbuf) + *position, bytes, view);
    *position += static_cast<int>(bytes);
  });
}

int EP_Pack_size(int incount, MPI_Datatype type, EP_Comm comm, int* size) {
  return guarded_naming(comm, [&] {
    check_out(size);
    static_cast<void>(endpoint_of(comm));
    if (incount < 0) fail(EP_ERR_COUNT, "count ", incount, " (negative).");
    const std::int64_t bytes = type_facts(type).size * incount;
    if (bytes > INT_MAX) {
      fail(EP_ERR_COUNT, incount, " elements are ", bytes,
           " bytes (a packed buffer has at most 2^31 - 1). Pack in parts?");
    }
    *size = static_cast<int>(bytes);
  });
}

// The portable representation is MPI's affair: nobody waits for it.

int EP_Pack_external(const char* representation, const void* inbuf, int incount, MPI_Datatype type,
                     void* outbuf, MPI_Aint outsize, MPI_Aint* position) {
  return guarded([&] {
    check_out(representation);
    check_out(position);
    static_cast<void>(checked_message(inbuf, incount, type));
    check_mpi(MPI_Pack_external(representation, inbuf, incount, type, outbuf, outsize, position),
              "MPI_Pack_external");
  });
}

int EP_Unpack_external(const char* representation, const void* inbuf, MPI_Aint insize,
                       MPI_Aint* position, void* outbuf, int outcount, MPI_Datatype type) {
  return guarded([&] {
    check_out(representation);
    check_out(position);
    static_cast<void>(checked_message(outbuf, outcount, type));
    check_mpi(MPI_Unpack_external(representation, inbuf, insize, position, outbuf, outcount, type),
              "MPI_Unpack_external");
  });
}

int EP_Pack_external_size(const char* representation, int incount, MPI_Datatype type,
                          MPI_Aint* size) {
  return guarded([&] {
    check_out(representation);
    check_out(size);
    if (incount < 0) fail(EP_ERR_COUNT, "count ", incount, " (negative).");
    static_cast<void>(map_of(type));
    check_mpi(MPI_Pack_external_size(representation, incount, type, size),
              "MPI_Pack_external_size");
  });
}
