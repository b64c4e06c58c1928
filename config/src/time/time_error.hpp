/// @file
/// The error of dates and date arithmetic, with its reason apart, for callers that add a place.
#pragma once

#include <string>
#include <utility>

#include "config/error.hpp"

namespace epios::config {

class TimeError : public Error {
 public:
  TimeError(const std::string& problem, std::string why, std::string suggestion)
      : Error(ErrorCode::configuration,
              problem + " (" + why + ")." + (suggestion.empty() ? "" : " ") + suggestion),
        why_(std::move(why)),
        suggestion_(std::move(suggestion)) {}
  const std::string& why() const noexcept { return why_; }
  const std::string& suggestion() const noexcept { return suggestion_; }

 private:
  std::string why_;
  std::string suggestion_;
};

}  // namespace epios::config
