/// @file
/// EPIOS, client interface in C (and, through bind(c), Fortran).
///
/// A model opens a session (one per process), a client per endpoint (one per thread that sends), a
/// context; sets attributes; closes the definition; then, each step, sets the calendar and sends
/// arrays. XML alone says what is written.
///
/// All functions return EPIOS_SUCCESS or an error code; epios_last_error() explains the last
/// failure of the calling thread as "problem (why). Suggestion?". Nothing throws, nothing aborts,
/// no call keeps a pointer that it was given. "Collective" means over all clients of the component,
/// each from its own thread. A client and its contexts belong to one thread at a time (but tiles,
/// which several may send, and questions whether fields are active): while a call of one changes
/// something, another thread's is EPIOS_ERR_CALL_ORDER. Through `module xios`, where a process has
/// one client, calls of several threads wait for each other instead.
#ifndef EPIOS_EPIOS_H
#define EPIOS_EPIOS_H

#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1  // C only: without the deprecated C++ bindings
#endif
#include <epios/definition.h>
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Return codes.
typedef enum epios_code {
  EPIOS_SUCCESS = 0,
  EPIOS_ERR_CONFIGURATION = 1,  ///< XML, or attributes set by the model
  EPIOS_ERR_ARGUMENT = 2,       ///< wrong argument: size, name, range, handle
  EPIOS_ERR_CALL_ORDER = 3,     ///< right call at the wrong time
  EPIOS_ERR_MISMATCH = 4,       ///< clients made different calls
  EPIOS_ERR_IO = 5,             ///< a file could not be written
  EPIOS_ERR_PROTOCOL = 6,       ///< peers do not understand each other
  EPIOS_ERR_RESOURCE = 7,       ///< memory, shared memory, thread level
  EPIOS_ERR_COMMUNICATION = 8,  ///< an error of MPI or of the endpoints library
  EPIOS_ERR_INTERNAL = 9        ///< a bug of EPIOS
} epios_code;

/// Opaque handles; a null or closed handle is EPIOS_ERR_ARGUMENT, never a crash.
typedef struct epios_session epios_session;
typedef struct epios_client epios_client;
typedef struct epios_context epios_context;

/// Text of the last failed call of this thread; "" if none. Valid until its next failing call.
const char* epios_last_error(void);
/// "0.1.0"
const char* epios_version(void);
/// Of this interface: what is documented here stays, source and binary, while the number is the
/// same; what is added does not change it. epios_api_version() is the library's own: a binding that
/// was made for another number compares.
#define EPIOS_API_VERSION 1
int epios_api_version(void);

/// How a process takes part. Initialise with EPIOS_SESSION_OPTIONS_INIT, then change what differs.
typedef struct epios_session_options {
  const char* iodef;  ///< entry XML file; NULL: "iodef.xml", or $EPIOS_IODEF if set
  int clients;        ///< client endpoints (sending threads) of this process, at least 1
  int host_server;    ///< not 0: this process also runs a server, on the thread that calls
                      ///< epios_session_serve
  MPI_Comm comm;      ///< all processes of the job: models and servers
} epios_session_options;
#define EPIOS_SESSION_OPTIONS_INIT \
  { NULL, 1, 0, MPI_COMM_WORLD }

/// Joins the job under the name `code_id`: all processes that give the same name are one component.
/// EPIOS_MEMBER in the environment makes it a member of an ensemble: "ocean" and "003" are the
/// component "ocean_003". Where `options->comm` is MPI_COMM_WORLD and EPIOS_RANKS lists ranks, the
/// job is these. Collective over all processes of `options->comm`, epios_server's included; once
/// per process, by one thread. Initialises MPI if nobody did. Without any server in the job the
/// component writes its files itself (attached mode). Attached mode, hosted servers and several
/// clients per process need MPI_THREAD_MULTIPLE. `options` may be NULL.
int epios_session_open(const char* code_id, const epios_session_options* options,
                       epios_session** out);
