#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "space/cells.hpp"
#include "sphere/sphere_shapes.hpp"
#include "sphere/sphere_tree.hpp"
#include "weights/remap_centres.hpp"

namespace epios::io {

namespace {

float rounded_out(double value, double away) {
  const double moved = value + away;
  const auto single = static_cast<float>(moved);
  constexpr float everywhere = std::numeric_limits<float>::infinity();
  if (away < 0) return double{single} > moved ? std::nextafter(single, -everywhere) : single;
  return double{single} < moved ? std::nextafter(single, everywhere) : single;
}

SpaceBox widened(const SpaceBox& box, double margin) {
  if (!(margin > 0)) return box;
  SpaceBox out;
  for (std::size_t k = 0; k < 3; ++k) {
    out.low.at(k) = rounded_out(double{box.low.at(k)}, -margin);
    out.high.at(k) = rounded_out(double{box.high.at(k)}, margin);
  }
  return out;
}

SpaceBox box_at(const Vector& p) {
  constexpr double rounding = 1e-15;
  return {{rounded_out(p.x, -rounding), rounded_out(p.y, -rounding), rounded_out(p.z, -rounding)},
          {rounded_out(p.x, rounding), rounded_out(p.y, rounding), rounded_out(p.z, rounding)}};
}

/// Boxes with the cells inside them; cells without any are left out.
struct CellBoxes {
  std::vector<SpaceBox> boxes;
  std::vector<std::size_t> cells;
};

CellBoxes boxes_of(const Cells& cells, CellIndex::Of what, int threads) {
  const Shapes shapes(cells, Shapes::BoxCorners::none, threads);
  std::vector<Vector> centres;
  if (what != CellIndex::Of::cells) centres = centres_of(cells, shapes, threads);
  CellBoxes out;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    SpaceBox box;
    const auto pieces = shapes.pieces_of(c);
    if (what != CellIndex::Of::centres && !pieces.empty()) {
      const auto first = static_cast<std::size_t>(pieces.data() - shapes.pieces().data());
      box = united(shapes.bounds().subspan(first, pieces.size()));
    }
    if (!centres.empty() && dot(centres[c], centres[c]) > 0) box = united(box, box_at(centres[c]));
    if (box.is_empty()) continue;
    out.boxes.push_back(box);
    out.cells.push_back(c);
  }
  return out;
}

/// Adds `count` consecutive groups of near cells.
template <class Add>
void each_of_groups(const std::vector<std::uint32_t>& order, std::size_t most, const Add& add) {
  const std::size_t count = std::min(std::max<std::size_t>(most, 1), order.size());
  for (std::size_t b = 0; b < count; ++b) {
    for (std::size_t k = order.size() * b / count; k < order.size() * (b + 1) / count; ++k) {
      add(b, order[k]);
    }
  }
}

/// The square of how far the furthest point of a box may be.
double furthest(const SpaceBox& box, const SpaceBox& from) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const double far = std::max(double{box.high.at(k)} - double{from.low.at(k)},
                                double{from.high.at(k)} - double{box.low.at(k)});
    sum += far * far;
  }
  return sum;
}

}  // namespace

struct CellIndex::Impl {
  explicit Impl(CellBoxes&& made) : known(std::move(made)), tree(known.boxes) {}
  CellBoxes known;
  SpaceTree tree;
};

CellIndex::CellIndex(const Cells& cells, Of what, int threads)
    : impl_(std::make_unique<Impl>(boxes_of(cells, what, threads))) {}
CellIndex::~CellIndex() = default;

std::vector<SpaceBox> CellIndex::boxes(std::size_t most, double margin) const {
  const std::vector<SpaceBox>& known = impl_->known.boxes;
  std::vector<SpaceBox> out(std::min(std::max<std::size_t>(most, 1), known.size()));
  each_of_groups(impl_->tree.order(), most, [&](std::size_t group, std::uint32_t box) {
    out[group] = united(out[group], known[box]);
  });
  for (SpaceBox& box : out) box = widened(box, margin);
  return out;
}

std::vector<std::size_t> CellIndex::in(std::span<const SpaceBox> boxes) const {
  std::vector<std::uint32_t> found;
  for (const SpaceBox& box : boxes) {
    if (box.is_empty()) continue;
    impl_->tree.visit(box, [&](std::uint32_t number) { found.push_back(number); });
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  std::vector<std::size_t> cells;
  cells.reserve(found.size());
  for (const std::uint32_t number : found) cells.push_back(impl_->known.cells[number]);
  return cells;
}

std::vector<SpaceBox> boxes_around(const Cells& cells, std::size_t most) {
  return CellIndex(cells, CellIndex::Of::cells).boxes(most);
}

std::vector<std::size_t> cells_in(const Cells& cells, std::span<const SpaceBox> boxes) {
  return CellIndex(cells, CellIndex::Of::cells).in(boxes);
}

std::vector<SpaceBox> boxes_to_nearest(const Cells& targets, std::span<const SpaceBox> sources,
                                       std::size_t most) {
  const CellBoxes known = boxes_of(targets, CellIndex::Of::centres, 1);
  std::vector<SpaceBox> out(std::min(std::max<std::size_t>(most, 1), known.boxes.size()));
  each_of_groups(near_order(known.boxes), most, [&](std::size_t group, std::uint32_t box) {
    out[group] = united(out[group], known.boxes[box]);
  });
  for (SpaceBox& box : out) {
    double least = 4 * 3;  // no two points are further apart
    for (const SpaceBox& source : sources) {
      if (!source.is_empty()) least = std::min(least, furthest(source, box));
    }
    box = widened(box, std::sqrt(least) * (1 + 1e-6));
  }
  return out;
}

}  // namespace epios::io
