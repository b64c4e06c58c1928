/// @file
/// Values that come from elsewhere than XML: from calls of the API and options of the command.
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

// All throw Error{configuration} for what is not there, with a suggestion, and for values that do
// not fit. `call` is for messages and provenance.

[[noreturn]] void refuse_call(const Call& call, const std::string& problem,
                              const std::string& suggestion = {});
ContextStore& context_or_throw(Contexts& contexts, std::string_view id);
const ContextStore& context_or_throw(const Contexts& contexts, std::string_view id);
/// A variable is looked up in the context first, then below any file or field. -1: there is none.
int find_node(const ContextStore& store, ElementKind kind, std::string_view id);
/// The element of a field's grid that "field::" or "field::element" names, -1: there is no such
/// one.
int find_lent(const ContextStore& store, ElementKind kind, std::string_view id);
int node_or_throw(const ContextStore& store, ElementKind kind, std::string_view id,
                  const Call& call);
const AttributeInfo& row_or_throw(ElementKind kind, std::string_view attribute, const Call& call);

/// The last assignment wins.
void set_value(ContextStore& store, int node, std::string_view attribute, Value value, Call call);
/// Sets a value from text in XML syntax; otherwise like set_value().
void set_text(ContextStore& store, int node, std::string_view attribute, std::string_view text,
              Call call);

/// Sets a value of the element with an id.
void set_value(Contexts& contexts, const AttributePath& path, Value value, std::string_view call);
void set_text(Contexts& contexts, const AttributePath& path, std::string_view text,
              std::string_view call);

/// "domain:globe.ni_glo=360", "field_group:2d.enabled=false", "calendar.timestep=1h",
/// "variable:relax=30", in every context that has the element; in one alone with its id and a slash
/// before. Throws Error{argument} for text that does not read so and when no context has
/// it.
void apply_setting(Contexts& contexts, const std::string& text);

}  // namespace epios::config
