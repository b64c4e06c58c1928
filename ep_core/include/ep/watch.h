/// @file
/// A hook into waiting, for a library above that wants to act or report while threads of the
/// process wait for long. C interface.
#ifndef EP_WATCH_H
#define EP_WATCH_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Sets the progress hook of the process: a waiting thread calls `hook(state, diagnostics)` each
/// time after it has slept, at least once a second while any thread waits that may communicate, and
/// at most some fifty times a second. `diagnostics` is 1 if the process has received SIGUSR1 since
/// the last call. One thread at a time calls the hook and holds no lock of this library; the hook
/// may communicate, but must not wait or throw. While a hook is set, the watchdog of the process
/// prints no table: reporting is the hook's task. `hook` NULL removes the present hook if `state`
/// is that of the present one, and returns when no call of it is under way. Local, any thread.
int EP_Set_progress_hook(void (*hook)(void* state, int diagnostics), void* state);

/// Describes a thread of this process that sleeps inside the library.
typedef struct EP_Wait_info {
  const char* text;     ///< "a message (EP_Recv) of rank 1, as rank 0 of 2 in 'ocean'"
  double seconds;       ///< how long it has waited so far
  const void* sleeper;  ///< identifies the waiting thread: what EP_Sleeper returns in it
} EP_Wait_info;

/// Calls `visit` for each sleeping thread, the one that has waited longest first; `wait->text` is
/// valid during that call only. Leaves out waits of EP_Wait_until, whose caller knows better what
/// it waits for, and waits for work. Local, any thread.
int EP_Visit_waits(void (*visit)(const EP_Wait_info* wait, void* state), void* state);

/// Returns a mark of the calling thread that no other living thread has. Local, any thread.
const void* EP_Sleeper(void);

#ifdef __cplusplus
}
#endif

#endif
