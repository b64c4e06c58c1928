// Numbers on their way into the smaller kinds of Fortran, for the library and for the mock.

#include <epios/definition.h>
#include <epios/epios.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "config/error.hpp"
#include "handles/c_guard.hpp"

using epios::Error;
using epios::ErrorCode;
using epios::client::check_c;
using epios::client::guarded;

namespace {

/// NaN and infinities are not too large.
template <class Wide, class Narrow>
void narrow(const Wide* wide, int64_t count, Narrow* out, const char* kind, const char* other) {
  constexpr Narrow most = std::numeric_limits<Narrow>::max();
  for (int64_t i = 0; i < count; ++i) {
    const auto number = static_cast<double>(wide[i]);
    if (std::isfinite(number) &&
        (wide[i] < std::numeric_limits<Narrow>::lowest() || wide[i] > most)) {
      throw Error(ErrorCode::argument,
                  fmt::format("{} is too large for {} (at most {}). Read it as {}?", wide[i], kind,
                              most, other));
    }
    out[i] = static_cast<Narrow>(wide[i]);
  }
}

}  // namespace

extern "C" {

/// Integers of C as default integers.
int epios_fortran_narrow_ints(const int64_t* wide, int64_t count, int* out) {
  return guarded([&] { narrow(wide, count, out, "a default integer", "text, or as a real"); });
}

/// Numbers of double precision in single precision.
int epios_fortran_narrow_reals(const double* wide, int64_t count, float* out) {
  return guarded([&] { narrow(wide, count, out, "single precision", "real(8)"); });
}

/// The values of an attribute in kinds that the C interface has not.
int epios_fortran_get_int(epios_element element, const char* attribute, int* value) {
  return guarded([&] {
    int64_t wide = 0;
    check_c(epios_element_get_int(element, attribute, &wide));
    check_c(epios_fortran_narrow_ints(&wide, 1, value));
  });
}

int epios_fortran_get_ints(epios_element element, const char* attribute, int* values,
                           int64_t capacity) {
  return guarded([&] {
    std::vector<int64_t> wide(static_cast<std::size_t>(capacity));
    check_c(epios_element_get_ints(element, attribute, wide.data(), capacity));
    check_c(epios_fortran_narrow_ints(wide.data(), capacity, values));
  });
}

int epios_fortran_get_float(epios_element element, const char* attribute, float* value) {
  return guarded([&] {
    double wide = 0;
    check_c(epios_element_get_double(element, attribute, &wide));
    check_c(epios_fortran_narrow_reals(&wide, 1, value));
  });
}

int epios_fortran_get_floats(epios_element element, const char* attribute, float* values,
                             int64_t capacity) {
  return guarded([&] {
    std::vector<double> wide(static_cast<std::size_t>(capacity));
    check_c(epios_element_get_doubles(element, attribute, wide.data(), capacity));
    check_c(epios_fortran_narrow_reals(wide.data(), capacity, values));
  });
}

/// What an attribute is read into has its dimensions, or one for all of them. `shape`: its own.
int epios_fortran_shape_for(epios_element element, const char* attribute, int rank,
                            int64_t shape[7]) {
  return guarded([&] {
    int its_rank = 0;
    check_c(epios_element_shape(element, attribute, &its_rank, shape));
    if (its_rank == rank) return;
    if (rank != 1 || its_rank == 0) {
      throw Error(ErrorCode::argument,
                  fmt::format("attribute '{}' has {} dimensions (the array has {}). Declare it "
                              "with as many?",
                              attribute, its_rank, rank));
    }
    for (int d = 1; d < its_rank; ++d) shape[0] *= shape[d];
  });
}

}  // extern "C"
