#pragma once

#include <cstdint>

namespace ep::test {

// A program that links interposed.cpp has MPI functions of its own in front of those of the MPI
// library: they count calls, and fail when told to.

enum class Raw {
  isend,
  iprobe,
  improbe,
  imrecv,
  recv,
  mrecv,
  test,        ///< calls that complete something
  tried_test,  ///< all; never fails
  iallgather,
  ialltoall,
  comm_idup,
  comm_create_group,
  comm_free,
  type_get_envelope,
  type_dup,
  reduce_local,
  // Of windows, in interposed_windows.cpp: what makes and frees one takes place even if it fails,
  // or the other processes would wait inside MPI.
  win_create,
  win_allocate,
  win_allocate_shared,
  win_create_dynamic,
  win_lock_all,
  win_free,
  win_flush,
  put,
  get,
  rput,
  rget,
  last
};

/// From call number `nth` of this process on, counted from now, `times` calls fail with
/// `error_class`.
void fail_calls(Raw function, int nth, int times, int error_class);
void let_all_work();
/// Calls so far, those that failed included.
std::int64_t calls(Raw function);
/// Calls that failed since the last fail_calls() or let_all_work().
int failures();
/// For interposed functions: the error of this call of `function`, or MPI_SUCCESS.
int count_call(Raw function);

}  // namespace ep::test
