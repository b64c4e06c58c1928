/// @file
/// What a configuration leaves to the model, for people: in one line, and as XML to fill in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/error.hpp"

namespace epios::config {

/// A Gap and where it was found.
struct OpenPlace {
  Gap gap;
  std::string where;
  /// What is there looks like a mistake, rather than something the model says.
  bool is_doubtful = false;
};

/// Of the findings of a check, each gap once, in their order.
std::vector<OpenPlace> open_places(const std::vector<Diagnostic>& findings);

/// "timestep of the calendar, ni_glo and nj_glo of 3 domains; to define axis 'levels'": what the
/// model has to say, and what it has to define. Without those that are doubtful; "" for none.
std::string summary(const std::vector<OpenPlace>& places);

/// The model's part of Additions with "?" for every value. `about` is a comment at its beginning.
std::string model_part(const std::vector<OpenPlace>& places, std::string_view about);

}  // namespace epios::config
