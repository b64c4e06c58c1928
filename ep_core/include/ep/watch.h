/// @file
/// A hook for a library above that acts or reports while threads of the process wait for a long
/// time. C interface.
#ifndef EP_WATCH_H
#define EP_WATCH_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sets the progress hook of the process. A waiting thread calls `hook(state, diagnostics)` after
/// each sleep: at least once a second while any thread waits that may communicate, and at most
/// about fifty times a second. `diagnostics` is 1 if the process has received SIGUSR1 since the
/// last call. One thread at a time calls the hook, and it holds no lock of this library; the hook
/// may communicate, but must not wait or throw. While a hook is set, the watchdog prints no table,
/// since the hook reports instead. A null `hook` removes the current hook if `state` is the state
/// of that hook, and returns when no call of it is active. Local, any thread.
int EP_Set_progress_hook(void (*hook)(void* state, int diagnostics), void* state);

/// Describes a thread of this process that sleeps inside the library.
typedef struct EP_Wait_info {
  const char* text;     ///< "a message (EP_Recv) of rank 1, as rank 0 of 2 in 'ocean'"
  double seconds;       ///< how long it has waited so far
  const void* sleeper;  ///< identifies the waiting thread: what EP_Sleeper returns in it
} EP_Wait_info;

/// Calls `visit` for each thread that sleeps inside the library, beginning with the one that has
/// waited longest; `wait->text` is valid during that call only. Omits threads that wait for work,
/// and those in EP_Wait_until, whose caller can report better what it waits for. Local, any thread.
int EP_Visit_waits(void (*visit)(const EP_Wait_info* wait, void* state), void* state);

/// Returns an address that identifies the calling thread among all running threads. Local, any
/// thread.
const void* EP_Sleeper(void);

#ifdef __cplusplus
}
#endif

#endif
