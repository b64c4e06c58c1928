/// @file
/// Errors of the client interface in C++.
#pragma once

#include <epios/epios.h>

#include <stdexcept>
#include <string>

namespace epios::client {

/// The exception of a failed call. what() reads "problem (why). Suggestion?".
class Error : public std::runtime_error {
 public:
  Error(epios_code code, const std::string& text) : std::runtime_error(text), code_(code) {}
  epios_code code() const noexcept { return code_; }

 private:
  epios_code code_;
};

/// Throws Error with this text, which is that of epios_last_error() from now on, as after a failed
/// call.
[[noreturn]] inline void fail(epios_code code, const std::string& text) {
  epios_set_last_error(text.c_str());
  throw Error(code, text);
}

/// Throws Error with the text of epios_last_error() unless `code` is EPIOS_SUCCESS.
inline void check(int code) {
  if (code != EPIOS_SUCCESS) throw Error(static_cast<epios_code>(code), epios_last_error());
}

}  // namespace epios::client
