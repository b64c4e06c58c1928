#pragma once

#include <mpi.h>

#include <climits>
#include <cstdint>

#include "error.hpp"

namespace ep {

// MPI counts in int up to version 3.1; what is longer needs the large-count functions of 4.0.

inline void raw_send(const void* data, std::int64_t bytes, int dest, int tag, MPI_Comm comm,
                     MPI_Request* request) {
  if (bytes <= INT_MAX) {
    check_mpi(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, dest, tag, comm, request),
              "MPI_Isend");
  } else {
    check_mpi(MPI_Isend_c(data, bytes, MPI_BYTE, dest, tag, comm, request), "MPI_Isend_c");
  }
}

inline void raw_receive(void* data, std::int64_t bytes, MPI_Message* message,
                        MPI_Request* request) {
  if (bytes <= INT_MAX) {
    check_mpi(MPI_Imrecv(data, static_cast<int>(bytes), MPI_BYTE, message, request), "MPI_Imrecv");
  } else {
    check_mpi(MPI_Imrecv_c(data, bytes, MPI_BYTE, message, request), "MPI_Imrecv_c");
  }
}

}  // namespace ep
