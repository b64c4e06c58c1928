#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "config/definitions.hpp"
#include "config/element_kind.hpp"

namespace epios::client {

/// Arguments of the C interface. All of these throw Error{argument} for what a program cannot have
/// meant, and name the argument.

/// The text, which may not be null.
std::string text_of(const char* text, const char* argument);
/// The same where the caller keeps it long enough.
std::string_view view_of(const char* text, const char* argument);

[[noreturn]] void refuse_null(const char* argument, const char* why, const char* suggestion);

/// Where a result goes, which may not be null.
template <class T>
T& target(T* pointer, const char* argument) {
  if (pointer == nullptr) refuse_null(argument, "the result goes there", "Pass an address?");
  return *pointer;
}

/// Values that are read may not be null.
template <class T>
void check_input(const T* pointer, const char* argument) {
  if (pointer == nullptr) refuse_null(argument, "its values are read", "Pass the array?");
}

/// The element with this tag.
config::ElementKind kind_of(const char* element);

/// Copies the text and a final 0 to `capacity` characters.
void copy_text(std::string_view text, char* out, std::size_t capacity);

/// Arrays with their shapes, copied.
config::Value array_of(const unsigned char* values, int rank, const std::int64_t* shape);
config::Value array_of(const std::int64_t* values, int rank, const std::int64_t* shape);
config::Value array_of(const double* values, int rank, const std::int64_t* shape);
/// Texts in one dimension, none of them null.
config::Value array_of(const char* const* values, std::int64_t count);

}  // namespace epios::client
