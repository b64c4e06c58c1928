#pragma once

#include <ep/ep.h>

#include <map>
#include <string>

#include "handles/endpoint.hpp"

namespace ep {

/// The arguments of one endpoint that creates a window.
struct WindowRequest {
  int flavor = EP_WIN_FLAVOR_CREATE;
  void* base = nullptr;
  MPI_Aint size = 0;
  std::int64_t disp_unit = 1;
  MPI_Info info = MPI_INFO_NULL;
};

/// Creates a window. All endpoints agree on errors in arguments and on errors of MPI. Collective
/// over both groups of the parent.
EP_Win create_window(Endpoint& parent, const WindowRequest& request, const char* what);
/// Frees the window. Collective over the window.
void free_window(EP_Win win);

/// Returns the hints in `info`. Throws EP_ERR_INFO_VALUE for invalid values of known keys.
std::map<std::string, std::string> given_window_hints(MPI_Info info);
/// Returns the hints in `info`, with defaults for missing keys.
std::map<std::string, std::string> window_hints(MPI_Info info);

}  // namespace ep
