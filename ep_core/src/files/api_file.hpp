#pragma once

#include <ep/ep.h>

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

/// Where an access begins: at an offset, or at a file pointer, which advances.
struct Beginning {
  enum class Kind { offset, individual_pointer, shared_pointer };
  Kind kind;
  MPI_Offset offset = 0;
};
inline Beginning at(MPI_Offset offset) { return {Beginning::Kind::offset, offset}; }
constexpr Beginning at_individual_pointer{Beginning::Kind::individual_pointer};
constexpr Beginning at_shared_pointer{Beginning::Kind::shared_pointer};

// The bodies of the C functions. In a collective access, the shared pointer means rank order.

int access_alone(EP_File fh, const AccessArguments& arguments, Beginning begin, EP_Status* status);
/// Performs the access at once and returns a request that is complete already.
int start_alone(EP_File fh, const AccessArguments& arguments, Beginning begin, EP_Request* request);
int access_all(EP_File fh, const AccessArguments& arguments, Beginning begin, EP_Status* status);
int start_all(EP_File fh, const AccessArguments& arguments, Beginning begin, EP_Request* request);
/// Begins a split access, whose halves are both named by `arguments.what`.
int begin_split(EP_File fh, const AccessArguments& arguments, Beginning begin);
/// Ends the split access that `begin` began.
int end_split(EP_File fh, const char* begin, EP_Status* status) noexcept;

}  // namespace ep
