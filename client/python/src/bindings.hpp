// The classes of the package, one function for each file of them. module.cpp calls these in this
// order, since a signature in a docstring names only classes that exist.
#pragma once

#include <pybind11/pybind11.h>

#include <cstdint>
#include <epios/epios.hpp>
#include <memory>
#include <string>
#include <vector>

namespace epios::python {

// A call of another thread, or a signal handler, may run while EPIOS waits.
using WithoutGil = pybind11::call_guard<pybind11::gil_scoped_release>;

// The handles of Python. Whatever Python drops without closing it is abandoned: closing is
// collective, and a destructor that waits for other processes would hang a program that an
// exception ends.
struct SessionHandle {
  explicit SessionHandle(client::Session session) : value(std::move(session)) {}
  SessionHandle(const SessionHandle&) = delete;
  SessionHandle& operator=(const SessionHandle&) = delete;
  ~SessionHandle() { value.abandon(); }
  client::Session value;
};

struct ClientHandle {
  ClientHandle(std::shared_ptr<SessionHandle> owner, int index)
      : session(std::move(owner)), value(session->value, index) {}
  ClientHandle(const ClientHandle&) = delete;
  ClientHandle& operator=(const ClientHandle&) = delete;
  ~ClientHandle() { value.abandon(); }
  std::shared_ptr<SessionHandle> session;
  client::Client value;
};

struct ContextHandle {
  std::shared_ptr<ClientHandle> client;
  client::Context value;
  std::string id;
  bool is_finalized = false;
};

struct FieldHandle {
  std::shared_ptr<ContextHandle> context;
  client::Field value;
  std::string id;
  std::vector<std::int64_t> extents;  ///< of its array, fastest first; none: nobody needs it
  pybind11::object borrowed{};        ///< a weak reference to the borrowed array, or nothing
};

struct ElementHandle {
  std::shared_ptr<ContextHandle> context;
  client::Element value;
  std::string tag;
};

void bind_errors(pybind11::module_& module);
void bind_elements(pybind11::module_& module);
void bind_contexts(pybind11::module_& module);
void bind_sessions(pybind11::module_& module);

}  // namespace epios::python
