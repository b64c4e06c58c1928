/// @file
/// Teams: threads that lend their hands to the communication of their process; included by
/// <ep/ep.h>.
///
/// A thread that joined a team and has nothing else to do calls EP_Team_leave and works there until
/// all who joined have come: on large copies, packing and unpacking, reductions, collectives and
/// file accesses of the others. What a thread of a team communicates, its own team helps with; what
/// a thread outside any team communicates, any team whose threads wait. Results are the same to the
/// last bit as without teams.
///
/// Threads of a team need no endpoint and make no MPI calls unless MPI grants
/// MPI_THREAD_MULTIPLE; then they also drive the traffic of the process while they wait. They wait
/// as all calls of this library do: look, yield, sleep.
///
/// Rounds: a round begins with the first join and ends when every thread that joined has left or
/// broken out; the next join begins another.
///
/// Two models, the info key `synchronous` of EP_Team_create chooses. An assertion, as infos of
/// windows are: what contradicts it is an error.
/// - false (default): EP_Team_join returns at once, up to `size` threads may come, and any may
///   EP_Team_break out without helping. EP_Team_leave waits for those who joined, and a millisecond
///   for others as long as fewer than `size` have come in this round.
/// - true: exactly `size` threads join and leave in every round; EP_Team_join returns when all have
///   come, EP_Team_leave when all have left. Too few wait for ever, and the watchdog says so
///   (EP_Set_watchdog). Nobody breaks out.
///
/// All local to a process, any thread; `team` may be used by all threads at the same time. Errors
/// belong to no endpoint and are returned: EP_ERR_ARG for a handle that is none and for null
/// pointers, EP_ERR_OTHER for calls out of turn, with a text that says whose (EP_Last_error). A
/// thread that ends inside a team breaks out of it; in the synchronous model that is an error of
/// EP_Team_leave of the others. Model and names: proposal of thread teams, MPI-3 hybrid working
/// group.
#ifndef EP_TEAMS_H
#define EP_TEAMS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A team of up to `team_size` threads. To be freed. `info`: MPI_INFO_NULL, or with the key
/// `synchronous` (true or false; other values are EP_ERR_INFO_VALUE; other keys are not looked
/// at). EP_ERR_ARG for a size below 1.
int EP_Team_create(int team_size, MPI_Info info, EP_Team* team);
/// Ends the team; the handle is passed by value, as the proposal has it. EP_ERR_OTHER, and the team
/// stays, while threads are in it.
int EP_Team_free(EP_Team team);
/// The calling thread joins. EP_ERR_OTHER if it is in this or another team, or if `team_size`
/// threads are in this one.
int EP_Team_join(EP_Team team);
/// The calling thread helps until all who joined have left or broken out, and leaves. EP_ERR_OTHER
/// if it is not in this team; if a thread of a synchronous team ended without leaving (then the
/// caller has left).
int EP_Team_leave(EP_Team team);
/// The calling thread leaves at once, without helping. EP_ERR_OTHER if it is not in this team, or
/// if the team is synchronous (then it stays in it).
int EP_Team_break(EP_Team team);

#ifdef __cplusplus
}
#endif

#endif
