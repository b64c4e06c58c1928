/// @file
/// The client interface of EPIOS in C (and, through bind(c), in Fortran).
///
/// A model opens a session (one per process), a client per endpoint (one per thread that sends) and
/// a context. It sets attributes and closes the definition. In each step it then sets the calendar
/// and sends arrays. The XML alone decides what is written.
///
/// Results: every function returns EPIOS_SUCCESS or an error code. epios_last_error() explains the
/// last failure of the calling thread as "problem (why). Suggestion?". No function throws or
/// aborts, and none keeps a pointer that it was given.
///
/// Collectivity: "collective" means that all clients of the component call the function, each from
/// its own thread. "Local" means that the function communicates with no other client.
///
/// Threads: one thread at a time uses a client and its contexts. While one thread changes
/// something, a call of another thread returns EPIOS_ERR_CALL_ORDER. Tiles are an exception:
/// several threads may send them at once. In `module xios`, where a process has one client, calls
/// of several threads wait for each other instead of failing.
#ifndef EPIOS_EPIOS_H
#define EPIOS_EPIOS_H

#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1  // C only: without the deprecated C++ bindings
#endif
#include <epios/definition.h>
#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#include <mpi.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Return codes.
typedef enum epios_code {
  EPIOS_SUCCESS = 0,
  EPIOS_ERR_CONFIGURATION = 1,  ///< the XML or an attribute that the model set is wrong
  EPIOS_ERR_ARGUMENT = 2,       ///< an argument is wrong: size, name, range, handle
  EPIOS_ERR_CALL_ORDER = 3,     ///< the call is right, its time is wrong
  EPIOS_ERR_MISMATCH = 4,       ///< clients made different calls
  EPIOS_ERR_IO = 5,             ///< a file could not be written or read
  EPIOS_ERR_PROTOCOL = 6,       ///< peers do not understand each other
  EPIOS_ERR_RESOURCE = 7,       ///< memory, shared memory or thread level do not suffice
  EPIOS_ERR_COMMUNICATION = 8,  ///< MPI or the endpoints library reported an error
  EPIOS_ERR_INTERNAL = 9        ///< EPIOS has a bug
} epios_code;

/// Opaque handles. A null or closed handle gives EPIOS_ERR_ARGUMENT, never a crash.
typedef struct epios_session epios_session;
typedef struct epios_client epios_client;
typedef struct epios_context epios_context;

/// Returns the text of the last failed call of this thread, or "". The text is valid until the next
/// failing call of this thread.
const char* epios_last_error(void);
/// Replaces the text of the last error of this thread, for bindings and models whose own errors end
/// the run: epios_client_abandon and epios_session_abandon tell the servers this text.
void epios_set_last_error(const char* text);
/// Returns the version of the library, such as "1.0.0". The text is static.
const char* epios_version(void);
/// Version of this interface. While it stays the same, what is documented here remains compatible
/// in source and binary, and additions change nothing. epios_api_version() returns the version that
/// the library was built with. A binding made for another version compares the two.
#define EPIOS_API_VERSION 1
int epios_api_version(void);

/// Says how a process takes part. Initialise it with EPIOS_SESSION_OPTIONS_INIT, then change what
/// differs.
typedef struct epios_session_options {
  const char* iodef;  ///< entry XML file; NULL means $EPIOS_IODEF or else "iodef.xml"
  int clients;        ///< number of clients (sending threads) of this process, at least 1
  int host_server;    ///< if not 0, this process also runs a server, on the thread that calls
                      ///< epios_session_serve
  MPI_Comm comm;      ///< communicator over all processes of the job, models and servers
} epios_session_options;
#define EPIOS_SESSION_OPTIONS_INIT \
  { NULL, 1, 0, MPI_COMM_WORLD }

/// Joins the job under the name `code_id`. Processes that give the same name form one component.
///
/// If EPIOS_MEMBER is set, the component is a member of an ensemble: "ocean" and "003" make the
/// component "ocean_003". If `options->comm` is MPI_COMM_WORLD and EPIOS_RANKS lists ranks, these
/// ranks are the job.
///
/// Collective over all processes of `options->comm`, those of epios_server included. Each process
/// calls it once, from one thread. Initialises MPI if nobody has. A component writes its files
/// itself (attached mode) if the job has no server. Attached mode, hosted servers and several
/// clients per process need MPI_THREAD_MULTIPLE. `options` may be NULL, which means the defaults.
int epios_session_open(const char* code_id, const epios_session_options* options,
                       epios_session** out);
