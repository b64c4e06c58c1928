// Conservative weights. For each target it finds source cells that overlap, clips them, normalises
// the areas, and adds gradients for second order.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "sphere/remap_threads.hpp"
#include "sphere/sphere_shapes.hpp"
#include "sphere/sphere_tree.hpp"
#include "weights/remap_gradient.hpp"
#include "weights/remap_rows.hpp"

namespace epios::io {

namespace {

/// How far a corner may be off: by the rounding of degrees and of what is computed with them.
constexpr double corner_rounding = 16 * std::numeric_limits<double>::epsilon();

/// The overlap of a target and a source cell.
struct Overlap {
  std::int64_t number = 0;  ///< number of the source cell
  std::uint32_t source = 0;
  std::uint32_t piece = 0;  ///< piece of the source
  double area = 0;
  double rounding = 0;  ///< rounding error of the area
  Vector moment{};
};

/// Numbers that all rows need of source cells, as far as the options want them.
struct SourceCells {
  std::optional<Gradients> gradients;
  std::vector<double> area;   ///< of each
  std::vector<double> scale;  ///< given area over that on the sphere; empty: 1
};

std::vector<double> scales_of(const Cells& cells, std::span<const double> areas, double radius,
                              const char* which) {
  if (cells.area.size() != cells.size()) {
    throw Error(
        ErrorCode::argument,
        fmt::format("use_area needs the areas of all {} cells ({} given for {} cells). Give "
                    "the domain an area, or leave use_area out.",
                    which, cells.area.size(), cells.size()));
  }
  std::vector<double> scales(cells.size(), 1);
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const double on_sphere = areas[c] * radius * radius;
    const double scale = cells.area[c] / on_sphere;
    if (scale > 0 && std::isfinite(scale)) scales[c] = scale;
  }
  return scales;
}

std::vector<double> areas_by(const Shapes& shapes, std::size_t cells, int threads) {
  std::vector<double> areas(cells);
  in_shares(threads, cells, [&](std::size_t, std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) areas[c] = area_of(shapes, c);
  });
  return areas;
}

/// 0 for a source cell whose parts cancel each other: nobody has a share of it.
double one_over(double area) { return area > 0 ? 1 / area : 0; }

/// All overlaps of one target cell, then its row. One per thread.
class RowMaker {
 public:
  RowMaker(const Cells& source, const Shapes& sources, const Shapes& targets,
           const SourceCells& cells, const RemapOptions& options)
      : source_(source), sources_(sources), targets_(targets), cells_(cells), options_(options) {}

  /// `near`: pieces of source cells, among them all that may overlap.
  void overlap(std::size_t target, std::span<const std::uint32_t> near);
  /// The row of what overlap() found. `scale`: given area of the target over that on the sphere.
  std::span<const RowEntry> row(std::size_t target, double scale);
  double covered() const { return covered_; }

 private:
  void overlap(const Piece& piece, const Piece& other, Overlap overlap);
  void leave_out_touching();
  void add(const Overlap& overlap, double factor);
  void add_gradient(const Overlap& overlap, double factor);

  const Cells& source_;
  const Shapes& sources_;
  const Shapes& targets_;
  const SourceCells& cells_;
  const RemapOptions& options_;
  Clipper clipper_;
  std::vector<PolygonSide> sides_;
  std::vector<Overlap> overlaps_;
  std::vector<RowEntry> row_;
  RecentDirections directions_;
  double covered_ = 0;
};

void RowMaker::overlap(std::size_t target, std::span<const std::uint32_t> near) {
  overlaps_.clear();
  for (const Piece& piece : targets_.pieces_of(target)) {
    const SpaceBox& box = nth(targets_.bounds(), &piece - targets_.pieces().data());
    sides_.clear();
    for (const std::uint32_t n : near) {
      if (!touch(sources_.bounds()[n], box)) continue;
      const Piece& other = sources_.pieces()[n];
      overlap(piece, other, {source_.number(other.cell), other.cell, n, 0, 0, {}});
    }
  }
  // Sums have one order, whatever order the pieces were found in.
  std::stable_sort(overlaps_.begin(), overlaps_.end(), [](const Overlap& a, const Overlap& b) {
    return a.number != b.number ? a.number < b.number : a.piece < b.piece;
  });
  leave_out_touching();
}

