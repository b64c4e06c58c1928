/// @file
/// Teams: helper threads that share the communication work of their process; included by <ep/ep.h>.
///
/// A thread that has joined a team and has nothing else to do calls EP_Team_leave. There it helps
/// with large copies, packing and unpacking, reductions, collectives and file accesses of other
/// threads, until all threads that joined have called. A thread in a team is helped by its team; a
/// thread outside teams is helped by any team with waiting threads. Results are bitwise the same as
/// without teams.
///
/// Threads of a team need no endpoint. They call MPI only if it grants MPI_THREAD_MULTIPLE; then
/// they also drive the communication of the process while they wait. They wait as all calls of this
/// library do: they spin, yield and sleep.
///
/// A round begins with the first join and ends when every thread that joined has left or broken
/// out; the next join begins another round.
///
/// The info key `synchronous` of EP_Team_create chooses between two models. It is an assertion,
/// like the info keys of windows: a call that contradicts it fails.
/// - false (default): EP_Team_join returns at once, up to `team_size` threads may join, and any of
///   them may call EP_Team_break to leave without helping. EP_Team_leave waits for the threads that
///   joined; while fewer than `team_size` have joined in this round, it waits another millisecond
///   for others.
/// - true: exactly `team_size` threads join and leave in every round. EP_Team_join returns when all
///   have joined, EP_Team_leave when all have left. If too few join, they wait for ever, and the
///   watchdog reports it (EP_Set_watchdog). EP_Team_break is not allowed.
///
/// All functions are local to a process. Any thread may call them; all threads may use `team` at
/// the same time. Errors belong to no endpoint and are only returned: EP_ERR_ARG for an unknown
/// handle and for null pointers, EP_ERR_OTHER for calls in the wrong order, with a text that names
/// the caller (EP_Last_error). A thread that ends inside a team breaks out of it; in the
/// synchronous model, EP_Team_leave then fails in the other threads. Model and names come from the
/// proposal of thread teams, MPI-3 hybrid working group.
#ifndef EP_TEAMS_H
#define EP_TEAMS_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Creates a team of up to `team_size` threads. The caller frees it. `info` is MPI_INFO_NULL or has
/// the key `synchronous` (true or false; other values fail with EP_ERR_INFO_VALUE); other keys are
/// ignored. Fails with EP_ERR_ARG for a size below 1.
int EP_Team_create(int team_size, MPI_Info info, EP_Team* team);
/// Frees the team; the handle is passed by value, as in the proposal. While threads are in the
/// team, it fails with EP_ERR_OTHER and the team stays.
int EP_Team_free(EP_Team team);
/// Makes the calling thread join the team. Fails with EP_ERR_OTHER if it is in this or another
/// team, or if `team_size` threads are in this one.
int EP_Team_join(EP_Team team);
/// Makes the calling thread help until all threads that joined have left or broken out, and then
/// leave. Fails with EP_ERR_OTHER if the thread is not in this team, or if a thread of a
/// synchronous team has ended without leaving (the caller has then left).
int EP_Team_leave(EP_Team team);
/// Makes the calling thread leave at once, without helping. Fails with EP_ERR_OTHER if it is not in
/// this team, or if the team is synchronous (the thread then stays in it).
int EP_Team_break(EP_Team team);

#ifdef __cplusplus
}
#endif

#endif
