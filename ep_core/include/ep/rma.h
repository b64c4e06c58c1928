/// @file
/// Access to windows: data movement and synchronisation; included by <ep/ep.h>.
///
/// `target` is a rank of the window (of the other group, in windows of
/// EP_Win_create_client_server), or EP_PROC_NULL, for which a call does nothing. `disp` counts
/// displacement units of the target; in dynamic windows it is an address there. Datatypes may be
/// derived on both sides, and may be freed when the call returns. Buffers belong to the library
/// until the operation is complete at its origin: until the epoch ends, a flush of the target
/// returns, or the request is complete.
///
/// Without an epoch that covers the target, a call fails with EP_ERR_RMA_SYNC. Further errors, all
/// at the origin, are EP_ERR_RANK, EP_ERR_COUNT, EP_ERR_TYPE, EP_ERR_BUFFER, EP_ERR_OP,
/// EP_ERR_RMA_RANGE for bytes outside the target's segment, EP_ERR_TRUNCATE for data that does not
/// fit its destination. An access of zero bytes may have any displacement, datatypes and MPI
/// operation. The library checks accesses to attached memory only where the target's process
/// performs them: within a process, and for accumulates. The call that completes the operation
/// returns such an error.
///
/// Accumulates are atomic per element of a predefined datatype, with respect to all other
/// accumulates. Beyond MPI, accumulates from one origin to one target are applied in the order of
/// the calls, and their elements in the order of memory; an accumulate from another process makes
/// waiting threads of the target's process check their conditions. Operations are MPI's predefined
/// ones where MPI allows them for the datatype, MPI_REPLACE and MPI_NO_OP (not in EP_Accumulate);
/// both sides must consist of the same predefined datatype. Up to 16 bytes without gaps count as
/// one element.
///
/// All functions but EP_Win_fence are local. One thread at a time may call them for an endpoint;
/// several endpoints of a process may be in epochs for the same target. Between processes, the
/// target's process serves accumulates, locks and EP_Win_start/EP_Win_post in any call of this
/// library that waits or tests. Numbers after functions are sections of MPI-3.1.
#ifndef EP_RMA_H
#define EP_RMA_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EP_REPLACE MPI_REPLACE
#define EP_NO_OP MPI_NO_OP
#define EP_LOCK_SHARED MPI_LOCK_SHARED
#define EP_LOCK_EXCLUSIVE MPI_LOCK_EXCLUSIVE
#define EP_MODE_NOCHECK MPI_MODE_NOCHECK
#define EP_MODE_NOSTORE MPI_MODE_NOSTORE
#define EP_MODE_NOPUT MPI_MODE_NOPUT
#define EP_MODE_NOPRECEDE MPI_MODE_NOPRECEDE
#define EP_MODE_NOSUCCEED MPI_MODE_NOSUCCEED

/// Copies `origin` to the target. 11.3.1.
int EP_Put(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp,
           int target_count, MPI_Datatype target_type, EP_Win win);
/// Copies data of the target to `origin`. 11.3.2.
int EP_Get(void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count,
           MPI_Datatype target_type, EP_Win win);
/// Computes target = target op origin for each element. 11.3.4.
int EP_Accumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp,
                  int target_count, MPI_Datatype target_type, MPI_Op op, EP_Win win);
/// Does what EP_Accumulate does, and returns the former value of the target in `result`. With
/// MPI_NO_OP, ignores `origin` and only returns the value. 11.3.4.
int EP_Get_accumulate(const void* origin, int count, MPI_Datatype type, void* result,
                      int result_count, MPI_Datatype result_type, int target, MPI_Aint disp,
                      int target_count, MPI_Datatype target_type, MPI_Op op, EP_Win win);
/// Does what EP_Get_accumulate does, for one element of a predefined datatype. 11.3.4.
int EP_Fetch_and_op(const void* origin, void* result, MPI_Datatype type, int target, MPI_Aint disp,
                    MPI_Op op, EP_Win win);
/// Writes the element `origin` if the target equals `compare`, and returns the former value of the
/// target in `result`. Fails with EP_ERR_TYPE unless `type` is an integer, character, logical, byte
/// or multi-language type. 11.3.4.
int EP_Compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type,
                        int target, MPI_Aint disp, EP_Win win);

// Accesses with requests. They are allowed in lock epochs only; otherwise they fail with
// EP_ERR_RMA_SYNC. 11.3.5.

