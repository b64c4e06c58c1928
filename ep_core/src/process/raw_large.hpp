#pragma once

#include <mpi.h>

#include <climits>
#include <cstdint>

namespace ep {

// Messages and packed data of more than INT_MAX bytes or elements. MPI-4.0 counts them in
// MPI_Count; below an older MPI (EP_WITHOUT_LARGE_COUNTS), one element of a derived datatype stands
// for them.

/// Returns the committed datatype of `bytes` bytes in a row, made of blocks of `block` bytes and a
/// last one of what remains. The caller frees it. It has the signature of as many MPI_BYTE, so the
/// other side may count in another way.
MPI_Datatype bytes_type(std::int64_t bytes, int block = INT_MAX);

/// MPI_Isend and MPI_Imrecv of any number of bytes.
void raw_send_large(const void* data, std::int64_t bytes, int dest, int tag, MPI_Comm comm,
                    MPI_Request* request);
void raw_receive_large(void* data, std::int64_t bytes, MPI_Message* message, MPI_Request* request);

/// MPI_Pack_external and its kin with large counts.
void pack_external(const char* representation, const void* from, MPI_Count count, MPI_Datatype type,
                   void* to, MPI_Count size, MPI_Count* position);
void unpack_external(const char* representation, const void* from, MPI_Count size,
                     MPI_Count* position, void* to, MPI_Count count, MPI_Datatype type);
MPI_Count external_size(const char* representation, MPI_Count count, MPI_Datatype type);

/// The same by calls that count in int, whatever MPI has: in datatypes of blocks of `block` bytes,
/// and of at most `most` elements at once.
namespace counted_in_int {
void pack_external(const char* representation, const void* from, MPI_Count count, MPI_Datatype type,
                   void* to, MPI_Count size, MPI_Count* position, int most);
void unpack_external(const char* representation, const void* from, MPI_Count size,
                     MPI_Count* position, void* to, MPI_Count count, MPI_Datatype type, int most);
MPI_Count external_size(const char* representation, MPI_Count count, MPI_Datatype type, int most);
void raw_send(const void* data, std::int64_t bytes, int dest, int tag, MPI_Comm comm,
              MPI_Request* request, int block);
void raw_receive(void* data, std::int64_t bytes, MPI_Message* message, MPI_Request* request,
                 int block);
}  // namespace counted_in_int

}  // namespace ep
