#pragma once

#include <ep/ep.h>

#include <memory>
#include <utility>

#include "files/file.hpp"
#include "files/file_access.hpp"
#include "handles/api_arguments.hpp"
#include "handles/start_handles.hpp"
#include "progress/progress.hpp"

namespace ep {

// Checks of the arguments of C functions for files, and their error handling.

/// Invokes the error handler of the file, or that of EP_FILE_NULL if the handle is no file. Returns
/// the code for the program.
int raise_file_error(EP_File file, int code) noexcept;

/// Runs `body(file)` of a function that acts for the endpoint of a file.
template <class Body>
int call_on_file(EP_File handle, Body&& body) noexcept {
  const int code = guarded([&] {
    FileState& file = file_of(handle);
    const CallScope call(file.comm);
    engine().look_now_and_then();
    body(file);
  });
  return code != EP_SUCCESS ? raise_file_error(handle, code) : code;
}

/// Throws for a call that is not allowed for files opened with EP_MODE_SEQUENTIAL.
void check_not_sequential(const FileState& file, const char* what);
/// Throws while a split collective access is active.
void check_no_split(const FileState& file, const char* what);

inline void throw_problem(const Problem& problem) {
  if (problem) throw Error(problem.code, problem.text);
}

/// Collect the arguments of the functions that read or write.
inline AccessArguments reading(const char* what, void* buf, std::int64_t count, MPI_Datatype type) {
  return {what, Direction::read, buf, count, type};
}
inline AccessArguments writing(const char* what, const void* buf, std::int64_t count,
                               MPI_Datatype type) {
  return {what, Direction::write, const_cast<void*>(buf), count, type};
}

/// Fills the status of an access.
inline void give_bytes(const FileAccess& access, EP_Status* status) {
  give_status({EP_ANY_SOURCE, EP_ANY_TAG, access.problem.code, access.done, 0}, status);
}

/// Performs an independent access at once.
void access_alone(FileAccess& access, EP_Status* status);
/// Performs an independent access at once and returns a request that is complete already.
EP_Request access_at_once(FileAccess& access, const char* what);

/// Makes the access of one endpoint in a collective access; its errors become its problem.
template <class Offset>
std::shared_ptr<FileAccess> collective_access(FileState& file, const AccessArguments& arguments,
                                              Offset&& offset) {
  std::shared_ptr<FileAccess> access;
  const Problem problem = problem_of([&] {
    check_no_split(file, arguments.what);
    access = std::make_shared<FileAccess>(file, arguments, offset());
    access->collect_segments();
  });
  if (problem) access = std::make_shared<FileAccess>(file, arguments, problem);
  return access;
}

/// Performs a collective access.
void access_all(FileAccess& access, const char* what, EP_Status* status);

/// Ends the split access that `begin` began.
int end_split(EP_File fh, const char* begin, EP_Status* status) noexcept;

}  // namespace ep
