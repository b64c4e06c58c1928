// <epios/epios.h> as implemented by libepios_mock.

#include <epios/epios.h>

#include <algorithm>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "handles/c_arguments.hpp"
#include "mock.hpp"

namespace {

using epios::Error;
using epios::ErrorCode;
using epios::client::array_of;
using epios::client::copy_text;
using epios::client::kind_of;
using epios::client::target;
using epios::client::text_of;
using epios::mock::call;
using epios::mock::Context;
using epios::mock::find_field;
using epios::mock::handle_of;
using epios::mock::Mock;
using epios::mock::values_of;
using epios::mock::volume;
namespace config = epios::config;

Mock& mock() { return Mock::instance(); }

// Handles of the one session and its clients.
char the_session = 0;  // NOLINT(*-avoid-non-const-global-variables): only its address is used
char the_client = 0;   // NOLINT(*-avoid-non-const-global-variables)

void check_session() {
  if (mock().has_session()) return;
  throw Error(ErrorCode::argument,
              "not a handle of an open session (null, closed, or of another kind). Is it what "
              "epios_session_open returned?");
}

std::string field_of(const epios_field& field) {
  const Context& context = mock().context(field.context);
  const auto at = static_cast<std::size_t>(field.number);
  if (at < context.fields.size()) return context.fields[at];
  throw Error(ErrorCode::argument, fmt::format("{} is not the number of a field", field.number));
}

template <class T>
int send(const char* name, epios_context* context, const char* field, const T* data,
         std::int64_t count) {
  return call(
      name,
      [&] {
        mock().context(context).check_running("a field sent");
        mock().keep_sent(text_of(field, "field"), values_of(data, count));
      },
      context, field, values_of(data, count));
}

template <class T>
int send(const char* name, const epios_field& field, const T* data, std::int64_t count) {
  return call(
      name,
      [&] {
        mock().context(field.context).check_running("a field sent");
        mock().keep_sent(field_of(field), values_of(data, count));
      },
      field, values_of(data, count));
}

template <class T>
int send_tile(const char* name, const epios_field& field, int tile, const T* data,
              std::int64_t count) {
  return call(
      name,
      [&] {
        mock().context(field.context).check_running("a tile sent");
        mock().keep_sent(field_of(field), values_of(data, count));
      },
      field, tile, values_of(data, count));
}

template <class T>
int receive(const char* name, epios_context* context, const char* field, T* data,
            std::int64_t count) {
  return call(
      name,
      [&] {
        mock().context(context).check_running("a field received");
        mock().receive(text_of(field, "field"), std::span<T>(data, static_cast<size_t>(count)));
      },
      context, field, count);
}

template <class T>
int receive(const char* name, const epios_field& field, T* data, std::int64_t count) {
  return call(
      name,
      [&] {
        mock().context(field.context).check_running("a field received");
        mock().receive(field_of(field), std::span<T>(data, static_cast<size_t>(count)));
      },
      field, count);
}

template <class T>
int lend(const char* name, epios_field field, T** data, int64_t* count) {
  return call(
      name,
      [&] {
        throw Error(ErrorCode::call_order,
                    "the mock lends no memory (it knows no layout). Send an array?");
      },
      field);
  static_cast<void>(data);
  static_cast<void>(count);
}

}  // namespace

