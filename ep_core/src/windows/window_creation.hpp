#pragma once

#include <ep/ep.h>

#include <map>
#include <string>

#include "handles/endpoint.hpp"

namespace ep {

/// The arguments of one endpoint.
struct WindowRequest {
  int flavor = EP_WIN_FLAVOR_CREATE;
  void* base = nullptr;
  MPI_Aint size = 0;
  std::int64_t disp_unit = 1;
  MPI_Info info = MPI_INFO_NULL;
};

/// Makes a window. All agree on errors of arguments and of MPI. Collective over the parent, both
/// groups of it.
EP_Win create_window(Endpoint& parent, const WindowRequest& request, const char* what);
/// Frees the window. Collective over it.
void free_window(EP_Win win);

/// Returns the hints in `info`. Throws EP_ERR_INFO_VALUE for wrong values of known keys.
std::map<std::string, std::string> given_window_hints(MPI_Info info);
/// Returns the same with defaults for missing keys.
std::map<std::string, std::string> window_hints(MPI_Info info);

}  // namespace ep
