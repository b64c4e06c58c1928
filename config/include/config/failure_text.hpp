/// @file
/// Texts of exceptions that have none for users.
#pragma once

#include <exception>
#include <string>

#include "config/error.hpp"

namespace epios {

/// Returns what an exception says. For an allocation that failed the text names the process, its
/// node, the memory that the process has, its limit and the memory that the node has left. Takes a
/// little memory itself: may throw std::bad_alloc.
std::string failure_text(const std::exception& error);

/// Returns the code for an exception that is none of this library's: resource if memory was
/// refused, else internal.
ErrorCode failure_code(const std::exception& error);

}  // namespace epios
