/// @file
/// The calendar of a context, for the Model.
#pragma once

#include "building/period_builder.hpp"
#include "config/model_fwd.hpp"
#include "language/inheritance.hpp"

namespace epios::config {

/// Reads type, time step and dates of the calendar. Reports what is missing or contradictory.
Clock read_calendar(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                    Model& model);

}  // namespace epios::config
