/// @file
/// Domains of type healpix: centres and corners of a client's cells.
#pragma once

#include "config/model_fwd.hpp"
#include "elements/local_cells.hpp"
#include "space/cells.hpp"

namespace epios::io {

bool is_healpix(const config::DomainAttributes& domain);
/// Gives a domain of type healpix the centres of its local cells as longitudes and latitudes.
void set_centres_of_pixels(config::DomainAttributes& domain);
/// Appends the corners of local cells of a domain of type healpix, which no attribute has: they are
/// many, and files need none.
void add_pixels(const config::DomainAttributes& domain, const LocalCells& local, Cells& cells);

}  // namespace epios::io
