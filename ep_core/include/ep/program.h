/// @file
/// A program that `epcc` or `epcxx` built consists of copies of itself, one per endpoint. The
/// drop-in mpi.h and the object that those wrappers link use this header; programs call MPI_
/// functions.
#ifndef EP_PROGRAM_H
#define EP_PROGRAM_H

#ifdef __cplusplus
extern "C" {
#endif

/// One copy of the program, which exports it under the name `ep_program`.
struct ep_program {
  int (*main)(int argc, char** argv, char** environment);
  void* dso;  ///< its `__dso_handle`: whose exit handlers are this copy's
};

/// Runs `main` of as many copies as the launcher says (EP_NUM_ENDPOINTS): `own`, the program as the
/// system loaded it, in the calling thread, every further copy in a thread and attached to an
/// endpoint of its own. Without the launcher one copy runs, and MPI is not touched before its
/// MPI_Init. Returns when all have ended, with the largest status. A copy that ends between
/// MPI_Init and MPI_Finalize ends the job.
int ep_program_run(const struct ep_program* own, int argc, char** argv, char** environment);

/// Ends one copy as `exit` does: runs its exit handlers (not with `with_handlers` = 0), and its
/// main does not continue. Does not return.
void ep_program_exit(const struct ep_program* program, int status, int with_handlers)
    __attribute__((noreturn));

/// Ends the copy of the endpoint to which the calling thread is attached, with its exit handlers.
/// For libraries, whose `exit` is the process's. Does not return.
void ep_program_leave(int status) __attribute__((noreturn));

/// Runs the programs of spawns in a spare process (`epexec -spare`) until the end of the job.
/// Returns their largest status.
int ep_program_serve(void);

/// EP_UNWEIGHTED and EP_WEIGHTS_EMPTY as variables.
extern int* const ep_program_unweighted;     // NOLINT: points nowhere
extern int* const ep_program_weights_empty;  // NOLINT: points nowhere

// Functions of the MPI environment whose state is one per endpoint. Semantics and errors of MPI-3.1
// 8.7 and 12.4.3. Only by threads attached to an endpoint.

/// Does MPI_Init.
int ep_program_init(int* argc, char*** argv);
/// Does MPI_Init_thread; grants the level that is asked for.
int ep_program_init_thread(int* argc, char*** argv, int required, int* provided);
/// Does MPI_Finalize: deletes the attributes of MPI_COMM_SELF, then waits for all endpoints.
int ep_program_finalize(void);
/// Does MPI_Initialized.
int ep_program_initialized(int* flag);
/// Does MPI_Finalized.
int ep_program_finalized(int* flag);
/// Does MPI_Query_thread.
int ep_program_query_thread(int* provided);
/// Does MPI_Is_thread_main.
int ep_program_is_thread_main(int* flag);

#ifdef __cplusplus
}
#endif

#endif
