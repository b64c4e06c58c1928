#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace py = pybind11;

namespace epios::python {

namespace {

constexpr const char* element_doc =
    "An element of the definition: an axis, a domain, a grid, a field, a file, a group, the "
    "calendar.\n\n"
    "Attributes are read and set as items: ``field[\"unit\"] = \"K\"``. Values are bool, int, "
    "float, str (words,\n"
    "references, dates, durations in XML syntax), timedelta, datetime, lists of str, or arrays of "
    "numpy. An array\n"
    "of shape (nj, ni) in C order is one of EPIOS with extents (ni, nj). Setting None removes a "
    "value.";

void set_all(const ElementHandle& element, const py::kwargs& attributes) {
  for (const auto& [name, value] : attributes)
    set_attribute(element.value, name.cast<std::string>(), value);
}

ElementHandle child_of(const ElementHandle& parent, const std::string& tag, const std::string& id,
                       const py::kwargs& attributes) {
  ElementHandle out{parent.context, parent.value.child(tag, id), tag};
  set_all(out, attributes);
  return out;
}

py::object item_of(const ElementHandle& element, const std::string& name) {
  const py::object value = get_attribute(element.value, name);
  if (value.is_none()) throw py::key_error(name);
  return value;
}

}  // namespace

void bind_elements(py::module_& module) {
  py::class_<ElementHandle>(module, "Element", element_doc)
      .def_property_readonly(
          "tag", [](const ElementHandle& self) { return self.tag; }, "Tag in the XML.")
      .def_property_readonly(
          "id", [](const ElementHandle& self) { return self.value.id(); },
          "Id, also one that was made up.")
      .def("child", &child_of, py::arg("tag"), py::arg("id") = "",
           "Adds a child, or reopens the one with this id, and sets its attributes.")
      .def("set", &set_all, "Sets attributes by name: ``axis.set(n_glo=10, unit=\"m\")``.")
      .def(
          "get",
          [](const ElementHandle& self, const std::string& name, const py::object& otherwise) {
            const py::object value = get_attribute(self.value, name);
            return value.is_none() ? otherwise : value;
          },
          py::arg("name"), py::arg("default") = py::none(),
          "Returns the value of an attribute, or `default` if it has none.")
      .def("__getitem__", &item_of)
      .def("__setitem__", [](const ElementHandle& self, const std::string& name,
                             const py::object& value) { set_attribute(self.value, name, value); })
      .def("__contains__", [](const ElementHandle& self,
                              const std::string& name) { return self.value.is_defined(name); })
      .def("__repr__", [](const ElementHandle& self) {
        return "<epios.Element " + self.tag + " '" + self.value.id() + "'>";
      });
}

}  // namespace epios::python
