/// @file
/// Bounds of columns of a rectilinear grid, in degrees of longitude.
#pragma once

#include <cstdint>

namespace epios::io {

/// Two bounds with the first west of the second.
struct Bounds {
  double begin = 0, end = 0;
};

/// Returns the column between two bounds, which stand in either order or across the meridian at
/// which longitudes begin anew (350 and 10). Of columns about as wide as half of the sphere,
/// `centre` says on which side they lie; otherwise, and if there is none (NaN), the narrower one is
/// taken.
Bounds eastwards(double a, double b, double centre);

/// Returns true if columns reach all around the sphere, from the first west to the last east, but
/// for what single precision (or a mean of such numbers) leaves out: less than a hundredth of one.
bool goes_around(double begin, double end, std::int64_t columns);

/// Moves `begin` by its rounding so that 360 degrees from it is a number of the same direction,
/// which is returned.
double around_from(double& begin, bool is_eastwards);

/// Lets the outermost of so many columns meet, where they nearly do: each bound stored for itself
/// in single precision leaves a gap, or a strip that is there twice. `first` and `last` may be one.
void close_seam(Bounds& first, Bounds& last, std::int64_t columns);

}  // namespace epios::io
