#pragma once

#include <mpi.h>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "process/error.hpp"
#include "process/raw_large.hpp"

namespace ep {

// MPI up to version 3.1 counts in int.

inline void raw_send(const void* data, std::int64_t bytes, int dest, int tag, MPI_Comm comm,
                     MPI_Request* request) {
  if (bytes <= INT_MAX) {
    check_mpi(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, dest, tag, comm, request),
              "MPI_Isend");
  } else {
    raw_send_large(data, bytes, dest, tag, comm, request);
  }
}

inline void raw_receive(void* data, std::int64_t bytes, MPI_Message* message,
                        MPI_Request* request) {
  if (bytes <= INT_MAX) {
    check_mpi(MPI_Imrecv(data, static_cast<int>(bytes), MPI_BYTE, message, request), "MPI_Imrecv");
  } else {
    raw_receive_large(data, bytes, message, request);
  }
}

/// A message that was found on a wire. It may still be in MPI; then the thread that holds the
/// engine's lock takes it exactly once. No other thread receives there, so probing and receiving is
/// safe, and it costs three quarters of a matched probe and its receive. Or it is a small message
/// in memory that returns to its sender.
class RawMessage {
 public:
  RawMessage(MPI_Comm comm, const MPI_Status& status)
      : comm_(comm), source_(status.MPI_SOURCE), tag_(status.MPI_TAG) {
    MPI_Count bytes = 0;
    check_mpi(MPI_Get_elements_x(&status, MPI_BYTE, &bytes), "MPI_Get_elements_x");
    bytes_ = bytes;
  }
  RawMessage(int source, int tag, std::span<const std::byte> data)
      : source_(source),
        tag_(tag),
        bytes_(static_cast<std::int64_t>(data.size())),
        data_(data.data()) {}

  int source() const noexcept { return source_; }
  int tag() const noexcept { return tag_; }
  std::int64_t bytes() const noexcept { return bytes_; }

  /// Receives a message that MPI has here as a whole (eager_bytes). `data` has room for bytes().
  void receive(void* data) const {
    if (comm_ == MPI_COMM_NULL) {
      if (bytes_ > 0) std::memcpy(data, data_, static_cast<std::size_t>(bytes_));
      return;
    }
    check_mpi(MPI_Recv(data, static_cast<int>(bytes_), MPI_BYTE, source(), tag(), comm_,
                       MPI_STATUS_IGNORE),
              "MPI_Recv");
  }
  /// Takes another message out of MPI's queue, to be received later.
  MPI_Message hold() const {
    int flag = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    check_mpi(MPI_Improbe(source(), tag(), comm_, &flag, &message, MPI_STATUS_IGNORE),
              "MPI_Improbe");
    if (flag == 0) fail(EP_ERR_INTERN, "a message that a probe had found is gone.");
    return message;
  }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;  // null: in memory
  int source_;
  int tag_;
  std::int64_t bytes_ = 0;
  const std::byte* data_ = nullptr;
};

}  // namespace ep
