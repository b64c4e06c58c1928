// What `module epios` calls besides the C interface: communicators and arrays as Fortran has them.

#include <epios/epios.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ep/raw_comm.hpp>
#include <string>
#include <thread>

#include "fortran/fortran_data.hpp"
#include "handles/c_guard.hpp"
#include "handles/handle_table.hpp"
#include "session/log.hpp"

namespace {

using epios::client::check_c;
using epios::client::guarded;
using epios::client::HandleTable;
using epios::client::receive_array;
using epios::client::send_array;
using epios::client::trimmed;

MPI_Comm comm_or(const int* comm, MPI_Comm otherwise) {
  return comm == nullptr ? otherwise : ep::from_fortran(*comm);
}

}  // namespace

void epios::client::fail(epios_client* client, const std::string& text) {
  const bool is_echoed = is_last_error_echoed();
  if (client != nullptr) epios_client_abandon(client);
  // Who is to tell it ends the job. If this process is still there after that, it has not.
  if (is_echoed) std::this_thread::sleep_for(std::chrono::seconds(2));
  log_error(text);
  std::fflush(nullptr);
  // The launcher ends the other processes when this one is gone: they may still say why they end.
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  std::_Exit(EXIT_FAILURE);
}

extern "C" {

int epios_fortran_session_open(const char* code_id, const char* iodef, int clients, int host_server,
                               const int* comm, epios_session** out) {
  return guarded([&] {
    epios_session_options options = EPIOS_SESSION_OPTIONS_INIT;
    if (*iodef != '\0') options.iodef = iodef;
    options.clients = clients;
    options.host_server = host_server;
    options.comm = comm_or(comm, MPI_COMM_WORLD);
    check_c(epios_session_open(code_id, &options, out));
  });
}

int epios_fortran_session_comm(epios_session* session, int* comm) {
  return guarded([&] {
    MPI_Comm component = MPI_COMM_NULL;
    check_c(epios_session_comm(session, &component));
    *comm = ep::to_fortran(component);
  });
}

int epios_fortran_serve(const int* comm) {
  return guarded([&] { check_c(epios_serve(comm_or(comm, MPI_COMM_WORLD))); });
}

int epios_fortran_context_open(epios_client* client, const char* id, const int* comm,
                               epios_context** out) {
  return guarded([&] {
    if (comm == nullptr) {
      check_c(epios_context_open(client, id, out));
    } else {
      check_c(epios_context_open_on(client, id, ep::from_fortran(*comm), out));
    }
  });
}

int epios_fortran_send(epios_context* context, const char* field, size_t length,
                       const CFI_cdesc_t* data, const int* tile) {
  return guarded([&] {
    send_array(HandleTable::instance().context(context), trimmed(field, length), *data, tile);
  });
}

int epios_fortran_send_field(epios_field field, const CFI_cdesc_t* data, const int* tile) {
  return guarded([&] {
    send_array(HandleTable::instance().context(field.context), static_cast<int>(field.number),
               *data, tile);
  });
}

int epios_fortran_receive(epios_context* context, const char* field, size_t length,
                          const CFI_cdesc_t* data) {
  return guarded([&] {
    receive_array(HandleTable::instance().context(context), trimmed(field, length), *data);
  });
}

int epios_fortran_receive_field(epios_read_field field, const CFI_cdesc_t* data) {
  return guarded([&] {
    receive_array(HandleTable::instance().context(field.context), static_cast<int>(field.number),
                  *data);
  });
}

size_t epios_fortran_length(const char* text) { return std::strlen(text); }

void epios_fortran_fail(epios_client* client) { epios::client::fail(client, epios_last_error()); }

}  // extern "C"
