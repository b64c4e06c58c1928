#pragma once

#include "schedules/operation.hpp"

namespace ep {

/// Creates a persistent request for a collective operation, which every EP_Start begins. Types may
/// be freed at once; buffers and arrays must stay until the request is freed. All endpoints create
/// their requests in the same order, and start them in any order.
EP_Request make_persistent(Endpoint& endpoint, const Call& call);

}  // namespace ep
