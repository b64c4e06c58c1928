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

/// What context "xios" says of a run.
struct RunPart {
  std::vector<Variable> variables;
  ServerPlan servers;
};

/// A document without groups, references and includes, with every value where it counts: resolving
/// it gives the same models, which are to be as Definitions::resolve() returns them: bytes do not
/// hold the texts of expressions. Local attributes are those that the models hold. Settings of
/// context "xios" are no part of a Model: they come from `run`. Throws ConfigError that names what
/// is in a Model for the sake of fields that wait for the grid of a partner, and nothing else:
/// those fields are not in the Model, so that nothing printed would need it. Files of which no
/// field is known are not printed.
std::string to_xml(std::span<const Model> models, const RunPart& run = {});
/// As above, of one context.
std::string to_xml(const Model& model);

}  // namespace epios::config
