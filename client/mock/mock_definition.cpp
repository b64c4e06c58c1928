// <epios/definition.h> as implemented by libepios_mock.

#include <epios/epios.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "config/error.hpp"
#include "config/value_print.hpp"
#include "handles/c_arguments.hpp"
#include "handles/c_calendar.hpp"
#include "mock.hpp"

namespace {

using epios::Error;
using epios::ErrorCode;
using epios::client::array_of;
using epios::client::c_duration;
using epios::client::copy_text;
using epios::client::duration_of;
using epios::client::kind_of;
using epios::client::target;
using epios::client::text_of;
using epios::client::view_of;
using epios::mock::call;
using epios::mock::Context;
using epios::mock::Mock;
namespace config = epios::config;

Mock& mock() { return Mock::instance(); }

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

template <class Value, class... Arguments>
int set_element(const char* name, const epios_element& element, const char* attribute,
                const Value& value, const Arguments&... arguments) {
  return call(
      name,
      [&] {
        Context& its = mock().context(element.context);
        its.changeable().set(its.id, config::ElementHandle{element.node},
                             view_of(attribute, "attribute"), value(), name);
      },
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

}  // namespace

epios::config::Definitions::ContextCalendar epios::client::calendar_of(epios_context* context) {
  const Context& its = Mock::instance().context(context);
  return its.definitions.calendar(its.id);
}

epios::config::Date epios::client::date_of(epios_context* context) {
  return Mock::instance().context(context).date();
}

extern "C" {

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
                                  view_of(attribute, "attribute"), view_of(text, "text"),
                                  "epios_element_set_text");
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
int epios_element_set_duration(epios_element element, const char* attribute,
                               epios_duration duration) {
  return set_element(
      "epios_element_set_duration", element, attribute, [&] { return duration_of(duration); },
      duration_of(duration).text().c_str());
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
int epios_element_kind(epios_element element, const char* attribute, epios_value_kind* kind) {
  return call(
      "epios_element_kind",
      [&] {
        target(kind, "kind") = static_cast<epios_value_kind>(value_of(element, attribute).index());
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
int epios_element_get_duration(epios_element element, const char* attribute, epios_duration* out) {
  return call(
      "epios_element_get_duration",
      [&] { target(out, "out") = c_duration(typed_value<config::Duration>(element, attribute)); },
      element, attribute);
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
