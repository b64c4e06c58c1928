/// @file
/// Files that all endpoints of a communicator open together; included by <ep/ep.h>.
///
/// The following holds for all functions here, unless one says otherwise:
/// - A handle belongs to one endpoint, which has its own view, individual pointer and error
///   handler. One thread at a time uses it; any thread that the endpoint's thread level allows.
/// - "Collective" means over the communicator that opened the file, once per endpoint; all
///   endpoints make the collective calls of a file in one order. If a collective call fails at one
///   endpoint, it fails with the same error class at all of them, and no endpoint waits for ever.
/// - Offsets and pointers of accesses count etypes of the view; sizes and displacements count
///   bytes. A call moves the pointer by the amount that it requests, also if it reads or writes
///   less.
/// - A buffer belongs to the library until the access is complete; datatypes may be freed at once.
///   EP_Get_count of the status returns the number of elements read or written, also after an
///   error. A read that returns fewer elements than requested, without an error, has reached the
///   end of the file.
/// - Errors: EP_ERR_FILE for a handle that is null, closed or unknown; EP_ERR_ARG, EP_ERR_COUNT,
///   EP_ERR_TYPE, EP_ERR_BUFFER for invalid arguments; EP_ERR_READ_ONLY and EP_ERR_ACCESS for
///   accesses that the mode forbids; EP_ERR_UNSUPPORTED_OPERATION for pointers other than the
///   shared one with EP_MODE_SEQUENTIAL; EP_ERR_NO_SPACE, EP_ERR_QUOTA, EP_ERR_IO and others for
///   system errors; EP_ERR_OTHER for a collective access while a split collective access is active.
///   Errors go to the error handler of the file, initially EP_ERRORS_RETURN.
/// - The library keeps all info keys and returns them. It reads one of them, cb_buffer_size: the
///   number of bytes that a process takes from others at a time in a collective access (default 32
///   MiB, at least 64 KiB; the smallest value of all endpoints holds). A value that is not a number
///   of bytes fails with EP_ERR_INFO_VALUE at all endpoints.
///
/// If two endpoints access the same bytes in calls that may overlap in time, and one of them
/// writes, the result may mix old and new bytes, unless the file is in atomic mode. Within one
/// collective write, the data of the endpoint with the higher rank prevails. Endpoints on the same
/// node see written data as soon as they know that the write has completed; between nodes,
/// EP_File_sync and a barrier are needed, and a file system that honours them.
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
#define EP_MODE_CREATE MPI_MODE_CREATE  ///< creates the file if it does not exist
#define EP_MODE_EXCL MPI_MODE_EXCL      ///< with EP_MODE_CREATE: fails if the file exists
#define EP_MODE_DELETE_ON_CLOSE MPI_MODE_DELETE_ON_CLOSE  ///< EP_File_close removes the file
#define EP_MODE_UNIQUE_OPEN MPI_MODE_UNIQUE_OPEN  ///< nobody else opens the file (unchecked)
#define EP_MODE_SEQUENTIAL MPI_MODE_SEQUENTIAL    ///< allows the shared pointer only
#define EP_MODE_APPEND MPI_MODE_APPEND            ///< sets all pointers to the end of the file

#define EP_SEEK_SET MPI_SEEK_SET
#define EP_SEEK_CUR MPI_SEEK_CUR
#define EP_SEEK_END MPI_SEEK_END
/// Displacement of a view of a sequential file that stands for the position of the shared pointer.
#define EP_DISPLACEMENT_CURRENT MPI_DISPLACEMENT_CURRENT
#define EP_MAX_DATAREP_STRING MPI_MAX_DATAREP_STRING
/// Conversion function of a data representation that converts nothing.
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

