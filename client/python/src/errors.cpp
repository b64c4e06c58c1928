#include "bindings.hpp"

namespace py = pybind11;

namespace epios::python {

namespace {

constexpr const char* error_doc =
    "A call that failed. str() reads \"problem (why). Suggestion?\"; `code` is a Code. After an "
    "error that is\n"
    "not caught, the context managers abandon the client and the session, so that no process waits "
    "for this one.";

void raise(const client::Error& error) {
  const py::object type = py::module_::import("epios._core").attr("Error");
  const py::object raised = type(error.what());
  raised.attr("code") = py::cast(error.code());
  PyErr_SetObject(type.ptr(), raised.ptr());
}

}  // namespace

void bind_errors(py::module_& module) {
  py::enum_<epios_code>(module, "Code", "Kinds of errors.")
      .value("CONFIGURATION", EPIOS_ERR_CONFIGURATION,
             "The XML or an attribute that the model set is wrong.")
      .value("ARGUMENT", EPIOS_ERR_ARGUMENT, "An argument is wrong: size, name, range, handle.")
      .value("CALL_ORDER", EPIOS_ERR_CALL_ORDER, "The call is right, its time is wrong.")
      .value("MISMATCH", EPIOS_ERR_MISMATCH, "Clients made different calls.")
      .value("IO", EPIOS_ERR_IO, "A file could not be written or read.")
      .value("PROTOCOL", EPIOS_ERR_PROTOCOL, "Peers do not understand each other.")
      .value("RESOURCE", EPIOS_ERR_RESOURCE,
             "Memory, shared memory or thread level do not suffice.")
      .value("COMMUNICATION", EPIOS_ERR_COMMUNICATION,
             "MPI or the endpoints library reported an error.")
      .value("INTERNAL", EPIOS_ERR_INTERNAL, "EPIOS has a bug.");
  module.attr("Error") = py::reinterpret_steal<py::object>(
      PyErr_NewExceptionWithDoc("epios.Error", error_doc, PyExc_RuntimeError, nullptr));
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const client::Error& error) {
      raise(error);
    }
  });
}

}  // namespace epios::python
