/// @file
/// The variables of context `xios`: settings of a run that are not attributes of an element.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/xml_element.hpp"

namespace epios::config {

/// A row of the table: what the reference page says about a variable, and which values readers
/// accept.
struct RunVariable {
  std::string_view id;     ///< our spelling
  std::string_view xios;   ///< its name in XIOS, "" for none; both are accepted
  std::string_view type;   ///< boolean, integer, real, string or word
  std::string_view words;  ///< "a|b|c" for type word
  std::string_view default_text;
  std::string_view since;          ///< as in the attribute table
  std::string_view compatibility;  ///< both, xios2, xios3 or epios
  std::string_view meaning;
  std::string_view least{};  ///< for numbers: the smallest value, "" for none
};

/// Returns all rows, in the order of the reference page.
std::span<const RunVariable> run_variables();
/// Returns the row of a variable that is in the table, by our spelling.
const RunVariable& run_variable(std::string_view id);
/// Returns the row of either spelling, or nullptr if the variable is not a setting of a run.
const RunVariable* find_run_variable(std::string_view id);

/// Returns why a text is not a value of a row, or "" if it is one.
std::string complaint(const RunVariable& row, std::string_view text);
/// Returns the text, or the default if the text is not a value. Settings of a run tune it; no
/// mistake in them is worth stopping for.
std::string_view value_or_default(const RunVariable& row, std::string_view text);

/// Returns the settings of one run, "id = value; id = value", as the part of the model for
/// Additions. They win over those of the files. Messages call them `place`.
SourceTexts settings_part(std::string_view place, std::string_view pairs);

}  // namespace epios::config
