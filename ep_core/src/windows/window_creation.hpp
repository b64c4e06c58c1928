#pragma once

#include <ep/ep.h>

#include <map>
#include <string>

#include "handles/endpoint.hpp"

namespace ep {

/// What one endpoint asks for.
struct WindowRequest {
  int flavor = EP_WIN_FLAVOR_CREATE;
  void* base = nullptr;
  MPI_Aint size = 0;
  std::int64_t disp_unit = 1;
  MPI_Info info = MPI_INFO_NULL;
};

/// Collective over the parent, both groups of it. Errors of arguments and of MPI are agreed on.
EP_Win create_window(Endpoint& parent, const WindowRequest& request, const char* what);
/// Collective over the window.
void free_window(EP_Win win);

/// The hints in `info`; throws EP_ERR_INFO_VALUE for values of known keys that are none.
std::map<std::string, std::string> given_window_hints(MPI_Info info);
/// The same with defaults for what `info` does not say.
std::map<std::string, std::string> window_hints(MPI_Info info);

}  // namespace ep
