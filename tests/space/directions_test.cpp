// Remembered directions have the bits of those that are computed afresh.
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>
#include <vector>

#include "sphere/sphere_box.hpp"
#include "sphere/sphere_points.hpp"

namespace epios::io::directions_test {
namespace {

bool same_bits(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Few values that come again and many that push them out.
std::vector<double> mixed_degrees() {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> any(-720, 720);
  std::vector<double> out = {0.0, -0.0, 90, -90, 180, -180, 270, 360, 0.0, -0.0};
  for (int k = 0; k < 20'000; ++k) {
    out.push_back(k % 3 == 0 ? any(random) : 0.25 * static_cast<double>(random() % 1440));
  }
  return out;
}

TEST(RecentDirections, have_the_bits_of_new_ones) {
  RecentDirections recent;
  for (const double degrees : mixed_degrees()) {
    const Direction expected = direction(degrees);
    const Direction found = recent(degrees);
    ASSERT_TRUE(same_bits(found.sine, expected.sine)) << degrees;
    ASSERT_TRUE(same_bits(found.cosine, expected.cosine)) << degrees;
  }
}

TEST(RecentDirections, give_boxes_the_same_area_and_moment) {
  RecentDirections recent;
  const std::vector<double> degrees = mixed_degrees();
  for (std::size_t k = 0; k + 1 < 2000; ++k) {
    const LatLonBox box{degrees[k], 1 + static_cast<double>(k % 7),
                        -80 + static_cast<double>(k % 150), -79 + static_cast<double>(k % 150)};
    ASSERT_TRUE(same_bits(area_of(box, recent), area_of(box)));
    const Vector moment = moment_of(box, recent);
    const Vector expected = moment_of(box);
    ASSERT_TRUE(same_bits(moment.x, expected.x) && same_bits(moment.y, expected.y) &&
                same_bits(moment.z, expected.z));
  }
}

}  // namespace
}  // namespace epios::io::directions_test
