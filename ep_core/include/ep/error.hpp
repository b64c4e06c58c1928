/// @file
/// The exception of the C++ interface; included by <ep/ep.hpp>.
#pragma once

#include <stdexcept>
#include <string>

namespace ep {

/// A failed call: code() is what the C function returned, what() reads "problem (why).
/// Suggestion?".
class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

}  // namespace ep
