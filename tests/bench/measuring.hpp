/// @file
/// What benchmarks of models share: clocks, arithmetic that takes a given time, limits.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace bench {

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Arithmetic on the field for a given time.
inline void compute(std::vector<double>& field, double milliseconds) {
  const auto start = Clock::now();
  std::size_t c = 0;
  while (seconds_since(start) * 1e3 < milliseconds) {
    constexpr std::size_t stretch = 4096;
    for (std::size_t k = 0; k < stretch; ++k) {
      field[c] = field[c] * 0.999 + 0.125;
      if (++c == field.size()) c = 0;
    }
  }
}

inline double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The value that this share of them does not exceed.
inline double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto place =
      static_cast<std::size_t>(std::ceil(share * static_cast<double>(values.size())));
  return values[std::max<std::size_t>(place, 1) - 1];
}

/// Copies of the field to memory that is in use but, like a channel, not the last one written to.
inline double memcpy_s(const std::vector<double>& field) {
  constexpr std::size_t buffers = 3;
  constexpr std::size_t copies = 21;
  std::vector<std::vector<double>> targets(buffers, field);
  std::vector<double> times;
  for (std::size_t n = 0; n < copies; ++n) {
    std::vector<double>& target = targets[n % buffers];
    const auto start = Clock::now();
    std::memcpy(target.data(), field.data(), field.size() * sizeof(double));
    times.push_back(seconds_since(start));
    // Read back, so that no copy can be left out.
    if (target[n] != field[n]) std::abort();
  }
  return median(times);
}

inline void print(const char* name, double value) { std::printf("%s %.9g\n", name, value); }

}  // namespace bench
