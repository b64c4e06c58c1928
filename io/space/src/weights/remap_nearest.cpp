#include <cmath>
#include <limits>

#include "sphere/remap_threads.hpp"
#include "weights/remap_centres.hpp"
#include "weights/remap_rows.hpp"

namespace epios::io {

namespace {

bool is_point(const Vector& v) { return dot(v, v) > 0; }

SpaceBox point_box(const Vector& p) {
  constexpr float rounding = 1e-7F;
  const std::array<float, 3> at{static_cast<float>(p.x), static_cast<float>(p.y),
                                static_cast<float>(p.z)};
  return {{at[0] - rounding, at[1] - rounding, at[2] - rounding},
          {at[0] + rounding, at[1] + rounding, at[2] + rounding}};
}

std::vector<std::uint32_t> points_of(std::span<const Vector> centres) {
  std::vector<std::uint32_t> which;
  for (std::size_t c = 0; c < centres.size(); ++c) {
    if (is_point(centres[c])) which.push_back(static_cast<std::uint32_t>(c));
  }
  return which;
}

std::vector<SpaceBox> point_boxes(std::span<const Vector> centres) {
  std::vector<SpaceBox> boxes;
  for (const Vector& centre : centres) {
    if (is_point(centre)) boxes.push_back(point_box(centre));
  }
  return boxes;
}

}  // namespace

std::vector<Vector> centres_of(const Cells& cells, const Shapes& shapes, int threads) {
  std::vector<Vector> centres(cells.size());
  in_shares(threads, cells.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
    RecentDirections directions;
    for (std::size_t c = begin; c < end; ++c) {
      if (!cells.counts(c)) continue;
      if (!cells.centre_lon.empty()) {
        const double lon = cells.centre_lon[c];
        const double lat = cells.centre_lat[c];
        if (std::isfinite(lon) && std::isfinite(lat)) centres[c] = point_at(lon, lat);
      } else if (!shapes.pieces_of(c).empty()) {
        const Vector moment = moment_of(shapes, c, directions);
        if (is_point(moment)) centres[c] = unit(moment);
      }
    }
  });
  return centres;
}

NearestCentre::NearestCentre(const Cells& cells, std::span<const Vector> centres)
    : cells_(cells), centres_(centres), which_(points_of(centres)), tree_(point_boxes(centres)) {}

std::int64_t NearestCentre::find(const Vector& point) const {
  double least = std::numeric_limits<double>::infinity();
  std::int64_t best = -1;
  tree_.visit_near({point.x, point.y, point.z}, least, [&](std::uint32_t place) {
    const std::uint32_t cell = which_[place];
    const Vector d = centres_[cell] - point;
    const double distance = dot(d, d);
    if (distance < least ||
        (distance == least &&
         (best < 0 || cells_.number(cell) < cells_.number(static_cast<std::size_t>(best))))) {
      least = distance;
      best = cell;
    }
  });
  return best;
}

Weights nearest_weights(const Cells& source, const Cells& target, const RemapOptions& options) {
  const Shapes sources(source, Shapes::BoxCorners::none, options.threads);
  const Shapes targets(target, Shapes::BoxCorners::none, options.threads);
  const std::vector<Vector> from = centres_of(source, sources, options.threads);
  const std::vector<Vector> to = centres_of(target, targets, options.threads);
  const NearestCentre nearest(source, from);
  std::vector<RowList> lists(static_cast<std::size_t>(std::max(1, options.threads)));
  in_shares(options.threads, to.size(), [&](std::size_t share, std::size_t begin, std::size_t end) {
    for (std::size_t c = begin; c < end; ++c) {
      if (!is_point(to[c])) continue;
      const std::int64_t found = nearest.find(to[c]);
      if (found < 0) continue;
      const RowEntry entry{source.number(static_cast<std::size_t>(found)), 1, 1};
      lists[share].add(c, std::span(&entry, 1), 1);
    }
  });
  return assembled(target, std::move(lists), false);
}

}  // namespace epios::io