/// Begins EP_Put; the request is complete when `origin` may be reused.
int EP_Rput(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp,
            int target_count, MPI_Datatype target_type, EP_Win win, EP_Request* request);
/// Begins EP_Get; the request is complete when `origin` has the data.
int EP_Rget(void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count,
            MPI_Datatype target_type, EP_Win win, EP_Request* request);
/// Begins EP_Accumulate; the request is complete when `origin` may be reused.
int EP_Raccumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp,
                   int target_count, MPI_Datatype target_type, MPI_Op op, EP_Win win,
                   EP_Request* request);
/// Begins EP_Get_accumulate; the request is complete when `result` has the data.
int EP_Rget_accumulate(const void* origin, int count, MPI_Datatype type, void* result,
                       int result_count, MPI_Datatype result_type, int target, MPI_Aint disp,
                       int target_count, MPI_Datatype target_type, MPI_Op op, EP_Win win,
                       EP_Request* request);

// Synchronisation. `assert` is 0 or a sum of EP_MODE_... constants; otherwise a call fails with
// EP_ERR_ASSERT.

/// Ends the epoch that the last fence began, and begins an access and exposure epoch for all ranks.
/// With EP_MODE_NOSUCCEED it begins none; EP_MODE_NOPRECEDE asserts that no epoch ends (the call
/// fails with EP_ERR_RMA_SYNC after an access). Fails with EP_ERR_RMA_SYNC inside another epoch;
/// the fence has then taken place all the same. Collective over the window. 11.5.1.
int EP_Win_fence(int assert, EP_Win win);
/// Begins an access epoch for the members of `group`. Waits until each of them has posted, unless
/// EP_MODE_NOCHECK asserts that they have. Fails with EP_ERR_GROUP for members that are not in the
/// window. 11.5.2.
int EP_Win_start(EP_Group group, int assert, EP_Win win);
/// Ends the epoch of EP_Win_start. Afterwards all its operations are complete at origin and target.
/// 11.5.2.
int EP_Win_complete(EP_Win win);
/// Begins an exposure epoch: the members of `group` may access the caller's segment. Never waits.
/// Fails with EP_ERR_GROUP for members that are not in the window. 11.5.2.
int EP_Win_post(EP_Group group, int assert, EP_Win win);
/// Ends the exposure epoch of EP_Win_post: waits until all members of its group have called
/// EP_Win_complete. 11.5.2.
int EP_Win_wait(EP_Win win);
/// Sets `*flag` to 1 and ends the exposure epoch if EP_Win_wait would return at once; otherwise
/// sets it to 0. 11.5.2.
int EP_Win_test(EP_Win win, int* flag);
/// Begins an access epoch for `rank` with a lock on its segment, EP_LOCK_SHARED or
/// EP_LOCK_EXCLUSIVE (otherwise fails with EP_ERR_LOCKTYPE). Waits for the lock, unless
/// EP_MODE_NOCHECK is given. The target grants locks in the order of requests. An endpoint may lock
/// several targets at a time. 11.5.3.
int EP_Win_lock(int lock_type, int rank, int assert, EP_Win win);
/// Begins an access epoch for all targets with a shared lock on each. Requests locks of targets in
/// other processes at the first access to them. 11.5.3.
int EP_Win_lock_all(int assert, EP_Win win);
/// Ends the epoch of EP_Win_lock. Afterwards its operations are complete at origin and target.
/// 11.5.3.
int EP_Win_unlock(int rank, EP_Win win);
/// Ends the epoch of EP_Win_lock_all. Afterwards its operations are complete at origin and target.
/// 11.5.3.
int EP_Win_unlock_all(EP_Win win);
/// Completes the caller's operations on `rank`, at origin and target. Needs a lock epoch. 11.5.4.
int EP_Win_flush(int rank, EP_Win win);
/// Completes the caller's operations on all targets, at origin and target. Needs a lock epoch.
/// 11.5.4.
int EP_Win_flush_all(EP_Win win);
/// Completes the caller's operations on `rank` at the origin only: buffers may be reused. Needs a
/// lock epoch. 11.5.4.
int EP_Win_flush_local(int rank, EP_Win win);
/// Completes the caller's operations on all targets at the origin only: buffers may be reused.
/// 11.5.4.
int EP_Win_flush_local_all(EP_Win win);
/// Orders the caller's loads and stores of its segment with respect to accesses of others. 11.5.4.
int EP_Win_sync(EP_Win win);

#ifdef __cplusplus
}
#endif

#endif
