#include "sphere/columns.hpp"

#include <cmath>

namespace epios::io {

Bounds eastwards(double a, double b, double centre) {
  if (b >= a) return {a, b};
  const Bounds westwards{b, a};
  const Bounds across{a, b + 360};
  const double width = a - b;
  const double place = centre - b - 360 * std::floor((centre - b) / 360);  // NaN without a centre
  if (width > 90 && width < 270 && place > 0 && place != width) {
    return place < width ? westwards : across;
  }
  return width <= 180 ? westwards : across;
}

bool goes_around(double begin, double end, std::int64_t columns) {
  const double gap = std::abs(std::abs(end - begin) - 360);
  return columns > 0 && gap < 0.01 * 360 / static_cast<double>(columns);
}

double around_from(double& begin, bool is_eastwards) {
  const double turn = is_eastwards ? 360 : -360;
  const double end = begin + turn;
  begin = end - turn;
  return end;
}

void close_seam(Bounds& first, Bounds& last, std::int64_t columns) {
  const bool is_eastwards = last.end >= first.begin;
  double& west = is_eastwards ? first.begin : last.begin;
  double& east = is_eastwards ? last.end : first.end;
  if (goes_around(west, east, columns)) east = around_from(west, true);
}

}  // namespace epios::io
