#pragma once

#include <ep/ep.hpp>
#include <exception>
#include <new>
#include <sstream>
#include <string>
#include <utility>

namespace ep {

/// Throws Error(code, the joined parts). Text grammar: "problem (why). Suggestion?".
template <class... Parts>
[[noreturn]] void fail(int code, const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw Error(code, text.str());
}

/// Throws unless an MPI call succeeded.
void check_mpi(int code, const char* call);

/// Ends all processes of MPI_COMM_WORLD. The launcher kills them at once and drops output that it
/// has not read, so this function waits briefly first.
[[noreturn]] void abort_job(int code) noexcept;

/// Sets and returns the last error text of the calling thread.
void set_last_error(const std::string& text) noexcept;
const char* last_error() noexcept;

/// Runs the body of a C function and converts exceptions to error codes, since no exception may
/// propagate through C.
template <class Body>
int guarded(Body&& body) noexcept {
  try {
    std::forward<Body>(body)();
    return EP_SUCCESS;
  } catch (const Error& error) {
    set_last_error(error.what());
    return error.code();
  } catch (const std::bad_alloc&) {
    set_last_error("out of memory (allocation failed inside the endpoints library).");
    return EP_ERR_OTHER;
  } catch (const std::exception& error) {
    set_last_error(error.what());
    return EP_ERR_INTERN;
  }
}

}  // namespace ep
