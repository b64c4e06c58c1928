#include <epios/epios.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "config/definitions.hpp"
#include "config/error.hpp"
#include "config/value_print.hpp"
#include "handles/c_arguments.hpp"
#include "handles/c_calendar.hpp"
#include "handles/c_guard.hpp"
#include "handles/handle_table.hpp"
#include "handles/locked_handles.hpp"

namespace {

using epios::Error;
using epios::ErrorCode;
using epios::client::array_of;
using epios::client::c_duration;
using epios::client::check_input;
using epios::client::ContextState;
using epios::client::copy_text;
using epios::client::duration_of;
using epios::client::guarded;
using epios::client::HandleTable;
using epios::client::kind_of;
using epios::client::LockedContext;
using epios::client::RecordedKind;
using epios::client::target;
using epios::client::text_of;
using epios::client::view_of;
namespace config = epios::config;

const ContextState& context_of(epios_context* handle) {
  return HandleTable::instance().context(handle);
}

config::ElementHandle handle_of(const epios_element& element) { return {element.node}; }

/// XIOS takes what comes after the end of the definitions without a word, and does nothing with it:
/// models that rely on that go on. The calendar it would follow, which here stays as it is.
bool is_too_late(ContextState& context, config::ElementHandle element, std::string_view name) {
  if (context.state() != ContextState::State::running ||
      HandleTable::instance().xios().session() == nullptr)
    return false;
  const config::Definitions& known = context.definition().known();
  if (known.find(context.id(), "calendar", "") == element) return false;
  context.client().session().say_once({fmt::format(
      "epios: warning: context '{}': attribute '{}' of {} is set after the end of the definitions "
      "and has no effect. Move the call before epios_close_definition?",
      context.id(), name, known.title(context.id(), element))});
  return true;
}

/// Changes an attribute: `change(context, element, attribute)`. Nothing is copied or
/// formatted but the value: thousands of fields have dozens of attributes.
template <class Change>
int change_attribute(const epios_element& element, const char* attribute, const Change& change) {
  return guarded([&] {
    const LockedContext context(element.context);
    const std::string_view name = view_of(attribute, "attribute");
    const config::ElementHandle handle = handle_of(element);
    if (is_too_late(*context, handle, name)) return;
    change(*context, handle, name);
  });
}

template <class Value>
int set_typed(const epios_element& element, const char* attribute, const char* function,
              const Value& value) {
  return change_attribute(
      element, attribute,
      [&](ContextState& context, config::ElementHandle handle, std::string_view name) {
        config::Value given = value();
        context.group().record().call(RecordedKind::set_element, {name}, {handle.node}, &given,
                                      [&] {
                                        context.definition().definitions().set(
                                            context.id(), handle, name, std::move(given), function);
                                      });
      });
}

std::optional<config::Value> value_of(const epios_element& element, const char* attribute) {
  return context_of(element.context)
      .definition()
      .value(handle_of(element), text_of(attribute, "attribute"));
}

/// The value, which must be there.
config::Value value_or_throw(const epios_element& element, const char* attribute) {
  if (auto value = value_of(element, attribute)) return std::move(*value);
  const ContextState& context = context_of(element.context);
  throw Error(
      ErrorCode::argument,
      fmt::format("attribute '{}' of {} has no value (nobody gave it one; what is inherited is "
                  "known after epios_solve_inheritance). Ask epios_element_is_defined first?",
                  attribute, context.definition().known().title(context.id(), handle_of(element))));
}

template <class T>
T typed_value(const epios_element& element, const char* attribute, std::string_view type) {
  config::Value value = value_or_throw(element, attribute);
  if constexpr (std::is_same_v<T, double>) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      return static_cast<double>(*integer);
    }
  }
  if (T* typed = std::get_if<T>(&value)) return std::move(*typed);
  throw Error(ErrorCode::argument,
              fmt::format("attribute '{}' is not {} (its value is '{}'). Read it as text?",
                          attribute, type, config::printed(value)));
}

