#pragma once

#include <span>
#include <vector>

#include "schedules/cost_model.hpp"

namespace ep {

/// How long `amount` of something took: bytes, or messages.
struct Sample {
  double amount;
  double time_s;
};

/// The line alpha + beta * amount nearest to the samples, in relative distance, so that small and
/// large ones count alike. Neither is negative.
LinkCost fit_line(std::span<const Sample> samples);

/// alpha + beta * amount, of which what is above a bend costs more per byte.
struct BentLine {
  LinkCost below;
  double beyond_s_per_byte = 0;  ///< not less than below.beta_s_per_byte
};

/// The bent line nearest to the samples, in relative distance. The bend is at `amount`.
BentLine fit_bent_line(std::span<const Sample> samples, double amount);

/// Samples of which each amount belongs to a vector of `vector_bytes` times as many bytes.
struct Measured {
  std::vector<Sample> samples;
  double vector_bytes = 1;
};

/// How large a vector may be before its bytes cost more: among the samples' vectors the one where
/// bent lines are nearest to all series together. At least one series is not empty.
double find_bend(std::span<const Measured> series);

/// The middle one: what a machine that does something else at times does not move.
double median(std::vector<double> values);

/// How far repetitions disagree: the middle one over the smallest, as what disturbs a machine makes
/// it slower only. 1 if they agree, or are none.
double disagreement(const std::vector<double>& times);

}  // namespace ep
