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

/// The middle one: what a machine that does something else at times does not move.
double median(std::vector<double> values);

/// How far repetitions disagree: the middle one over the smallest, as what disturbs a machine makes
/// it slower only. 1 if they agree, or are none.
double disagreement(const std::vector<double>& times);

}  // namespace ep