template <class T>
int get_array(const epios_element& element, const char* attribute, T* values, int64_t capacity,
              std::string_view type) {
  return guarded([&] {
    const auto array = typed_value<config::Array<T>>(element, attribute, type);
    const auto count = static_cast<int64_t>(array.values.size());
    if (count > capacity) {
      throw Error(ErrorCode::argument,
                  fmt::format("attribute '{}' has {} values (room for {}). Ask "
                              "epios_element_shape first?",
                              attribute, count, capacity));
    }
    if (count > 0) std::copy(array.values.begin(), array.values.end(), &target(values, "values"));
  });
}

std::string variable_or_throw(epios_context* context, const char* id) {
  const std::string name = text_of(id, "id");
  if (auto value = context_of(context).definition().variable(name)) return std::move(*value);
  throw Error(
      ErrorCode::argument,
      fmt::format(
          "variable '{}' does not exist (neither the context nor a file or field in it has one "
          "of this id). Is it in <variable_definition>?",
          name));
}

template <class T>
int get_variable(epios_context* context, const char* id, std::optional<T> (*read)(std::string_view),
                 std::string_view type, const std::function<void(T)>& put) {
  return guarded([&] {
    const std::string text = variable_or_throw(context, id);
    const std::optional<T> value = read(text);
    if (!value) {
      throw Error(ErrorCode::argument,
                  fmt::format("variable '{}' is '{}' (not {}). Read it as text?", id, text, type));
    }
    put(*value);
  });
}

}  // namespace

epios::config::Definitions::ContextCalendar epios::client::calendar_of(epios_context* context) {
  const ContextState& state = context_of(context);
  return state.definition().known().calendar(state.id());
}

epios::config::Date epios::client::date_of(epios_context* context) {
  return context_of(context).date();
}

