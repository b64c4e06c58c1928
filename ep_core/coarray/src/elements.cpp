// Converts and copies elements of coindexed objects between types, kinds and lengths. gfortran
// leaves conversions to the library, which must follow Fortran's rules for assignments. In order:
// numbers, characters, copies without conversion, and Assignment, which chooses one of them once.
#include "elements.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>

#include "outcome.hpp"

namespace ep::caf {

namespace {

__extension__ using Int16 = __int128;
__extension__ using Real16 = __float128;

template <class Real>
struct Complex {
  Real real;
  Real imaginary;
};

template <class T>
constexpr bool is_complex = false;
template <class Real>
constexpr bool is_complex<Complex<Real>> = true;

template <class To, class From>
To number(const From& from) {
  if constexpr (is_complex<To> && is_complex<From>) {
    using Part = decltype(To::real);
    return {static_cast<Part>(from.real), static_cast<Part>(from.imaginary)};
  } else if constexpr (is_complex<To>) {
    return {static_cast<decltype(To::real)>(from), 0};
  } else if constexpr (is_complex<From>) {
    return static_cast<To>(from.real);
  } else {
    return static_cast<To>(from);
  }
}

template <class To, class From>
void convert(std::byte* to, const std::byte* from) {
  From value{};
  std::memcpy(&value, from, sizeof value);
  const To result = number<To>(value);
  std::memcpy(to, &result, sizeof result);
}

/// Calls `visitor` with a value of the C++ type that a number of this type is. False: it is none.
template <class Visitor>
bool visit_number(const ElementType& type, const Visitor& visitor) {
  const auto integer = [&](int kind) {
    if (kind == 1) visitor(std::int8_t{});
    if (kind == 2) visitor(std::int16_t{});
    if (kind == 4) visitor(std::int32_t{});
    if (kind == 8) visitor(std::int64_t{});
    if (kind == 16) visitor(Int16{});
    return kind == 1 || kind == 2 || kind == 4 || kind == 8 || kind == 16;
  };
  const auto real = [&](int kind, const auto& call) {
    if (kind == 4) call(float{});
    if (kind == 8) call(double{});
    // NOLINTNEXTLINE(google-runtime-float): of kind 10
    if (kind == 10) call(static_cast<long double>(0));
    if (kind == 16) call(Real16{});
    return kind == 4 || kind == 8 || kind == 10 || kind == 16;
  };
  switch (type.type) {
    case TypeClass::integer:
    case TypeClass::logical:
      return integer(type.kind);
    case TypeClass::real:
      return real(type.kind, visitor);
    case TypeClass::complex:
      return real(type.kind, [&](auto part) { visitor(Complex<decltype(part)>{}); });
    default:
      return false;
  }
}

std::uint32_t character(const std::byte* at, std::size_t bytes) {
  if (bytes == 1) return static_cast<std::uint32_t>(*at);
  std::uint32_t code = 0;
  std::memcpy(&code, at, sizeof code);
  return code;
}

void set_character(std::byte* at, std::size_t bytes, std::uint32_t code) {
  if (bytes == 1) {
    *at = code < 256 ? static_cast<std::byte>(code) : std::byte{'?'};
  } else {
    std::memcpy(at, &code, sizeof code);
  }
}

void assign_string(std::byte* to, const ElementType& to_type, const std::byte* from,
                   const ElementType& from_type) {
  const auto wide = static_cast<std::size_t>(to_type.kind == 4 ? 4 : 1);
  const auto from_wide = static_cast<std::size_t>(from_type.kind == 4 ? 4 : 1);
  const std::size_t length = to_type.bytes / wide;
  const std::size_t common = std::min(length, from_type.bytes / from_wide);
  if (wide == from_wide) {
    std::memmove(to, from, common * wide);
  } else {
    for (std::size_t i = 0; i < common; ++i) {
      set_character(to + i * wide, wide, character(from + i * from_wide, from_wide));
    }
  }
  for (std::size_t i = common; i < length; ++i) set_character(to + i * wide, wide, ' ');
}

bool is_string(const ElementType& type) { return type.type == TypeClass::character; }

std::string name_of(const ElementType& type) {
  constexpr const char* names[] = {"TYPE",    "INTEGER", "LOGICAL",  "REAL",
                                   "COMPLEX", "TYPE",    "CHARACTER"};
  const auto number = static_cast<std::size_t>(type.type);
  const bool has_kind = number >= 1 && number <= 6 && number != 5;
  return std::string(number <= 6 ? names[number] : "TYPE") +
         (has_kind ? "(" + std::to_string(type.kind) + ")" : "") + " of " +
         std::to_string(type.bytes) + " bytes";
}

template <std::size_t bytes>
void copy_elements(const Line& to, const ConstLine& from, std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(to.first + i * to.stride, from.first + i * from.stride, bytes);
  }
}

void copy_elements(const Line& to, const ConstLine& from, std::int64_t count, std::size_t bytes) {
  const auto step = static_cast<std::ptrdiff_t>(bytes);
  if (to.stride == step && from.stride == step) {
    std::memmove(to.first, from.first, bytes * static_cast<std::size_t>(count));
  } else if (bytes == 4) {
    copy_elements<4>(to, from, count);
  } else if (bytes == 8) {
    copy_elements<8>(to, from, count);
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      std::memmove(to.first + i * to.stride, from.first + i * from.stride, bytes);
    }
  }
}

}  // namespace

Assignment::Assignment(const ElementType& to, const ElementType& from) : to_(to), from_(from) {
  if (to == from || (is_string(to) && is_string(from))) return;
  visit_number(to, [&](auto result) {
    visit_number(from, [&](auto value) { convert_ = convert<decltype(result), decltype(value)>; });
  });
  const bool are_bytes = to.bytes == from.bytes && to.type == from.type;
  if (convert_ == nullptr && !are_bytes) {
    throw Failure(Stat::failed, name_of(from) + " cannot be assigned to " + name_of(to) + ".");
  }
}

void Assignment::run(const Line& to, const ConstLine& from, std::int64_t count) const {
  if (convert_ != nullptr) {
    for (std::int64_t i = 0; i < count; ++i) {
      convert_(to.first + i * to.stride, from.first + i * from.stride);
    }
  } else if (is_string(to_) && to_ != from_) {
    for (std::int64_t i = 0; i < count; ++i) {
      assign_string(to.first + i * to.stride, to_, from.first + i * from.stride, from_);
    }
  } else {
    copy_elements(to, from, count, to_.bytes);
  }
}

}  // namespace ep::caf
