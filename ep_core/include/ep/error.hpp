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
  Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace ep
