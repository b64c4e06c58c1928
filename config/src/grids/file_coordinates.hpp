/// @file
/// Which variables of a file are the coordinates of another one, by the CF conventions (4, 5, 7.1)
/// and UGRID.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/file_facts.hpp"
#include "config/model_fwd.hpp"
#include "config/read_grids.hpp"

namespace epios::config {

struct FileCoordinates {
  std::string type;                    ///< of a domain
  std::vector<CoordinateWish> wishes;  ///< attribute, variable, along and vertices are set
  std::int64_t vertices = 0;           ///< of cells with bounds
};

/// `dimension` of the file is the axis; -1: it has none.
FileCoordinates coordinates_of_axis(const FileFacts& file, const FileFacts::Variable& variable,
                                    int dimension);

/// Dimensions of a domain in a file; -1: it has none.
struct DomainDimensions {
  int rows = -1;
  int columns = -1;  ///< or cells
  bool has_rows = true;
};
/// Both of longitudes and latitudes, or none. `domain`: what is known of it, the names of its
/// coordinates among that.
FileCoordinates coordinates_of_domain(const FileFacts& file, const FileFacts::Variable& variable,
                                      const DomainDimensions& dimensions,
                                      const DomainAttributes& domain);

}  // namespace epios::config
