#include "schedules/cost_fit.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace ep {

namespace {

double distance(std::span<const Sample> samples, const LinkCost& line) {
  double sum = 0;
  for (const Sample& s : samples) {
    const double off = (line.alpha_s + line.beta_s_per_byte * s.amount) / s.time_s - 1;
    sum += off * off;
  }
  return sum;
}

}  // namespace

LinkCost fit_line(std::span<const Sample> samples) {
  // Normal equations with weights 1 / time^2.
  double w = 0;
  double wx = 0;
  double wxx = 0;
  double wy = 0;
  double wxy = 0;
  for (const Sample& s : samples) {
    const double weight = 1 / (s.time_s * s.time_s);
    w += weight;
    wx += weight * s.amount;
    wxx += weight * s.amount * s.amount;
    wy += weight * s.time_s;
    wxy += weight * s.amount * s.time_s;
  }
  const LinkCost flat{w > 0 ? wy / w : 0, 0};
  const LinkCost through_zero{0, wxx > 0 ? wxy / wxx : 0};
  const double determinant = w * wxx - wx * wx;
  if (determinant > 0) {
    const LinkCost free{(wxx * wy - wx * wxy) / determinant, (w * wxy - wx * wy) / determinant};
    if (free.alpha_s >= 0 && free.beta_s_per_byte >= 0) return free;
  }
  return distance(samples, flat) <= distance(samples, through_zero) ? flat : through_zero;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

double disagreement(const std::vector<double>& times) {
  if (times.empty()) return 1;
  const double smallest = *std::min_element(times.begin(), times.end());
  return smallest > 0 ? median(times) / smallest : 1;
}

}  // namespace ep
