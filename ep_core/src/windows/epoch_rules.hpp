#pragma once

#include "progress/waiting.hpp"
#include "windows/window.hpp"

namespace ep {

// Rules that the epochs of all kinds share.

const char* name_of(Epoch epoch);
/// True if another epoch may begin.
bool is_free(const EndpointWindow& window);
/// Throws EP_ERR_RMA_SYNC unless another epoch may begin.
void check_free(const EndpointWindow& window, const char* what);
/// Throws EP_ERR_ASSERT if `assertion` is not a sum of allowed constants.
void check_assertion(int assertion, int allowed, const char* what);
/// Waits as the window's endpoint.
void wait_at(EndpointWindow& window, const WaitSpec& spec, Condition ready);
/// Throws the error that the target's process has reported, and clears it.
void throw_error_of(Access& access);
/// True if EP_Win_lock_all locks the target itself: nobody has to answer, or the program may touch
/// the memory without a call. Other targets are locked at the first access, also those whose memory
/// of this node is accessed directly.
bool is_locked_at_once(const EndpointWindow& window, const Target& target);
/// Acquires the lock of a target and waits for it.
void acquire(EndpointWindow& window, int rank, bool exclusive);

}  // namespace ep
