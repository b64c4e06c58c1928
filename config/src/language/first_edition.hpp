/// @file
/// The words of the first edition of the language, and their replacements.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace epios::config {

/// Returns true if an attribute of an element, or its value, exists in the first edition only.
bool is_of_first_edition(std::string_view tag, std::string_view attribute, std::string_view value);

/// Suggestion that follows the refusal of such a word.
inline constexpr std::string_view migrate_hint =
    "epios migrate translates configurations of the first edition.";

/// A translation, or one that was not possible, at a place of the old text.
struct MigrationRemark {
  std::size_t line = 0, column = 0;  ///< from 1
  std::string text;                  ///< "operation=\"ave(X)\" of <field> is operation=\"average\""
  bool is_done = true;
};

struct Migrated {
  std::string text;  ///< the text, unchanged except for translations
  std::vector<MigrationRemark> remarks;
};

/// Translates one file of a configuration. Everything else stays as it is, including white space
/// and comments.
Migrated migrate(std::string_view old_text);

}  // namespace epios::config
