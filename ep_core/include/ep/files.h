/// @file
/// Files that all endpoints of a communicator open together; included by <ep/ep.h>.
///
/// The following holds for all functions here, unless one says otherwise:
/// - A handle belongs to one endpoint, which has its own view, individual pointer and error
///   handler. One thread at a time uses it, any thread that the level of the endpoint allows.
/// - "Collective" means over the communicator that opened the file, once per endpoint; all
///   endpoints make the collective calls of a file in one order. An error of one endpoint in a
///   collective call is an error of the same class at all of them, and nobody waits for ever.
/// - Offsets and pointers of accesses count etypes of the view; sizes and displacements count
///   bytes. When a call is made, the pointer moves by what the call asks for.
/// - A buffer belongs to the library until the access is complete; datatypes may be freed at once.
///   EP_Get_count of the status tells what was read or written, also after an error; less than
///   asked for without an error means that the file ended there.
/// - Errors: EP_ERR_FILE for a handle that is null, closed or unknown; EP_ERR_ARG, EP_ERR_COUNT,
///   EP_ERR_TYPE, EP_ERR_BUFFER for arguments; EP_ERR_READ_ONLY and EP_ERR_ACCESS for what the mode
///   forbids; EP_ERR_UNSUPPORTED_OPERATION for pointers other than the shared one with
///   EP_MODE_SEQUENTIAL; EP_ERR_NO_SPACE, EP_ERR_QUOTA, EP_ERR_IO and others for errors of the
///   system; EP_ERR_OTHER for a collective access while a split one is under way. They go to the
///   error handler of the file, initially EP_ERRORS_RETURN.
/// - Infos are kept and returned. The library reads one key, cb_buffer_size: the bytes that a
///   process takes from others at a time in collective accesses (32 MiB; at least 64 KiB; the
///   smallest value of all endpoints counts). EP_ERR_INFO_VALUE at all endpoints for a value that
///   is no number of bytes.
///
/// If two endpoints access the same bytes in calls that may overlap in time, and one of them
/// writes, the result is any mixture, unless the file is in atomic mode. In one collective write,
/// the endpoint of the higher rank wins. Every endpoint on the node reads what a write has written
/// after it has learned of the end of the write; between nodes EP_File_sync and a barrier are
/// needed, and a file system that keeps its promises.
///
/// Numbers after functions are sections of MPI-3.1.
#ifndef EP_FILES_H
#define EP_FILES_H

#include <ep/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Opaque handle of one endpoint's file.
typedef struct ep_file* EP_File;
#define EP_FILE_NULL EP_NULL_OF(EP_File)

#define EP_MODE_RDONLY MPI_MODE_RDONLY
#define EP_MODE_RDWR MPI_MODE_RDWR
#define EP_MODE_WRONLY MPI_MODE_WRONLY
#define EP_MODE_CREATE MPI_MODE_CREATE                    ///< if it does not exist
#define EP_MODE_EXCL MPI_MODE_EXCL                        ///< with CREATE: it must not exist
#define EP_MODE_DELETE_ON_CLOSE MPI_MODE_DELETE_ON_CLOSE  ///< removed by EP_File_close
#define EP_MODE_UNIQUE_OPEN MPI_MODE_UNIQUE_OPEN          ///< nobody else opens it: not looked at
#define EP_MODE_SEQUENTIAL MPI_MODE_SEQUENTIAL            ///< shared pointer only
#define EP_MODE_APPEND MPI_MODE_APPEND                    ///< pointers begin at the end

#define EP_SEEK_SET MPI_SEEK_SET
#define EP_SEEK_CUR MPI_SEEK_CUR
#define EP_SEEK_END MPI_SEEK_END
/// As the displacement of a view of a sequential file: the position of the shared pointer.
#define EP_DISPLACEMENT_CURRENT MPI_DISPLACEMENT_CURRENT
#define EP_MAX_DATAREP_STRING MPI_MAX_DATAREP_STRING
/// A data representation that converts nothing.
#define EP_CONVERSION_FN_NULL EP_NULL_OF(EP_Datarep_conversion_function*)
#define EP_CONVERSION_FN_NULL_C EP_NULL_OF(EP_Datarep_conversion_function_c*)