extern "C" {

const char* epios_last_error(void) { return epios::client::last_error(); }

void epios_set_last_error(const char* text) {
  static_cast<void>(epios::client::failed(epios::ErrorCode::internal, text == nullptr ? "" : text));
}
const char* epios_version(void) { return EPIOS_VERSION; }
int epios_api_version(void) { return EPIOS_API_VERSION; }

int epios_session_open(const char* code_id, const epios_session_options* options,
                       epios_session** out) {
  return call(
      "epios_session_open",
      [&] {
        const epios_session_options standard = EPIOS_SESSION_OPTIONS_INIT;
        const epios_session_options& its = options == nullptr ? standard : *options;
        mock().open_session(its.iodef == nullptr ? "" : its.iodef, its.comm, its.clients);
        target(out, "out") = reinterpret_cast<epios_session*>(&the_session);
      },
      code_id);
}
int epios_session_serve(epios_session* /*session*/) {
  return call("epios_session_serve", check_session);
}
int epios_serve(MPI_Comm /*comm*/) {
  return call("epios_serve", [] {});
}
int epios_session_close(epios_session* /*session*/) {
  return call("epios_session_close", [] {
    check_session();
    mock().close_session();
  });
}
int epios_session_abandon(epios_session* /*session*/) {
  return call("epios_session_abandon", [] { mock().close_session(); });
}
int epios_session_comm(epios_session* /*session*/, MPI_Comm* out) {
  return call("epios_session_comm", [&] { target(out, "out") = mock().comm(); });
}
int epios_session_open_clients(const epios_session* /*session*/, int* clients) {
  return call("epios_session_open_clients", [&] { target(clients, "clients") = 0; });
}

int epios_client_open(epios_session* /*session*/, int index, epios_client** out) {
  return call(
      "epios_client_open",
      [&] {
        check_session();
        target(out, "out") = reinterpret_cast<epios_client*>(&the_client);
      },
      index);
}
int epios_client_close(epios_client* /*client*/) {
  return call("epios_client_close", [] {});
}
int epios_client_abandon(epios_client* /*client*/) {
  return call("epios_client_abandon", [] {});
}
int epios_client_rank(const epios_client* /*client*/, int* rank) {
  return call("epios_client_rank", [&] { target(rank, "rank") = 0; });
}
int epios_client_size(const epios_client* /*client*/, int* size) {
  return call("epios_client_size", [&] { target(size, "size") = 1; });
}
int epios_client_servers(const epios_client* /*client*/, int* servers, int* attached) {
  return call("epios_client_servers", [&] {
    target(servers, "servers") = 1;
    target(attached, "attached") = 1;
  });
}
int epios_client_help_at_barrier(epios_client* /*client*/, int threads) {
  const int code = call(
      "epios_client_help_at_barrier",
      [&] {
        if (threads >= 1) return;
        throw Error(
            ErrorCode::argument,
            fmt::format("{} threads help at the barrier (at least 1, the caller). Is it the "
                        "number of threads that call?",
                        threads));
      },
      threads);
  // Other threads must be able to call meanwhile.
  if (code == EPIOS_SUCCESS) mock().meet(threads);
  return code;
}

int epios_context_open(epios_client* /*client*/, const char* id, epios_context** out) {
  return call(
      "epios_context_open",
      [&] { target(out, "out") = handle_of(mock().open_context(text_of(id, "id"))); }, id);
}
int epios_context_open_on(epios_client* /*client*/, const char* id, MPI_Comm /*comm*/,
                          epios_context** out) {
  return call(
      "epios_context_open_on",
      [&] { target(out, "out") = handle_of(mock().open_context(text_of(id, "id"))); }, id);
}
int epios_context_open_among(epios_client* /*client*/, const char* id, const int* ranks, int count,
                             epios_context** out) {
  return call(
      "epios_context_open_among",
      [&] { target(out, "out") = handle_of(mock().open_context(text_of(id, "id"))); }, id,
      std::span<const int>(ranks, static_cast<size_t>(count)));
}

int epios_add(epios_context* context, const char* element, const char* id,
              const char* parent_element, const char* parent_id) {
  return call(
      "epios_add",
      [&] {
        Context& its = mock().context(context);
        const std::string parent = text_of(parent_element, "parent_element");
        const config::ElementKind kind = kind_of(element);
        its.changeable().add(its.id, kind, text_of(id, "id"),
                             parent.empty() ? kind : kind_of(parent.c_str()),
                             text_of(parent_id, "parent_id"), "the model");
      },
      context, element, id, parent_element, parent_id);
}

#define EPIOS_MOCK_SET(name, parameters, value, ...)                                           \
  int name(epios_context* context, const char* element, const char* id, const char* attribute, \
           parameters) {                                                                       \
    return call(                                                                               \
        #name,                                                                                 \
        [&] {                                                                                  \
          Context& its = mock().context(context);                                              \
          its.changeable().set(its.id, kind_of(element), text_of(id, "id"),                    \
                               text_of(attribute, "attribute"), value, "the model");           \
        },                                                                                     \
        context, element, id, attribute, __VA_ARGS__);                                         \
  }
EPIOS_MOCK_SET(epios_set_bool, int value, value != 0, value)
EPIOS_MOCK_SET(epios_set_int, int64_t value, value, value)
EPIOS_MOCK_SET(epios_set_double, double value, value, value)

int epios_set_text(epios_context* context, const char* element, const char* id,
                   const char* attribute, const char* text) {
  return call(
      "epios_set_text",
      [&] {
        Context& its = mock().context(context);
        its.changeable().set_text(its.id, kind_of(element), text_of(id, "id"),
                                  text_of(attribute, "attribute"), text_of(text, "text"),
                                  "the model");
      },
      context, element, id, attribute, text);
}

}  // extern "C"

namespace {

template <class T>
int set_array(const char* name, epios_context* context, const char* element, const char* id,
              const char* attribute, const T* values, int rank, const int64_t* shape) {
  return call(
      name,
      [&] {
        Context& its = mock().context(context);
        its.changeable().set(its.id, kind_of(element), text_of(id, "id"),
                             text_of(attribute, "attribute"), array_of(values, rank, shape),
                             "the model");
      },
      context, element, id, attribute, values_of(values, volume(rank, shape)));
}

}  // namespace

