/// @file
/// Elements that are made of others without moving data: their points lie in the arrays of their
/// sources.
#pragma once

#include "config/model_fwd.hpp"

namespace epios::io {

/// Gives every element that a view makes (config::is_view) its part on this client: which of the
/// source's points are its, where they lie in the source's array, their coordinates, bounds, areas,
/// labels and masks. A client none of whose points are left has no point of it. Local; linear in
/// the points of this client. `model` is checked, its steps are in an order of evaluation.
void shape_views(config::Model& model);

}  // namespace epios::io
