// Weights have the same bits on every processor. The test of that name runs this twice, the second
// time without instructions that the C library takes where a processor has them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "space/cells.hpp"
#include "space/weights.hpp"
#include "sphere/sphere_points.hpp"
#include "sphere_grids.hpp"

namespace epios::same_bits_test {
namespace {

using epios::io::Cells;
using epios::io::RemapMethod;
using epios::io::RemapOptions;

class Bits {
 public:
  void add(double value) {
    hash_ = (hash_ ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001B3U;
    hash_ ^= hash_ >> 29U;
    ++count_;
  }
  std::string text() const { return fmt::format("{} numbers, {:016x}", count_, hash_); }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325U;
  std::size_t count_ = 0;
};

/// Tests make grids with the C library.
void round_all(Cells& cells) {
  for (auto* list : {&cells.lon, &cells.lat, &cells.centre_lon, &cells.centre_lat}) {
    for (double& value : *list) value = std::nearbyint(value * 1e6) / 1e6;
  }
}

TEST(SameBits, OfWeights) {
  Bits bits;
  std::vector<sphere_grids::Named> grids = sphere_grids::all(6);
  for (auto& grid : grids) round_all(grid.cells);
  for (const auto& source : grids) {
    for (const auto& target : {grids.front(), grids.back()}) {
      for (const RemapMethod method :
           {RemapMethod::conservative, RemapMethod::bilinear, RemapMethod::nearest}) {
        RemapOptions options;
        options.method = method;
        options.order = method == RemapMethod::conservative ? 2 : 1;
        for (const double w : make_weights(source.cells, target.cells, options).weight) bits.add(w);
      }
    }
  }
  for (int k = -40000; k < 40000; ++k) {
    const io::Vector a = io::point_at(0.0131 * k, 0.002 * k);
    const io::Vector b = io::point_at(0.0171 * k + 20, 0.0021 * k - 3);
    bits.add(a.x);
    bits.add(a.y);
    bits.add(a.z);
    bits.add(io::triangle_area(a, b, io::Vector{0, 0, 1}));
    bits.add(io::great_circle_moment(a, b).y);
  }
  fmt::print("bits: {}\n", bits.text());
}

}  // namespace
}  // namespace epios::same_bits_test