/// Runs the hosted server until all components have finished. By a thread of its own, at once after
/// epios_session_open. Returns the server's outcome.
int epios_session_serve(epios_session* session);
/// This process is a server of the job and nothing else, as one that runs epios_server: returns
/// when all components have finished. Collective over all processes of `comm` (as above), those
/// that open a session included; once per process, instead of epios_session_open. Initialises MPI
/// if nobody did, and finalizes it then. EPIOS_ERR_IO when a file could not be finished.
int epios_serve(MPI_Comm comm);
/// Leaves the job; after all clients of the process are closed. Collective over the component:
/// waits until all of its clients are closed. Finalizes MPI if epios_session_open initialised it.
/// The handle is void afterwards, whatever is returned, but for one case: while clients of the
/// process are open nothing happens, the result is EPIOS_ERR_CALL_ORDER, and the session can be
/// closed after them.
int epios_session_close(epios_session* session);
/// Number of clients of this process that are open. Local.
int epios_session_open_clients(const epios_session* session, int* clients);
/// Communicator over the processes of the component, rank order as in `options->comm`. Owned by the
/// session. Collective over the component's processes at first use.
int epios_session_comm(epios_session* session, MPI_Comm* out);

/// Opens client number `index` (0 ... clients-1) of this process, each once. Collective.
int epios_client_open(epios_session* session, int index, epios_client** out);
/// Closes the client and the contexts that are still running (with a warning). Local when none is:
/// waits for no other client. EPIOS_ERR_CALL_ORDER while a context is being defined: the client is
/// abandoned then, and the others, which would wait for it, fail with its rank. The handle is void
/// afterwards, whatever is returned.
int epios_client_close(epios_client* client);
/// Lets go of a client and a session after an error: local, never blocks, tells the servers that
/// this component has failed (files stay under their .part names). The process should then end with
/// a non-zero status, without MPI_Finalize, which ends the whole job.
int epios_client_abandon(epios_client* client);
int epios_session_abandon(epios_session* session);
/// Rank of this client in its component, and number of clients.
int epios_client_rank(const epios_client* client, int* rank);
int epios_client_size(const epios_client* client, int* size);
/// Number of servers that the component writes to; `attached` is 1 when they live in the clients.
int epios_client_servers(const epios_client* client, int* servers, int* attached);
/// Helps the client until `threads` threads of the process have called this: a barrier whose
/// waiting threads work. They pack slices of the large records that clients of the process send
/// meanwhile, which blocks those for a shorter time and changes no bit. One thread sends and then
/// calls this, the others call it at once; it stands where a barrier would:
///
///     #pragma omp parallel
///     {
///     #pragma omp master
///       epios_field_send_double(field, data, count);
///       epios_client_help_at_barrier(client, omp_get_num_threads());
///     }
///
/// Whoever waits sleeps when there is nothing to do. Works with MPI_THREAD_FUNNELED: helper
/// threads call MPI only where it grants MPI_THREAD_MULTIPLE. Any thread, at the same time
/// as calls of the client's own; round follows round. EPIOS_ERR_ARGUMENT for a number below 1, and
/// in all threads when they give different numbers; EPIOS_ERR_CALL_ORDER when the client ends
/// before all have come.
int epios_client_help_at_barrier(epios_client* client, int threads);

/// Opens a context on all clients of the component: XML's context of that id, or an empty one.
/// Local. Several contexts may be open at once; an id is free again when its context is finalized.
int epios_context_open(epios_client* client, const char* id, epios_context** out);
/// Opens a context on the clients of the processes of `comm`, a part of the component (with
/// MPI_COMM_NULL and the whole component it is as epios_context_open). Collective over these
/// clients; contexts of other clients, overlapping ones too, go on meanwhile. Ranks of clients in
/// its messages count these clients. EPIOS_ERR_ARGUMENT when a process is none of the component's,
/// or this one is not in `comm`.
int epios_context_open_on(epios_client* client, const char* id, MPI_Comm comm, epios_context** out);
/// The same on the clients of these ranks (of epios_client_rank), in any order.
int epios_context_open_among(epios_client* client, const char* id, const int* ranks, int count,
                             epios_context** out);

