#include <pybind11/stl.h>

#include "arrays.hpp"
#include "bindings.hpp"

namespace py = pybind11;

namespace epios::python {

namespace {

using client::FileReport;

constexpr const char* context_doc =
    "A context of a client: first its definitions, then its time loop.\n\n"
    "As a context manager it is finalized at the end of the block; if an exception leaves the "
    "block it is left\n"
    "to the client, which is abandoned then.";
constexpr const char* field_doc =
    "A field of a context, found once for many sends. It is valid until the context is finalized.";

void send(const client::Field& field, const FieldValues& values) {
  const py::gil_scoped_release released;
  if (values.doubles != nullptr) {
    field.send(std::span<const double>(values.doubles, values.count));
  } else {
    field.send(std::span<const float>(values.floats, values.count));
  }
}

void receive(ContextHandle& context, const std::string& field, py::array& out) {
  const FieldRoom room = room_of(out, field);
  if (out.ndim() > 1) check_shape(out, client::extents_received(context.value, field), field);
  const py::gil_scoped_release released;
  if (room.doubles != nullptr) {
    context.value.receive(field, std::span<double>(room.doubles, room.count));
  } else {
    context.value.receive(field, std::span<float>(room.floats, room.count));
  }
}

void send_by_id(const ContextHandle& context, const std::string& id, const py::object& data) {
  const client::Field field = context.value.field(id);
  const FieldValues values = values_of(data, id);
  if (values.owner.ndim() > 1) check_shape(values.owner, field.extents(), id);
  send(field, values);
}

FieldHandle field_of(const std::shared_ptr<ContextHandle>& context, const std::string& id) {
  const client::Field field = context->value.field(id);
  return {context, field, id, field.extents(), {}};
}

// The array that EPIOS lends lives until it is sent or given back; the field keeps its context
// alive.
template <class T>
py::array borrowed(const FieldHandle& field, const py::object& owner) {
  std::span<T> values;
  {
    const py::gil_scoped_release released;
    values = field.value.borrow<T>();
  }
  return py::array_t<T>(static_cast<py::ssize_t>(values.size()), values.data(), owner);
}

py::array borrow(const py::object& self, const py::object& type) {
  FieldHandle& field = self.cast<FieldHandle&>();
  const auto wanted = py::dtype::from_args(type);
  const bool is_real = wanted.kind() == 'f';
  if (!is_real || (wanted.itemsize() != sizeof(double) && wanted.itemsize() != sizeof(float)))
    throw py::type_error("field '" + field.id + "': an array of " + text_of(wanted) +
                         " (float64 and float32 can be borrowed)");
  py::array array = wanted.itemsize() == sizeof(double) ? borrowed<double>(field, self)
                                                        : borrowed<float>(field, self);
  field.borrowed = py::weakref(array);
  return array;
}

// Whoever writes to the array afterwards would change what is on its way to the servers.
void end_borrowing(FieldHandle& field) {
  if (!field.borrowed) return;
  const py::object array = field.borrowed();
  if (!array.is_none()) array.attr("setflags")(py::arg("write") = false);
  field.borrowed = py::object();
}

void send_field(FieldHandle& field, const py::object& data) {
  const FieldValues values = values_of(data, field.id);
  check_shape(values.owner, field.extents, field.id);
  send(field.value, values);
  if (!field.borrowed) return;
  const py::object array = field.borrowed();
  const bool is_sent =
      array.is_none() || py::reinterpret_borrow<py::array>(array).data() == values.owner.data();
  if (is_sent) end_borrowing(field);
}

ElementHandle define(const std::shared_ptr<ContextHandle>& context, const std::string& tag,
                     const std::string& id, const py::kwargs& attributes) {
  auto found = context->value.find(tag, id);
  if (!found) {
    context->value.add(tag, id);
    found = context->value.at(tag, id);
  }
  ElementHandle out{context, *found, tag};
  for (const auto& [name, value] : attributes)
    set_attribute(out.value, name.cast<std::string>(), value);
  return out;
}

void finalize(ContextHandle& context) {
  const py::gil_scoped_release released;
  context.is_finalized = true;
  context.value.finalize();
}

void leave(ContextHandle& context, const py::object& type, const py::object&, const py::object&) {
  if (type.is_none() && !context.is_finalized) finalize(context);
}

void bind_reports(py::module_& module) {
  py::class_<FileReport>(module, "FileReport", "The outcome of one file of a finalized context.")
      .def_readonly("path", &FileReport::path, "Final name.")
      .def_readonly("records_written", &FileReport::records_written)
      .def_readonly("records_lost", &FileReport::records_lost)
      .def_readonly("bytes", &FileReport::bytes)
      .def_readonly("error", &FileReport::error, "Empty if the file is complete.")
      .def_readonly("losses", &FileReport::losses,
                    "Records lost by field, such as \"tos 3, sos 1\".")
      .def_readonly("records_short", &FileReport::records_short,
                    "Number of records with fewer samples than due.")
      .def_readonly("records_missing", &FileReport::records_missing,
                    "Number of records without any sample.")
      .def_readonly("unsent", &FileReport::unsent, "What the model did not send, by field.")
      .def("__repr__", [](const FileReport& self) {
        return "<epios.FileReport '" + self.path + "': " + std::to_string(self.records_written) +
               " records, " + std::to_string(self.bytes) + " bytes" +
               (self.error.empty() ? "" : ", " + self.error) + ">";
      });
  py::class_<epios_statistics>(module, "Statistics", "What a context has cost this client so far.")
      .def_readonly("open_s", &epios_statistics::open_s, "Seconds since the definition was closed.")
      .def_readonly("in_library_s", &epios_statistics::in_library_s, "Seconds inside send calls.")
      .def_readonly("blocked_s", &epios_statistics::blocked_s,
                    "Seconds of these spent waiting for room.")
      .def_readonly("sends", &epios_statistics::sends)
      .def_readonly("records_sent", &epios_statistics::records_sent)
      .def_readonly("bytes_sent", &epios_statistics::bytes_sent);
}

void bind_fields(py::module_& module) {
  py::class_<FieldHandle>(module, "Field", field_doc)
      .def_property_readonly("id", [](const FieldHandle& self) { return self.id; })
      .def("send", &send_field, py::arg("data"),
           "Sends the local array for the current date: float64 or float32, halos included as the "
           "data_* attributes\n"
           "of the domain say. Its axes are those of `shape`, the slowest one first; adjacent ones "
           "may be joined, down\n"
           "to one. An array in C order is read where it lies, and only during the call.")
      .def_property_readonly(
          "shape", [](const FieldHandle& self) { return shape_of(self.extents); },
          "The shape of the local array in C order, such as (levels, nj, ni); () if no file needs "
          "the field.")
      .def(
          "is_active", [](const FieldHandle& self, bool now) { return self.value.is_active(now); },
          py::arg("now") = false,
          "Returns True if a file uses the field; with `now`, at the current date.")
      .def("borrow", &borrow, py::arg("dtype") = py::dtype::of<double>(),
           "Returns the array to compute in, of one dimension (see `shape`) and not initialised. "
           "Send it or give it\n"
           "back before anything else is sent; afterwards it is read-only, and views of it must "
           "not be used.")
      .def(
          "give_back",
          [](FieldHandle& self) {
            self.value.give_back();
            end_borrowing(self);
          },
          "Ends the borrowing without a send.")
      .def("__repr__", [](const FieldHandle& self) { return "<epios.Field '" + self.id + "'>"; });
}

// What a context does with data, at each step.
void bind_data(py::class_<ContextHandle, std::shared_ptr<ContextHandle>>& context) {
  using Handle = ContextHandle;
  context.def("field", &field_of, py::arg("id"), "Returns a field for repeated sends.")
      .def("send", &send_by_id, py::arg("field"), py::arg("data"),
           "Sends the local array of a field for the current date (see Field.send).")
      .def("receive", &receive, py::arg("field"), py::arg("out"),
           "Receives a field of a file or of another model for the current date into `out`, an "
           "array of float64 or\n"
           "float32 in C order, whose axes are the slowest first, such as (levels, nj, ni). Waits "
           "for the record.")
      .def(
          "is_active",
          [](const Handle& self, const std::string& field, bool now) {
            return self.value.is_active(field, now);
          },
          py::arg("field"), py::arg("now") = false,
          "Returns True if a file uses the field; with `now`, at the current date.")
      .def_property_readonly("statistics",
                             [](const Handle& self) { return self.value.statistics(); })
      .def_property_readonly(
          "file_reports", [](const Handle& self) { return self.value.file_reports(); },
          "Reports about all files; empty before the context is finalized.");
}

}  // namespace

void bind_contexts(py::module_& module) {
  bind_reports(module);
  bind_fields(module);
  using Handle = ContextHandle;
  py::class_<Handle, std::shared_ptr<Handle>> context(module, "Context", context_doc);
  context.def_property_readonly("id", [](const Handle& self) { return self.id; })
      .def(
          "define", &define, py::arg("tag"), py::arg("id") = "",
          "Opens an element of the definition, adds it if there is none, and sets its attributes:\n"
          "``context.define(\"axis\", \"depth\", n_glo=3, value=[5, 15, 30])``.")
      .def(
          "find",
          [](const std::shared_ptr<Handle>& self, const std::string& tag,
             const std::string& id) -> std::optional<ElementHandle> {
            const auto found = self->value.find(tag, id);
            if (!found) return std::nullopt;
            return ElementHandle{self, *found, tag};
          },
          py::arg("tag"), py::arg("id") = "", "Returns an element, or None.")
      .def(
          "solve_inheritance", [](Handle& self) { self.value.solve_inheritance(); },
          "Resolves inherited attributes now, so that they can be read.")
      .def(
          "variable",
          [](const Handle& self, const std::string& id) { return self.value.variable(id); },
          py::arg("id"), "Returns the text of a variable, or None.")
      .def(
          "set_variable",
          [](Handle& self, const std::string& id, const std::string& text) {
            self.value.set_variable(id, text);
          },
          py::arg("id"), py::arg("text"), "Changes the value of a variable.")
      .def(
          "close_definition", [](Handle& self) { self.value.close_definition(); }, WithoutGil(),
          "Ends the definition: checks it, opens channels and files. Collective over the clients.")
      .def(
          "update_calendar",
          [](Handle& self, std::int64_t step) { self.value.update_calendar(step); }, WithoutGil(),
          py::arg("step"), "Sets the current step: date = start_date + step * timestep.")
      .def_property_readonly(
          "current_date", [](const Handle& self) { return self.value.current_date(); },
          "Date of the current step in the calendar of the context, \"2000-01-31 12:00:00\".")
      .def("finalize", &finalize,
           "Ends the context and finishes its files. Collective over the clients.")
      .def("__enter__", [](const std::shared_ptr<Handle>& self) { return self; })
      .def("__exit__", &leave)
      .def("__repr__", [](const Handle& self) { return "<epios.Context '" + self.id + "'>"; });
  bind_data(context);
}

}  // namespace epios::python
