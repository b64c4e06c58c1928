// The extension module of the package `epios`: the C++ interface, with arrays of numpy.
#include "bindings.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "EPIOS, as the C++ interface has it; see the package epios.";
  module.attr("__version__") = epios::client::version();
  epios::python::bind_errors(module);
  epios::python::bind_elements(module);
  epios::python::bind_contexts(module);
  epios::python::bind_sessions(module);
}
