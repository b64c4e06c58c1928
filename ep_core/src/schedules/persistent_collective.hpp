#pragma once

#include "schedules/operation.hpp"

namespace ep {

/// Makes a persistent request for a collective operation, which every EP_Start begins. Types may be
/// freed at once; buffers and arrays must stay until the request is freed. All endpoints make their
/// requests in one order, and start them in any.
EP_Request make_persistent(Endpoint& endpoint, const Call& call);

}  // namespace ep
