/// @file
/// The variables of context `xios`: settings of a run that are no attribute of any element.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/xml_element.hpp"

namespace epios::config {

/// One row: what the reference page says of a variable, and what readers of it take.
struct RunVariable {
  std::string_view id;     ///< our spelling
  std::string_view xios;   ///< the name XIOS knows it by, "" for none; both are accepted
  std::string_view type;   ///< boolean, integer, real, string or word
  std::string_view words;  ///< "a|b|c" of type word
  std::string_view default_text;
  std::string_view since;          ///< as in the attribute table
  std::string_view compatibility;  ///< both, xios2, xios3 or epios
  std::string_view meaning;
  std::string_view least{};  ///< of numbers: the smallest value, "" for none
};

/// All of them, in the order of the reference page.
std::span<const RunVariable> run_variables();
/// The row of one that is in the table, by our spelling.
const RunVariable& run_variable(std::string_view id);
/// The row of either spelling, nullptr when it is no setting of a run.
const RunVariable* find_run_variable(std::string_view id);

/// Why a text is no value of a row, "" when it is one.
std::string complaint(const RunVariable& row, std::string_view text);
/// What counts of a text: itself, or the default when it is no value. Settings of a run tune it;
/// none is worth stopping for.
std::string_view value_or_default(const RunVariable& row, std::string_view text);

/// Settings of one run, "id = value; id = value", as the model's part of Additions: they win over
/// those of the files. Messages call it `place`.
SourceTexts settings_part(std::string_view place, std::string_view pairs);

}  // namespace epios::config
