#include "arrays.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <type_traits>

namespace py = pybind11;

namespace epios::python {

namespace {

using client::Element;
using client::Error;

constexpr int in_c_order = py::array::c_style;

[[noreturn]] void refuse(const std::string& field, const py::handle& data,
                         const std::string& wanted) {
  const std::string type =
      py::isinstance<py::array>(data)
          ? "an array of " + text_of(py::reinterpret_borrow<py::array>(data).dtype())
          : "a " + text_of(py::type::of(data).attr("__name__"));
  throw py::type_error("field '" + field + "': " + type + " (" + wanted +
                       "). Convert it with numpy.asarray(data, float)?");
}

// EPIOS would take what lies under the mask for values. Only subclasses are asked: a send is short.
void refuse_masked(const py::handle& data, const std::string& what) {
  if (Py_IS_TYPE(data.ptr(),
                 reinterpret_cast<PyTypeObject*>(py::detail::npy_api::get().PyArray_Type_)))
    return;
  if (!py::isinstance<py::array>(data) || !py::hasattr(data, "mask")) return;
  const py::object mask = data.attr("mask");
  if (!mask.attr("any")().cast<bool>()) return;
  throw py::type_error(what +
                       ": an array of which values are masked (EPIOS would take what lies "
                       "under the mask). Fill it with numpy.ma.filled(array, value)?");
}

// The extents of EPIOS: the first one is the fastest.
std::vector<std::int64_t> extents_of(const py::array& array) {
  std::vector<std::int64_t> out;
  for (py::ssize_t d = array.ndim(); d-- > 0;) out.push_back(array.shape(d));
  if (out.empty()) out.push_back(1);
  return out;
}

template <class T>
bool is_of(const py::array& array) {
  return py::isinstance<py::array_t<T>>(array);
}

template <class T>
const T* memory_of(const py::array& array) {
  return static_cast<const T*>(array.data());
}

template <class T>
T* writable_memory_of(py::array& array) {
  return static_cast<T*>(array.mutable_data());
}

bool is_a(const py::handle& value, const char* type_of_datetime) {
  return py::isinstance(value, py::module_::import("datetime").attr(type_of_datetime));
}

bool is_text_list(const py::handle& value) {
  if (!py::isinstance<py::list>(value) && !py::isinstance<py::tuple>(value)) return false;
  const auto items = py::reinterpret_borrow<py::sequence>(value);
  for (const py::handle item : items) {
    if (!py::isinstance<py::str>(item)) return false;
  }
  return !items.empty();
}

[[noreturn]] void refuse_value(const std::string& name, const std::string& value) {
  throw py::type_error("attribute '" + name + "': " + value +
                       " (numbers, truth values, texts, dates, durations and arrays of numbers, "
                       "truth values or texts can be attributes)");
}

// Whole numbers have 64 bits and a sign.
[[noreturn]] void refuse_large(const std::string& name, const std::string& value) {
  throw py::value_error("attribute '" + name + "': " + value +
                        " (whole numbers are at most 9223372036854775807)");
}

std::int64_t whole_number(const std::string& name, const py::handle& value) {
  int is_over = 0;
  const long long number = PyLong_AsLongLongAndOverflow(value.ptr(), &is_over);
  if (is_over != 0) refuse_large(name, text_of(value));
  return number;
}

template <class T>
void set_numbers(const Element& element, const std::string& name, const py::array& array) {
  const std::vector<std::int64_t> extents = extents_of(array);
  const int rank = static_cast<int>(extents.size());
  const auto values = py::array_t<T, in_c_order | py::array::forcecast>::ensure(array);
  if constexpr (std::is_same_v<T, double>) {
    client::check(epios_element_set_doubles(element.get(), name.c_str(), values.data(), rank,
                                            extents.data()));
  } else {
    client::check(
        epios_element_set_ints(element.get(), name.c_str(), values.data(), rank, extents.data()));
  }
}

void set_array(const Element& element, const std::string& name, const py::handle& value) {
  refuse_masked(value, "attribute '" + name + "'");
  py::array array = py::array::ensure(value, in_c_order);
  if (!array) throw py::type_error("attribute '" + name + "': no array can be made of the value");
  const char kind = array.dtype().kind();
  if (kind == 'b') {
    const std::vector<std::int64_t> extents = extents_of(array);
    const int rank = static_cast<int>(extents.size());
    const auto values = py::array_t<std::uint8_t, in_c_order>(array.view("u1"));
    client::check(
        epios_element_set_bools(element.get(), name.c_str(), values.data(), rank, extents.data()));
  } else if (kind == 'i' || kind == 'u') {
    if (kind == 'u' && array.itemsize() == sizeof(std::uint64_t) && array.size() > 0)
      whole_number(name, py::int_(array.attr("max")()));
    set_numbers<std::int64_t>(element, name, array);
  } else if (kind == 'f') {
    set_numbers<double>(element, name, array);
  } else {
    refuse_value(name, "an array of " + text_of(array.dtype()));
  }
}

void refuse_parts_of_seconds(const py::handle& value, const std::string& name) {
  if (!py::hasattr(value, "microsecond") || value.attr("microsecond").cast<int>() == 0) return;
  throw py::value_error("attribute '" + name + "': " + text_of(value) +
                        " (EPIOS counts whole seconds)");
}

// A duration in XML syntax. Python keeps days, seconds and microseconds.
std::string duration_text(const py::handle& delta, const std::string& name) {
  const auto part = [&](const char* unit) { return text_of(delta.attr(unit)); };
  if (delta.attr("microseconds").cast<int>() != 0)
    throw py::value_error("attribute '" + name + "': a duration of " + text_of(delta) +
                          " (EPIOS counts whole seconds)");
  return part("days") + "d " + part("seconds") + "s";
}

// A date of Python, or one of cftime in any calendar.
std::string date_text(const py::handle& date, const std::string& name) {
  refuse_parts_of_seconds(date, name);
  if (py::hasattr(date, "utcoffset")) {
    const py::object offset = date.attr("utcoffset")();
    if (!offset.is_none() && py::bool_(offset))
      throw py::value_error("attribute '" + name + "': " + text_of(date) +
                            " (dates of EPIOS have no time zone). Convert it to UTC?");
  }
  const auto part = [&](const char* unit) -> py::object {
    return py::hasattr(date, unit) ? py::object(date.attr(unit)) : py::int_(0);
  };
  return py::str("{:04d}-{:02d}-{:02d} {:02d}:{:02d}:{:02d}")
      .format(part("year"), part("month"), part("day"), part("hour"), part("minute"),
              part("second"));
}

bool is_date(const py::handle& value) {
  return is_a(value, "date") || (py::hasattr(value, "year") && py::hasattr(value, "second") &&
                                 py::hasattr(value, "calendar"));
}

// A datetime64 or timedelta64 of numpy, or nothing.
py::object time_of_numpy(const py::handle& value, const std::string& name) {
  if (!py::hasattr(value, "dtype") || !py::hasattr(value, "ndim")) return py::none();
  const std::string kind = text_of(value.attr("dtype").attr("kind"));
  const bool is_date = kind == "M";
  const bool is_single = value.attr("ndim").cast<int>() == 0;
  if (!is_single || (!is_date && kind != "m")) return py::none();
  const py::object in_seconds = value.attr("astype")(is_date ? "datetime64[s]" : "timedelta64[s]");
  const bool is_whole = py::bool_(in_seconds.attr("__eq__")(value));
  py::object out = in_seconds.attr("item")();
  if (!is_whole || py::isinstance<py::int_>(out))
    throw py::value_error("attribute '" + name + "': " + text_of(value) +
                          " (EPIOS counts whole seconds of the years 1 to 9999 of numpy)");
  return out;
}

template <class T>
py::object array_from(const std::vector<T>& values, const std::vector<std::int64_t>& extents) {
  const std::vector<py::ssize_t> shape(extents.rbegin(), extents.rend());
  return py::array_t<T>(shape, values.data());
}

// The products of the first extents, without those of 1: where an axis ends in memory.
std::vector<std::int64_t> ends_of_axes(const std::vector<std::int64_t>& extents) {
  std::vector<std::int64_t> out;
  std::int64_t end = 1;
  for (const std::int64_t extent : extents) {
    end *= extent;
    if (extent != 1) out.push_back(end);
  }
  return out;
}

// The extents of one array are products of extents of the other that follow each other.
bool follow(const std::vector<std::int64_t>& extents, const std::vector<std::int64_t>& others) {
  std::vector<std::int64_t> few = ends_of_axes(extents);
  std::vector<std::int64_t> many = ends_of_axes(others);
  if (few.size() > many.size()) few.swap(many);
  return std::includes(many.begin(), many.end(), few.begin(), few.end());
}

}  // namespace

py::tuple shape_of(const std::vector<std::int64_t>& extents) {
  py::tuple out(extents.size());
  for (std::size_t d = 0; d < extents.size(); ++d) out[extents.size() - 1 - d] = extents[d];
  return out;
}

void check_shape(const py::array& array, const std::vector<std::int64_t>& extents,
                 const std::string& field) {
  if (array.ndim() <= 1 || array.size() == 0 || extents.empty()) return;
  const std::vector<std::int64_t> own = extents_of(array);
  if (own == extents || follow(own, extents)) return;
  throw Error(EPIOS_ERR_ARGUMENT, "field '" + field + "': an array of shape " +
                                      text_of(shape_of(own)) + " (its shape on this client is " +
                                      text_of(shape_of(extents)) +
                                      ", slowest axis first, halos included). Transpose it?");
}

FieldValues values_of(const py::handle& data, const std::string& field) {
  FieldValues out;
  if (py::isinstance<py::array>(data)) {
    refuse_masked(data, "field '" + field + "'");
    const auto given = py::reinterpret_borrow<py::array>(data);
    const bool lies_in_order = (given.flags() & in_c_order) != 0;
    if (is_of<double>(given)) {
      out.owner = lies_in_order ? given : py::array(py::array_t<double, in_c_order>::ensure(given));
      out.doubles = memory_of<double>(out.owner);
    } else if (is_of<float>(given)) {
      out.owner = lies_in_order ? given : py::array(py::array_t<float, in_c_order>::ensure(given));
      out.floats = memory_of<float>(out.owner);
    } else {
      refuse(field, data, "a field is sent as float64 or float32");
    }
  } else if (py::isinstance<py::float_>(data) || py::isinstance<py::int_>(data)) {
    out.owner = py::array_t<double>(1);
    *writable_memory_of<double>(out.owner) = data.cast<double>();
    out.doubles = memory_of<double>(out.owner);
  } else {
    refuse(field, data, "a field is sent as an array of float64 or float32, or as a number");
  }
  out.count = static_cast<std::size_t>(out.owner.size());
  return out;
}

FieldRoom room_of(py::array& out, const std::string& field) {
  const bool is_usable = out.writeable() && (out.flags() & in_c_order) != 0;
  refuse_masked(out, "field '" + field + "'");
  FieldRoom room;
  if (is_usable && is_of<double>(out)) {
    room.doubles = writable_memory_of<double>(out);
  } else if (is_usable && is_of<float>(out)) {
    room.floats = writable_memory_of<float>(out);
  } else {
    refuse(field, out,
           "a field is received into a writable array of float64 or float32 in C order");
  }
  room.count = static_cast<std::size_t>(out.size());
  return room;
}

void set_attribute(const Element& element, const std::string& name, const py::handle& value) {
  if (value.is_none()) {
    element.set(name, "_reset_");
  } else if (py::isinstance<py::bool_>(value)) {
    element.set(name, value.cast<bool>());
  } else if (py::isinstance<py::int_>(value)) {
    element.set(name, whole_number(name, value));
  } else if (py::isinstance<py::float_>(value)) {
    element.set(name, value.cast<double>());
  } else if (py::isinstance<py::str>(value)) {
    element.set(name, value.cast<std::string>());
  } else if (is_a(value, "timedelta")) {
    element.set(name, duration_text(value, name));
  } else if (is_date(value)) {
    element.set(name, date_text(value, name));
  } else if (is_text_list(value)) {
    element.set(name, value.cast<std::vector<std::string>>());
  } else if (const py::object time = time_of_numpy(value, name); !time.is_none()) {
    set_attribute(element, name, time);
  } else {
    const py::array array = py::array::ensure(value);
    const bool is_scalar = array && array.ndim() == 0 && !py::isinstance<py::array>(value);
    if (is_scalar && py::hasattr(value, "item")) {  // of numpy
      set_attribute(element, name, py::object(value.attr("item")()));
    } else if (!array || is_scalar) {
      refuse_value(name, "a " + text_of(py::type::of(value).attr("__name__")));
    } else {
      set_array(element, name, value);
    }
  }
}

py::object get_attribute(const Element& element, const std::string& name) {
  if (!element.is_defined(name)) return py::none();
  const auto array_of = [&]<class T>(const std::vector<T>& values) {
    return array_from(values, element.shape(name));
  };
  switch (element.kind(name)) {
    case EPIOS_VALUE_BOOL:
      return py::bool_(element.get<bool>(name).value());
    case EPIOS_VALUE_INT:
      return py::int_(element.get<std::int64_t>(name).value());
    case EPIOS_VALUE_DOUBLE:
      return py::float_(element.get<double>(name).value());
    case EPIOS_VALUE_BOOLS:
      return array_of(element.get<std::vector<unsigned char>>(name).value()).attr("astype")("bool");
    case EPIOS_VALUE_INTS:
      return array_of(element.get<std::vector<std::int64_t>>(name).value());
    case EPIOS_VALUE_DOUBLES:
      return array_of(element.get<std::vector<double>>(name).value());
    case EPIOS_VALUE_TEXTS:
      return py::cast(element.get<std::vector<std::string>>(name).value());
    case EPIOS_VALUE_TEXT:
    case EPIOS_VALUE_DURATION:
      break;
  }
  return py::str(element.get<std::string>(name).value());
}

}  // namespace epios::python
