#pragma once

#include <span>
#include <vector>

#include "schedules/cost_model.hpp"

namespace ep {

/// The time that `amount` of something took: bytes, or messages.
struct Sample {
  double amount;
  double time_s;
};

/// Returns the line alpha + beta * amount nearest to the samples in relative distance, so that
/// small and large samples count alike. Neither coefficient is negative.
LinkCost fit_line(std::span<const Sample> samples);

/// The line alpha + beta * amount with a higher cost per byte above a bend.
struct BentLine {
  LinkCost below;
  double beyond_s_per_byte = 0;  ///< not less than below.beta_s_per_byte
};

/// Returns the bent line nearest to the samples in relative distance. The bend is at `amount`.
BentLine fit_bent_line(std::span<const Sample> samples, double amount);

/// Samples whose amounts each belong to a vector of `vector_bytes` times as many bytes.
struct Measured {
  std::vector<Sample> samples;
  double vector_bytes = 1;
};

/// Returns how large a vector may be before its bytes cost more: among the samples' vectors the
/// size at which bent lines are nearest to all series together. At least one series is not empty.
double find_bend(std::span<const Measured> series);

/// Returns the median, which a machine that sometimes does something else does not move.
double median(std::vector<double> values);

/// Returns how far repetitions disagree: the median over the smallest value, since disturbances
/// only make a machine slower. 1 if they agree, or if there are none.
double disagreement(const std::vector<double>& times);

}  // namespace ep
