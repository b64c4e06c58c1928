#pragma once

#include <ep/ep.hpp>

namespace epios::io {

/// Returns whether a request is complete, in which case it is null afterwards.
inline bool test(EP_Request& request) {
  int flag = 0;
  ep::check(EP_Test(&request, &flag, EP_STATUS_IGNORE));
  return flag != 0;
}

}  // namespace epios::io