/// One overlap per source cell, without those that are no larger than their rounding.
void RowMaker::leave_out_touching() {
  std::size_t end = 0;
  for (std::size_t k = 0; k < overlaps_.size();) {
    Overlap all = overlaps_[k];
    for (++k; k < overlaps_.size() && overlaps_[k].number == all.number; ++k) {
      all.area += overlaps_[k].area;
      all.rounding += overlaps_[k].rounding;
      all.moment = all.moment + overlaps_[k].moment;
    }
    if (all.area > all.rounding) overlaps_[end++] = all;
  }
  overlaps_.resize(end);
}

void RowMaker::overlap(const Piece& piece, const Piece& other, Overlap overlap) {
  if (piece.is_box && other.is_box) {
    const CommonBoxes boxes = common(piece.box, other.box);
    for (int b = 0; b < boxes.count; ++b) {
      const LatLonBox& box = boxes.box.at(static_cast<std::size_t>(b));
      overlap.area = area_of(box, directions_);
      overlap.rounding = corner_rounding * (box.width + box.north - box.south) / 45;
      if (cells_.gradients) overlap.moment = moment_of(box, directions_);
      overlaps_.push_back(overlap);
    }
    return;
  }
  if (sides_.empty()) {
    if (piece.is_box) {
      sides_of(piece.box, sides_);
    } else {
      sides_of(targets_.corners(piece), sides_);
    }
  }
  const std::span<const Corner> shared = clipper_.overlap(sources_.corners(other), sides_);
  if (shared.empty()) return;
  const double sign = piece.is_negative == other.is_negative ? 1 : -1;
  overlap.area = sign * area_of(shared);
  overlap.rounding = corner_rounding * perimeter_of(shared);
  if (cells_.gradients) overlap.moment = sign * moment_of(shared);
  overlaps_.push_back(overlap);
}

std::span<const RowEntry> RowMaker::row(std::size_t target, double scale) {
  row_.clear();
  covered_ = 0;
  if (overlaps_.empty()) return row_;
  const double area = area_of(targets_, target);
  double common = 0;
  double rounding = 0;
  double sum = 0;  // in the area of the source cells
  for (const Overlap& overlap : overlaps_) {
    common += overlap.area;
    rounding += overlap.rounding;
    sum += overlap.area * (cells_.scale.empty() ? 1 : cells_.scale[overlap.source]);
  }
  const bool is_whole = common >= area - rounding;
  // More than once: beyond what cells that meet badly have.
  constexpr double badly = 1e-6;
  covered_ = common > area * (1 + badly) + rounding ? 2 : is_whole ? 1 : common / area;
  double divisor = is_whole && !options_.use_area ? common : area * scale;
  if (options_.renormalize) divisor = sum;
  if (options_.quantity) divisor = options_.renormalize ? std::min(covered_, 1.0) : 1;
  if (!(divisor > 0)) return row_;
  for (const Overlap& overlap : overlaps_) add(overlap, 1 / divisor);
  if (cells_.gradients) {
    for (const Overlap& overlap : overlaps_) add_gradient(overlap, 1 / divisor);
  }
  merge(row_);
  if (!options_.quantity && (options_.renormalize || (is_whole && !options_.use_area))) {
    make_sum_one(row_, &RowEntry::weight);
    if (options_.for_missing) make_sum_one(row_, &RowEntry::first);
  }
  return row_;
}

void RowMaker::add(const Overlap& overlap, double factor) {
  double share = overlap.area * factor;
  if (options_.quantity) {
    share *= one_over(cells_.area[overlap.source]);
  } else if (!cells_.scale.empty()) {
    share *= cells_.scale[overlap.source];
  }
  row_.push_back({overlap.number, share, share});
}

