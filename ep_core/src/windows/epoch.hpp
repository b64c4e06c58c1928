#pragma once

#include <span>
#include <vector>

#include "windows/window.hpp"

namespace ep {

struct Endpoint;

// Which accesses of an endpoint to a window are allowed when, and complete when. Each throws
// EP_ERR_RMA_SYNC where it does not fit the epoch; `what` is the function for messages.

/// Returns the endpoint's accesses to target `rank`, made at first use.
Access& access_of(EndpointWindow& window, int rank);
const Target& target_of(const EndpointWindow& window, int rank);
Endpoint& endpoint_of_window(const EndpointWindow& window);

/// Checks that an epoch covers an access that the caller is about to make; requests the lock of a
/// target of EP_Win_lock_all if that was put off.
void check_access(EndpointWindow& window, int rank, bool with_request, const char* what);

/// Completes the endpoint's operations at `rank`, or at all targets. Throws the first error that a
/// target's process reported.
void complete_at(EndpointWindow& window, int rank, bool local);
void complete_everywhere(EndpointWindow& window, bool local);

void fence(EndpointWindow& window, int assertion);
void start(EndpointWindow& window, std::vector<int> ranks, int assertion);
void complete(EndpointWindow& window);
void post(EndpointWindow& window, std::vector<int> ranks, int assertion);
/// Wait for the end of the exposure, or only test it; test_exposed() returns true if it has ended.
void wait_exposed(EndpointWindow& window);
bool test_exposed(EndpointWindow& window);
void lock(EndpointWindow& window, int type, int rank, int assertion);
void unlock(EndpointWindow& window, int rank);
void lock_all(EndpointWindow& window, int assertion);
void unlock_all(EndpointWindow& window);
/// Checks that a flush of `rank`, or of all (-1), is allowed.
void check_flush(const EndpointWindow& window, int rank, const char* what);
void sync(EndpointWindow& window);

/// Waits for all endpoints of the window, both groups of it.
void barrier(EndpointWindow& window, const char* what);

/// Returns what keeps the endpoint from freeing the window, or null.
const char* open_epoch(const EndpointWindow& window);

}  // namespace ep