/// Runs the hosted server until all components have finished. Call it from a thread of its own,
/// immediately after epios_session_open. Returns the outcome of the server.
int epios_session_serve(epios_session* session);
/// Makes this process a dedicated server, like one that runs epios_server. Returns when all
/// components have finished. Collective over all processes of `comm` (the job), those that open a
/// session included. Each process calls it once, instead of epios_session_open. Initialises MPI if
/// nobody has, and then finalizes it. Returns EPIOS_ERR_IO if a file could not be finished.
int epios_serve(MPI_Comm comm);
/// Leaves the job. Call it after all clients of the process have been closed. Collective over the
/// component: waits until all of its clients are closed. Finalizes MPI if epios_session_open
/// initialised it. Returns EPIOS_ERR_CALL_ORDER and does nothing while clients of the process are
/// open; the session can be closed after them. In all other cases the handle is void afterwards,
/// whatever the result.
int epios_session_close(epios_session* session);
/// Gets the number of open clients of this process. Local.
int epios_session_open_clients(const epios_session* session, int* clients);
/// Gets a communicator over the processes of the component, in the rank order of `options->comm`.
/// The session owns it. The first call is collective over the processes of the component.
int epios_session_comm(epios_session* session, MPI_Comm* out);

/// Opens client number `index` (0 ... clients-1) of this process. Each number is opened once.
/// Collective.
int epios_client_open(epios_session* session, int index, epios_client** out);
/// Closes the client. Contexts that are still running are finalized, with a warning, which is
/// collective; without any, the call is local and waits for no other client. Returns
/// EPIOS_ERR_CALL_ORDER while a context is being defined: the client is then abandoned, and the
/// other clients, which would wait for it, fail with its rank. The handle is void afterwards,
/// whatever the result.
int epios_client_close(epios_client* client);
/// Abandons a client or a session after an error. Local, never blocks. Tells the servers that this
/// component has failed, so that its files keep their .part names. The process should then end with
/// a non-zero status and without MPI_Finalize; that ends the whole job.
int epios_client_abandon(epios_client* client);
int epios_session_abandon(epios_session* session);
/// Get the rank of this client in its component, and the number of clients of the component. Local.
int epios_client_rank(const epios_client* client, int* rank);
int epios_client_size(const epios_client* client, int* size);
/// Gets the number of servers that the component writes to. `attached` is 1 if they live in the
/// clients. Local.
int epios_client_servers(const epios_client* client, int* servers, int* attached);
/// Waits until `threads` threads of the process have called this function: a barrier whose waiting
/// threads help the client. They pack slices of the large records that clients of the process send
/// meanwhile. This shortens the time for which those clients block and changes no bit of the
/// output. One thread sends and then calls this function, the other threads call it at once. It
/// replaces a barrier:
///
///     #pragma omp parallel
///     {
///     #pragma omp master
///       epios_field_send_double(field, data, count);
///       epios_client_help_at_barrier(client, omp_get_num_threads());
///     }
///
/// A waiting thread sleeps when there is nothing to do. MPI_THREAD_FUNNELED suffices: helper
/// threads call MPI only if it grants MPI_THREAD_MULTIPLE. Any thread may call the function, also
/// while another thread is inside a call of the client, and the barrier can be used again and
/// again. Returns EPIOS_ERR_ARGUMENT if `threads` is below 1, and in all threads if they give
/// different numbers. Returns EPIOS_ERR_CALL_ORDER if the client ends before all threads have
/// arrived.
int epios_client_help_at_barrier(epios_client* client, int threads);

/// Opens a context on all clients of the component: the context with this id in the XML, or else an
/// empty one. Local. Several contexts may be open at once. An id is free again when its context has
/// been finalized.
int epios_context_open(epios_client* client, const char* id, epios_context** out);
/// Opens a context on the clients of the processes of `comm`, a subset of the component. With
/// MPI_COMM_NULL, or with the whole component, it does what epios_context_open does. Collective
/// over these clients. Contexts of other clients continue meanwhile, overlapping ones too. Messages
/// of the context count these clients when they name ranks. Returns EPIOS_ERR_ARGUMENT if a process
/// does not belong to the component, or if this process is not in `comm`.
int epios_context_open_on(epios_client* client, const char* id, MPI_Comm comm, epios_context** out);
/// Opens a context on the clients with these ranks (see epios_client_rank), given in any order.
/// Otherwise like epios_context_open_on.
int epios_context_open_among(epios_client* client, const char* id, const int* ranks, int count,
                             epios_context** out);

