#include <ep/ep.h>

#include <cstring>

#include "handles/api_arguments.hpp"
#include "messages/message_tables.hpp"
#include "process/fortran_handle.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

static_assert(sizeof(EP_Status) == EP_F_STATUS_SIZE * sizeof(MPI_Fint));

int EP_Status_c2f(const EP_Status* status, MPI_Fint* f_status) {
  return guarded([&] {
    check_out(status);
    check_out(f_status);
    std::memcpy(f_status, status, sizeof *status);
  });
}

int EP_Status_f2c(const MPI_Fint* f_status, EP_Status* status) {
  return guarded([&] {
    check_out(f_status);
    check_out(status);
    std::memcpy(status, f_status, sizeof *status);
  });
}

MPI_Fint EP_Request_c2f(EP_Request request) { return to_fortran(request_arena(), request); }
EP_Request EP_Request_f2c(MPI_Fint request) {
  return from_fortran<EP_Request>(request_arena(), request);
}

MPI_Fint EP_Message_c2f(EP_Message message) { return to_fortran(message_arena(), message); }
EP_Message EP_Message_f2c(MPI_Fint message) {
  return from_fortran<EP_Message>(message_arena(), message);
}
