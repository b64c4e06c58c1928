#include <ep/program.h>
#include <pthread.h>

#include <cstdio>
#include <cstdlib>

#include "handles/api_arguments.hpp"
#include "handles/attributes.hpp"
#include "programs/lifecycle.hpp"
#include "programs/program_tables.hpp"
#include "programs/raw_errors.hpp"

using namespace ep;  // NOLINT: this file is the C face of the namespace

int* const ep_program_unweighted = EP_UNWEIGHTED;        // NOLINT: points nowhere
int* const ep_program_weights_empty = EP_WEIGHTS_EMPTY;  // NOLINT: points nowhere

namespace {

// Gives the calling endpoint's communicators the names that MPI specifies (MPI-3.1, 6.8).
void name_communicators() {
  check(EP_Comm_set_name(EP_COMM_ENDPOINTS, "MPI_COMM_WORLD"));
  check(EP_Comm_set_name(EP_COMM_SELF, "MPI_COMM_SELF"));
  EP_Comm parent = EP_COMM_NULL;
  check(EP_Comm_get_parent(&parent));
  if (parent != EP_COMM_NULL) check(EP_Comm_set_name(parent, "MPI_COMM_PARENT"));
}

}  // namespace

int ep_program_run(const ep_program* own, int argc, char** argv, char** environment) {
  return own_program().run(own, argc, argv, environment);
}

void ep_program_exit(const ep_program* program, int status, int with_handlers) {
  own_program().exit(program, status, with_handlers != 0);
}

void ep_program_leave(int status) {
  const Copy* const copy = own_program().find_calling();
  if (copy == nullptr) std::exit(status);
  own_program().exit(copy->program, status, true);
}

int ep_program_serve() {
  int status = 0;
  const int code = guarded([&] {
    enter_library(nullptr, nullptr, MPI_THREAD_MULTIPLE);
    spare_processes().connect(true);
    status = spare_processes().serve();
    leave_library();
  });
  if (code == EP_SUCCESS) return status;
  std::fprintf(stderr, "ep: a spare process ends (%s).\n", last_error());
  abort_job(EXIT_FAILURE);
}

int ep_program_init(int* argc, char*** argv) {
  return ep_program_init_thread(argc, argv, MPI_THREAD_SINGLE, nullptr);
}

int ep_program_init_thread(int* argc, char*** argv, int required, int* provided) {
  return guarded([&] {
    if (required < MPI_THREAD_SINGLE || required > MPI_THREAD_MULTIPLE) {
      fail(EP_ERR_ARG, "thread level ", required, " is none of MPI's four.");
    }
    Copy& copy = own_program().calling("MPI_Init");
    if (copy.is_initialised) fail(EP_ERR_OTHER, "MPI_Init twice.");
    int granted = required;
    if (!own_program().is_launched()) {
      check(EP_Init_thread(argc, argv, required, &granted));
      hear_raw_errors();
    }
    name_communicators();
    copy.level = granted;
    copy.initialiser = pthread_self();
    copy.is_initialised = true;
    if (provided != nullptr) *provided = granted;
  });
}

int ep_program_finalize() {
  return guarded([&] {
    Copy& copy = own_program().calling("MPI_Finalize");
    if (!copy.is_initialised || copy.is_finalised) {
      fail(EP_ERR_OTHER, "MPI_Finalize without MPI_Init, or twice.");
    }
    for (EP_Comm comm : {EP_COMM_SELF, EP_COMM_ENDPOINTS}) delete_attributes(comm, comm);
    if (own_program().is_launched()) {
      check(EP_Barrier(EP_COMM_ENDPOINTS));
    } else {
      check(EP_Finalize());
    }
    copy.is_finalised = true;
  });
}

int ep_program_initialized(int* flag) {
  return guarded([&] {
    check_out(flag);
    const Copy* const copy = own_program().find_calling();
    *flag = copy != nullptr && copy->is_initialised ? 1 : 0;
  });
}

int ep_program_finalized(int* flag) {
  return guarded([&] {
    check_out(flag);
    const Copy* const copy = own_program().find_calling();
    *flag = copy != nullptr && copy->is_finalised ? 1 : 0;
  });
}

int ep_program_query_thread(int* provided) {
  return guarded([&] {
    check_out(provided);
    *provided = own_program().calling("MPI_Query_thread").level;
  });
}

int ep_program_is_thread_main(int* flag) {
  return guarded([&] {
    check_out(flag);
    const Copy& copy = own_program().calling("MPI_Is_thread_main");
    *flag = pthread_equal(copy.initialiser, pthread_self()) != 0 ? 1 : 0;
  });
}