/// Elements are named by their tag: "axis" "domain" "scalar" "grid" "field" "file" "variable"
/// "calendar" "context"; the calendar and the context take the id "".
///
/// Adds an element below `parent_id` of kind `parent_element`: a group ("field" and the group's
/// id), a grid or a file; both "" for the definition itself. The same id again reopens the element.
/// Local.
int epios_add(epios_context* context, const char* element, const char* id,
              const char* parent_element, const char* parent_id);

/// Set an attribute of an element; the last assignment wins over XML. Local. Arrays are copied;
/// shapes follow from the attribute (first index fastest, as in Fortran). Errors: unknown element
/// or attribute, wrong type, a word that is not allowed, definition closed.
int epios_set_text(epios_context* context, const char* element, const char* id,
                   const char* attribute, const char* text);
int epios_set_bool(epios_context* context, const char* element, const char* id,
                   const char* attribute, int value);
int epios_set_int(epios_context* context, const char* element, const char* id,
                  const char* attribute, int64_t value);
int epios_set_double(epios_context* context, const char* element, const char* id,
                     const char* attribute, double value);
int epios_set_bools(epios_context* context, const char* element, const char* id,
                    const char* attribute, const unsigned char* values, int rank,
                    const int64_t* shape);
int epios_set_ints(epios_context* context, const char* element, const char* id,
                   const char* attribute, const int64_t* values, int rank, const int64_t* shape);
int epios_set_doubles(epios_context* context, const char* element, const char* id,
                      const char* attribute, const double* values, int rank, const int64_t* shape);

/// Ends the definition: resolves, checks, agrees with the other clients, opens channels and files.
/// Collective. All clients succeed or all fail, with the same text.
int epios_close_definition(epios_context* context);

/// Sets the current step: date = start_date + step × timestep. Steps never go back. Local.
int epios_update_calendar(epios_context* context, int64_t step);
/// "2000-01-31 12:00:00" of the current step, copied with a final 0. Local.
int epios_current_date(epios_context* context, char* text, size_t capacity);

/// Hands over the local array of a field for the current date: `count` values, first index fastest,
/// halos included as the domain's data_* attributes say. Read during the call only. Every client
/// makes the calls of one context in the same order. Blocks only while this client's own channel is
/// full. A field that no file needs is accepted and dropped. Of data that all clients have alike
/// (scalars) client 0's are written; whether the others send the same is not checked.
int epios_send_double(epios_context* context, const char* field, const double* data, int64_t count);
int epios_send_float(epios_context* context, const char* field, const float* data, int64_t count);

/// A field of a context, found once. A value; valid until the context is finalized. Made by
/// epios_find_field only; `number` is -1 for a field that no file needs.
typedef struct epios_field {
  epios_context* context;
  int32_t number;
} epios_field;
/// Finds a field for the functions below; after epios_close_definition. EPIOS_ERR_ARGUMENT when
/// there is none. Local.
int epios_find_field(epios_context* context, const char* id, epios_field* out);
/// One tile of a field, counted from 0: the model's array of tile_data_ni × tile_data_nj places of
/// its domain, and all of its grid's other elements. Several threads may send tiles of one client
/// at the same time; what they send goes out when the last tile of the step has come, from its
/// thread. EPIOS_ERR_ARGUMENT for a tile that is not there or of another size, EPIOS_ERR_CALL_ORDER
/// for one that comes twice; one that never comes is an error of epios_update_calendar and
/// epios_context_finalize.
int epios_field_send_tile_double(epios_field field, int tile, const double* data, int64_t count);
int epios_field_send_tile_float(epios_field field, int tile, const float* data, int64_t count);
/// As the functions by id. Where nothing needs the data at this step, they cost next to nothing.
int epios_field_send_double(epios_field field, const double* data, int64_t count);
int epios_field_send_float(epios_field field, const float* data, int64_t count);
int epios_field_ask_active(epios_field field, int now, int* active);
/// Lends the model the array that it would send for a field at the current step: `count` values,
/// not initialised. The model computes in it and sends it (epios_field_send_double with this
/// address and count), or gives it back. Where a record leaves as it is, it leaves from here and
/// the send copies nothing: an instant record in the type of the array (prec 8: double, prec 4:
/// float) that is all that is needed at this step, of an array without halo and mask that goes to
/// one server as it lies, without detect_missing_value. Then this call waits while the channel is
/// full, as a send does. Else the array is a buffer, the same at each step, and the send does what
/// it always does, but for one copy: what an expression has to wait with for its other fields waits
/// in the buffer.
///
/// One array is lent at a time, to one call: borrowed again at the same step it is the same array
/// with what the model wrote. Until it is sent or given back, sending or borrowing another field,
/// tiles, or another array of the same field, the next step and the end of the context are
/// EPIOS_ERR_CALL_ORDER, in every layout; nothing is lost by that. A field that no file needs has
/// no array: `data` is NULL, `count` 0. A client without points of a field that is needed gets an
/// address and `count` 0: it sends, as all others do.
int epios_field_borrow_double(epios_field field, double** data, int64_t* count);
int epios_field_borrow_float(epios_field field, float** data, int64_t* count);
/// Ends the loan without a send: as if the field had not been borrowed. The address is void then,
/// as it is after the send. EPIOS_ERR_CALL_ORDER for a field that is not borrowed.
int epios_field_give_back(epios_field field);

