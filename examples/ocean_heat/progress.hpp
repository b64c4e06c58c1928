/// @file
/// What the user sees of a run.
#pragma once

#include <cstdint>
#include <epios/epios.hpp>
#include <string>

#include "options.hpp"

namespace ocean {

/// Sums over all client endpoints so far.
struct Traffic {
  std::int64_t bytes = 0;
  std::int64_t blocked_us = 0;  ///< the model's threads waiting for room
  std::int64_t library_us = 0;  ///< the model's threads in send calls, waiting included
  std::int64_t open_us = 0;     ///< of all the model's threads
};

/// Simulated date, a bar, throughput and the share of time the model was blocked: one line that
/// updates on a terminal, a plain line per month elsewhere. For one endpoint.
class Progress {
 public:
  explicit Progress(const Options& options, int clients);

  /// Once a simulated day.
  void show(std::int64_t day, const std::string& date, const Traffic& traffic);
  /// Ends the line and prints the table of files.
  void finish(const std::vector<epios::client::FileReport>& files, const Traffic& traffic);

 private:
  std::string figures(const Traffic& traffic) const;

  bool quiet_;
  bool terminal_;
  int days_;
  int clients_;
  double shown_at_s_ = -1;
};

}  // namespace ocean
