// Any bytes as cells of two grids on the sphere: corners from a few places that make them touch,
// fall together and lie on poles and on the date line, near to those, or any numbers at all.
// Weights of all methods must be numbers that keep to their laws.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numbers>
#include <span>
#include <vector>

#include "space/cells.hpp"
#include "space/weights.hpp"

namespace {

using epios::io::Cells;
using epios::io::Edges;
using epios::io::RemapMethod;
using epios::io::RemapOptions;
using epios::io::Weights;

constexpr double sphere = 4 * std::numbers::pi;
constexpr double rounding = 1e-9;

void expect(bool law, const char* what) {
  if (law) return;
  std::fprintf(stderr, "cells_fuzz: %s\n", what);
  std::abort();
}

class Bytes {
 public:
  explicit Bytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
  std::uint8_t byte() {
    if (at_ == bytes_.size()) return 0;
    return bytes_[at_++];
  }
  double any_number() {
    std::array<std::uint8_t, sizeof(double)> raw{};
    for (std::uint8_t& b : raw) b = byte();
    double out = 0;
    std::memcpy(&out, raw.data(), sizeof out);
    return out;
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t at_ = 0;
};

/// A place of a coarse lattice, that place but for rounding or a little more, or any number.
double coordinate(Bytes& in, double least, double step, int places) {
  constexpr std::array<double, 6> shifts{0, 0, 1e-15, -1e-13, 1e-9, 1e-5};
  const std::uint8_t kind = in.byte();
  if (kind == 255) return in.any_number();
  return least + step * (in.byte() % places) + 90 * shifts[kind % shifts.size()];
}

Cells cells_of(Bytes& in) {
  Cells cells;
  const std::uint8_t how = in.byte();
  if ((how & 1U) != 0) cells.edges = Edges::parallels;
  cells.offsets.push_back(0);
  for (int cell = how / 4 % 6; cell >= 0; --cell) {
    for (int corner = in.byte() % 8; corner > 0; --corner) {
      cells.lon.push_back(coordinate(in, -180, 30, 19));
      cells.lat.push_back(coordinate(in, -90, 15, 13));
    }
    cells.offsets.push_back(static_cast<std::int64_t>(cells.lon.size()));
    if ((how & 2U) != 0) cells.mask.push_back(in.byte() % 8 == 0 ? 0 : 1);
  }
  return cells;
}

void check(const Weights& weights, const Cells& source, const Cells& target, bool keeps_range) {
  expect(weights.rows() == target.size(), "a row per target");
  for (std::size_t r = 0; r < weights.rows(); ++r) {
    double sum = 0;
    for (std::int64_t k = weights.offsets[r]; k < weights.offsets[r + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      expect(std::isfinite(weights.weight[at]), "weights are numbers");
      expect(!keeps_range || weights.weight[at] > 0, "weights of means are above 0");
      expect(k == weights.offsets[r] || weights.source[at - 1] < weights.source[at],
             "sources ascend");
      const auto from = static_cast<std::size_t>(weights.source[at]);
      expect(from < source.size() && source.counts(from), "sources count");
      sum += weights.weight[at];
    }
    const bool is_empty = weights.offsets[r] == weights.offsets[r + 1];
    expect(is_empty || sum <= 1 + rounding, "no row counts more than once");
  }
  for (const double covered : weights.covered) {
    expect(covered >= 0 && covered <= 1, "targets are covered by a part of them");
  }
}

/// What the grids have in common, as seen from the target.
double shared(const Cells& source, const Cells& target) {
  RemapOptions options;
  options.order = 1;
  options.quantity = true;
  const Weights weights = make_weights(source, target, options);
  const std::vector<double> areas = areas_of(source);
  double sum = 0;
  for (std::size_t k = 0; k < weights.weight.size(); ++k) {
    expect(std::isfinite(weights.weight[k]), "shares are numbers");
    sum += weights.weight[k] * areas[static_cast<std::size_t>(weights.source[k])];
  }
  return sum;
}

/// Whether all cells are what they seem: of others it is not said what their inside is.
bool is_simple(const Cells& cells) {
  const epios::io::CellReport report = inspect(cells);
  return report.crossed.count == 0 && report.bent.count == 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes in({data, size});
  const Cells source = cells_of(in);
  const Cells target = cells_of(in);
  for (const Cells* cells : {&source, &target}) {
    const double most = is_simple(*cells) ? sphere + rounding : std::numeric_limits<double>::max();
    for (const double area : areas_of(*cells)) {
      expect(area >= 0 && area <= most, "an area is a part of the sphere");
    }
    static_cast<void>(inspect(*cells).sentences());
    static_cast<void>(centres_of(*cells));
    static_cast<void>(boxes_around(*cells, 4));
  }
  for (const int order : {1, 2}) {
    RemapOptions options;
    options.order = order;
    options.for_missing = true;
    check(make_weights(source, target, options), source, target, order == 1);
  }
  for (const RemapMethod method : {RemapMethod::bilinear, RemapMethod::nearest}) {
    RemapOptions options;
    options.method = method;
    check(make_weights(source, target, options), source, target, method == RemapMethod::nearest);
  }
  if (!is_simple(source) || !is_simple(target)) return 0;
  expect(std::abs(shared(source, target) - shared(target, source)) <= rounding,
         "overlaps are the same from both sides");
  return 0;
}
