// Operations of CO_SUM, CO_MAX, CO_MIN and CO_REDUCE on single elements. gfortran passes the
// program's functions with several calling conventions, which are resolved here once per call. In
// order: numbers, strings, functions of values, functions through memory, and the choice among
// them.
#include "reduction.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "outcome.hpp"

namespace ep::caf {

namespace {

__extension__ using Int16 = __int128;
__extension__ using Real16 = __float128;
__extension__ using Complex4 = _Complex float;
__extension__ using Complex8 = _Complex double;

template <class T>
T read(const std::byte* at) {
  T value{};
  std::memcpy(&value, at, sizeof value);
  return value;
}

template <class T>
void write(std::byte* at, const T& value) {
  std::memcpy(at, &value, sizeof value);
}

template <class T, class Operation>
Combine each(const Operation& operation) {
  return [operation](std::span<std::byte> into, std::span<const std::byte> with) {
    for (std::size_t i = 0; i < into.size(); i += sizeof(T)) {
      write<T>(&into[i], operation(read<T>(&into[i]), read<T>(&with[i])));
    }
  };
}

template <class T>
Combine numbers(Statement statement) {
  if (statement == Statement::co_sum)
    return each<T>([](T a, T b) { return static_cast<T>(a + b); });
  if (statement == Statement::co_max) return each<T>([](T a, T b) { return a < b ? b : a; });
  return each<T>([](T a, T b) { return b < a ? b : a; });
}

/// Strings of one length, as Fortran compares them.
bool is_less(const std::byte* a, const std::byte* b, const ElementType& type) {
  if (type.kind != 4) return std::memcmp(a, b, type.bytes) < 0;
  for (std::size_t i = 0; i < type.bytes; i += sizeof(std::uint32_t)) {
    const auto left = read<std::uint32_t>(a + i);
    const auto right = read<std::uint32_t>(b + i);
    if (left != right) return left < right;
  }
  return false;
}

Combine strings(Statement statement, const ElementType& type) {
  return [statement, type](std::span<std::byte> into, std::span<const std::byte> with) {
    for (std::size_t i = 0; i < into.size(); i += type.bytes) {
      const bool takes = statement == Statement::co_max ? is_less(&into[i], &with[i], type)
                                                        : is_less(&with[i], &into[i], type);
      if (takes) std::memcpy(&into[i], &with[i], type.bytes);
    }
  };
}

/// A function that returns a number.
template <class T>
Combine values(void (*function)(), unsigned flags) {
  if ((flags & arguments_by_value) != 0) {
    return each<T>(
        [call = reinterpret_cast<T (*)(T, T)>(function)](T a, T b) { return call(a, b); });
  }
  return each<T>(
      [call = reinterpret_cast<T (*)(T*, T*)>(function)](T a, T b) { return call(&a, &b); });
}

/// Large enough that it is returned in memory of the caller, which the function fills as far as its
/// own result goes.
struct InMemory {
  std::array<std::byte, 4096> bytes;
};
constexpr std::size_t most_in_registers = 16;

/// Calls `call(result, a, b)` for all elements, which it may not change.
template <class Call>
Combine through_memory(std::size_t bytes, const Call& call) {
  return [bytes, call](std::span<std::byte> into, std::span<const std::byte> with) {
    std::vector<std::byte> a(bytes);
    std::vector<std::byte> b(bytes);
    for (std::size_t i = 0; i < into.size(); i += bytes) {
      std::copy_n(into.begin() + static_cast<std::ptrdiff_t>(i), bytes, a.begin());
      std::copy_n(with.begin() + static_cast<std::ptrdiff_t>(i), bytes, b.begin());
      call(&into[i], a.data(), b.data());
    }
  };
}

Combine string_function(void (*function)(), const ElementType& type) {
  using Function =
      void (*)(std::byte*, std::size_t, std::byte*, std::byte*, std::size_t, std::size_t);
  const std::size_t length = type.kind == 4 ? type.bytes / 4 : type.bytes;
  return through_memory(type.bytes, [call = reinterpret_cast<Function>(function), length](
                                        std::byte* result, std::byte* a, std::byte* b) {
    call(result, length, a, b, length, length);
  });
}

Combine derived_function(void (*function)(), unsigned flags, const ElementType& type) {
  if ((flags & arguments_by_value) != 0 || type.bytes <= most_in_registers ||
      type.bytes > sizeof(InMemory)) {
    throw Failure(Stat::failed,
                  "a function of a derived type of " + std::to_string(type.bytes) +
                      " bytes (its results come back in registers up to 16 bytes, and 4096 is the "
                      "most; VALUE is not possible). Let the type have more components, or reduce "
                      "them one by one?");
  }
  using Function = InMemory (*)(std::byte*, std::byte*);
  return through_memory(type.bytes,
                        [call = reinterpret_cast<Function>(function), bytes = type.bytes](
                            std::byte* result, std::byte* a, std::byte* b) {
                          const InMemory value = call(a, b);
                          std::copy_n(value.bytes.begin(), bytes, result);
                        });
}

}  // namespace

Combine combine_of(Statement statement, const ElementType& type) {
  const bool is_sum = statement == Statement::co_sum;
  if (type.type == TypeClass::integer) {
    if (type.bytes == 1) return numbers<std::int8_t>(statement);
    if (type.bytes == 2) return numbers<std::int16_t>(statement);
    if (type.bytes == 4) return numbers<std::int32_t>(statement);
    if (type.bytes == 8) return numbers<std::int64_t>(statement);
    if (type.bytes == 16) return numbers<Int16>(statement);
  }
  if (type.type == TypeClass::real && type.bytes == 4) return numbers<float>(statement);
  if (type.type == TypeClass::real && type.bytes == 8) return numbers<double>(statement);
  if (type.type == TypeClass::complex && is_sum) {
    const auto sum = [](auto a, auto b) { return a + b; };
    if (type.bytes == 8) return each<Complex4>(sum);
    if (type.bytes == 16) return each<Complex8>(sum);
  }
  if (type.type == TypeClass::character && !is_sum) return strings(statement, type);
  if (type.bytes > 8 && (type.type == TypeClass::real || type.type == TypeClass::complex)) {
    throw Failure(Stat::failed,
                  "numbers of " + std::to_string(type.bytes) +
                      " bytes (the compiler does not say whether they are of kind 10 or 16). Use "
                      "kind 8?");
  }
  throw Failure(Stat::failed, "that type has no such operation.");
}

Combine combine_of(void (*function)(), unsigned flags, const ElementType& type) {
  if ((flags & arguments_by_descriptor) != 0) {
    throw Failure(Stat::failed, "a function with array descriptors. Let its arguments be scalars?");
  }
  switch (type.type) {
    case TypeClass::integer:
    case TypeClass::logical:
      if (type.bytes == 1) return values<std::int8_t>(function, flags);
      if (type.bytes == 2) return values<std::int16_t>(function, flags);
      if (type.bytes == 4) return values<std::int32_t>(function, flags);
      if (type.bytes == 8) return values<std::int64_t>(function, flags);
      if (type.bytes == 16) return values<Int16>(function, flags);
      break;
    case TypeClass::real:
      if (type.bytes == 4) return values<float>(function, flags);
      if (type.bytes == 8) return values<double>(function, flags);
      break;
    case TypeClass::complex:
      if (type.bytes == 8) return values<Complex4>(function, flags);
      if (type.bytes == 16) return values<Complex8>(function, flags);
      break;
    case TypeClass::character:
      return string_function(function, type);
    case TypeClass::derived:
      return derived_function(function, flags, type);
    default:
      break;
  }
  throw Failure(Stat::failed,
                "a function of that type cannot be called (numbers of kinds up to 8, "
                "strings and derived types can).");
}

}  // namespace ep::caf