/// Opens `filename` at all endpoints or at none; a failed call removes a file that it created. The
/// initial view shows bytes from the beginning. Fails with EP_ERR_AMODE for modes that exclude each
/// other and with EP_ERR_NOT_SAME if modes differ or names lead to different files. Errors go to
/// the handler of EP_FILE_NULL. Collective over `comm`, which may be freed afterwards. 13.2.1.
int EP_File_open(EP_Comm comm, const char* filename, int amode, MPI_Info info, EP_File* fh);
/// Closes the file after all endpoints have called, and sets the handle to EP_FILE_NULL, also on
/// failure. Afterwards all endpoints can read what was written; only EP_File_sync guarantees that
/// the data is on disk. Fails with EP_ERR_OTHER while a split collective access is active; all
/// other requests must be complete. Collective. 13.2.2.
int EP_File_close(EP_File* fh);
/// Removes a file by name. Fails with EP_ERR_NO_SUCH_FILE if it does not exist. Errors go to the
/// handler of EP_FILE_NULL. Local. 13.2.3.
int EP_File_delete(const char* filename, MPI_Info info);
/// Truncates the file or extends it by a hole, to `size` bytes, after all endpoints have called;
/// file pointers do not move. Fails with EP_ERR_NOT_SAME if the sizes differ. Collective. 13.2.4.
int EP_File_set_size(EP_File fh, MPI_Offset size);
/// Reserves disk space for the first `size` bytes; the file is at least as large afterwards. Fails
/// as EP_File_set_size does. Collective. 13.2.5.
int EP_File_preallocate(EP_File fh, MPI_Offset size);
/// Returns the size of the file in bytes. Local. 13.2.6.
int EP_File_get_size(EP_File fh, MPI_Offset* size);
/// Returns the group of endpoints that opened the file; the caller frees it. Local. 13.2.7.
int EP_File_get_group(EP_File fh, EP_Group* group);
/// Returns the mode with which the file was opened. Local. 13.2.7.
int EP_File_get_amode(EP_File fh, int* amode);
/// Replaces the hints of the file. Collective. 13.2.8.
int EP_File_set_info(EP_File fh, MPI_Info info);
/// Returns the hints in a new info object, which the caller frees. Local. 13.2.8.
int EP_File_get_info(EP_File fh, MPI_Info* info_used);

// Views.

/// Sets the view of this endpoint: the file from byte `disp` on as repetitions of `filetype`, which
/// consists of `etype`s. Sets all pointers, also the shared one, to 0. `datarep` is "native",
/// "internal" or "external32"; "external32" works only for datatypes that keep their size in it
/// (not for long and wchar_t), otherwise the call fails with EP_ERR_UNSUPPORTED_DATAREP. Fails
/// with EP_ERR_TYPE if the filetype does not consist of whole etypes, if its displacements
/// decrease, or if its repetitions overlap, and with EP_ERR_NOT_SAME if etype sizes or data
/// representations differ. Collective. 13.3.
int EP_File_set_view(EP_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
                     const char* datarep, MPI_Info info);
/// Returns the view. Datatypes that are not predefined are new; the caller frees them. `datarep`
/// must have room for EP_MAX_DATAREP_STRING bytes. Local. 13.3.
int EP_File_get_view(EP_File fh, MPI_Offset* disp, MPI_Datatype* etype, MPI_Datatype* filetype,
                     char* datarep);
/// Returns the extent of `datatype` in the file. Local. 13.5.1.
int EP_File_get_type_extent(EP_File fh, MPI_Datatype datatype, MPI_Aint* extent);

/// Function type that returns the extent of a datatype in a user-defined data representation.
typedef int EP_Datarep_extent_function(MPI_Datatype datatype, MPI_Aint* extent, void* extra_state);
/// Function type that converts `count` elements between `userbuf` and `filebuf`.
typedef int EP_Datarep_conversion_function(void* userbuf, MPI_Datatype datatype, int count,
                                           void* filebuf, MPI_Offset position, void* extra_state);
/// Function type that converts elements, with a large count.
typedef int EP_Datarep_conversion_function_c(void* userbuf, MPI_Datatype datatype, MPI_Count count,
                                             void* filebuf, MPI_Offset position, void* extra_state);
/// Registers the name of a data representation that converts nothing. Fails with EP_ERR_CONVERSION
/// if a conversion function is given (these are not supported), and with EP_ERR_DUP_DATAREP if the
/// name exists. Local, any thread. 13.5.3.
int EP_Register_datarep(const char* datarep, EP_Datarep_conversion_function* read_conversion_fn,
                        EP_Datarep_conversion_function* write_conversion_fn,
                        EP_Datarep_extent_function* dtype_file_extent_fn, void* extra_state);

// Explicit offsets. 13.4.2.

