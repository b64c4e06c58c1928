#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/definitions.hpp"
#include "config/document.hpp"
#include "config/run_names.hpp"

namespace epios::client {

/// The configuration of a component as text: one process reads it, all parse it.
struct RunTexts {
  config::SourceTexts files;     ///< the entry first
  config::SourceTexts settings;  ///< what EPIOS_SET says, as a model's part; empty: nothing

  bool mentions(std::string_view word) const;
  /// Throws ConfigError.
  config::Definitions definitions(const config::RunNames& names) const;
};

/// Of the entry `asked_for`, else of EPIOS_IODEF, XIOS_IODEF_PATH or "iodef.xml". Local. Throws
/// Error and ConfigError.
RunTexts read_run_texts(const std::string& asked_for);
/// Returns the part of them that EPIOS_SET has.
config::SourceTexts read_settings();

std::vector<std::byte> encode(const RunTexts& texts);
RunTexts decode_run_texts(std::span<const std::byte> bytes);

}  // namespace epios::client