#define EP_ERR_FILE MPI_ERR_FILE
#define EP_ERR_NOT_SAME MPI_ERR_NOT_SAME
#define EP_ERR_AMODE MPI_ERR_AMODE
#define EP_ERR_UNSUPPORTED_DATAREP MPI_ERR_UNSUPPORTED_DATAREP
#define EP_ERR_UNSUPPORTED_OPERATION MPI_ERR_UNSUPPORTED_OPERATION
#define EP_ERR_NO_SUCH_FILE MPI_ERR_NO_SUCH_FILE
#define EP_ERR_FILE_EXISTS MPI_ERR_FILE_EXISTS
#define EP_ERR_BAD_FILE MPI_ERR_BAD_FILE
#define EP_ERR_ACCESS MPI_ERR_ACCESS
#define EP_ERR_NO_SPACE MPI_ERR_NO_SPACE
#define EP_ERR_QUOTA MPI_ERR_QUOTA
#define EP_ERR_READ_ONLY MPI_ERR_READ_ONLY
#define EP_ERR_FILE_IN_USE MPI_ERR_FILE_IN_USE
#define EP_ERR_DUP_DATAREP MPI_ERR_DUP_DATAREP
#define EP_ERR_CONVERSION MPI_ERR_CONVERSION
#define EP_ERR_IO MPI_ERR_IO

// Opening and closing.

/// Opens `filename` at all endpoints or at none, and removes a file that a failed call created. The
/// initial view shows bytes from the beginning. EP_ERR_AMODE for modes that do not go together;
/// EP_ERR_NOT_SAME where modes differ or names lead to different files; errors of the system go to
/// the default handler (that of EP_FILE_NULL). Collective over `comm`, which may be freed
/// afterwards. 13.2.1.
int EP_File_open(EP_Comm comm, const char* filename, int amode, MPI_Info info, EP_File* fh);
/// Closes the file after all endpoints have called, and sets the handle to EP_FILE_NULL, also on
/// failure. Then all can read what was written; only EP_File_sync guarantees that it is on the
/// disk. EP_ERR_OTHER while a split access is under way; other requests must be complete.
/// Collective. 13.2.2.
int EP_File_close(EP_File* fh);
/// Removes a file by name. EP_ERR_NO_SUCH_FILE if there is none. Errors go to the handler of
/// EP_FILE_NULL. Local. 13.2.3.
int EP_File_delete(const char* filename, MPI_Info info);
/// Cuts the file, or extends it by a hole, after all endpoints have called; pointers stay.
/// EP_ERR_NOT_SAME for sizes that differ. Collective. 13.2.4.
int EP_File_set_size(EP_File fh, MPI_Offset size);
/// Reserves the first `size` bytes on the disk; the file is at least as large afterwards. Errors as
/// of EP_File_set_size. Collective. 13.2.5.
int EP_File_preallocate(EP_File fh, MPI_Offset size);
/// Returns the size in bytes. Local. 13.2.6.
int EP_File_get_size(EP_File fh, MPI_Offset* size);
/// Returns the group of endpoints that opened the file; to be freed. Local. 13.2.7.
int EP_File_get_group(EP_File fh, EP_Group* group);
/// Returns the mode with which the file was opened. Local. 13.2.7.
int EP_File_get_amode(EP_File fh, int* amode);
/// Keeps these hints instead of the former ones. Collective. 13.2.8.
int EP_File_set_info(EP_File fh, MPI_Info info);
/// Returns the kept hints in a new info; to be freed. Local. 13.2.8.
int EP_File_get_info(EP_File fh, MPI_Info* info_used);

// Views.

/// Makes this endpoint see the file from byte `disp` on as repetitions of `filetype`, which
/// consists of `etype`s. All pointers, also the shared one, go to 0. `datarep` is "native",
/// "internal" or "external32"; the latter only for datatypes whose sizes it keeps (not long and
/// long double), else EP_ERR_UNSUPPORTED_DATAREP. EP_ERR_TYPE for a filetype that does not consist
/// of whole etypes, goes backwards, or whose repetitions overlap; EP_ERR_NOT_SAME where the sizes
/// of etypes or the datareps differ. Collective. 13.3.
int EP_File_set_view(EP_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                     const char* datarep, MPI_Info info);
/// Returns the view; datatypes that are not predefined are new ones, to be freed. `datarep` has
/// room for EP_MAX_DATAREP_STRING bytes. Local. 13.3.
int EP_File_get_view(EP_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                     char* datarep);
/// Returns the extent of `datatype` in the file. Local. 13.5.1.
int EP_File_get_type_extent(EP_File fh, MPI_Datatype datatype, MPI_Aint* extent);

