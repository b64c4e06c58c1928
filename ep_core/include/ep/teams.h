/// @file
/// Teams: helper threads that share the communication work of their process; included by <ep/ep.h>.
///
/// A thread that joined a team and has nothing else to do calls EP_Team_leave and helps there until
/// all who joined have come: with large copies, packing and unpacking, reductions, collectives and
/// file accesses of the others. The team of a thread helps with what this thread communicates; any
/// team with waiting threads helps a thread outside teams. Results are the same to the last bit as
/// without teams.
///
/// Threads of a team need no endpoint and make no MPI calls unless MPI grants MPI_THREAD_MULTIPLE;
/// then they also drive the traffic of the process while they wait. They wait as all calls of this
/// library do: check, yield, sleep.
///
/// A round begins with the first join and ends when every thread that joined has left or broken
/// out; the next join begins another.
///
/// The info key `synchronous` of EP_Team_create chooses between two models. It is an assertion, as
/// infos of windows are: a call that contradicts it is an error.
/// - false (default): EP_Team_join returns at once, up to `size` threads may come, and any may
///   EP_Team_break out without helping. EP_Team_leave waits for those who joined, and a millisecond
///   for others as long as fewer than `size` have come in this round.
/// - true: exactly `size` threads join and leave in every round; EP_Team_join returns when all have
///   come, EP_Team_leave when all have left. If too few come they wait for ever, and the watchdog
///   says so (EP_Set_watchdog). Nobody breaks out.
///
/// All functions are local to a process, any thread; all threads may use `team` at the same time.
/// Errors belong to no endpoint and are returned: EP_ERR_ARG for an unknown handle and for null
/// pointers, EP_ERR_OTHER for calls out of turn, with a text that names the caller (EP_Last_error).
/// A thread that ends inside a team breaks out of it; in the synchronous model that is an error of
/// EP_Team_leave of the others. Model and names: proposal of thread teams, MPI-3 hybrid working
/// group.
#ifndef EP_TEAMS_H
#define EP_TEAMS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a team of up to `team_size` threads. To be freed. `info` is MPI_INFO_NULL or has the key
/// `synchronous` (true or false; other values are EP_ERR_INFO_VALUE); other keys are ignored.
/// EP_ERR_ARG for a size below 1.
int EP_Team_create(int team_size, MPI_Info info, EP_Team* team);
/// Frees the team; the handle is passed by value, as in the proposal. EP_ERR_OTHER, and the team
/// stays, while threads are in it.
int EP_Team_free(EP_Team team);
/// Makes the calling thread join. EP_ERR_OTHER if it is in this or another team, or if `team_size`
/// threads are in this one.
int EP_Team_join(EP_Team team);
/// Makes the calling thread help until all who joined have left or broken out, and then leave.
/// EP_ERR_OTHER if it is not in this team, or if a thread of a synchronous team ended without
/// leaving (then the caller has left).
int EP_Team_leave(EP_Team team);
/// Makes the calling thread leave at once, without helping. EP_ERR_OTHER if it is not in this team,
/// or if the team is synchronous (then it stays in it).
int EP_Team_break(EP_Team team);

#ifdef __cplusplus
}
#endif

#endif