extern "C" {

int epios_set_bools(epios_context* context, const char* element, const char* id,
                    const char* attribute, const unsigned char* values, int rank,
                    const int64_t* shape) {
  return set_array("epios_set_bools", context, element, id, attribute, values, rank, shape);
}
int epios_set_ints(epios_context* context, const char* element, const char* id,
                   const char* attribute, const int64_t* values, int rank, const int64_t* shape) {
  return set_array("epios_set_ints", context, element, id, attribute, values, rank, shape);
}
int epios_set_doubles(epios_context* context, const char* element, const char* id,
                      const char* attribute, const double* values, int rank, const int64_t* shape) {
  return set_array("epios_set_doubles", context, element, id, attribute, values, rank, shape);
}

int epios_close_definition(epios_context* context) {
  return call(
      "epios_close_definition", [&] { mock().context(context).close_definition(); }, context);
}
int epios_update_calendar(epios_context* context, int64_t step) {
  return call(
      "epios_update_calendar", [&] { mock().context(context).update_calendar(step); }, context,
      step);
}
int epios_current_date(epios_context* context, char* text, size_t capacity) {
  return call(
      "epios_current_date", [&] { copy_text(mock().context(context).date_text(), text, capacity); },
      context);
}

int epios_send_double(epios_context* context, const char* field, const double* data,
                      int64_t count) {
  return send("epios_send_double", context, field, data, count);
}
int epios_send_float(epios_context* context, const char* field, const float* data, int64_t count) {
  return send("epios_send_float", context, field, data, count);
}
int epios_recv_double(epios_context* context, const char* field, double* data, int64_t count) {
  return receive("epios_recv_double", context, field, data, count);
}
int epios_recv_float(epios_context* context, const char* field, float* data, int64_t count) {
  return receive("epios_recv_float", context, field, data, count);
}
int epios_find_field(epios_context* context, const char* id, epios_field* out) {
  return find_field("epios_find_field", context, id, out);
}
int epios_find_read_field(epios_context* context, const char* id, epios_read_field* out) {
  return find_field("epios_find_read_field", context, id, out);
}
int epios_field_recv_double(epios_read_field field, double* data, int64_t count) {
  return receive("epios_field_recv_double", epios_field{field.context, field.number}, data, count);
}
int epios_field_recv_float(epios_read_field field, float* data, int64_t count) {
  return receive("epios_field_recv_float", epios_field{field.context, field.number}, data, count);
}
int epios_field_send_double(epios_field field, const double* data, int64_t count) {
  return send("epios_field_send_double", field, data, count);
}
int epios_field_send_float(epios_field field, const float* data, int64_t count) {
  return send("epios_field_send_float", field, data, count);
}
int epios_field_send_tile_double(epios_field field, int tile, const double* data, int64_t count) {
  return send_tile("epios_field_send_tile_double", field, tile, data, count);
}
int epios_field_send_tile_float(epios_field field, int tile, const float* data, int64_t count) {
  return send_tile("epios_field_send_tile_float", field, tile, data, count);
}
int epios_field_extents(epios_field field, int* rank, int64_t* /*extents*/, int capacity) {
  return call(
      "epios_field_extents", [&] { target(rank, "rank") = 0; }, field, capacity);
}
int epios_read_field_extents(epios_read_field field, int* rank, int64_t* /*extents*/,
                             int capacity) {
  return call(
      "epios_read_field_extents", [&] { target(rank, "rank") = 0; },
      epios_field{field.context, field.number}, capacity);
}
int epios_field_ask_active(epios_field field, int now, int* active) {
  return call(
      "epios_field_ask_active",
      [&] { target(active, "active") = mock().is_active(field_of(field)) ? 1 : 0; }, field, now);
}
int epios_field_is_active(epios_context* context, const char* field, int now, int* active) {
  return call(
      "epios_field_is_active",
      [&] { target(active, "active") = mock().is_active(text_of(field, "field")) ? 1 : 0; },
      context, field, now);
}
int epios_field_borrow_double(epios_field field, double** data, int64_t* count) {
  return lend("epios_field_borrow_double", field, data, count);
}
int epios_field_borrow_float(epios_field field, float** data, int64_t* count) {
  return lend("epios_field_borrow_float", field, data, count);
}
int epios_field_give_back(epios_field field) {
  return call(
      "epios_field_give_back",
      [&] { throw Error(ErrorCode::call_order, "the field is not borrowed. Send it?"); }, field);
}
int epios_get_statistics(epios_context* context, epios_statistics* out) {
  return call(
      "epios_get_statistics", [&] { target(out, "out") = {}; }, context);
}
int epios_context_finalize(epios_context* context) {
  return call(
      "epios_context_finalize",
      [&] {
        Context& its = mock().context(context);
        its.finalize();
        if (mock().current() == &its) mock().set_current(nullptr);
      },
      context);
}
int epios_count_file_reports(epios_context* context, int* count) {
  return call(
      "epios_count_file_reports",
      [&] {
        mock().context(context);
        target(count, "count") = 0;
      },
      context);
}
int epios_get_file_report(epios_context* context, int index, epios_file_report* /*out*/) {
  return call(
      "epios_get_file_report",
      [&] {
        throw Error(ErrorCode::argument,
                    fmt::format("file report {} does not exist (a mock writes no files)", index));
      },
      context, index);
}

}  // extern "C"