/// Reads `count` elements at `offset`. Local.
int EP_File_read_at(EP_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                    EP_Status* status);
/// Reads `count` elements at `offset`. Collective.
int EP_File_read_at_all(EP_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                        EP_Status* status);
/// Writes `count` elements at `offset`. Local.
int EP_File_write_at(EP_File fh, MPI_Offset offset, const void* buf, int count,
                     MPI_Datatype datatype, EP_Status* status);
/// Writes `count` elements at `offset`. Collective.
int EP_File_write_at_all(EP_File fh, MPI_Offset offset, const void* buf, int count,
                         MPI_Datatype datatype, EP_Status* status);
/// Reads as EP_File_read_at does; the request is complete at once. Local.
int EP_File_iread_at(EP_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                     EP_Request* request);
/// Begins EP_File_read_at_all without waiting for other endpoints. Collective.
int EP_File_iread_at_all(EP_File fh, MPI_Offset offset, void* buf, int count, MPI_Datatype datatype,
                         EP_Request* request);
/// Writes as EP_File_write_at does; the request is complete at once. Local.
int EP_File_iwrite_at(EP_File fh, MPI_Offset offset, const void* buf, int count,
                      MPI_Datatype datatype, EP_Request* request);
/// Begins EP_File_write_at_all without waiting for other endpoints. Collective.
int EP_File_iwrite_at_all(EP_File fh, MPI_Offset offset, const void* buf, int count,
                          MPI_Datatype datatype, EP_Request* request);

// Individual pointers. 13.4.3.

/// Reads `count` elements at the individual pointer and advances it. Local.
int EP_File_read(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Status* status);
/// Reads `count` elements at the individual pointer and advances it. Collective.
int EP_File_read_all(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Status* status);
/// Writes `count` elements at the individual pointer and advances it. Local.
int EP_File_write(EP_File fh, const void* buf, int count, MPI_Datatype datatype, EP_Status* status);
/// Writes `count` elements at the individual pointer and advances it. Collective.
int EP_File_write_all(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                      EP_Status* status);
/// Reads as EP_File_read does; the request is complete at once. Local.
int EP_File_iread(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Request* request);
/// Begins EP_File_read_all without waiting for other endpoints. Collective.
int EP_File_iread_all(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Request* request);
/// Writes as EP_File_write does; the request is complete at once. Local.
int EP_File_iwrite(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                   EP_Request* request);
/// Begins EP_File_write_all without waiting for other endpoints. Collective.
int EP_File_iwrite_all(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                       EP_Request* request);
/// Moves the individual pointer. Fails with EP_ERR_ARG for a position before the beginning. Local.
int EP_File_seek(EP_File fh, MPI_Offset offset, int whence);
/// Returns the individual pointer in etypes. Local.
int EP_File_get_position(EP_File fh, MPI_Offset* offset);
/// Returns the byte offset in the file at which etype number `offset` of the view begins. Local.
int EP_File_get_byte_offset(EP_File fh, MPI_Offset offset, MPI_Offset* disp);

// The shared pointer: all endpoints of the file share it and must have the same view. From its
// first use until EP_File_close, a hidden file beside the file holds it for all processes. 13.4.4.

/// Reads `count` elements at the shared pointer and advances it. Local.
int EP_File_read_shared(EP_File fh, void* buf, int count, MPI_Datatype datatype, EP_Status* status);
/// Writes `count` elements at the shared pointer and advances it. Local.
int EP_File_write_shared(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                         EP_Status* status);
/// Reads as EP_File_read_shared does; the request is complete at once. Local.
int EP_File_iread_shared(EP_File fh, void* buf, int count, MPI_Datatype datatype,
                         EP_Request* request);
/// Writes as EP_File_write_shared does; the request is complete at once. Local.
int EP_File_iwrite_shared(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                          EP_Request* request);
/// Reads at the shared pointer, one endpoint after the other in rank order. Collective.
int EP_File_read_ordered(EP_File fh, void* buf, int count, MPI_Datatype datatype,
                         EP_Status* status);
/// Writes at the shared pointer, one endpoint after the other in rank order. Collective.
int EP_File_write_ordered(EP_File fh, const void* buf, int count, MPI_Datatype datatype,
                          EP_Status* status);
/// Moves the shared pointer. Fails with EP_ERR_NOT_SAME if the arguments differ. Collective.
int EP_File_seek_shared(EP_File fh, MPI_Offset offset, int whence);
/// Returns the shared pointer in etypes. Local.
int EP_File_get_position_shared(EP_File fh, MPI_Offset* offset);

