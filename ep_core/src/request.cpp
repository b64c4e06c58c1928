#include "request.hpp"

#include "generalized.hpp"
#include "persistent.hpp"
#include "send_buffer.hpp"

namespace ep {

// Here, where what the pointers lead to is known.
Request::Request() = default;
Request::~Request() = default;

}  // namespace ep