/// Returns the extent of a datatype in a data representation of the program.
typedef int EP_Datarep_extent_function(MPI_Datatype datatype, MPI_Aint* extent, void* extra_state);
/// Converts `count` elements between `userbuf` and `filebuf`.
typedef int EP_Datarep_conversion_function(void* userbuf, MPI_Datatype datatype, int count,
                                           void* filebuf, MPI_Offset position, void* extra_state);
/// Does the same with a large count.
typedef int EP_Datarep_conversion_function_c(void* userbuf, MPI_Datatype datatype, MPI_Count count,
                                             void* filebuf, MPI_Offset position, void* extra_state);
/// Registers the name of a representation that converts nothing. EP_ERR_CONVERSION for conversion
/// functions (not supported), EP_ERR_DUP_DATAREP for a known name. Local, any thread. 13.5.3.
int EP_Register_datarep(const char* datarep, EP_Datarep_conversion_function* read_conversion_fn,
                        EP_Datarep_conversion_function* write_conversion_fn,
                        EP_Datarep_extent_function* dtype_file_extent_fn, void* extra_state);

// Explicit offsets. 13.4.2.

/// Reads from `offset`. Local.
int EP_File_read_at(EP_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                    EP_Status* status);
/// Reads from `offset`. Collective.
int EP_File_read_at_all(EP_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                        EP_Status* status);
/// Writes at `offset`. Local.
int EP_File_write_at(EP_File fh, MPI_Offset offset, const void* buf, int count,
                     MPI_Datatype datatype, EP_Status* status);
/// Writes at `offset`. Collective.
int EP_File_write_at_all(EP_File fh, MPI_Offset offset, const void* buf, int count,
                         MPI_Datatype datatype, EP_Status* status);
/// Does EP_File_read_at with a request, which is complete at once. Local.
int EP_File_iread_at(EP_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                     EP_Request* request);
/// Begins EP_File_read_at_all without waiting for others.
int EP_File_iread_at_all(EP_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                         EP_Request* request);
/// Does EP_File_write_at with a request, which is complete at once. Local.
int EP_File_iwrite_at(EP_File fh, MPI_Offset offset, const void* buf, int count,
                      MPI_Datatype datatype, EP_Request* request);
/// Begins EP_File_write_at_all without waiting for others.
int EP_File_iwrite_at_all(EP_File fh, MPI_Offset offset, const void* buf, int count,
                          MPI_Datatype datatype, EP_Request* request);

// Individual pointers. 13.4.3.

/// Reads from the individual pointer. Local.
int EP_File_read(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Status* status);
/// Reads from the individual pointer. Collective.
int EP_File_read_all(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Status* status);
/// Writes at the individual pointer. Local.
int EP_File_write(EP_File fh, const void* buf, int count, MPI_Datatype datatype, EP_Status* status);
/// Writes at the individual pointer. Collective.
int EP_File_write_all(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                      EP_Status* status);
/// Does EP_File_read with a request, which is complete at once. Local.
int EP_File_iread(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Request* request);
/// Begins EP_File_read_all without waiting for others.
int EP_File_iread_all(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Request* request);
/// Does EP_File_write with a request, which is complete at once. Local.
int EP_File_iwrite(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                   EP_Request* request);
/// Begins EP_File_write_all without waiting for others.
int EP_File_iwrite_all(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                       EP_Request* request);
/// Moves the individual pointer. EP_ERR_ARG for a place before the beginning. Local.
int EP_File_seek(EP_File fh, MPI_Offset offset, int whence);
/// Returns the individual pointer. Local.
int EP_File_get_position(EP_File fh, MPI_Offset* offset);
/// Returns the byte of the file where the etype `offset` of the view begins. Local.
int EP_File_get_byte_offset(EP_File fh, MPI_Offset offset, MPI_Offset* disp);

// The shared pointer, one for all endpoints of the file, who must have the same view. Between
// processes it is kept in a hidden file beside the file, from the first use to EP_File_close.
// 13.4.4.

/// Reads from the shared pointer. Local.
int EP_File_read_shared(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Status* status);
/// Writes from the shared pointer. Local.
int EP_File_write_shared(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                         EP_Status* status);
/// Does EP_File_read_shared with a request, which is complete at once. Local.
int EP_File_iread_shared(EP_File fh, void* buf, int count, MPI_Datatype datatype,
                         EP_Request* request);
/// Does EP_File_write_shared with a request, which is complete at once. Local.
int EP_File_iwrite_shared(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                          EP_Request* request);
/// Reads from the shared pointer, one endpoint after the other in the order of ranks. Collective.
int EP_File_read_ordered(EP_File fh, void* buf, int count, MPI_Datatype datatype,
                         EP_Status* status);
