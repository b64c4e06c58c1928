/// @file
/// Runs a program that `epcc` or `epcxx` built as copies of itself, one per endpoint. The drop-in
/// mpi.h and the object that those wrappers link use this header; programs call MPI_ functions
/// instead.
#ifndef EP_PROGRAM_H
#define EP_PROGRAM_H

#ifdef __cplusplus
extern "C" {
#endif

/// Describes one copy of the program, which exports it under the name `ep_program`.
struct ep_program {
  int (*main)(int argc, char** argv, char** environment);
  void* dso;  ///< its `__dso_handle`: whose exit handlers are this copy's
};

/// Runs `main` of as many copies as the launcher sets (EP_NUM_ENDPOINTS). The calling thread runs
/// `own`, the program as the system loaded it; each further copy runs in a thread of its own. Each
/// copy is attached to its endpoint. Without the launcher one copy runs, and MPI is not initialised
/// before its MPI_Init. Returns the largest exit status when all copies have ended. A copy that
/// ends between MPI_Init and MPI_Finalize ends the job.
int ep_program_run(const struct ep_program* own, int argc, char** argv, char** environment);

/// Ends one copy as `exit` does: runs its exit handlers, unless `with_handlers` is 0, and abandons
/// its main. Does not return.
void ep_program_exit(const struct ep_program* program, int status, int with_handlers)
    __attribute__((noreturn));

/// Ends the copy of the endpoint to which the calling thread is attached, with its exit handlers.
/// Meant for libraries, whose `exit` would end the process. Does not return.
void ep_program_leave(int status) __attribute__((noreturn));

/// Runs spawned programs in a spare process (`epexec -spare`) until the job ends. Returns their
/// largest exit status.
int ep_program_serve(void);

/// EP_UNWEIGHTED and EP_WEIGHTS_EMPTY as variables.
extern int* const ep_program_unweighted;     // NOLINT: points nowhere
extern int* const ep_program_weights_empty;  // NOLINT: points nowhere

// Functions of the MPI environment whose state is per endpoint. They have the semantics and errors
// of MPI-3.1 8.7 and 12.4.3; only threads attached to an endpoint may call them.

/// Implements MPI_Init.
int ep_program_init(int* argc, char*** argv);
/// Implements MPI_Init_thread; grants the requested level.
int ep_program_init_thread(int* argc, char*** argv, int required, int* provided);
/// Implements MPI_Finalize: deletes the attributes of MPI_COMM_SELF, then waits for all endpoints.
int ep_program_finalize(void);
/// Implements MPI_Initialized.
int ep_program_initialized(int* flag);
/// Implements MPI_Finalized.
int ep_program_finalized(int* flag);
/// Implements MPI_Query_thread.
int ep_program_query_thread(int* provided);
/// Implements MPI_Is_thread_main.
int ep_program_is_thread_main(int* flag);

#ifdef __cplusplus
}
#endif

#endif
