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

/// A thread of this process that sleeps inside the library.
typedef struct EP_Wait_info {
  const char* text;     ///< "a message (EP_Recv) of rank 1, as rank 0 of 2 in 'ocean'"
  double seconds;       ///< so far
  const void* sleeper;  ///< whose wait it is: what EP_Sleeper says in that thread
} EP_Wait_info;

/// Calls `visit` for each, longest first; the text is valid in that call. Waits of EP_Wait_until
/// are left out, as who called it knows better what for, and those for work. Local, any thread.
int EP_Visit_waits(void (*visit)(const EP_Wait_info* wait, void* state), void* state);

/// A mark of the calling thread, by which it is told from others as long as it lives.
const void* EP_Sleeper(void);

#ifdef __cplusplus
}
#endif

#endif
