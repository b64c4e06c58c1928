/// @file
/// Work sharing and helper threads for a library above, on top of teams (<ep/teams.h>). C
/// interface; not included by <ep/ep.h>.
#ifndef EP_WORK_SHARING_H
#define EP_WORK_SHARING_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `work(item, state)` for each item in [0, items), once, in any order: here, and in helper
/// threads of this process, which wait in EP_Team_leave or EP_Team_help_until. On return no item is
/// under way. Items must be independent; `work` must not throw, and makes no MPI calls unless the
/// program may make them in every thread. Costs three loads if there are no helpers. Local, any
/// thread, also without MPI; allocates nothing. EP_ERR_ARG for a negative number and for null
/// pointers.
int EP_Share_work(int items, void (*work)(int item, void* state), void* state);
/// Tells whether helper threads may take items of work that the calling thread shares now. Costs
/// three loads. Local, any thread, also without MPI.
int EP_Helpers_available(int* flag);

/// Makes the calling thread, which need not have joined `team`, a helper: it takes items of work
/// that others share, and drives the traffic of the process where MPI grants MPI_THREAD_MULTIPLE,
/// until `is_over(state)` returns non-zero. It asks again after each item and each EP_Team_ring. It
/// waits as all calls of this library do; `max_sleep_s` bounds the time between two questions, 0
/// means no bound. `reason` is for the watchdog and must stay valid during the call. Any number of
/// threads; free the team after them. EP_ERR_ARG for null pointers and for an unknown team.
int EP_Team_help_until(EP_Team team, int (*is_over)(void* state), void* state, const char* reason,
                       double max_sleep_s);
/// Makes the helpers of `team` check whether their wait is over. Local, any thread.
int EP_Team_ring(EP_Team team);

#ifdef __cplusplus
}
#endif

#endif
