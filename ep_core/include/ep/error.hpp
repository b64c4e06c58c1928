/// @file
/// The exception of the C++ interface; included by <ep/ep.hpp>.
#pragma once

#include <stdexcept>
#include <string>

namespace ep {

/// The exception for a failed call. code() is the error code of the C function; what() has the form
/// "problem (why). Suggestion?".
class Error : public std::runtime_error {
 public:
  /// Makes an exception with an error code and a text.
  Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  /// Returns the code that the C function returned.
  int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace ep
