/// @file
/// A resolved Model as a configuration of its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "config/model_files.hpp"
#include "config/model_fwd.hpp"
#include "config/server_plan.hpp"

namespace epios::config {

/// The settings of context "xios" for a run.
struct RunPart {
  std::vector<Variable> variables;
  ServerPlan servers;
};

/// Returns a document without groups, references and includes that states every value at its final
/// place. Resolving it gives the same models. `models` must be as Definitions::resolve() returned
/// them, because their bytes do not hold the texts of expressions. Local attributes are those of
/// the models. Settings of context "xios" are not part of a Model; they come from `run`. Files of
/// which no field is known are not printed. Throws ConfigError if something in a Model serves only
/// fields that wait for the grid of a partner, and names it: those fields are not in the Model, so
/// nothing printed would need it.
std::string to_xml(std::span<const Model> models, const RunPart& run = {});
/// Does the same for one context.
std::string to_xml(const Model& model);

}  // namespace epios::config
