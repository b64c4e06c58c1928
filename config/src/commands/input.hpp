/// @file
/// The configuration that a command works on, and what its options say of it.
#pragma once

#include <string>
#include <vector>

#include "config/document.hpp"
#include "config/error.hpp"

namespace epios::config {

struct Input {
  std::string file;
  std::string model;                  ///< XML file with the model's part
  std::vector<std::string> settings;  ///< "domain:globe.ni_glo=360"
  std::string compat;                 ///< instead of what the configuration says
  bool strict = false;
  std::string component;  ///< component that runs; empty for none
};

struct ReadInput {
  SourceTexts sources;
  Additions additions;
  std::vector<Diagnostic> mistakes;  ///< with any of them there is no configuration

  /// Returns all texts, including the part of the model.
  SourceTexts all_texts() const;
};

/// Throws nothing for mistakes in the files.
ReadInput try_read(const Input& input);
/// Throws ConfigError.
ReadInput read(const Input& input);

}  // namespace epios::config
