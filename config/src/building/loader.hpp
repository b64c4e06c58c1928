/// @file
/// From the document's tree to typed definitions.
#pragma once

#include <string>
#include <vector>

#include "config/document.hpp"
#include "language/contexts.hpp"
#include "text/findings.hpp"

namespace epios::config {

/// Loads everything valid of the document, then the settings of Additions. Mistakes go to
/// `findings`, whose policy is that of the document. Throws Error for invalid settings.
void load(const Document& document, const std::vector<std::string>& settings, Contexts& contexts,
          Findings& findings);

/// Returns the mode of a check. With the part of the model, nothing is left open.
inline Findings::Mode mode_of_check(const Additions& additions) {
  return additions.model.empty() ? Findings::Mode::check : Findings::Mode::whole_check;
}

}  // namespace epios::config
