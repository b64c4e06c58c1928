/// @file
/// Describes points of <stations> by CF-1.11, chapter 9: names of stations, and distances along a
/// section.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "file/output_file.hpp"
#include "grid/coordinates.hpp"

namespace epios::io {

/// Returns the number of bytes of the longest name of a domain's stations; 0 if it has none.
std::int64_t bytes_of_names(const config::Domain& domain);

/// Returns the variable with the names of stations. The spec refers to those of the Model. `slab`
/// is what this writer has of the domain; null if nothing.
VariableSpec names_of_stations(const config::Transformation& stations, const std::string& name,
                               int dimension, int text_dimension, std::int64_t text_bytes,
                               const CoordinateSlab* slab);
/// Returns the variable with the distances of stations from the centres of their cells. The spec
/// refers to those of the Model.
VariableSpec distances_of_stations(const config::Transformation& stations, const std::string& name,
                                   int dimension, const CoordinateSlab* slab);
/// Returns the variable with the distances of a section's points, and these in `numbers`.
VariableSpec distances_of_section(const config::Transformation& stations, const std::string& name,
                                  int dimension, const CoordinateSlab* slab,
                                  std::vector<double>& numbers);

/// What the fields of a file say of its features, all of which must be of one type.
struct Features {
  std::string type{};    ///< featureType; "" if there is none
  std::string misfit{};  ///< field that keeps a file with stations from having one
};
/// Returns the type of features: "timeSeries", or "timeSeriesProfile" if all fields have an axis.
Features features_of(const config::Model& model, const config::File& file);

}  // namespace epios::io
