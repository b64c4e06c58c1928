/// @file
/// Where the values of a configuration come from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/document.hpp"

namespace epios::config {

/// A value, and the place that gave it.
struct ExplainedValue {
  std::string text;  ///< XML text; "_reset_" if the value was removed
  /// "own", "group 'g'", "field 'sst'", "group 'g' of field 'sst'" or "default". For a name in
  /// files that no attribute gives: "own id" or "id of field 'sst'". For a disabled file: "file 'f'
  /// is disabled".
  std::string source;
  std::string where;  ///< file:line:col; empty for a default
};

/// An element or group that could give a value.
struct ExplainedPlace {
  std::string title;  ///< "field 'a'", "group 'g' of field 'sst'"
  std::string where;  ///< file:line:col; empty if it has no text
};

struct ExplainedAttribute {
  std::string name;
  /// The value in force. If there is none, its source is "no value" and its text is empty.
  ExplainedValue value;
  std::vector<ExplainedValue> overridden;  ///< overridden values, stronger ones first
  /// If the question names an attribute without value: the places that could give it, stronger ones
  /// first.
  std::vector<ExplainedPlace> places;
};

struct ExplainedElement {
  std::string context;
  std::string title;  ///< "field 'tos'"
  std::string where;
  /// Attributes in table order: those with a value, and the one that the question names.
  std::vector<ExplainedAttribute> attributes;
};

/// Answers a question: "field:tos" (kind and id, or the name in files if no id matches),
/// "field:tos.operation", "context/field:tos", "field_group:2d", "field_definition", "calendar",
/// "field:*" or "*". Attributes may be '*', too. Ids may contain dots: text that is an id and also
/// an attribute of another element matches both. Throws ConfigError for configurations that cannot
/// be read, and Error{argument} for a question without answer. Local.
std::vector<ExplainedElement> explain(const SourceTexts& sources, std::string_view question,
                                      const Additions& additions = {});

}  // namespace epios::config
