#pragma once

#include <string>
#include <string_view>

#include "config/calendar.hpp"

namespace epios::server {

/// The time coordinate of a file of others (CF 4.4) on the calendar of the run. Pure.
class FileDates {
 public:
  /// `units`: "hours since 1900-01-01 00:00:00 UTC"; `calendar`: "" without the attribute. Throws
  /// Error{io} whose text says why they have no dates of the run, without the file.
  FileDates(const config::Calendar& run, std::string_view units, std::string_view calendar);

  /// Throws Error{io} for a value that is no date.
  config::Instant at(double value) const;

 private:
  std::string units_;
  config::Instant epoch_;
  double unit_ms_ = 1;
};

}  // namespace epios::server
