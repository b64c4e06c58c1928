#pragma once

#include <ep/ep.h>

namespace ep {

/// The functions of the program that a generalized request calls.
struct Generalized {
  EP_Grequest_query_function* query = nullptr;
  EP_Grequest_free_function* free = nullptr;
  EP_Grequest_cancel_function* cancel = nullptr;
  void* extra = nullptr;
};

}  // namespace ep
