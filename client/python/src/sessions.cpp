#include <ep/environment.h>
#include <pybind11/stl.h>

#include <array>
#include <ep/raw_comm.hpp>
#include <stdexcept>

#include "arrays.hpp"
#include "bindings.hpp"

namespace py = pybind11;

namespace epios::python {

namespace {

constexpr const char* session_doc =
    "The membership of this process in the job; one per process. Processes with the same `code_id` "
    "are one\n"
    "component. Collective over all processes of `comm`, those of epios_server included.\n\n"
    "`comm` is a communicator of mpi4py, the integer that Fortran knows it by, or None for all "
    "processes.\n"
    "As a context manager the session is closed at the end of the block, or abandoned if an "
    "exception leaves it.";
constexpr const char* client_doc =
    "One sending thread of the component; a process without threads has one. As a context manager "
    "it is closed\n"
    "at the end of the block, or abandoned if an exception leaves it: servers then keep the .part "
    "names of its\n"
    "files, and no process waits. One that is dropped without close() is abandoned, too.";

std::string mpi_library() {
  std::array<char, EP_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  EP_Get_library_version(text.data(), &length);
  const std::string all(text.data());
  return all.substr(all.find(" on ") + 4);
}

// Handles of one MPI mean nothing to another one: a wrong answer, or a crash.
void check_same_mpi(const py::object& comm) {
  const py::object module =
      py::module_::import("sys").attr("modules")[comm.get_type().attr("__module__")];
  const std::string theirs = module.attr("Get_library_version")().cast<std::string>();
  const std::string ours = mpi_library();
  constexpr std::size_t name_and_number = 20;
  if (theirs.substr(0, name_and_number) != ours.substr(0, name_and_number))
    throw std::runtime_error("mpi4py uses another MPI library (" +
                             theirs.substr(0, theirs.find('\n')) + ") than EPIOS (" +
                             ours.substr(0, ours.find('\n')) +
                             "). Build mpi4py for the MPI of EPIOS?");
}

MPI_Comm comm_of(const py::object& comm) {
  if (comm.is_none()) return MPI_COMM_WORLD;
  if (py::isinstance<py::int_>(comm)) return ep::from_fortran(comm.cast<MPI_Fint>());
  if (!py::hasattr(comm, "py2f"))
    throw py::type_error("`comm` is a communicator of mpi4py, an integer of Fortran or None");
  check_same_mpi(comm);
  return ep::from_fortran(comm.attr("py2f")().cast<MPI_Fint>());
}

std::shared_ptr<SessionHandle> open_session(const std::string& code_id, const std::string& iodef,
                                            int clients, bool host_server, const py::object& comm) {
  const client::Session::Options options{iodef, clients, host_server, comm_of(comm)};
  const py::gil_scoped_release released;
  return std::make_shared<SessionHandle>(client::Session(code_id, options));
}

/// The servers say why the run has ended: "RuntimeError: ...".
void tell_reason(const py::object& type, const py::object& raised) {
  const std::string text = text_of(raised);
  const std::string name = text_of(type.attr("__name__"));
  epios_set_last_error((text.empty() ? name : name + ": " + text).c_str());
}

template <class Handle>
void leave(Handle& handle, const py::object& type, const py::object& raised, const py::object&) {
  if (handle.value.get() == nullptr) return;
  if (type.is_none()) {
    const py::gil_scoped_release released;
    handle.value.close();
  } else {
    tell_reason(type, raised);
    handle.value.abandon();
  }
}

void bind_client(py::module_& module) {
  using Handle = ClientHandle;
  py::class_<Handle, std::shared_ptr<Handle>>(module, "Client", client_doc)
      .def_property_readonly(
          "rank", [](const Handle& self) { return self.value.rank(); },
          "Rank of this client in its component.")
      .def_property_readonly(
          "size", [](const Handle& self) { return self.value.size(); },
          "Number of clients of the component.")
      .def_property_readonly(
          "servers", [](const Handle& self) { return self.value.servers().count; },
          "Number of servers that the component writes to.")
      .def_property_readonly(
          "is_attached", [](const Handle& self) { return self.value.servers().attached; },
          "True if the servers live in the clients.")
      .def(
          "context",
          [](const std::shared_ptr<Handle>& self, const std::string& id) {
            return std::make_shared<ContextHandle>(
                ContextHandle{self, self->value.open_context(id), id});
          },
          py::arg("id"), "Opens a context: the one with this id in the XML, or an empty one.")
      .def(
          "close", [](Handle& self) { self.value.close(); }, WithoutGil(), "Closes the client.")
      .def(
          "abandon", [](Handle& self) { self.value.abandon(); }, WithoutGil(),
          "Gives the client up after an error. Never waits.")
      .def("__enter__", [](const std::shared_ptr<Handle>& self) { return self; })
      .def("__exit__", &leave<Handle>);
}

}  // namespace

void bind_sessions(py::module_& module) {
  bind_client(module);
  using Handle = SessionHandle;
  py::class_<Handle, std::shared_ptr<Handle>>(module, "Session", session_doc)
      .def(py::init(&open_session), py::arg("code_id"), py::kw_only(), py::arg("iodef") = "",
           py::arg("clients") = 1, py::arg("host_server") = false, py::arg("comm") = py::none())
      .def(
          "client",
          [](const std::shared_ptr<Handle>& self, int index) {
            const py::gil_scoped_release released;
            return std::make_shared<ClientHandle>(self, index);
          },
          py::arg("index") = 0,
          "Opens client number `index` of this process. Collective over the component.")
      .def(
          "serve", [](Handle& self) { self.value.serve(); }, WithoutGil(),
          "Runs the hosted server until all components have finished; call it in a thread of its "
          "own.")
      .def_property_readonly(
          "comm", [](const Handle& self) { return ep::to_fortran(self.value.comm()); },
          "Communicator of the component as Fortran's integer: "
          "mpi4py.MPI.Comm.f2py(session.comm).\n"
          "The first use is collective.")
      .def(
          "close", [](Handle& self) { self.value.close(); }, WithoutGil(),
          "Leaves the job. Collective.")
      .def(
          "abandon", [](Handle& self) { self.value.abandon(); }, WithoutGil(),
          "Gives the session up after an error. Never waits.")
      .def("__enter__", [](const std::shared_ptr<Handle>& self) { return self; })
      .def("__exit__", &leave<Handle>);
  module.def(
      "serve",
      [](const py::object& comm) {
        const MPI_Comm job = comm_of(comm);
        const py::gil_scoped_release released;
        client::check(epios_serve(job));
      },
      py::arg("comm") = py::none(),
      "Makes this process a dedicated server. Returns when all components have finished.");
  module.def("mpi_library", &mpi_library,
             "Returns the description of the MPI library that EPIOS uses.");
}

}  // namespace epios::python