void RowMaker::add_gradient(const Overlap& overlap, double factor) {
  const Gradients& gradients = *cells_.gradients;
  const std::uint32_t source = overlap.source;
  if (!options_.quantity && !cells_.scale.empty()) factor *= cells_.scale[source];
  const Vector lever = factor * (overlap.moment - overlap.area * gradients.centre(source));
  const auto neighbours = gradients.neighbours(source);
  const auto weights = gradients.weights(source);
  double own = 0;
  for (std::size_t n = 0; n < neighbours.size(); ++n) {
    const double share = dot(lever, weights[n]);
    const double density = options_.quantity ? one_over(cells_.area[neighbours[n]]) : 1;
    row_.push_back({source_.number(neighbours[n]), share * density, 0});
    own += share;
  }
  row_.push_back(
      {overlap.number, options_.quantity ? -own * one_over(cells_.area[source]) : -own, 0});
}

/// Two grids of boxes need no corners.
std::pair<Shapes, Shapes> shapes_of(const Cells& source, const Cells& target, int threads) {
  using enum Shapes::BoxCorners;
  if (source.edges == Edges::parallels && target.edges == Edges::parallels) {
    std::pair<Shapes, Shapes> boxes(Shapes(source, none, threads), Shapes(target, none, threads));
    if (boxes.first.has_only_boxes() && boxes.second.has_only_boxes()) return boxes;
  }
  return {Shapes(source, also, threads), Shapes(target, also, threads)};
}

/// Cells with a piece, in an order in which neighbours are near.
struct Targets {
  std::vector<std::uint32_t> cells;
  std::vector<SpaceBox> boxes;
};
Targets targets_in_order(const Cells& target, const Shapes& shapes) {
  std::vector<std::uint32_t> cells;
  std::vector<SpaceBox> boxes;
  for (std::size_t c = 0; c < target.size(); ++c) {
    const auto pieces = shapes.pieces_of(c);
    if (pieces.empty()) continue;
    const auto first = static_cast<std::size_t>(pieces.data() - shapes.pieces().data());
    cells.push_back(static_cast<std::uint32_t>(c));
    boxes.push_back(united(shapes.bounds().subspan(first, pieces.size())));
  }
  Targets targets;
  for (const std::uint32_t k : near_order(boxes)) {
    targets.cells.push_back(cells[k]);
    targets.boxes.push_back(boxes[k]);
  }
  return targets;
}

}  // namespace

Weights conservative_weights(const Cells& source, const Cells& target,
                             const RemapOptions& options) {
  const std::pair<Shapes, Shapes> shapes = shapes_of(source, target, options.threads);
  const Shapes& sources = shapes.first;
  const Shapes& targets = shapes.second;
  const SpaceTree tree(sources.bounds());
  SourceCells cells;
  if (options.order == 2) cells.gradients.emplace(source, sources, tree, options.threads);
  if (options.quantity || options.use_area) {
    cells.area = areas_by(sources, source.size(), options.threads);
  }
  std::vector<double> target_scale;
  if (options.use_area) {
    cells.scale = scales_of(source, cells.area, options.radius, "source");
    target_scale = scales_of(target, areas_by(targets, target.size(), options.threads),
                             options.radius, "target");
  }
  const Targets order = targets_in_order(target, targets);
  constexpr std::size_t together = 8;  // look for sources once
  const std::size_t groups = (order.cells.size() + together - 1) / together;
  std::vector<RowList> lists(static_cast<std::size_t>(std::max(1, options.threads)));
  in_shares(options.threads, groups, [&](std::size_t share, std::size_t begin, std::size_t end) {
    RowMaker maker(source, sources, targets, cells, options);
    std::vector<std::uint32_t> near;
    for (std::size_t group = begin; group < end; ++group) {
      const std::size_t first = group * together;
      const std::size_t last = std::min(first + together, order.cells.size());
      near.clear();
      tree.visit(united(std::span(order.boxes).subspan(first, last - first)),
                 [&](std::uint32_t piece) { near.push_back(piece); });
      for (std::size_t k = first; k < last; ++k) {
        const std::size_t cell = order.cells[k];
        maker.overlap(cell, near);
        const auto row = maker.row(cell, target_scale.empty() ? 1 : target_scale[cell]);
        if (!row.empty()) lists[share].add(cell, row, maker.covered());
      }
    }
  });
  return assembled(target, std::move(lists), options.order == 2 && options.for_missing);
}

}  // namespace epios::io
