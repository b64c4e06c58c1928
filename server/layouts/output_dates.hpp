/// @file
/// When records leave, and which server writes how much of them. All functions are pure.
#pragma once

#include <cstdint>
#include <vector>

#include "config/model.hpp"

namespace epios::layouts {

/// A time step at whose end records of some fields leave.
struct OutputDate {
  std::int64_t step = 0;
  std::vector<int> streams;  ///< indices into Model::streams; once for each record
};

/// Returns the dates of a run of `steps` time steps, in order. The model sends every field at every
/// step.
std::vector<OutputDate> output_dates(const config::Model& model, std::int64_t steps);

/// Returns the steps of four periods of the file that is written least often.
std::int64_t usual_steps(const config::Model& model);

}  // namespace epios::layouts
