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

double distance(std::span<const Sample> samples, const BentLine& line, double bend) {
  double sum = 0;
  for (const Sample& s : samples) {
    const double below = std::min(s.amount, bend);
    const double time_s = line.below.alpha_s + line.below.beta_s_per_byte * below +
                          line.beyond_s_per_byte * (s.amount - below);
    sum += (time_s / s.time_s - 1) * (time_s / s.time_s - 1);
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

BentLine fit_bent_line(std::span<const Sample> samples, double amount) {
  std::vector<Sample> below;
  for (const Sample& s : samples) {
    if (s.amount <= amount) below.push_back(s);
  }
  const LinkCost line = fit_line(below.empty() ? samples : below);
  const double at_bend_s = line.alpha_s + line.beta_s_per_byte * amount;
  // The slope beyond the bend is that of a line through the bend, with the same relative weights.
  double products = 0;
  double squares = 0;
  for (const Sample& s : samples) {
    if (s.amount <= amount) continue;
    const double x = (s.amount - amount) / s.time_s;
    products += x * (s.time_s - at_bend_s) / s.time_s;
    squares += x * x;
  }
  const double beyond = squares > 0 ? products / squares : line.beta_s_per_byte;
  return {line, std::max(beyond, line.beta_s_per_byte)};
}

double find_bend(std::span<const Measured> series) {
  std::vector<double> candidates;
  for (const Measured& measured : series) {
    for (const Sample& s : measured.samples) candidates.push_back(s.amount * measured.vector_bytes);
  }
  std::sort(candidates.begin(), candidates.end());
  double best = candidates.back();
  double least = std::numeric_limits<double>::infinity();
  for (const double bend : candidates) {
    double sum = 0;
    for (const Measured& measured : series) {
      const double amount = bend / measured.vector_bytes;
      sum += distance(measured.samples, fit_bent_line(measured.samples, amount), amount);
    }
    if (sum >= least) continue;
    least = sum;
    best = bend;
  }
  return best;
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