/// Writes at the shared pointer, one endpoint after the other in the order of ranks. Collective.
int EP_File_write_ordered(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                          EP_Status* status);
/// Moves the shared pointer; EP_ERR_NOT_SAME for arguments that differ. Collective.
int EP_File_seek_shared(EP_File fh, MPI_Offset offset, int whence);
/// Returns the shared pointer. Local.
int EP_File_get_position_shared(EP_File fh, MPI_Offset* offset);

// Split collective access: one at a time for a handle; each end with the begin of its kind. 13.4.5.

/// Begins EP_File_read_at_all; waits for nobody.
int EP_File_read_at_all_begin(EP_File fh, MPI_Offset offset, void* buf, int count,
                              MPI_Datatype datatype);
/// Ends EP_File_read_at_all_begin. Collective.
int EP_File_read_at_all_end(EP_File fh, void* buf, EP_Status* status);
/// Begins EP_File_write_at_all; waits for nobody.
int EP_File_write_at_all_begin(EP_File fh, MPI_Offset offset, const void* buf, int count,
                               MPI_Datatype datatype);
/// Ends EP_File_write_at_all_begin. Collective.
int EP_File_write_at_all_end(EP_File fh, const void* buf, EP_Status* status);
/// Begins EP_File_read_all; waits for nobody.
int EP_File_read_all_begin(EP_File fh, void* buf, int count, MPI_Datatype datatype);
/// Ends EP_File_read_all_begin. Collective.
int EP_File_read_all_end(EP_File fh, void* buf, EP_Status* status);
/// Begins EP_File_write_all; waits for nobody.
int EP_File_write_all_begin(EP_File fh, const void* buf, int count, MPI_Datatype datatype);
/// Ends EP_File_write_all_begin. Collective.
int EP_File_write_all_end(EP_File fh, const void* buf, EP_Status* status);
/// Begins EP_File_read_ordered; waits until all have called.
int EP_File_read_ordered_begin(EP_File fh, void* buf, int count, MPI_Datatype datatype);
/// Ends EP_File_read_ordered_begin. Collective.
int EP_File_read_ordered_end(EP_File fh, void* buf, EP_Status* status);
/// Begins EP_File_write_ordered; waits until all have called.
int EP_File_write_ordered_begin(EP_File fh, const void* buf, int count, MPI_Datatype datatype);
/// Ends EP_File_write_ordered_begin. Collective.
int EP_File_write_ordered_end(EP_File fh, const void* buf, EP_Status* status);

// Consistency. 13.6.

/// Switches atomic mode on or off: in it, other endpoints see every access of an endpoint as one
/// step, since it holds a lock on the range of bytes that it touches. EP_ERR_NOT_SAME where flags
/// differ. Collective.
int EP_File_set_atomicity(EP_File fh, int flag);
/// Tells whether the file is in atomic mode. Local.
int EP_File_get_atomicity(EP_File fh, int* flag);
/// Puts on the disk what all endpoints have written before, as far as the system guarantees it
/// (fsync). Collective.
int EP_File_sync(EP_File fh);

// Errors. 8.3.3.

/// Handles an error, as handlers of communicators do: gets the endpoint's file (EP_FILE_NULL for
/// errors that belong to none) and the code.
typedef void EP_File_errhandler_function(EP_File* file, int* code, ...);

/// Makes a handler that calls `function`. To be freed with EP_Errhandler_free. Local.
int EP_File_create_errhandler(EP_File_errhandler_function* function, EP_Errhandler* errhandler);
/// Sets the handler of this endpoint's file only. With EP_FILE_NULL it sets the handler of errors
/// that belong to no open file, with which this process also opens later files. EP_ERR_ARG for the
/// handler of a communicator. Local.
int EP_File_set_errhandler(EP_File file, EP_Errhandler errhandler);
/// Returns the handler; to be freed with EP_Errhandler_free. Local.
int EP_File_get_errhandler(EP_File file, EP_Errhandler* errhandler);
/// Calls the handler with `code`; returns EP_SUCCESS if the handler returns. Local.
int EP_File_call_errhandler(EP_File fh, int errorcode);

// 17.2.4; as the functions of communicators in <ep/environment.h>.

/// Returns the Fortran integer of a handle.
MPI_Fint EP_File_c2f(EP_File file);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_File EP_File_f2c(MPI_Fint file);

#ifdef __cplusplus
}
#endif

#endif
