/// @file
/// Values from other places than the XML: calls of the API and options of the command.
#pragma once

#include <string>
#include <string_view>

#include "language/contexts.hpp"

namespace epios::config {

/// An attribute of an element. The calendar has the id "".
struct AttributePath {
  std::string_view context;
  ElementKind kind = ElementKind::any;
  std::string_view id;
  std::string_view attribute;
};

// All of these throw Error{configuration}, with a suggestion, for elements that do not exist and
// for invalid values. `call` is for messages and provenance.

[[noreturn]] void refuse_call(const Call& call, const std::string& problem,
                              const std::string& suggestion = {});
ContextStore& context_or_throw(Contexts& contexts, std::string_view id);
const ContextStore& context_or_throw(const Contexts& contexts, std::string_view id);
/// Returns a node, or -1. A variable is looked up in the context first, then below any file or
/// field.
int find_node(const ContextStore& store, ElementKind kind, std::string_view id);
/// Returns the element of a field's grid that "field::" or "field::element" names, or -1.
int find_lent(const ContextStore& store, ElementKind kind, std::string_view id);
int node_or_throw(const ContextStore& store, ElementKind kind, std::string_view id,
                  const Call& call);
const AttributeInfo& row_or_throw(ElementKind kind, std::string_view attribute, const Call& call);

/// Sets a value. The last assignment wins.
void set_value(ContextStore& store, int node, std::string_view attribute, Value value, Call call);
/// Sets a value from text in XML syntax; otherwise like set_value().
void set_text(ContextStore& store, int node, std::string_view attribute, std::string_view text,
              Call call);

/// Sets a value of the element with an id.
void set_value(Contexts& contexts, const AttributePath& path, Value value, std::string_view call);
void set_text(Contexts& contexts, const AttributePath& path, std::string_view text,
              std::string_view call);

/// Applies "domain:globe.ni_glo=360", "field_group:2d.enabled=false", "calendar.timestep=1h" or
/// "variable:relax=30" to every context that has the element. With the id of a context and a slash
/// in front, it applies to that one only. Throws Error{argument} for invalid text, and if no
/// context has the element.
void apply_setting(Contexts& contexts, const std::string& text);

}  // namespace epios::config
