#pragma once

#include <span>
#include <vector>

#include "window.hpp"

namespace ep {

struct Endpoint;

// Which accesses of an endpoint to a window are allowed when, and complete when. Each throws
// EP_ERR_RMA_SYNC where it does not fit the epoch; `what` is the function for messages.

/// What the endpoint does with target `rank`, made at first use.
Access& access_of(Window& window, int rank);
const Target& target_of(const Window& window, int rank);
Endpoint& endpoint_of_window(const Window& window);

/// Whether an access that the caller is about to make is covered; asks for the lock of a target of
/// EP_Win_lock_all where that was put off.
void check_access(Window& window, int rank, bool with_request, const char* what);

/// Completes the endpoint's operations at `rank`, or at all targets. Throws the first error that a
/// target's process reported.
void complete_at(Window& window, int rank, bool local);
void complete_everywhere(Window& window, bool local);

void fence(Window& window, int assertion);
void start(Window& window, std::vector<int> ranks, int assertion);
void complete(Window& window);
void post(Window& window, std::vector<int> ranks, int assertion);
/// Waits for the end of the exposure, or only looks; whether it has ended.
void wait_exposed(Window& window);
bool test_exposed(Window& window);
void lock(Window& window, int type, int rank, int assertion);
void unlock(Window& window, int rank);
void lock_all(Window& window, int assertion);
void unlock_all(Window& window);
/// Precondition of a flush of `rank`, or of all (-1).
void check_flush(const Window& window, int rank, const char* what);
void sync(Window& window);

/// All endpoints of the window, both groups of it.
void meet(Window& window, const char* what);

/// What keeps the endpoint from freeing the window, or null.
const char* open_epoch(const Window& window);

}  // namespace ep
