// Between numpy and the arrays of the C interface. An array of numpy in C order with shape (nj, ni)
// lies in memory as one of EPIOS with extents (ni, nj), whose first index is fastest: only the
// extents are reversed.
#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <epios/epios.hpp>
#include <string>
#include <vector>

namespace epios::python {

/// Returns str(object).
inline std::string text_of(const pybind11::handle& object) {
  return pybind11::str(object).cast<std::string>();
}

/// The values of a field, as the model gives them: the memory of an array of numpy, or of a copy of
/// it if it does not lie in C order.
struct FieldValues {
  pybind11::array owner;  ///< keeps the memory while it is read
  const double* doubles = nullptr;
  const float* floats = nullptr;
  std::size_t count = 0;
};

/// Returns the values of `data`: float64 or float32, of any shape; anything else throws TypeError
/// that names `field`. A number counts as float64.
FieldValues values_of(const pybind11::handle& data, const std::string& field);

/// Memory that a field is received into.
struct FieldRoom {
  double* doubles = nullptr;
  float* floats = nullptr;
  std::size_t count = 0;
};

/// Returns the memory of `out`, a writable array of float64 or float32 in C order; anything else
/// throws TypeError that names `field`.
FieldRoom room_of(pybind11::array& out, const std::string& field);

/// Throws Error{argument} if the axes of `array` do not follow those of a field, whose `extents`
/// are fastest first, such as (ni, nj) for (nj, ni): values would change their places unseen.
/// Extents of 1 do not count. Axes that follow each other may be joined, so that an array of one
/// axis is always right, or each be divided into several. No extents: nobody needs the field.
void check_shape(const pybind11::array& array, const std::vector<std::int64_t>& extents,
                 const std::string& field);

/// Returns the shape of an array of numpy with these extents.
pybind11::tuple shape_of(const std::vector<std::int64_t>& extents);

/// Sets an attribute from a value of Python: bool, int, float, str, timedelta, datetime, a list of
/// texts, or whatever numpy makes an array of numbers or truth values of. None removes the value.
void set_attribute(const client::Element& element, const std::string& name,
                   const pybind11::handle& value);

/// Returns the value of an attribute as Python has it: bool, int, float, str (words, references,
/// dates, durations), list of str or array of numpy. None if there is no value.
pybind11::object get_attribute(const client::Element& element, const std::string& name);

}  // namespace epios::python
