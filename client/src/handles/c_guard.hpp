#pragma once

#include <epios/epios.h>

#include <ep/error.hpp>
#include <exception>

#include "config/echoed_error.hpp"
#include "config/error.hpp"

namespace epios::client {

/// Of the calling thread: the text of its last failed call, "" if none failed.
const char* last_error() noexcept;
/// Whether another one is to tell it (EchoedError).
bool is_last_error_echoed() noexcept;
/// Keeps the text, and is the code to return.
int failed(ErrorCode code, const char* text, bool is_echoed = false) noexcept;

/// The same for an exception that is none of a library of ours.
int failed_for(const std::exception& error) noexcept;

/// Hands on the error of a call of the C interface.
inline void check_c(int code) {
  if (code == EPIOS_SUCCESS) return;
  if (is_last_error_echoed()) throw EchoedError({static_cast<ErrorCode>(code), last_error()});
  throw Error(static_cast<ErrorCode>(code), last_error());
}

/// Runs the body of a C function: nothing throws through C.
template <class Body>
int guarded(const Body& body) noexcept {
  try {
    body();
    return EPIOS_SUCCESS;
  } catch (const EchoedError& error) {
    return failed(error.code(), error.what(), true);
  } catch (const Error& error) {
    return failed(error.code(), error.what());
  } catch (const ep::Error& error) {
    return failed(ErrorCode::communication, error.what());
  } catch (const std::exception& error) {
    return failed_for(error);
  }
}

}  // namespace epios::client
