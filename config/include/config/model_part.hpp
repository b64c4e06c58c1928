/// @file
/// What a configuration leaves to the model, for people: as one line, and as XML to fill in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

/// A Gap, and where it was found.
struct OpenPlace {
  Gap gap;
  std::string where;
  /// True if the gap looks like a mistake rather than something that the model provides.
  bool is_doubtful = false;
};

/// Returns each gap of the findings of a check once, in their order.
std::vector<OpenPlace> open_places(const std::vector<Diagnostic>& findings);

/// Returns what the model has to set and to define: "timestep of the calendar, ni_glo and nj_glo of
/// 3 domains; to define axis 'levels'". Leaves out doubtful places; returns "" if nothing remains.
std::string summary(const std::vector<OpenPlace>& places);

/// Returns the part of the model for Additions, with "?" for every value. `about` becomes a comment
/// at its beginning.
std::string model_part(const std::vector<OpenPlace>& places, std::string_view about);

}  // namespace epios::config
