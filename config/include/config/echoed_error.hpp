/// @file
/// Errors that several processes have, and one tells.
#pragma once

#include "config/error.hpp"

namespace epios {

/// An error that others have alike, of whom another one is to tell the user.
class EchoedError : public Error {
 public:
  explicit EchoedError(const Error& error) : Error(error) {}
};

}  // namespace epios
