#pragma once

#include <span>
#include <vector>

#include "schedules/cost_model.hpp"

namespace ep {

/// A measured time for some amount, in bytes or messages.
struct Sample {
  double amount;
  double time_s;
};

/// Returns the line alpha + beta * amount with the least relative distance to the samples, so that
/// small and large samples have the same weight. Neither coefficient is negative.
LinkCost fit_line(std::span<const Sample> samples);

/// A line alpha + beta * amount whose cost per byte is higher above a bend.
struct BentLine {
  LinkCost below;
  double beyond_s_per_byte = 0;  ///< not less than below.beta_s_per_byte
};

/// Returns the bent line with the least relative distance to the samples. The bend is at `amount`.
BentLine fit_bent_line(std::span<const Sample> samples, double amount);

/// A series of samples, each of which belongs to a vector of `vector_bytes` times as many bytes.
struct Measured {
  std::vector<Sample> samples;
  double vector_bytes = 1;
};

/// Returns the vector size from which bytes cost more: among the sizes of the samples' vectors, the
/// one for which bent lines fit all series best. At least one series must not be empty.
double find_bend(std::span<const Measured> series);

/// Returns the median, which occasional disturbances of a machine do not change.
double median(std::vector<double> values);

/// Returns how far repetitions differ: the median divided by the smallest value, since disturbances
/// only slow a machine down. Returns 1 if they agree, or if there are none.
double disagreement(const std::vector<double>& times);

}  // namespace ep
