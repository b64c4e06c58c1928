#include "handles/c_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <vector>

#include "config/error.hpp"

namespace epios::client {
namespace {

/// Number of values of an array, which must be one that a vector of `To` can have.
template <class To>
std::size_t count_of(std::span<const std::int64_t> shape) {
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] >= 0) continue;
    throw Error(ErrorCode::argument,
                fmt::format("extent {} of the array is {} (expected 0 or more). Is the shape set?",
                            i, shape[i]));
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  const auto most = static_cast<std::int64_t>(std::vector<To>().max_size());
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent > most / count) {
      throw Error(ErrorCode::argument,
                  fmt::format("the array's shape is {} (more values than memory can hold). Is the "
                              "shape set?",
                              fmt::join(shape, " x ")));
    }
    count *= extent;
  }
  return static_cast<std::size_t>(count);
}

template <class To, class From>
config::Value array_with_shape(const From* values, int rank, const std::int64_t* shape) {
  if (rank < 1 || rank > 7) {
    throw Error(
        ErrorCode::argument,
        fmt::format("rank of the array is {} (expected 1 to 7). Is the argument order right?",
                    rank));
  }
  check_input(shape, "shape");
  const std::span<const std::int64_t> extents(shape, static_cast<std::size_t>(rank));
  const std::size_t count = count_of<To>(extents);
  if (count > 0) check_input(values, "values");
  config::Array<To> array;
  array.shape.assign(extents.begin(), extents.end());
  array.values.assign(values, values + count);
  return array;
}

}  // namespace

void refuse_null(const char* argument, const char* why, const char* suggestion) {
  throw Error(ErrorCode::argument,
              fmt::format("argument '{}' is a null pointer ({}). {}", argument, why, suggestion));
}

std::string_view view_of(const char* text, const char* argument) {
  if (text == nullptr) refuse_null(argument, "a text is needed", "Pass \"\" for none?");
  return text;
}

std::string text_of(const char* text, const char* argument) {
  return std::string(view_of(text, argument));
}

config::ElementKind kind_of(const char* element) {
  const std::string text = text_of(element, "element");
  using Kind = config::ElementKind;
  for (const Kind kind : {Kind::context, Kind::calendar, Kind::scalar, Kind::axis, Kind::domain,
                          Kind::grid, Kind::field, Kind::file, Kind::variable}) {
    if (text == config::name(kind)) return kind;
  }
  throw Error(
      ErrorCode::argument,
      fmt::format("unknown element '{}' (expected context, calendar, scalar, axis, domain, grid, "
                  "field, file or variable). Is it a tag of the XML?",
                  text));
}

void copy_text(std::string_view text, char* out, std::size_t capacity) {
  target(out, "text");
  if (text.size() + 1 > capacity) {
    throw Error(
        ErrorCode::argument,
        fmt::format("text of {} characters does not fit (capacity {}). Pass a longer buffer?",
                    text.size() + 1, capacity));
  }
  text.copy(out, text.size());
  out[text.size()] = '\0';
}

config::Value array_of(const unsigned char* values, int rank, const std::int64_t* shape) {
  return array_with_shape<std::uint8_t>(values, rank, shape);
}
config::Value array_of(const std::int64_t* values, int rank, const std::int64_t* shape) {
  return array_with_shape<std::int64_t>(values, rank, shape);
}
config::Value array_of(const double* values, int rank, const std::int64_t* shape) {
  return array_with_shape<double>(values, rank, shape);
}

config::Value array_of(const char* const* values, std::int64_t count) {
  const std::span<const std::int64_t> extents(&count, 1);
  const std::size_t size = count_of<std::string>(extents);
  if (size > 0) check_input(values, "values");
  config::value::strings array;
  array.shape = {count};
  for (std::size_t i = 0; i < size; ++i) array.values.push_back(text_of(values[i], "values"));
  return array;
}

}  // namespace epios::client
