/// @file
/// Finds the coordinate variables of a variable in a file, by the CF conventions (4, 5, 7.1) and
/// UGRID.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/file_facts.hpp"
#include "config/model_fwd.hpp"
#include "config/read_grids.hpp"

namespace epios::config {

struct FileCoordinates {
  std::string type;                    ///< type of a domain
  std::vector<CoordinateWish> wishes;  ///< with attribute, variable, along and vertices
  std::int64_t vertices = 0;           ///< number of vertices of cells with bounds
};

/// `dimension` is the dimension of the axis in the file, or -1.
FileCoordinates coordinates_of_axis(const FileFacts& file, const FileFacts::Variable& variable,
                                    int dimension);

/// Dimensions of a domain in a file, or -1.
struct DomainDimensions {
  int rows = -1;
  int columns = -1;  ///< or the dimension of cells
  bool has_rows = true;
};
/// Returns both longitudes and latitudes, or neither. `domain` is what is known about it, including
/// the names of its coordinates.
FileCoordinates coordinates_of_domain(const FileFacts& file, const FileFacts::Variable& variable,
                                      const DomainDimensions& dimensions,
                                      const DomainAttributes& domain);

/// Sentences about a file that cannot be read, for findings and errors.
struct FileProblem {
  std::string problem, why, suggestion;
};
FileProblem problem_of(const FileFacts& file);

}  // namespace epios::config