/// Adds an element to the definition. Elements are named by their tag: "axis", "domain", "scalar",
/// "grid", "field", "file", "variable", "calendar" or "context". The calendar and the context have
/// the id "".
///
/// The parent is a group (tag "field" and the id of the group), a grid or a file. If
/// `parent_element` and `parent_id` are "", the element is added to the definition itself. Adding
/// an id that exists reopens that element. Local.
int epios_add(epios_context* context, const char* element, const char* id,
              const char* parent_element, const char* parent_id);

/// Set an attribute of an element. The last assignment wins, also over the XML. Local. Arrays are
/// copied; each attribute says how many dimensions its array has. `shape` has `rank` extents (1 to
/// 7), the first index varies fastest as in Fortran. Booleans are 0 or not 0. Errors: the element
/// or attribute is unknown, the type is wrong, the word is not allowed, or the definition is
/// closed.
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

/// Ends the definition: resolves and checks it, compares it with the other clients, opens channels
/// and files. Collective. Either all clients succeed, or all fail with the same text.
int epios_close_definition(epios_context* context);

/// Sets the current step: date = start_date + step × timestep. Returns EPIOS_ERR_ARGUMENT for a
/// step before the current one. Local.
int epios_update_calendar(epios_context* context, int64_t step);
/// Copies the date of the current step, "2000-01-31 12:00:00", with a final 0, into `text` of
/// `capacity` bytes. Local.
int epios_current_date(epios_context* context, char* text, size_t capacity);

/// Sends the local array of a field for the current date: `count` values, first index fastest,
/// halos included as the data_* attributes of the domain say. The array is read during the call
/// only. All clients make the calls of one context in the same order. The call blocks only while
/// the channel of this client is full. A field that no file needs is accepted and dropped. If all
/// clients have the same data (scalars), the values of client 0 are written; EPIOS does not check
/// that the others agree.
int epios_send_double(epios_context* context, const char* field, const double* data, int64_t count);
int epios_send_float(epios_context* context, const char* field, const float* data, int64_t count);

/// A handle to a field of a context, obtained from epios_find_field. It may be copied and is valid
/// until the context is finalized. `number` is -1 for a field that no file needs.
typedef struct epios_field {
  epios_context* context;
  int32_t number;
} epios_field;
/// Finds a field for the functions below. Call it after epios_close_definition. Returns
/// EPIOS_ERR_ARGUMENT if there is no such field. Local.
int epios_find_field(epios_context* context, const char* id, epios_field* out);
/// Gets the dimensions of the array of a field on this client, so that a caller who knows the shape
/// of its array can compare: `rank`, and as many of the extents, the first index fastest, as
/// `capacity` has room for. Halos are included. A domain has the two extents of its array (one if
/// the array is compressed, or a row with a halo), a field without dimensions one extent of 1.
/// `rank` is 0 for a field that no file needs. `extents` may be NULL if `capacity` is 0. Local.
int epios_field_extents(epios_field field, int* rank, int64_t* extents, int capacity);
/// Sends one tile of a field. Tiles count from 0. `data` holds the array of the tile: tile_data_ni
/// × tile_data_nj places of the domain, and all points of the other elements of the grid. Several
/// threads may send tiles of one client at the same time. The thread that sends the last tile of a
/// step sends the whole field. Returns EPIOS_ERR_ARGUMENT if the tile does not exist or has another
/// size, and EPIOS_ERR_CALL_ORDER if it was sent in this step already. A missing tile is an error
/// of the next epios_update_calendar or epios_context_finalize.
int epios_field_send_tile_double(epios_field field, int tile, const double* data, int64_t count);
int epios_field_send_tile_float(epios_field field, int tile, const float* data, int64_t count);
/// Like epios_send_double, epios_send_float and epios_field_is_active, without a search for the id.
/// A call costs next to nothing if no file needs the data at this step.
int epios_field_send_double(epios_field field, const double* data, int64_t count);
int epios_field_send_float(epios_field field, const float* data, int64_t count);
int epios_field_ask_active(epios_field field, int now, int* active);
/// Lends the model the array that it would send for a field at the current step: `count` values,
/// not initialised. The model computes in it, then either sends it (epios_field_send_double with
/// this address and count) or gives it back.
///
/// A record that leaves unchanged leaves from this array, and the send copies nothing. That holds
/// for an instant record in the type of the array (prec 8: double, prec 4: float) if it is all that
/// is needed at this step, the array has neither halo nor mask and goes to one server as it lies,
/// and detect_missing_value is not set. The call then waits while the channel is full, as a send
/// does. In all other cases the array is a buffer, the same at each step. The send then does its
/// usual work, but saves one copy: an expression that waits for its other fields reads from the
/// buffer.
///
/// One array is lent at a time, to one call. Borrowing it again at the same step gives the same
/// array with what the model wrote. Until it is sent or given back, EPIOS_ERR_CALL_ORDER is the
/// result of sending or borrowing another field, of tiles, of another array of the same field, of
/// the next step and of the end of the context. This holds in every layout, and no data is lost.
/// For a field that no file needs, `data` is NULL and `count` 0. A client without points of a
/// needed field gets an address and `count` 0; it sends like all others.
int epios_field_borrow_double(epios_field field, double** data, int64_t* count);
int epios_field_borrow_float(epios_field field, float** data, int64_t* count);
/// Ends the loan without a send, as if the field had not been borrowed. The address is void
/// afterwards, as it is after the send. Returns EPIOS_ERR_CALL_ORDER if the field is not borrowed.
int epios_field_give_back(epios_field field);