// Split collective accesses. A handle has one active at a time, and the `_end` call must match its
// `_begin`. 13.4.5.

/// Begins EP_File_read_at_all without waiting for other endpoints. Collective.
int EP_File_read_at_all_begin(EP_File fh, MPI_Offset offset, void* buf, int count,
                              MPI_Datatype datatype);
/// Ends EP_File_read_at_all_begin. Collective.
int EP_File_read_at_all_end(EP_File fh, void* buf, EP_Status* status);
/// Begins EP_File_write_at_all without waiting for other endpoints. Collective.
int EP_File_write_at_all_begin(EP_File fh, MPI_Offset offset, const void* buf, int count,
                               MPI_Datatype datatype);
/// Ends EP_File_write_at_all_begin. Collective.
int EP_File_write_at_all_end(EP_File fh, const void* buf, EP_Status* status);
/// Begins EP_File_read_all without waiting for other endpoints. Collective.
int EP_File_read_all_begin(EP_File fh, void* buf, int count, MPI_Datatype datatype);
/// Ends EP_File_read_all_begin. Collective.
int EP_File_read_all_end(EP_File fh, void* buf, EP_Status* status);
/// Begins EP_File_write_all without waiting for other endpoints. Collective.
int EP_File_write_all_begin(EP_File fh, const void* buf, int count, MPI_Datatype datatype);
/// Ends EP_File_write_all_begin. Collective.
int EP_File_write_all_end(EP_File fh, const void* buf, EP_Status* status);
/// Begins EP_File_read_ordered and waits until all endpoints have called. Collective.
int EP_File_read_ordered_begin(EP_File fh, void* buf, int count, MPI_Datatype datatype);
/// Ends EP_File_read_ordered_begin. Collective.
int EP_File_read_ordered_end(EP_File fh, void* buf, EP_Status* status);
/// Begins EP_File_write_ordered and waits until all endpoints have called. Collective.
int EP_File_write_ordered_begin(EP_File fh, const void* buf, int count, MPI_Datatype datatype);
/// Ends EP_File_write_ordered_begin. Collective.
int EP_File_write_ordered_end(EP_File fh, const void* buf, EP_Status* status);

// Consistency. 13.6.

/// Switches atomic mode on or off. In atomic mode an access appears to other endpoints as one step,
/// since it locks the range of bytes that it touches. Fails with EP_ERR_NOT_SAME if the flags
/// differ. Collective.
int EP_File_set_atomicity(EP_File fh, int flag);
/// Sets `*flag` to 1 if the file is in atomic mode, else to 0. Local.
int EP_File_get_atomicity(EP_File fh, int* flag);
/// Transfers everything that the endpoints have written before to disk, as far as the system
/// guarantees it (fsync). Collective.
int EP_File_sync(EP_File fh);

// Errors. 8.3.3.

/// Function type of an error handler for files. It receives the endpoint's file (EP_FILE_NULL for
/// errors that belong to no open file) and the error code; see EP_Comm_errhandler_function.
typedef void EP_File_errhandler_function(EP_File* file, int* code, ...);

/// Creates an error handler that calls `function`. The caller frees it with EP_Errhandler_free.
/// Local.
int EP_File_create_errhandler(EP_File_errhandler_function* function, EP_Errhandler* errhandler);
/// Sets the handler of this endpoint's file only. With EP_FILE_NULL, sets the handler for errors
/// that belong to no open file; files that this process opens later begin with it, too. Fails with
/// EP_ERR_ARG for a handler of another kind of object. Local.
int EP_File_set_errhandler(EP_File file, EP_Errhandler errhandler);
/// Returns the handler; the caller frees it with EP_Errhandler_free. Local.
int EP_File_get_errhandler(EP_File file, EP_Errhandler* errhandler);
/// Calls the handler with `code`; returns EP_SUCCESS if the handler returns. Local.
int EP_File_call_errhandler(EP_File fh, int errorcode);

// Conversion of handles for Fortran, as for communicators in <ep/environment.h>. 17.2.4.

/// Returns the Fortran integer of a handle.
MPI_Fint EP_File_c2f(EP_File file);
/// Returns the handle of a Fortran integer; every function refuses it if the integer is no handle.
EP_File EP_File_f2c(MPI_Fint file);

#ifdef __cplusplus
}
#endif

#endif
