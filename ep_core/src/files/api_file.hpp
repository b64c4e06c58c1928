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

// What the C functions of files do with their arguments.

/// What is to be returned for an error, with which the handler of the file deals, or that of
/// EP_FILE_NULL.
int raise_file_error(EP_File file, int code) noexcept;

/// guarded() for a function that acts for the endpoint of a file.
template <class Body>
int guarded_file(EP_File handle, Body&& body) noexcept {
  const int code = guarded([&] {
    FileState& file = file_of(handle);
    const CallScope call(file.comm);
    engine().look_now_and_then();
    body(file);
  });
  return code != EP_SUCCESS ? raise_file_error(handle, code) : code;
}

/// Throws for a call that files opened with EP_MODE_SEQUENTIAL do not have.
void check_not_sequential(const FileState& file, const char* what);
/// Throws while a split access is under way.
void check_no_split(const FileState& file, const char* what);

inline void throw_problem(const Problem& problem) {
  if (problem) throw Error(problem.code, problem.text);
}

/// What the functions that read or write give.
inline AccessArguments reading(const char* what, void* buf, std::int64_t count, MPI_Datatype type) {
  return {what, Direction::read, buf, count, type};
}
inline AccessArguments writing(const char* what, const void* buf, std::int64_t count,
                               MPI_Datatype type) {
  return {what, Direction::write, const_cast<void*>(buf), count, type};
}

/// The status of an access.
inline void give_bytes(const FileAccess& access, EP_Status* status) {
  give_status({EP_ANY_SOURCE, EP_ANY_TAG, access.problem.code, access.done, 0}, status);
}

/// An access by itself, at once.
void access_alone(FileAccess& access, EP_Status* status);
/// The same as a request, complete already.
EP_Request access_at_once(FileAccess& access, const char* what);

/// One endpoint's part in a collective access; what is wrong with it is its problem.
template <class Offset>
std::shared_ptr<FileAccess> collective_access(FileState& file, const AccessArguments& arguments,
                                              Offset&& offset) {
  std::shared_ptr<FileAccess> access;
  const Problem problem = problem_of([&] {
    check_no_split(file, arguments.what);
    access = std::make_shared<FileAccess>(file, arguments, offset());
    access->collect_pieces();
  });
  if (problem) access = std::make_shared<FileAccess>(file, arguments, problem);
  return access;
}

/// Collective.
void access_all(FileAccess& access, const char* what, EP_Status* status);

/// Ends the split access that `begin` began.
int end_split(EP_File fh, const char* begin, EP_Status* status) noexcept;

}  // namespace ep
