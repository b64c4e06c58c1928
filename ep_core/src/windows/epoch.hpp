#pragma once

#include <span>
#include <vector>

#include "windows/window.hpp"

namespace ep {

struct Endpoint;

// Rules for accesses of an endpoint to a window: when they are allowed, and when they are complete.
// Each function throws EP_ERR_RMA_SYNC if it does not fit the epoch; `what` names the calling
// function in messages.

const Target& target_of(const EndpointWindow& window, int rank);
Endpoint& endpoint_of_window(const EndpointWindow& window);

/// Checks that an epoch covers an access that the caller is about to make. Requests the lock of a
/// target of EP_Win_lock_all if that has been deferred.
void check_access(EndpointWindow& window, int rank, bool with_request, const char* what);

/// Complete the endpoint's operations at `rank`, or at all targets. Throw the first error that a
/// target's process has reported.
void complete_at(EndpointWindow& window, int rank, bool local);
void complete_everywhere(EndpointWindow& window, bool local);

void fence(EndpointWindow& window, int assertion);
void start(EndpointWindow& window, std::vector<int> ranks, int assertion);
void complete(EndpointWindow& window);
void post(EndpointWindow& window, std::vector<int> ranks, int assertion);
/// Wait for the end of the exposure epoch, or test for it; test_exposed() returns true if it has
/// ended.
void wait_exposed(EndpointWindow& window);
bool test_exposed(EndpointWindow& window);
void lock(EndpointWindow& window, int type, int rank, int assertion);
void unlock(EndpointWindow& window, int rank);
void lock_all(EndpointWindow& window, int assertion);
void unlock_all(EndpointWindow& window);
/// Checks that a flush of `rank`, or of all targets (-1), is allowed.
void check_flush(const EndpointWindow& window, int rank, const char* what);
void sync(EndpointWindow& window);

/// Waits for all endpoints of the window, in both groups.
void barrier(EndpointWindow& window, const char* what);

/// Returns the kind of open epoch that prevents freeing the window, or null.
const char* open_epoch(const EndpointWindow& window);

}  // namespace ep