/// Receives a field of a file with mode="read" for the current date into the local array of `count`
/// values, first index fastest, as the data_* attributes of the domain say. Places without data
/// (halos, masked points) get default_value if the field has one, and otherwise keep their values.
/// All clients make the calls of one context in the same order. If a transformation needs points of
/// other clients, either all clients receive the field or none does. The call waits for its record;
/// records that can be foreseen are read ahead. Returns EPIOS_ERR_CALL_ORDER at a date without a
/// record, and EPIOS_ERR_IO if the record cannot be read.
int epios_recv_double(epios_context* context, const char* field, double* data, int64_t count);
int epios_recv_float(epios_context* context, const char* field, float* data, int64_t count);
/// A handle to a field that is read, obtained from epios_find_read_field. It may be copied and is
/// valid until the context is finalized.
typedef struct epios_read_field {
  epios_context* context;
  int32_t number;
} epios_read_field;
int epios_find_read_field(epios_context* context, const char* id, epios_read_field* out);
/// Gets the dimensions of the array that a field is received into, as epios_field_extents does.
int epios_read_field_extents(epios_read_field field, int* rank, int64_t* extents, int capacity);
/// Like epios_recv_double and epios_recv_float, without a search for the id.
int epios_field_recv_double(epios_read_field field, double* data, int64_t count);
int epios_field_recv_float(epios_read_field field, float* data, int64_t count);

/// Sets `active` to 1 if any file uses `field`, and to 0 otherwise. If `now` is not 0, sets it to 1
/// only if data of the current date would be used. Local.
int epios_field_is_active(epios_context* context, const char* field, int now, int* active);

/// Cost of one context for this client so far. Local.
typedef struct epios_statistics {
  double open_s;        ///< seconds since the definition was closed
  double in_library_s;  ///< seconds inside send calls
  double blocked_s;     ///< seconds of these spent waiting for room in channels
  int64_t sends;
  int64_t records_sent;  ///< number of records of which this client sent its points
  int64_t bytes_sent;
} epios_statistics;
int epios_get_statistics(epios_context* context, epios_statistics* out);

/// Ends the context: writes everything that was sent and gives the files their final names.
/// Collective. Returns EPIOS_ERR_IO on all clients if a file could not be finished; the text names
/// each such file. For each field that files need and the model did not send, it prints a warning
/// on stderr. With strict="true" in the XML it returns EPIOS_ERR_CALL_ORDER instead; the files are
/// complete nevertheless.
int epios_context_finalize(epios_context* context);

/// Report about one file of a finalized context.
typedef struct epios_file_report {
  const char* path;  ///< final name; valid until the client is closed
  int64_t records_written;
  int64_t records_lost;
  int64_t bytes;
  const char* error;   ///< "" if the file is complete
  const char* losses;  ///< records lost by field, such as "tos 3, sos 1"
  /// Data that the model did not send: number of records made from fewer samples than were due,
  /// number of records without any sample (they hold missing values), and both by field, such as
  /// "tos 1 short, sos 2 missing".
  int64_t records_short;
  int64_t records_missing;
  const char* unsent;
} epios_file_report;
/// Gets the number of files of a finalized context; 0 before it is finalized. Local.
int epios_count_file_reports(epios_context* context, int* count);
/// Gets report `index` (from 0) of a finalized context; all clients have all. After a failure they
/// hold what servers had reported before. Returns EPIOS_ERR_ARGUMENT if there is none, with a text
/// that replaces the one of the failure (epios_last_error): count the reports first. Local.
int epios_get_file_report(epios_context* context, int index, epios_file_report* out);

#ifdef __cplusplus
}
#endif

#endif
