/// @file
/// What teams (<ep/teams.h>) are for a library above: work of its own in pieces that waiting
/// threads take, and waits that lend hands. C interface; not included by <ep/ep.h>.
#ifndef EP_HANDS_H
#define EP_HANDS_H

#include <ep/ep.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Calls `work(piece, state)` for each piece in [0, pieces), once, in any order: here, and in
/// threads of this process that lend their hands meanwhile (EP_Team_leave, EP_Team_help_until). On
/// return none is under way. Pieces do not depend on each other; `work` must not throw, and makes
/// no MPI calls unless the program may everywhere. Costs three loads where no hands are lent.
/// Local, any thread, also without MPI; allocates nothing. EP_ERR_ARG for a negative number and for
/// null pointers.
int EP_Share_pieces(int pieces, void (*work)(int piece, void* state), void* state);
/// Whether somebody may take pieces of what the calling thread would share now. Three loads;
/// also without MPI.
int EP_Are_hands_lent(int* flag);

/// The calling thread, which need not have joined `team`, takes pieces of what others share, and
/// drives the traffic of the process where MPI grants MPI_THREAD_MULTIPLE, until `is_over(state)`,
/// which it asks again after each piece and each EP_Team_ring. It waits as all calls of this
/// library do; `max_sleep_s`: the longest between two questions, 0: as it comes. `reason`: for the
/// watchdog; valid during the call. Any number of threads; the team is freed after them. EP_ERR_ARG
/// for null pointers and for a handle that is no team.
int EP_Team_help_until(EP_Team team, int (*is_over)(void* state), void* state, const char* reason,
                       double max_sleep_s);
/// Has the threads that help `team` look whether it is over. Local, any thread.
int EP_Team_ring(EP_Team team);

#ifdef __cplusplus
}
#endif

#endif
