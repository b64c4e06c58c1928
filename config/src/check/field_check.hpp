/// @file
/// Checks of the attributes of one field.
#pragma once

#include <string>

#include "config/model_fwd.hpp"
#include "language/context_store.hpp"
#include "language/inheritance.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Reports that missing values are to be detected without a marker; they are not detected then.
/// `title` names the field in messages.
void check_missing_value(const Node& field, const std::string& title, const Resolved& resolved,
                         FieldAttributes& attributes, Findings& findings);

/// Reports values that the file's kind of number cannot hold.
void check_precision(const Node& field, const std::string& title, const Resolved& resolved,
                     const FieldAttributes& attributes, Findings& findings);

/// Checks the sizes of chunks.
void check_chunks(const Node& field, const std::string& title, const Resolved& resolved,
                  const FieldAttributes& attributes, Findings& findings);

/// Checks that cell_measures is a list as CF has it.
void check_cell_measures(const Node& field, const std::string& title, const Resolved& resolved,
                         const FieldAttributes& attributes, Findings& findings);

/// Checks keep_information and significant_digits. Takes them away, with a warning, where they have
/// no effect.
void check_information(const Node& field, const std::string& title, const Resolved& resolved,
                       FieldAttributes& attributes, Findings& findings);

}  // namespace epios::config
