/// @file
/// Elements that are made of others without moving data: their points lie in the arrays of their
/// sources.
#pragma once

#include "config/model_fwd.hpp"

namespace epios::io {

/// Gives every element that a view makes (config::is_view) its part on this client: its points of
/// the source, their places in the array of the source, and their coordinates, bounds, areas,
/// labels and masks. A client with none of these points has an empty part. Local; linear in the
/// points of this client. `model` is checked, and its steps are in an order of evaluation.
void shape_views(config::Model& model);

}  // namespace epios::io
