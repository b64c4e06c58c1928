/// @file
/// The model's own raw output: every step at full precision, to check the files against.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "ocean.hpp"
#include "options.hpp"

namespace ocean {

/// One file of doubles, shared by all endpoints, each of which writes its own rows; no endpoint
/// waits for another. Contents: ni, nj, number of steps, seconds per step; longitudes, latitudes; 1
/// for ocean and 0 for land per cell; then per step the global temperature and the global mean (0
/// for steps at which the model computes none).
class Dump {
 public:
  Dump(const Options& options, const Grid& grid);
  Dump(const Dump&) = delete;
  Dump(Dump&&) = delete;
  Dump& operator=(const Dump&) = delete;
  Dump& operator=(Dump&&) = delete;
  ~Dump();

  /// The endpoint's rows of step `step` (from 1).
  void write(std::int64_t step, const Ocean& model);
  /// By one endpoint.
  void write_mean(std::int64_t step, double mean);
  /// What is the same for all steps. By one endpoint.
  void write_header(const Options& options, const Grid& grid);

 private:
  void put(const std::vector<double>& values, std::int64_t first);

  std::filesystem::path path_;
  std::int64_t row_;
  std::int64_t cells_;
  std::int64_t header_;
  int file_;
  std::vector<double> buffer_;
};

}  // namespace ocean
