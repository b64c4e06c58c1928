/// @file
/// The configuration that a command works on, with its options.
#pragma once

#include <string>
#include <vector>

#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::config {

struct Input {
  std::string file;
  std::string model;                  ///< XML file with the part of the model
  std::vector<std::string> settings;  ///< "domain:globe.ni_glo=360"
  std::string compat;                 ///< replaces that of the configuration
  bool strict = false;
  std::string component;  ///< component that runs; empty for none
};

struct ReadInput {
  SourceTexts sources;
  Additions additions;
  std::vector<Diagnostic> mistakes;  ///< if there are any, there is no configuration

  /// Returns all texts, including the part of the model.
  SourceTexts all_texts() const;
};

/// Returns mistakes in the files instead of throwing them.
ReadInput try_read(const Input& input);
/// Throws ConfigError.
ReadInput read(const Input& input);

}  // namespace epios::config
