/// @file
/// Heat in a plate, with coarrays.
#pragma once

#include "global_array.hpp"

namespace global_array {

/// Conducts heat through a plate whose blocks are those of a grid of images. Each image puts the
/// rows and columns at its edges into the halos of its neighbours, and syncs with these only. How
/// many cells of this image differ in any bit from what one image would have computed. Collective.
std::int64_t wrong_cells_of_heat(Image& image);

}  // namespace global_array
