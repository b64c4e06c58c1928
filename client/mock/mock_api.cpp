// <epios/epios.h> and <epios/definition.h>, as libepios_mock has them.

#include <epios/epios.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "c_arguments.hpp"
#include "config/error.hpp"
#include "config/value_print.hpp"
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
using epios::mock::handle_of;
using epios::mock::Mock;
namespace config = epios::config;

Mock& mock() { return Mock::instance(); }

// Handles that stand for the one session and its clients.
char the_session = 0;  // NOLINT(*-avoid-non-const-global-variables): only its address is used
char the_client = 0;   // NOLINT(*-avoid-non-const-global-variables)

void check_session() {
  if (mock().has_session()) return;
  throw Error(ErrorCode::argument,
              "not a handle of an open session (null, closed, or of another kind). Is it what "
              "epios_session_open returned?");
}

template <class T>
std::span<const T> values_of(const T* data, std::int64_t count) {
  if (count > 0) epios::client::check_input(data, "data");
  return {data, static_cast<std::size_t>(std::max<std::int64_t>(count, 0))};
}

std::int64_t volume(int rank, const std::int64_t* shape) {
  std::int64_t out = 1;
  for (int d = 0; d < rank; ++d) out *= shape[d];
  return out;
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

template <class Value>
void set(Context& context, config::ElementHandle element, const char* attribute, Value value) {
  context.changeable().set(context.id, element, text_of(attribute, "attribute"), std::move(value),
                           "the model");
}

template <class Value, class... Arguments>
int set_element(const char* name, const epios_element& element, const char* attribute,
                const Value& value, const Arguments&... arguments) {
  return call(
      name, [&] { set(mock().context(element.context), {element.node}, attribute, value()); },
      element, attribute, arguments...);
}

config::Value value_of(const epios_element& element, const char* attribute) {
  const Context& context = mock().context(element.context);
  if (auto value = context.definitions.get(context.id, config::ElementHandle{element.node},
                                           text_of(attribute, "attribute"))) {
    return std::move(*value);
  }
  throw Error(ErrorCode::argument,
              fmt::format("attribute '{}' of {} has no value. Ask epios_element_is_defined first?",
                          attribute, epios::mock::shown(element)));
}

template <class T>
T typed_value(const epios_element& element, const char* attribute) {
  config::Value value = value_of(element, attribute);
  if constexpr (std::is_same_v<T, double>) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      return static_cast<double>(*integer);
    }
  }
  if (T* typed = std::get_if<T>(&value)) return std::move(*typed);
  throw Error(ErrorCode::argument,
              fmt::format("attribute '{}' is of another type. Read it as text?", attribute));
}

template <class T>
int get_array(const char* name, const epios_element& element, const char* attribute, T* values,
              std::int64_t capacity) {
  return call(
      name,
      [&] {
        const auto array = typed_value<config::Array<T>>(element, attribute);
        if (static_cast<std::int64_t>(array.values.size()) > capacity) {
          throw Error(ErrorCode::argument, fmt::format("attribute '{}' has {} values (room for {})",
                                                       attribute, array.values.size(), capacity));
        }
        std::copy(array.values.begin(), array.values.end(), values);
      },
      element, attribute);
}

std::string variable_or_throw(epios_context* context, const char* id) {
  const Context& its = mock().context(context);
  if (auto value = its.definitions.variable(its.id, text_of(id, "id"))) return std::move(*value);
  throw Error(ErrorCode::argument, fmt::format("variable '{}' does not exist", id));
}

