// Functions that modules xios and epios call besides the C interface, as implemented by the mock.
// Calculations with dates and durations are no calls of the interface and are not recorded.

#include <epios/epios.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "config/error.hpp"
#include "config/value_print.hpp"
#include "fortran/fortran_array.hpp"
#include "fortran/xios_dates.hpp"
#include "handles/c_arguments.hpp"
#include "mock.hpp"

namespace {

using epios::Error;
using epios::ErrorCode;
using epios::client::copy_text;
using epios::client::FortranArray;
using epios::client::target;
using epios::mock::call;
using epios::mock::Context;
using epios::mock::handle_of;
using epios::mock::Mock;
namespace config = epios::config;

Mock& mock() { return Mock::instance(); }
Context& current() { return mock().current_or_throw(); }

std::string trimmed(const char* text, size_t length) {
  while (length > 0 && text[length - 1] == ' ') --length;
  return {text, length};
}

std::string id_of(const epios_element& element) {
  const Context& context = mock().context(element.context);
  return context.definitions.id(context.id, {element.node});
}

epios_element find(const char* tag, const char* id) {
  const bool is_context = std::string_view(tag) == "context";
  Context* const context = is_context ? mock().find_context(id) : mock().current();
  if (context == nullptr) return {nullptr, -1};
  const auto found = context->definitions.find(context->id, tag, is_context ? "" : id);
  return {handle_of(*context), found ? found->node : -1};
}

/// A field as a call names it. Without a context, it belongs to the current context.
struct Named {
  const Context* context = nullptr;
  std::string field;

