/// @file
/// The configuration that a command about layouts works on.
#pragma once

#include <string>
#include <vector>

#include "config/model.hpp"
#include "imagined_job.hpp"

namespace epios::layouts {

struct ModelInput {
  std::string file;
  std::string model;                  ///< XML file with the part of the model; "": none
  std::vector<std::string> settings;  ///< "domain:globe.ni_glo=360"
  std::string context;                ///< "": the only one
};

struct ReadModel {
  config::Model model;
  RunLimits limits;
};

/// Throws ConfigError for mistakes in the configuration, Error{argument} for a context that is not
/// there, or if there are several and none is named.
ReadModel read_model(const ModelInput& input);

}  // namespace epios::layouts
