/// @file
/// Access to the windows of others: data movement and its synchronisation; included by <ep/ep.h>.
///
/// `target` is a rank of the window (of the other group, in windows of
/// EP_Win_create_client_server), or EP_PROC_NULL, with which nothing happens. `disp` counts the
/// displacement units of the target, or is an address there in dynamic windows. Datatypes may be
/// derived on both sides and freed when the call returns. Buffers are the library's until the
/// operation is complete at its origin: until the epoch ends, a flush of the target, or the
/// completion of the request.
///
/// A call needs an epoch that covers the target, else EP_ERR_RMA_SYNC. Further errors, all at the
/// origin: EP_ERR_RANK, EP_ERR_COUNT, EP_ERR_TYPE, EP_ERR_BUFFER, EP_ERR_OP, EP_ERR_RMA_RANGE for
/// bytes outside the target's segment, EP_ERR_TRUNCATE for data that does not fit its destination.
/// An access without bytes may have any displacement, datatypes and operation of MPI. The library
/// checks attached memory where the target's process does the work: in that process, and for
/// accumulates. An error there is the error of the call that completes the operation.
///
/// Accumulates are atomic for each element of a predefined datatype, among themselves, whoever
/// makes them. Beyond MPI, accumulates of one origin at one target are applied in the order of the
/// calls, and elements in order of memory; one from another process lets the target's waits check
/// their conditions. Operations are MPI's predefined ones, MPI_REPLACE and MPI_NO_OP (not in
/// EP_Accumulate) where MPI allows; both sides have one predefined datatype. Up to 16 bytes without
/// gaps are one element.
///
/// All functions are local but EP_Win_fence. One thread at a time for each endpoint; endpoints of a
/// process may be in epochs towards the same target. The target's process serves accumulates, locks
/// and EP_Win_start/EP_Win_post between processes in any call of this library that waits or tests.
/// Numbers after functions are sections of MPI-3.1.
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

/// Writes to the target. 11.3.1.
int EP_Put(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp,
           int target_count, MPI_Datatype target_type, EP_Win win);
/// Reads from the target. 11.3.2.
int EP_Get(void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp, int target_count,
           MPI_Datatype target_type, EP_Win win);
/// Combines into the target: target = target op origin. 11.3.4.
int EP_Accumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint disp,
                  int target_count, MPI_Datatype target_type, MPI_Op op, EP_Win win);
/// Does the same and returns the former value in `result`. With MPI_NO_OP it only returns the value
/// and ignores `origin`. 11.3.4.
int EP_Get_accumulate(const void* origin, int count, MPI_Datatype type, void* result,
                      int result_count, MPI_Datatype result_type, int target, MPI_Aint disp,
                      int target_count, MPI_Datatype target_type, MPI_Op op, EP_Win win);
/// Does the same for one element of a predefined datatype. 11.3.4.
int EP_Fetch_and_op(const void* origin, void* result, MPI_Datatype type, int target, MPI_Aint disp,
                    MPI_Op op, EP_Win win);
/// Writes the element `origin` if the target equals `compare`, and returns the former value in
/// `result`. `type` is an integer, character, logical, byte or multi-language one, else
/// EP_ERR_TYPE. 11.3.4.
int EP_Compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type,
                        int target, MPI_Aint disp, EP_Win win);

// With requests, in epochs of locks only, else EP_ERR_RMA_SYNC. 11.3.5.

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

// Synchronisation. `assert` is 0 or a sum of EP_MODE_..., else EP_ERR_ASSERT.

/// Ends the epoch that the last fence began and begins one, of access and exposure to all.
/// EP_MODE_NOSUCCEED begins none; EP_MODE_NOPRECEDE says that there is nothing to end
/// (EP_ERR_RMA_SYNC after an access). EP_ERR_RMA_SYNC inside another epoch; the fence has taken
/// place then. Collective over the window. 11.5.1.
int EP_Win_fence(int assert, EP_Win win);
/// Begins to access the members of `group`; waits until each has posted, unless EP_MODE_NOCHECK
/// says that they have. EP_ERR_GROUP for members that are not in the window. 11.5.2.
int EP_Win_start(EP_Group group, int assert, EP_Win win);
/// Ends the epoch of EP_Win_start; all its operations are complete at both sides. 11.5.2.
int EP_Win_complete(EP_Win win);
/// Lets the members of `group` access the caller's segment. Never waits. EP_ERR_GROUP. 11.5.2.
int EP_Win_post(EP_Group group, int assert, EP_Win win);
/// Ends the exposure of EP_Win_post: waits until all members have completed. 11.5.2.
int EP_Win_wait(EP_Win win);
/// Tells whether EP_Win_wait would return at once, and in that case ends the exposure. 11.5.2.
int EP_Win_test(EP_Win win, int* flag);
/// Begins to access `rank` with a lock of its segment, EP_LOCK_SHARED or EP_LOCK_EXCLUSIVE (else
/// EP_ERR_LOCKTYPE); waits for it unless EP_MODE_NOCHECK. The target grants locks in the order of
/// requests. Several targets may be locked at a time. 11.5.3.
int EP_Win_lock(int lock_type, int rank, int assert, EP_Win win);
/// Begins to access all targets with a shared lock on each; locks of other processes are requested
/// at the first access. 11.5.3.
int EP_Win_lock_all(int assert, EP_Win win);
/// Ends the epoch of EP_Win_lock; its operations are complete at both sides. 11.5.3.
int EP_Win_unlock(int rank, EP_Win win);
/// Ends the epoch of EP_Win_lock_all; its operations are complete at both sides. 11.5.3.
int EP_Win_unlock_all(EP_Win win);
/// Completes the caller's operations at `rank`, at both sides. In lock epochs. 11.5.4.
int EP_Win_flush(int rank, EP_Win win);
/// Does the same at all targets. 11.5.4.
int EP_Win_flush_all(EP_Win win);
/// Completes the caller's operations at the origin only: buffers may be reused. 11.5.4.
int EP_Win_flush_local(int rank, EP_Win win);
/// Does the same at all targets. 11.5.4.
int EP_Win_flush_local_all(EP_Win win);
/// Orders the caller's loads and stores of its segment against accesses of others. 11.5.4.
int EP_Win_sync(EP_Win win);

#ifdef __cplusplus
}
#endif

#endif
