#include "recorded_definitions.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "config/attribute_table.hpp"
#include "config/error.hpp"

namespace epios::replay {
namespace {

using client::RecordedCall;
using client::RecordedKind;
using config::ElementKind;

constexpr const char* by = "a recorded call";

/// The kind with this tag, also of a group ("domain_group"). Any if there is none.
ElementKind kind_of(std::string_view tag) {
  constexpr std::string_view group = "_group";
  if (tag.ends_with(group)) tag.remove_suffix(group.size());
  for (int kind = 0; kind < config::element_kind_count; ++kind) {
    if (config::name(static_cast<ElementKind>(kind)) == tag) return static_cast<ElementKind>(kind);
  }
  return ElementKind::any;
}

bool is_part_of(ElementKind kind) {
  return kind == ElementKind::domain || kind == ElementKind::axis;
}

}  // namespace

bool is_definition(RecordedKind kind) {
  switch (kind) {
    case RecordedKind::add:
    case RecordedKind::set:
    case RecordedKind::set_text:
    case RecordedKind::child:
    case RecordedKind::set_element:
    case RecordedKind::set_element_text:
    case RecordedKind::solve_inheritance:
    case RecordedKind::set_variable:
      return true;
    default:
      return false;
  }
}

RecordedDefinitions::RecordedDefinitions(const client::RunTexts& texts,
                                         const config::RunNames& names, std::string context,
                                         Parts parts)
    : context_(std::move(context)), parts_(parts), definitions_(texts.definitions(names)) {
  definitions_.open_context(context_);
}

bool RecordedDefinitions::is_of_part(const RecordedCall& call) const {
  std::string_view tag;
  std::string_view attribute;
  std::string title;
  switch (call.kind) {
    case RecordedKind::set:
    case RecordedKind::set_text:
      tag = call.texts.at(0);
      attribute = call.texts.at(2);
      break;
    case RecordedKind::set_element:
    case RecordedKind::set_element_text:
      title = definitions_.title(context_, {static_cast<std::int32_t>(call.numbers.at(0))});
      tag = std::string_view(title).substr(0, title.find(' '));
      attribute = call.texts.at(0);
      break;
    default:
      return false;
  }
  const ElementKind kind = kind_of(tag);
  const config::AttributeInfo* const info = config::find_attribute(kind, attribute);
  if (info == nullptr || info->scope == config::Scope::global) return false;
  if (is_part_of(kind)) return true;
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': each recorded client gives attribute '{}' of a {} for its "
                          "own points, which cannot be dealt out to another number of clients. "
                          "Leave out --clients?",
                          context_, attribute, tag));
}

bool RecordedDefinitions::take(const RecordedCall& call) {
  const bool is_dropped = parts_ == Parts::global && is_of_part(call);
  if (!is_dropped) apply(call);
  return !is_dropped;
}

void RecordedDefinitions::set(ElementKind kind, const std::string& id, const std::string& attribute,
                              config::Value value) {
  definitions_.set(context_, kind, id, attribute, std::move(value), by);
}

/// What failed in the recorded run fails here, too, and changes nothing.
void RecordedDefinitions::apply(const RecordedCall& call) {
  const auto& texts = call.texts;
  const auto node = [&] {
    return config::ElementHandle{static_cast<std::int32_t>(call.numbers.at(0))};
  };
  try {
    switch (call.kind) {
      case RecordedKind::add:
        definitions_.add(context_, kind_of(texts.at(0)), texts.at(1),
                         kind_of(texts.at(2).empty() ? texts.at(0) : texts.at(2)), texts.at(3), by);
        break;
      case RecordedKind::set:
        definitions_.set(context_, kind_of(texts.at(0)), texts.at(1), texts.at(2),
                         call.value.value(), by);
        break;
      case RecordedKind::set_text:
        definitions_.set_text(context_, kind_of(texts.at(0)), texts.at(1), texts.at(2), texts.at(3),
                              by);
        break;
      case RecordedKind::child:
        definitions_.add_child(context_, node(), texts.at(0), texts.at(1), by);
        break;
      case RecordedKind::set_element:
        definitions_.set(context_, node(), texts.at(0), call.value.value(), by);
        break;
      case RecordedKind::set_element_text:
        definitions_.set_text(context_, node(), texts.at(0), texts.at(1), by);
        break;
      case RecordedKind::solve_inheritance:
        definitions_.solve_inheritance(context_);
        break;
      case RecordedKind::set_variable:
        definitions_.set_variable(context_, texts.at(0), texts.at(1));
        break;
      default:
        break;
    }
  } catch (const Error&) {
    return;
  }
}

}  // namespace epios::replay
