/// @file
/// Which windows of arrays are arrays of their own.
#pragma once

#include <vector>

#include "config/grid_element.hpp"
#include "config/model_ids.hpp"

namespace epios::config {

/// Per expression of the Model: whether it is a view (is_view) whose points have to be copied into
/// an array of its grid. A view shows points of its source's array where they lie; this does not do
/// where arithmetic takes it together with data of another array, point by point, nor where it
/// shows what such arithmetic makes.
IndexedVector<ExpressionId, bool> views_apart(const Model& model);

}  // namespace epios::config
