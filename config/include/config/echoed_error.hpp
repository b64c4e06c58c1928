/// @file
/// Errors that several processes share and that one of them reports.
#pragma once

#include "config/error.hpp"

namespace epios {

/// An error that other processes have, too; another one reports it to the user.
class EchoedError : public Error {
 public:
  explicit EchoedError(const Error& error) : Error(error) {}
};

}  // namespace epios