  const Context& context_or_throw() const { return context == nullptr ? current() : *context; }
};

Named of_current(const char* field, size_t length) {
  return {mock().current(), trimmed(field, length)};
}
Named of_element(const epios_element& element) {
  return {&mock().context(element.context), id_of(element)};
}
Named of_number(const epios_field& field) {
  const Context& context = mock().context(field.context);
  const auto at = static_cast<std::size_t>(field.number);
  if (at < context.fields.size()) return {&context, context.fields[at]};
  throw Error(ErrorCode::argument, fmt::format("{} is not the number of a field", field.number));
}

/// Calls `next(named())`. A name of nothing is an error of the call.
template <class Name, class Next>
int with_field(const Name& named, const Next& next) {
  Named found;
  const int code = epios::client::guarded([&] { found = named(); });
  return code == EPIOS_SUCCESS ? next(found) : code;
}

int send(const char* name, const Named& named, const CFI_cdesc_t& data, const int* tile) {
  const FortranArray array(data);
  int code = EPIOS_SUCCESS;
  array.with_values([&]<class T>(std::span<T> values) {
    const std::span<const T> sent = values;
    const auto keep = [&] {
      named.context_or_throw().check_running("a field sent");
      mock().keep_sent(named.field, sent);
    };
    code = tile == nullptr ? call(name, keep, named.field.c_str(), sent)
                           : call(name, keep, named.field.c_str(), sent, *tile);
  });
  return code;
}

int receive(const char* name, const Named& named, const CFI_cdesc_t& data) {
  const FortranArray array(data);
  int code = EPIOS_SUCCESS;
  array.with_values([&](auto values) {
    code = call(
        name,
        [&] {
          named.context_or_throw().check_running("a field received");
          mock().receive(named.field, values);
        },
        named.field.c_str());
  });
  if (code == EPIOS_SUCCESS) array.put_back();
  return code;
}

template <class T>
T known(const std::optional<T>& value, const char* id, std::string_view type) {
  if (value) return *value;
  throw Error(ErrorCode::argument, fmt::format("variable '{}' is not {}", id, type));
}

std::string variable_or_throw(const char* id) {
  if (auto value = current().definitions.variable(current().id, id)) return *value;
  throw Error(ErrorCode::argument, fmt::format("variable '{}' does not exist", id));
}

[[noreturn]] void fail() {
  std::fprintf(stderr, "epios: error: %s\n", epios_last_error());
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

}  // namespace

config::Definitions::ContextCalendar epios::client::xios_calendar() {
  return current().definitions.calendar(current().id);
}

extern "C" {

int epios_xios_initialize(const char* code_id, const int* /*local_comm*/, int* return_comm,
                          const int* /*job_comm*/) {
  return call(
      "xios_initialize",
      [&] {
        mock().open_session("", MPI_COMM_WORLD, 1);
        if (return_comm != nullptr) *return_comm = MPI_Comm_c2f(mock().comm());
      },
      code_id);
}
int epios_xios_init_server() {
  return call("xios_init_server", [] {});
}
int epios_xios_finalize() {
  return call("xios_finalize", [] { mock().close_session(); });
}
int epios_xios_context_initialize(const char* id, int /*comm*/) {
  return call(
      "xios_context_initialize", [&] { mock().set_current(&mock().open_context(id)); }, id);
}
int epios_xios_context_is_initialized(const char* id, int* is) {
  return call(
      "xios_context_is_initialized", [&] { *is = mock().find_context(id) != nullptr ? 1 : 0; }, id);
}
int epios_xios_set_current_context(const char* id) {
  return call(
      "xios_set_current_context",
      [&] {
        Context* const context = mock().find_context(id);
        if (context == nullptr) {
          throw Error(ErrorCode::call_order,
                      fmt::format("context '{}' cannot be the current one (it is not open). Call "
                                  "xios_context_initialize first?",
                                  id));
        }
        mock().set_current(context);
      },
      id);
}
int epios_xios_set_current_context_handle(epios_element element) {
  return call(
      "xios_set_current_context", [&] { mock().set_current(&mock().context(element.context)); },
      element.context);
}
int epios_xios_current_context(epios_element* element) {
  return call("xios_get_current_context", [&] {
    *element = {handle_of(current()), current().definitions.at(current().id, "context", "").node};
  });
}
int epios_xios_current_context_id(char* text, size_t capacity) {
  return call("xios_get_current_context", [&] { copy_text(current().id, text, capacity); });
}
int epios_xios_at(const char* tag, const char* id, epios_element* element) {
  return call(
      "xios_get_handle",
      [&] {
        *element = find(tag, id);
        if (element->node < 0) static_cast<void>(current().definitions.at(current().id, tag, id));
      },
      tag, id);
}
/// Convert between the handles of a model and elements; not recorded.
int epios_xios_element(intptr_t number, epios_element* element) {
  return epios::client::guarded([&] { *element = mock().numbers().element_of(number); });
}
int epios_xios_handle(epios_element element, intptr_t* number) {
  return epios::client::guarded([&] { *number = mock().numbers().number_of(element); });
}
int epios_xios_has(const char* tag, const char* id, int* found) {
  return call(
      "xios_is_valid",
      [&] {
        *found = find(tag, id).node >= 0 ? 1 : 0;
        if (*found != 0 || mock().current() != nullptr) return;
        for (const std::string& context : mock().definitions().contexts()) {
          if (std::string_view(tag) == "context"
                  ? context == id
                  : mock().definitions().find(context, tag, id).has_value()) {
            *found = 1;
          }
        }
      },
      tag, id);
}
/// Checks the shape before the accessors read an array; not recorded.
int epios_xios_check_shape(epios_element element, const char* attribute, int rank,
                           const int64_t* shape) {
  return epios::client::guarded([&] {
    const Context& context = mock().context(element.context);
    const auto value = context.definitions.get(context.id, {element.node}, attribute);
    if (!value) return;  // the accessor reports it
    const std::vector<int64_t> given(shape, shape + rank);
    std::vector<int64_t> wanted;
    std::visit(
        [&](const auto& array) {
          if constexpr (requires { array.shape; }) wanted = array.shape;
        },
        *value);
    if (given == wanted) return;
    throw Error(ErrorCode::argument,
                fmt::format("attribute '{}' has the shape ({}), the array given ({})", attribute,
                            fmt::join(wanted, ", "), fmt::join(given, ", ")));
  });
}
int epios_xios_solve_inheritance() {
  return call("xios_solve_inheritance",
              [] { current().changeable().solve_inheritance(current().id); });
}
int epios_xios_close_definition() {
  return call("xios_close_context_definition", [] { current().close_definition(); });
}
int epios_xios_context_finalize() {
  return call("xios_context_finalize", [] {
    current().finalize();
    mock().set_current(nullptr);
  });
}
int epios_xios_update_calendar(int64_t step) {
  return call(
      "xios_update_calendar", [&] { current().update_calendar(step); }, step);
}
int epios_xios_current_date(int* date) {
  return call("xios_get_current_date", [&] { epios::client::put_date(current().date(), date); });
}
int epios_xios_send(const char* field, size_t length, const CFI_cdesc_t* data, const int* tile) {
  return send("xios_send_field", of_current(field, length), *data, tile);
}
int epios_xios_send_element(epios_element field, const CFI_cdesc_t* data, const int* tile) {
  return with_field(
      [&] { return of_element(field); },
      [&](const Named& named) { return send("xios_send_field", named, *data, tile); });
}
int epios_xios_receive(const char* field, size_t length, const CFI_cdesc_t* data) {
  return receive("xios_recv_field", of_current(field, length), *data);
}
int epios_xios_receive_element(epios_element field, const CFI_cdesc_t* data) {
  return with_field([&] { return of_element(field); },
                    [&](const Named& named) { return receive("xios_recv_field", named, *data); });
}
int epios_xios_field_is_active(const char* field, size_t length, int now, int* active) {
  const std::string id = trimmed(field, length);
  return call(
      "xios_field_is_active",
      [&] { *active = mock().current() != nullptr && mock().is_active(id) ? 1 : 0; }, id.c_str(),
      now);
}
int epios_xios_field_is_active_element(epios_element field, int now, int* active) {
  return with_field([&] { return of_element(field); },
                    [&](const Named& named) {
                      return call(
                          "xios_field_is_active",
                          [&] { *active = mock().is_active(named.field) ? 1 : 0; },
                          named.field.c_str(), now);
                    });
}
int epios_xios_variable_length(const char* id, int64_t* length) {
  return call(
      "xios_getVar",
      [&] {
        const auto value = current().definitions.variable(current().id, id);
        *length = value ? static_cast<int64_t>(value->size()) : -1;
      },
      id);
}
int epios_xios_get_variable(const char* id, char* text, size_t capacity) {
  return epios::client::guarded([&] { copy_text(variable_or_throw(id), text, capacity); });
}
int epios_xios_get_variable_bool(const char* id, int* value) {
  return epios::client::guarded([&] {
    *value = known(config::read_boolean(variable_or_throw(id)), id, "a boolean") ? 1 : 0;
  });
}
int epios_xios_get_variable_int(const char* id, int64_t* value) {
  return epios::client::guarded(
      [&] { *value = known(config::read_integer(variable_or_throw(id)), id, "an integer"); });
}
int epios_xios_get_variable_double(const char* id, double* value) {
  return epios::client::guarded(
      [&] { *value = known(config::read_real(variable_or_throw(id)), id, "a real"); });
}
int epios_xios_set_variable(const char* id, const char* text) {
  return call(
      "xios_setVar", [&] { current().definitions.set_variable(current().id, id, text); }, id, text);
}
int epios_xios_timer(const char* name, int action, double* seconds) {
  return call(
      "xios_timer", [&] { *seconds = 0; }, name, action);
}
int epios_xios_memory(double* mb) {
  return call("xios_mem_checker_get", [&] { *mb = 0; });
}
int epios_xios_log_memory(const char* place, int /*finalize*/) {
  return call(
      "xios_mem_checker_log", [] {}, place);
}
void epios_xios_fail() { fail(); }

int epios_fortran_session_open(const char* code_id, const char* iodef, int clients,
                               int /*host_server*/, const int* comm, epios_session** out) {
  epios_session_options options = EPIOS_SESSION_OPTIONS_INIT;
  if (*iodef != '\0') options.iodef = iodef;
  options.clients = clients;
  if (comm != nullptr) options.comm = MPI_Comm_f2c(*comm);
  return epios_session_open(code_id, &options, out);
}
int epios_fortran_session_comm(epios_session* session, int* comm) {
  MPI_Comm component = MPI_COMM_NULL;
  const int code = epios_session_comm(session, &component);
  *comm = MPI_Comm_c2f(component);
  return code;
}
int epios_fortran_serve(const int* /*comm*/) { return epios_serve(MPI_COMM_WORLD); }
int epios_fortran_context_open(epios_client* client, const char* id, const int* /*comm*/,
                               epios_context** out) {
  return epios_context_open(client, id, out);
}
int epios_fortran_send(epios_context* context, const char* field, size_t length,
                       const CFI_cdesc_t* data, const int* tile) {
  return with_field(
      [&] {
        return Named{&mock().context(context), trimmed(field, length)};
      },
      [&](const Named& named) { return send("epios_send", named, *data, tile); });
}
int epios_fortran_send_field(epios_field field, const CFI_cdesc_t* data, const int* tile) {
  return with_field(
      [&] { return of_number(field); },
      [&](const Named& named) { return send("epios_field_send", named, *data, tile); });
}
int epios_fortran_receive(epios_context* context, const char* field, size_t length,
                          const CFI_cdesc_t* data) {
  return with_field(
      [&] {
        return Named{&mock().context(context), trimmed(field, length)};
      },
      [&](const Named& named) { return receive("epios_recv", named, *data); });
}
int epios_fortran_receive_field(epios_read_field field, const CFI_cdesc_t* data) {
  return with_field(
      [&] {
        return of_number({field.context, field.number});
      },
      [&](const Named& named) { return receive("epios_field_recv", named, *data); });
}
size_t epios_fortran_length(const char* text) { return std::strlen(text); }
void epios_fortran_fail(epios_client* /*client*/) { fail(); }
/// Threads as ranks need the endpoints library, which a mock does not have.
int epios_client_comm(epios_client* /*client*/, void** /*out*/) {
  return call("epios_client_comm", [] {
    throw Error(ErrorCode::call_order,
                "the mock has no communicator of clients (it knows no endpoints). Test what needs "
                "one in a run?");
  });
}

}  // extern "C"
