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

struct ExplainedAttribute {
  std::string name;
  ExplainedValue value;                    ///< in force
  std::vector<ExplainedValue> overridden;  ///< stronger ones first
};

struct ExplainedElement {
  std::string context;
  std::string title;  ///< "field 'tos'"
  std::string where;
  std::vector<ExplainedAttribute> attributes;  ///< those with a value, in table order
};

/// What is asked for: "field:tos" (kind and id, or the name in files where no id answers),
/// "field:tos.operation", "context/field:tos", "field_group:2d", "field_definition", "calendar",
/// "field:*", "*". Attributes may be '*' too. Throws ConfigError for text that cannot
/// be read, Error{argument} for a question that nothing answers. Local.
std::vector<ExplainedElement> explain(const SourceTexts& sources, std::string_view question,
                                      const Additions& additions = {});

}  // namespace epios::config