extern "C" {

int epios_find(epios_context* context, const char* tag, const char* id, epios_element* out) {
  return guarded([&] {
    target(out, "out") = {context, -1};
    const ContextState& state = context_of(context);
    const auto found =
        state.definition().known().find(state.id(), text_of(tag, "tag"), id == nullptr ? "" : id);
    if (found) out->node = found->node;
  });
}

int epios_at(epios_context* context, const char* tag, const char* id, epios_element* out) {
  return guarded([&] {
    target(out, "out") = {context, -1};
    const ContextState& state = context_of(context);
    out->node = state.definition()
                    .known()
                    .at(state.id(), text_of(tag, "tag"), id == nullptr ? "" : id)
                    .node;
  });
}

int epios_child(epios_element parent, const char* tag, const char* id, epios_element* out) {
  return guarded([&] {
    target(out, "out") = {parent.context, -1};
    const LockedContext context(parent.context);
    const std::string tag_text = text_of(tag, "tag");
    const std::string id_text = id == nullptr ? "" : id;
    context->group().record().call(
        RecordedKind::child, {tag_text, id_text}, {parent.node}, nullptr, [&] {
          out->node = context->definition()
                          .definitions()
                          .add_child(context->id(), handle_of(parent), tag_text, id_text,
                                     fmt::format("epios_child({} '{}')", tag_text, id_text))
                          .node;
        });
  });
}

int epios_grid_element(epios_element field, const char* tag, int index, epios_element* out) {
  return guarded([&] {
    target(out, "out") = {field.context, -1};
    const ContextState& context = context_of(field.context);
    const config::Definitions& definitions = context.definition().known();
    const auto elements = definitions.grid_elements(context.id(), handle_of(field), kind_of(tag));
    const auto count = static_cast<int>(elements.size());
    if (index < 0 || index >= count) {
      throw Error(
          ErrorCode::argument,
          fmt::format("{} {} of the grid of {} does not exist (it has {}, counted from 0). "
                      "Does it refer to the grid that is meant?",
                      tag, index, definitions.title(context.id(), handle_of(field)), count));
    }
    out->node = elements[static_cast<size_t>(index)].node;
  });
}

int epios_element_id(epios_element element, char* text, size_t capacity) {
  return guarded([&] {
    const ContextState& context = context_of(element.context);
    copy_text(context.definition().known().id(context.id(), handle_of(element)), text, capacity);
  });
}

int epios_element_set_text(epios_element element, const char* attribute, const char* text) {
  return change_attribute(
      element, attribute,
      [&](ContextState& context, config::ElementHandle handle, std::string_view name) {
        const std::string_view value = view_of(text, "text");
        context.group().record().call(
            RecordedKind::set_element_text, {name, value}, {handle.node}, nullptr, [&] {
              context.definition().definitions().set_text(context.id(), handle, name, value,
                                                          "epios_element_set_text");
            });
      });
}

int epios_element_set_bool(epios_element element, const char* attribute, int value) {
  return set_typed(element, attribute, "epios_element_set_bool", [&] { return value != 0; });
}

int epios_element_set_int(epios_element element, const char* attribute, int64_t value) {
  return set_typed(element, attribute, "epios_element_set_int", [&] { return value; });
}

int epios_element_set_double(epios_element element, const char* attribute, double value) {
  return set_typed(element, attribute, "epios_element_set_double", [&] { return value; });
}

int epios_element_set_duration(epios_element element, const char* attribute,
                               epios_duration duration) {
  return set_typed(element, attribute, "epios_element_set_duration",
                   [&] { return duration_of(duration); });
}

int epios_element_set_bools(epios_element element, const char* attribute,
                            const unsigned char* values, int rank, const int64_t* shape) {
  return set_typed(element, attribute, "epios_element_set_bools",
                   [&] { return array_of(values, rank, shape); });
}

int epios_element_set_ints(epios_element element, const char* attribute, const int64_t* values,
                           int rank, const int64_t* shape) {
  return set_typed(element, attribute, "epios_element_set_ints",
                   [&] { return array_of(values, rank, shape); });
}

int epios_element_set_doubles(epios_element element, const char* attribute, const double* values,
                              int rank, const int64_t* shape) {
  return set_typed(element, attribute, "epios_element_set_doubles",
                   [&] { return array_of(values, rank, shape); });
}

int epios_element_set_texts(epios_element element, const char* attribute, const char* const* values,
                            int64_t count) {
  return set_typed(element, attribute, "epios_element_set_texts",
                   [&] { return array_of(values, count); });
}

int epios_solve_inheritance(epios_context* context) {
  return guarded([&] {
    const LockedContext state(context);
    using State = ContextState::State;
    if (state->state() == State::running || state->state() == State::finalized) {
      return;  // nothing changes any more
    }
    state->group().record().call(RecordedKind::solve_inheritance, {}, [&] {
      state->definition().definitions().solve_inheritance(state->id());
    });
  });
}

int epios_element_is_defined(epios_element element, const char* attribute, int* defined) {
  return guarded([&] { target(defined, "defined") = value_of(element, attribute) ? 1 : 0; });
}

int epios_element_kind(epios_element element, const char* attribute, epios_value_kind* kind) {
  static_assert(std::is_same_v<std::variant_alternative_t<EPIOS_VALUE_TEXTS, config::Value>,
                               config::value::strings>);
  return guarded([&] {
    target(kind, "kind") =
        static_cast<epios_value_kind>(value_or_throw(element, attribute).index());
  });
}

int epios_element_shape(epios_element element, const char* attribute, int* rank, int64_t shape[7]) {
  return guarded([&] {
    target(rank, "rank") = 0;
    std::visit(
        [&](const auto& value) {
          if constexpr (requires { value.shape; }) {
            std::copy(value.shape.begin(), value.shape.end(), &target(shape, "shape"));
            *rank = static_cast<int>(value.shape.size());
          }
        },
        value_or_throw(element, attribute));
  });
}

int epios_element_text_length(epios_element element, const char* attribute, int64_t* length) {
  return guarded([&] {
    target(length, "length") =
        static_cast<int64_t>(config::printed(value_or_throw(element, attribute)).size());
  });
}

int epios_element_get_text(epios_element element, const char* attribute, char* text,
                           size_t capacity) {
  return guarded(
      [&] { copy_text(config::printed(value_or_throw(element, attribute)), text, capacity); });
}

int epios_element_get_item(epios_element element, const char* attribute, int64_t item, char* text,
                           size_t capacity) {
  return guarded([&] {
    const auto array = typed_value<config::value::strings>(element, attribute, "an array of texts");
    if (item < 0 || item >= static_cast<int64_t>(array.values.size())) {
      throw Error(
          ErrorCode::argument,
          fmt::format("text {} of attribute '{}' (it has {}). Ask epios_element_shape first?", item,
                      attribute, array.values.size()));
    }
    copy_text(array.values[static_cast<size_t>(item)], text, capacity);
  });
}

int epios_element_get_bool(epios_element element, const char* attribute, int* value) {
  return guarded(
      [&] { target(value, "value") = typed_value<bool>(element, attribute, "a boolean") ? 1 : 0; });
}

int epios_element_get_int(epios_element element, const char* attribute, int64_t* value) {
  return guarded([&] {
    target(value, "value") = typed_value<std::int64_t>(element, attribute, "an integer");
  });
}

int epios_element_get_double(epios_element element, const char* attribute, double* value) {
  return guarded(
      [&] { target(value, "value") = typed_value<double>(element, attribute, "a number"); });
}

int epios_element_get_duration(epios_element element, const char* attribute, epios_duration* out) {
  return guarded([&] {
    target(out, "out") =
        c_duration(typed_value<config::Duration>(element, attribute, "a duration"));
  });
}

int epios_element_get_bools(epios_element element, const char* attribute, unsigned char* values,
                            int64_t capacity) {
  return get_array(element, attribute, values, capacity, "an array of booleans");
}

int epios_element_get_ints(epios_element element, const char* attribute, int64_t* values,
                           int64_t capacity) {
  return get_array(element, attribute, values, capacity, "an array of integers");
}

int epios_element_get_doubles(epios_element element, const char* attribute, double* values,
                              int64_t capacity) {
  return get_array(element, attribute, values, capacity, "an array of numbers");
}

int epios_variable_length(epios_context* context, const char* id, int64_t* length) {
  return guarded([&] {
    const auto value = context_of(context).definition().variable(text_of(id, "id"));
    target(length, "length") = value ? static_cast<int64_t>(value->size()) : -1;
  });
}

int epios_get_variable(epios_context* context, const char* id, char* text, size_t capacity) {
  return guarded([&] { copy_text(variable_or_throw(context, id), text, capacity); });
}

int epios_get_variable_bool(epios_context* context, const char* id, int* value) {
  return get_variable<bool>(context, id, config::read_boolean, "a boolean",
                            [&](bool read) { target(value, "value") = read ? 1 : 0; });
}

int epios_get_variable_int(epios_context* context, const char* id, int64_t* value) {
  return get_variable<std::int64_t>(context, id, config::read_integer, "an integer",
                                    [&](std::int64_t read) { target(value, "value") = read; });
}

int epios_get_variable_double(epios_context* context, const char* id, double* value) {
  return get_variable<double>(context, id, config::read_real, "a number",
                              [&](double read) { target(value, "value") = read; });
}

int epios_set_variable(epios_context* context, const char* id, const char* text) {
  return guarded([&] {
    const LockedContext state(context);
    const std::string name = text_of(id, "id");
    const std::string value = text_of(text, "text");
    state->group().record().call(RecordedKind::set_variable, {name, value}, {}, nullptr, [&] {
      if (!state->definition().set_variable(name, value)) variable_or_throw(context, id);
    });
  });
}

}  // extern "C"