/// Receives a field of a file with mode="read" for the current date into the local array: `count`
/// values, first index fastest, as the domain's data_* attributes say. Places without data (halos,
/// masked points) get default_value, if the field has one, or stay as they are. Every client makes
/// the calls of one context in the same order (of what transformations make of points of other
/// clients, too: all receive it, or none). Records that can be foreseen are on their way before
/// the call; it waits for its own. EPIOS_ERR_CALL_ORDER at a date without a record, EPIOS_ERR_IO
/// when it cannot be read.
int epios_recv_double(epios_context* context, const char* field, double* data, int64_t count);
int epios_recv_float(epios_context* context, const char* field, float* data, int64_t count);
/// A field that is read, found once. Made by epios_find_read_field only.
typedef struct epios_read_field {
  epios_context* context;
  int32_t number;
} epios_read_field;
int epios_find_read_field(epios_context* context, const char* id, epios_read_field* out);
/// As the functions by id.
int epios_field_recv_double(epios_read_field field, double* data, int64_t count);
int epios_field_recv_float(epios_read_field field, float* data, int64_t count);

/// Whether any file uses `field`; with `now` not 0: would use data of the current date. Local.
int epios_field_is_active(epios_context* context, const char* field, int now, int* active);

/// What this client did so far. Local.
typedef struct epios_statistics {
  double open_s;        ///< since the definition was closed
  double in_library_s;  ///< inside send calls
  double blocked_s;     ///< of which waiting for room in channels
  int64_t sends;
  int64_t records_sent;  ///< records of which this client sent a part
  int64_t bytes_sent;
} epios_statistics;
int epios_get_statistics(epios_context* context, epios_statistics* out);

/// Ends the context: everything sent is written, files get their final names. Collective. Returns
/// EPIOS_ERR_IO on all clients when a file could not be finished; the text names each. What files
/// need and the model did not send is a warning per field on stderr, with strict="true" in the XML
/// EPIOS_ERR_CALL_ORDER (the files are complete nevertheless).
int epios_context_finalize(epios_context* context);

/// One file of a finalized context.
typedef struct epios_file_report {
  const char* path;  ///< final name; valid until the client is closed
  int64_t records_written;
  int64_t records_lost;
  int64_t bytes;
  const char* error;   ///< "" when the file is whole
  const char* losses;  ///< "tos 3, sos 1": records_lost by field
  /// What the model did not send: records made from fewer samples than were due, records of which
  /// no sample came (they hold missing values), and both by field: "tos 1 short, sos 2 missing".
  int64_t records_short;
  int64_t records_missing;
  const char* unsent;
} epios_file_report;
/// Files of a finalized context; 0 before. Local.
int epios_count_file_reports(epios_context* context, int* count);
/// Files of a finalized context, on every client; of a failed one what the servers said before this
/// client gave up. Local. EPIOS_ERR_ARGUMENT beyond the last.
int epios_get_file_report(epios_context* context, int index, epios_file_report* out);

#ifdef __cplusplus
}
#endif

#endif
