/* A model in C that looks at no return code, prints what fails, and always ends with 0:
 *   careless_model <mistake>
 * On two processes; the mistakes are those of process 1 unless their names say otherwise. */
#include <epios/epios.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is(const char* mistake, const char* name) { return strcmp(mistake, name) == 0; }

static void carry_on(const char* call, int code) {
  if (code == EPIOS_SUCCESS) return;
  fprintf(stderr, "careless_model: %s returns %d: %s\n", call, code, epios_last_error());
  fflush(stderr);
}
#define CALL(function, ...) carry_on(#function, function(__VA_ARGS__))

/* Ends the process past all handlers of exit. */
static void leave(const char* mistake) {
  if (is(mistake, "leaves_by__Exit")) _Exit(0);
  if (is(mistake, "leaves_by_quick_exit")) quick_exit(0);
  if (is(mistake, "leaves_by__exit")) _exit(0);
}

static void write_second(epios_client* client, const char* mistake) {
  epios_context* context = NULL;
  CALL(epios_context_open, client, "second", &context);
  if (is(mistake, "ignores_lost_files")) {
    CALL(epios_set_text, context, "context", "", "output_dir", "/dev/null");
  }
  CALL(epios_close_definition, context);
  const double value = 1;
  int rank = 0;
  CALL(epios_client_rank, client, &rank);
  if (rank == 1) leave(mistake);
  CALL(epios_update_calendar, context, 1);
  CALL(epios_send_double, context, "index", &value, 1);
  CALL(epios_context_finalize, context);
}

int main(int argc, char** argv) {
  const char* mistake = argc > 1 ? argv[1] : "";
  epios_session* session = NULL;
  CALL(epios_session_open, "careless", NULL, &session);
  epios_session* second_session = NULL;
  if (is(mistake, "opens_session_twice")) {
    CALL(epios_session_open, "careless", NULL, &second_session);
    return 0;
  }
  epios_client* client = NULL;
  CALL(epios_client_open, session, 0, &client);
  epios_client* second_client = NULL;
  if (is(mistake, "opens_client_twice")) {
    CALL(epios_client_open, session, 0, &second_client);
    return 0;
  }
  int rank = 0;
  CALL(epios_client_rank, client, &rank);
  const int errs = strncmp(mistake, "leader_", 7) == 0 ? rank == 0 : rank == 1;
  if (is(mistake, "finalizes_mpi")) {
    MPI_Finalize();
    return 0;
  }
  epios_context* context = NULL;
  if (is(mistake, "opens_on_foreign_processes")) {
    CALL(epios_context_open_on, client, "second", MPI_COMM_WORLD, &context);
    return 0;
  }
  if (is(mistake, "opens_among_others")) {
    const int other = 1 - rank;
    CALL(epios_context_open_among, client, "second", &other, 1, &context);
    return 0;
  }
  if (errs && strstr(mistake, "while_defining") != NULL) {
    CALL(epios_context_open, client, "second", &context);
  }
  if (errs && is(mistake, "abandons_while_defining")) {
    CALL(epios_client_abandon, client);
  } else {
    const int writes = is(mistake, "ignores_lost_files") || is(mistake, "abandons_session_last") ||
                       strstr(mistake, "leaves_by_") == mistake;
    if (!errs || writes) write_second(client, mistake);
    CALL(epios_client_close, client);
  }
  if (errs && is(mistake, "abandons_session_last")) {
    CALL(epios_session_abandon, session);
    MPI_Finalize();
    return 0;
  }
  CALL(epios_session_close, session);
  return 0;
}
