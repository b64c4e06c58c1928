/// @file
/// Work sharing and helper threads for a library above, based on teams (<ep/teams.h>). C interface.
/// <ep/ep.h> does not include this header.
#ifndef EP_WORK_SHARING_H
#define EP_WORK_SHARING_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `work(item, state)` once for each item in [0, items), in any order: in the calling thread,
/// and in helper threads of this process, which wait in EP_Team_leave or EP_Team_help_until.
/// Returns when all items are done. Items must be independent; `work` must not throw, and must not
/// call MPI unless every thread may do so. Costs three loads if there are no helpers, and never
/// allocates memory. Local, any thread, also without MPI. Fails with EP_ERR_ARG for a negative
/// number and for null pointers.
int EP_Share_work(int items, void (*work)(int item, void* state), void* state);
/// Sets `*flag` to 1 if helper threads may take items of work that the calling thread shares now,
/// else to 0. Costs three loads. Local, any thread, also without MPI.
int EP_Helpers_available(int* flag);

/// Makes the calling thread a helper until `is_over(state)` returns non-zero; it need not have
/// joined `team`. A helper takes items of work that other threads share, and drives the
/// communication of the process if MPI grants MPI_THREAD_MULTIPLE. It calls `is_over` again after
/// each item and each EP_Team_ring. It spins, yields and sleeps as all waits of this library do;
/// `max_sleep_s` limits the time between two calls of `is_over`, 0 means no limit. The watchdog
/// prints `reason`, which must stay valid during the call. Any number of threads may help; the team
/// must not be freed before all have returned. Fails with EP_ERR_ARG for null pointers and for an
/// unknown team.
int EP_Team_help_until(EP_Team team, int (*is_over)(void* state), void* state, const char* reason,
                       double max_sleep_s);
/// Wakes the helpers of `team`, which then call their `is_over` functions. Local, any thread.
int EP_Team_ring(EP_Team team);

#ifdef __cplusplus
}
#endif

#endif
