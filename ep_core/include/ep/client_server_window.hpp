/// @file
/// Windows between clients and servers, for layers above that do not create MPI info objects.
#pragma once

#include <ep/ep.hpp>

namespace ep {

enum class WindowSide { clients, servers };

/// Creates a window without memory, to which endpoints attach memory with EP_Win_attach. On an
/// intercommunicator, calls EP_Win_create_client_server with the info key ep_dynamic; on an
/// intracommunicator, calls EP_Win_create_dynamic, so that all endpoints can access each other. The
/// caller frees the window with EP_Win_free. Collective over `comm`, both groups included. Throws
/// Error.
inline EP_Win create_attachable_window(const Comm& comm, WindowSide own_side) {
  EP_Win win = EP_WIN_NULL;
  int is_inter = 0;
  check(EP_Comm_test_inter(comm.get(), &is_inter));
  if (is_inter == 0) {
    check(EP_Win_create_dynamic(MPI_INFO_NULL, comm.get(), &win));
    return win;
  }
  MPI_Info info = MPI_INFO_NULL;
  check(MPI_Info_create(&info));
  check(MPI_Info_set(info, "ep_role", own_side == WindowSide::servers ? "server" : "client"));
  check(MPI_Info_set(info, "ep_dynamic", "true"));
  const int code = EP_Win_create_client_server(nullptr, 0, 1, info, comm.get(), &win);
  check(MPI_Info_free(&info));
  check(code);
  return win;
}

}  // namespace ep
