/// @file
/// Where the values of a configuration come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/document.hpp"

namespace epios::config {

/// A value that was given, and by whom.
struct ExplainedValue {
  std::string text;  ///< as in XML; "_reset_" where a value was taken away
  /// "own", "group 'g'", "field 'sst'", "group 'g' of field 'sst'", "default"; "own id" and "id of
  /// field 'sst'" of a name in files that no attribute gives; "file 'f' is disabled".
  std::string source;
  std::string where;  ///< file:line:col; empty for a default
};

/// An element or group that may give a value.
struct ExplainedPlace {
  std::string title;  ///< "field 'a'", "group 'g' of field 'sst'"
  std::string where;  ///< file:line:col; empty for what no text makes
};

struct ExplainedAttribute {
  std::string name;
  /// In force. Of source "no value", without text, when nothing is.
  ExplainedValue value;
  std::vector<ExplainedValue> overridden;  ///< stronger ones first
  /// Of an attribute asked for by name that nobody gives: who could, stronger ones first.
  std::vector<ExplainedPlace> places;
};

struct ExplainedElement {
  std::string context;
  std::string title;  ///< "field 'tos'"
  std::string where;
  /// In table order: those with a value, and the one asked for by name.
  std::vector<ExplainedAttribute> attributes;
};

/// What is asked for: "field:tos" (kind and id, or the name in files where no id answers),
/// "field:tos.operation", "context/field:tos", "field_group:2d", "field_definition", "calendar",
/// "field:*", "*". Attributes may be '*' too. Dots in ids are no obstacle: what is an id and also
/// an attribute of another element answers as both. Throws ConfigError for text that cannot
/// be read, Error{argument} for a question that nothing answers. Local.
std::vector<ExplainedElement> explain(const SourceTexts& sources, std::string_view question,
                                      const Additions& additions = {});

}  // namespace epios::config