template <class T>
T read_variable(epios_context* context, const char* id,
                std::optional<T> (*read)(std::string_view)) {
  const std::string text = variable_or_throw(context, id);
  if (const auto value = read(text)) return *value;
  throw Error(ErrorCode::argument,
              fmt::format("variable '{}' is '{}'. Read it as text?", id, text));
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
  return call(
      "epios_find_field",
      [&] {
        Context& its = mock().context(context);
        its.check_running("a field looked for");
        static_cast<void>(its.definitions.at(its.id, "field", text_of(id, "id")));
        target(out, "out") = {context, static_cast<int32_t>(its.fields.size())};
        its.fields.emplace_back(id);
      },
      context, id);
}
int epios_find_read_field(epios_context* context, const char* id, epios_read_field* out) {
  return call(
      "epios_find_read_field",
      [&] {
        Context& its = mock().context(context);
        its.check_running("a field looked for");
        static_cast<void>(its.definitions.at(its.id, "field", text_of(id, "id")));
        target(out, "out") = {context, static_cast<int32_t>(its.fields.size())};
        its.fields.emplace_back(id);
      },
      context, id);
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
int epios_get_file_report(epios_context* context, int index, epios_file_report* /*out*/) {
  return call(
      "epios_get_file_report",
      [&] {
        throw Error(ErrorCode::argument,
                    fmt::format("file report {} does not exist (a mock writes no files)", index));
      },
      context, index);
}

int epios_find(epios_context* context, const char* tag, const char* id, epios_element* out) {
  return call(
      "epios_find",
      [&] {
        target(out, "out") = {context, -1};
        const Context& its = mock().context(context);
        const auto found =
            its.definitions.find(its.id, text_of(tag, "tag"), id == nullptr ? "" : id);
        if (found) out->node = found->node;
      },
      context, tag, id);
}
int epios_at(epios_context* context, const char* tag, const char* id, epios_element* out) {
  return call(
      "epios_at",
      [&] {
        target(out, "out") = {context, -1};
        const Context& its = mock().context(context);
        out->node = its.definitions.at(its.id, text_of(tag, "tag"), id == nullptr ? "" : id).node;
      },
      context, tag, id);
}
int epios_child(epios_element parent, const char* tag, const char* id, epios_element* out) {
  return call(
      "epios_child",
      [&] {
        target(out, "out") = {parent.context, -1};
        Context& its = mock().context(parent.context);
        out->node = its.changeable()
                        .add_child(its.id, {parent.node}, text_of(tag, "tag"),
                                   id == nullptr ? "" : id, "the model")
                        .node;
      },
      parent, tag, id);
}
int epios_grid_element(epios_element field, const char* tag, int index, epios_element* out) {
  return call(
      "epios_grid_element",
      [&] {
        target(out, "out") = {field.context, -1};
        const Context& its = mock().context(field.context);
        const auto elements = its.definitions.grid_elements(its.id, {field.node}, kind_of(tag));
        if (index < 0 || static_cast<size_t>(index) >= elements.size()) {
          throw Error(ErrorCode::argument,
                      fmt::format("{} {} of the grid does not exist (it has {})", tag, index,
                                  elements.size()));
        }
        out->node = elements[static_cast<size_t>(index)].node;
      },
      field, tag, index);
}
int epios_element_id(epios_element element, char* text, size_t capacity) {
  return call(
      "epios_element_id",
      [&] {
        const Context& its = mock().context(element.context);
        copy_text(its.definitions.id(its.id, {element.node}), text, capacity);
      },
      element);
}

int epios_element_set_text(epios_element element, const char* attribute, const char* text) {
  return call(
      "epios_element_set_text",
      [&] {
        Context& its = mock().context(element.context);
        its.changeable().set_text(its.id, config::ElementHandle{element.node},
                                  text_of(attribute, "attribute"), text_of(text, "text"),
                                  "the model");
      },
      element, attribute, text);
}
int epios_element_set_bool(epios_element element, const char* attribute, int value) {
  return set_element(
      "epios_element_set_bool", element, attribute, [&] { return value != 0; }, value);
}
int epios_element_set_int(epios_element element, const char* attribute, int64_t value) {
  return set_element(
      "epios_element_set_int", element, attribute, [&] { return value; }, value);
}
int epios_element_set_double(epios_element element, const char* attribute, double value) {
  return set_element(
      "epios_element_set_double", element, attribute, [&] { return value; }, value);
}
int epios_element_set_bools(epios_element element, const char* attribute,
                            const unsigned char* values, int rank, const int64_t* shape) {
  return set_element(
      "epios_element_set_bools", element, attribute, [&] { return array_of(values, rank, shape); },
      values_of(values, volume(rank, shape)));
}
int epios_element_set_ints(epios_element element, const char* attribute, const int64_t* values,
                           int rank, const int64_t* shape) {
  return set_element(
      "epios_element_set_ints", element, attribute, [&] { return array_of(values, rank, shape); },
      values_of(values, volume(rank, shape)));
}
int epios_element_set_doubles(epios_element element, const char* attribute, const double* values,
                              int rank, const int64_t* shape) {
  return set_element(
      "epios_element_set_doubles", element, attribute,
      [&] { return array_of(values, rank, shape); }, values_of(values, volume(rank, shape)));
}
int epios_element_set_texts(epios_element element, const char* attribute, const char* const* values,
                            int64_t count) {
  std::vector<std::string> texts;
  for (int64_t i = 0; i < count; ++i) texts.emplace_back(values[i] == nullptr ? "" : values[i]);
  return set_element(
      "epios_element_set_texts", element, attribute, [&] { return array_of(values, count); },
      std::span<const std::string>(texts));
}

int epios_solve_inheritance(epios_context* context) {
  return call(
      "epios_solve_inheritance",
      [&] {
        Context& its = mock().context(context);
        its.changeable().solve_inheritance(its.id);
      },
      context);
}
int epios_element_is_defined(epios_element element, const char* attribute, int* defined) {
  return call(
      "epios_element_is_defined",
      [&] {
        const Context& its = mock().context(element.context);
        target(defined, "defined") =
            its.definitions.get(its.id, config::ElementHandle{element.node}, attribute) ? 1 : 0;
      },
      element, attribute);
}
int epios_element_shape(epios_element element, const char* attribute, int* rank, int64_t shape[7]) {
  return call(
      "epios_element_shape",
      [&] {
        target(rank, "rank") = 0;
        std::visit(
            [&](const auto& value) {
              if constexpr (requires { value.shape; }) {
                std::copy(value.shape.begin(), value.shape.end(), shape);
                *rank = static_cast<int>(value.shape.size());
              }
            },
            value_of(element, attribute));
      },
      element, attribute);
}
int epios_element_text_length(epios_element element, const char* attribute, int64_t* length) {
  return call(
      "epios_element_text_length",
      [&] {
        target(length, "length") =
            static_cast<int64_t>(config::printed(value_of(element, attribute)).size());
      },
      element, attribute);
}
int epios_element_get_text(epios_element element, const char* attribute, char* text,
                           size_t capacity) {
  return call(
      "epios_element_get_text",
      [&] { copy_text(config::printed(value_of(element, attribute)), text, capacity); }, element,
      attribute);
}
int epios_element_get_item(epios_element element, const char* attribute, int64_t item, char* text,
                           size_t capacity) {
  return call(
      "epios_element_get_item",
      [&] {
        const auto array = typed_value<config::value::strings>(element, attribute);
        copy_text(array.values.at(static_cast<size_t>(item)), text, capacity);
      },
      element, attribute, item);
}
int epios_element_get_bool(epios_element element, const char* attribute, int* value) {
  return call(
      "epios_element_get_bool",
      [&] { target(value, "value") = typed_value<bool>(element, attribute) ? 1 : 0; }, element,
      attribute);
}
int epios_element_get_int(epios_element element, const char* attribute, int64_t* value) {
  return call(
      "epios_element_get_int",
      [&] { target(value, "value") = typed_value<std::int64_t>(element, attribute); }, element,
      attribute);
}
int epios_element_get_double(epios_element element, const char* attribute, double* value) {
  return call(
      "epios_element_get_double",
      [&] { target(value, "value") = typed_value<double>(element, attribute); }, element,
      attribute);
}
int epios_element_get_bools(epios_element element, const char* attribute, unsigned char* values,
                            int64_t capacity) {
  return get_array("epios_element_get_bools", element, attribute, values, capacity);
}
int epios_element_get_ints(epios_element element, const char* attribute, int64_t* values,
                           int64_t capacity) {
  return get_array("epios_element_get_ints", element, attribute, values, capacity);
}
int epios_element_get_doubles(epios_element element, const char* attribute, double* values,
                              int64_t capacity) {
  return get_array("epios_element_get_doubles", element, attribute, values, capacity);
}

int epios_variable_length(epios_context* context, const char* id, int64_t* length) {
  return call(
      "epios_variable_length",
      [&] {
        const Context& its = mock().context(context);
        const auto value = its.definitions.variable(its.id, text_of(id, "id"));
        target(length, "length") = value ? static_cast<int64_t>(value->size()) : -1;
      },
      context, id);
}
int epios_get_variable(epios_context* context, const char* id, char* text, size_t capacity) {
  return call(
      "epios_get_variable", [&] { copy_text(variable_or_throw(context, id), text, capacity); },
      context, id);
}
int epios_get_variable_bool(epios_context* context, const char* id, int* value) {
  return call(
      "epios_get_variable_bool",
      [&] {
        target(value, "value") = read_variable<bool>(context, id, config::read_boolean) ? 1 : 0;
      },
      context, id);
}
int epios_get_variable_int(epios_context* context, const char* id, int64_t* value) {
  return call(
      "epios_get_variable_int",
      [&] {
        target(value, "value") = read_variable<std::int64_t>(context, id, config::read_integer);
      },
      context, id);
}
int epios_get_variable_double(epios_context* context, const char* id, double* value) {
  return call(
      "epios_get_variable_double",
      [&] { target(value, "value") = read_variable<double>(context, id, config::read_real); },
      context, id);
}
int epios_set_variable(epios_context* context, const char* id, const char* text) {
  return call(
      "epios_set_variable",
      [&] {
        Context& its = mock().context(context);
        if (its.definitions.set_variable(its.id, text_of(id, "id"), text_of(text, "text"))) return;
        variable_or_throw(context, id);
      },
      context, id, text);
}

}  // extern "C"
