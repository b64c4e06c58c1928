/// @file
/// What a library above wants to do while threads of a process wait for long. C interface.
#ifndef EP_WATCH_H
#define EP_WATCH_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// From now on a thread that waits calls `look(state, asked)` from time to time, when it has slept:
/// at least once a second while any thread waits that may communicate, at most some fifty times.
/// `asked` is 1 when the process has been sent SIGUSR1 since. One thread at a time, which holds
/// nothing of this library; it may communicate, but not wait. The function must not throw. With
/// one, the watchdog of the process prints no table: this is the function's business then. NULL:
/// none any more, if `state` is that of the present one; returns when no call is under way. Local,
/// any thread.
int EP_Set_look(void (*look)(void* state, int asked), void* state);

#ifdef __cplusplus
}
#endif

#endif
