// Puts coordinates together that clients offer of the windows of a server. The client of the lowest
// rank that has a value wins, and where others differ the user gets a remark, so that files do not
// depend on who is heard first. In order: offers are checked, values are merged per kind of
// element, disagreements are collected.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "event/opening.hpp"
#include "grid/missing.hpp"

namespace epios::io {

namespace {

using Element = config::GridElement;

std::int64_t total(std::span<const PlaceRun> runs) {
  std::int64_t sum = 0;
  for (const PlaceRun& run : runs) sum += run.count;
  return sum;
}

std::int64_t end_of(std::span<const PlaceRun> runs) {
  return runs.empty() ? 0 : runs.back().place + runs.back().count;
}

[[noreturn]] void refuse(const OpeningPart& part, const std::string& why) {
  throw Error(ErrorCode::protocol,
              fmt::format("the part of {} {} does not belong to the context ({}). Do all clients "
                          "see the same configuration?",
                          part.clients.empty() ? "client" : "gatherer", part.client, why));
}

std::string title(const config::Model& model, const Element& element) {
  switch (element.kind) {
    case Element::Kind::axis:
      return "axis '" + model.axes[element.axis()].id + "'";
    case Element::Kind::domain:
      return "domain '" + model.domains[element.domain()].id + "'";
    case Element::Kind::scalar:
      break;
  }
  return "scalar '" + model.scalars[element.scalar()].id + "'";
}

/// One kind of coordinate of an element: where it is in an offer and in a slab, and how long it is.
struct Kind {
  const char* what;
  std::vector<double> CoordinateOffer::*offered;
  std::vector<double> CoordinateSlab::*assembled;
  std::vector<PlaceRun> CoordinateOffer::*positions;
  std::int64_t each = 1;    ///< values per point
  std::int64_t points = 0;  ///< of the slab
  bool is_there = false;    ///< by the form
};

/// The kinds that an element can have, with the sizes that its window gives them.
std::vector<Kind> kinds_of(const config::Model& model, const ElementPiece& piece,
                           const CoordinateForm& form) {
  const std::int64_t cells = piece.window.volume();
  if (piece.element.kind != Element::Kind::domain) {
    return {{"value", &CoordinateOffer::values, &CoordinateSlab::values, &CoordinateOffer::cells, 1,
             cells, form.has_values},
            {"bound", &CoordinateOffer::bounds, &CoordinateSlab::bounds, &CoordinateOffer::cells, 2,
             cells, form.has_bounds}};
  }
  const std::int64_t vertices = vertices_of(model, piece.element);
  const bool is_split = is_rectilinear(model, piece.element);
  const std::int64_t columns = is_split ? piece.window.size[1] : cells;
  const std::int64_t rows = is_split ? piece.window.size[0] : cells;
  const auto in_cells = &CoordinateOffer::cells;
  const auto in_rows = is_split ? &CoordinateOffer::rows : in_cells;
  const auto in_areas = is_split ? &CoordinateOffer::area_cells : in_cells;
  using Offer = CoordinateOffer;
  using Slab = CoordinateSlab;
  return {{"longitude", &Offer::lon, &Slab::lon, in_cells, 1, columns, form.has_lon},
          {"latitude", &Offer::lat, &Slab::lat, in_rows, 1, rows, form.has_lat},
          {"longitude of a vertex", &Offer::bounds_lon, &Slab::bounds_lon, in_cells, vertices,
           columns, form.has_bounds_lon},
          {"latitude of a vertex", &Offer::bounds_lat, &Slab::bounds_lat, in_rows, vertices, rows,
           form.has_bounds_lat},
          {"area", &Offer::area, &Slab::area, in_areas, 1, cells, form.has_area}};
}

/// Puts the offers of one coordinate together, from the highest rank to the lowest, and notes where
/// they disagree.
class Assembler {
 public:
  Assembler(const Kind& kind, std::vector<double>& slab) : kind_(kind), slab_(slab) {
    slab_.assign(static_cast<std::size_t>(kind.points * kind.each), missing);
  }

  void place(int client, const CoordinateOffer& offer) {
    const std::vector<double>& values = offer.*kind_.offered;
    if (values.empty()) return;
    const double* next = values.data();
    for (const PlaceRun& run : offer.*kind_.positions) {
      const std::int64_t count = run.count * kind_.each;
      place_run(client, run.place * kind_.each, {next, static_cast<std::size_t>(count)});
      next += count;
    }
  }

  /// Nothing if all agree. `sides`: the box of the points.
  std::optional<Remark> disagreement(const std::string& element, const Box& sides) const {
    if (points_ == 0) return {};
    return Remark{{},
                  fmt::format("{}: clients differ in the {}", element, kind_.what),
                  points_,
                  {fmt::format("{} has {} on client {} and {} on one of higher rank",
                               point_text(sides, example_), lower_, client_, other_)},
                  "That of the lowest client is written. Are the coordinates of halos those of "
                  "the cells inside?"};
  }

 private:
  void place_run(int client, std::int64_t first, std::span<const double> values) {
    // Degrees, metres: what differs less than single precision shows is no contradiction.
    constexpr double tolerance = 1e-6;
    double* to = slab_.data() + first;
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::isnan(values[k])) continue;
      if (!std::isnan(to[k]) &&
          std::abs(to[k] - values[k]) > tolerance * std::max(1.0, std::abs(values[k]))) {
        note(client, (first + static_cast<std::int64_t>(k)) / kind_.each, values[k], to[k]);
      }
      to[k] = values[k];
    }
  }

  /// A point counts once, however many clients and vertices differ; the example is the first one,
  /// of the lowest client.
  void note(int client, std::int64_t point, double lower, double other) {
    if (differs_.empty()) differs_.resize(static_cast<std::size_t>(kind_.points));
    if (!nth(differs_, point)) ++points_;
    nth(differs_, point) = true;
    if (points_ > 1 && point > example_) return;
    example_ = point;
    lower_ = lower;
    other_ = other;
    client_ = client;
  }

  const Kind& kind_;
  std::vector<double>& slab_;
  std::vector<bool> differs_;  // per point; empty while all agree
  std::int64_t points_ = 0;
  std::int64_t example_ = 0;
  double lower_ = 0;
  double other_ = 0;
  int client_ = 0;
};

/// The box of the points that have a value of one kind: of a rectilinear domain one of its sides.
Box sides_of(const Kind& kind, const Box& window) {
  if (kind.points == window.volume()) return window;
  const std::size_t d = kind.positions == &CoordinateOffer::rows ? 0 : 1;
  return {{window.begin[d]}, {window.size[d]}};
}

void place_labels(const CoordinateOffer& offer, std::vector<std::string>& slab) {
  if (offer.labels.empty()) return;
  auto next = offer.labels.begin();
  for (const PlaceRun& run : offer.cells) {
    for (std::int64_t k = 0; k < run.count; ++k, ++next) {
      if (!next->empty()) nth(slab, run.place + k) = *next;
    }
  }
}

void check_coordinates(const config::Model& model, const ElementPiece& piece,
                       const CoordinateOffer& offer, const OpeningPart& part) {
  const CoordinateForm all{true, true, true, true, true, true, true, 1};
  for (const Kind& kind : kinds_of(model, piece, all)) {
    const auto& positions = offer.*kind.positions;
    if (end_of(positions) > kind.points && kind.is_there) {
      refuse(part, fmt::format("{}: position {} of {}", title(model, piece.element),
                               end_of(positions) - 1, kind.points));
    }
    const auto size = static_cast<std::int64_t>((offer.*kind.offered).size());
    const std::int64_t expected = kind.is_there ? total(positions) * kind.each : 0;
    if (size != 0 && size != expected) {
      refuse(part, fmt::format("{}: {} numbers as {}, expected {}", title(model, piece.element),
                               size, kind.what, expected));
    }
  }
  const auto labels = static_cast<std::int64_t>(offer.labels.size());
  if (labels != 0 && labels != total(offer.cells)) {
    refuse(part, fmt::format("{}: {} labels for {} points", title(model, piece.element), labels,
                             total(offer.cells)));
  }
}

void check_mask(const config::Model& model, const Pieces& pieces, std::size_t piece,
                const OpeningPart& part) {
  if (part.masks[piece].empty()) return;
  std::int64_t points = 1;
  for (const int window : pieces.grids[piece].windows) {
    points *= total(nth(part.windows, window));
  }
  const auto bits = static_cast<std::int64_t>(part.masks[piece].size()) * 64;
  if (bits >= points && bits < points + 64) return;
  const auto& grid = model.grids[config::GridId(pieces.grids[piece].grid)];
  refuse(part, fmt::format("grid '{}': a mask of {} bits for {} points", grid.id, bits, points));
}

/// Returns true if numbers may be used as indices below `end`.
bool are_below(std::span<const std::int64_t> numbers, std::int64_t end) {
  return std::all_of(numbers.begin(), numbers.end(),
                     [end](std::int64_t number) { return number >= 0 && number < end; });
}

void check_rows(const config::Model& model, const StepPiece& piece, const StepRows& rows,
                const OpeningPart& part) {
  const auto& expression = model.expressions[config::ExpressionId(piece.expression)];
  const config::SpatialStep step = *config::spatial_step(model, expression);
  const std::size_t entries = rows.sources.size();
  const auto fits = [entries](const std::vector<double>& weights) {
    return weights.empty() || weights.size() == entries;
  };
  const auto& begin = rows.begin;
  const bool are_rows = begin.size() == rows.targets.size() + 1 && begin.front() == 0 &&
                        std::cmp_equal(begin.back(), entries) &&
                        std::is_sorted(begin.begin(), begin.end()) &&
                        std::is_sorted(rows.targets.begin(), rows.targets.end());
  if (are_rows && fits(rows.weights) && fits(rows.first_order) &&
      are_below(rows.targets, volume(element_shape(model, step.target))) &&
      are_below(rows.sources, volume(element_shape(model, step.source)))) {
    return;
  }
  refuse(part, fmt::format("rows of <{}> for field '{}' are none",
                           config::name(step.transformation->kind), expression.id));
}

}  // namespace

void check_opening_part(const config::Model& model, const Pieces& pieces, const OpeningPart& part) {
  if (part.client < 0 || part.remote_rank < 0 || part.windows.size() != pieces.windows.size() ||
      part.masks.size() != pieces.grids.size() || part.held.size() != pieces.windows.size() ||
      part.offered.size() != pieces.grids.size() ||
      part.coordinates.size() != pieces.coordinate_windows.size()) {
    refuse(part, fmt::format(
                     "it has {} windows, {} grids and {} coordinates, the server {}, {} and {}",
                     part.windows.size(), part.masks.size(), part.coordinates.size(),
                     pieces.windows.size(), pieces.grids.size(), pieces.coordinate_windows.size()));
  }
  for (std::size_t w = 0; w < pieces.windows.size(); ++w) {
    const ElementPiece& piece = pieces.windows[w];
    const std::int64_t end = std::max(end_of(part.windows[w]), end_of(part.held[w]));
    if (end > piece.window.volume()) {
      refuse(part, fmt::format("{}: position {} of {}", title(model, piece.element), end - 1,
                               piece.window.volume()));
    }
  }
  for (std::size_t g = 0; g < pieces.grids.size(); ++g) check_mask(model, pieces, g, part);
  for (std::size_t c = 0; c < pieces.coordinate_windows.size(); ++c) {
    check_coordinates(model, pieces.coordinate_windows[c], part.coordinates[c], part);
  }
  if (part.rows.size() != pieces.steps.size()) {
    refuse(part, fmt::format("it has rows of {} transformations, the server works out {}",
                             part.rows.size(), pieces.steps.size()));
  }
  for (std::size_t k = 0; k < pieces.steps.size(); ++k) {
    check_rows(model, pieces.steps[k], part.rows[k], part);
  }
}

void check_read_windows(const Pieces& read_pieces, const OpeningPart& part) {
  if (part.read_windows.size() != read_pieces.windows.size()) {
    refuse(part, fmt::format("it has {} windows of what is read, the server {}",
                             part.read_windows.size(), read_pieces.windows.size()));
  }
  for (std::size_t w = 0; w < read_pieces.windows.size(); ++w) {
    const std::int64_t points = read_pieces.windows[w].window.volume();
    if (end_of(part.read_windows[w]) <= points) continue;
    refuse(part, fmt::format("position {} of {} is to be received",
                             end_of(part.read_windows[w]) - 1, points));
  }
  if (part.is_notified_of.size() == read_pieces.grids.size()) return;
  refuse(part, fmt::format("it hears of {} grids of what is read, the server has {}",
                           part.is_notified_of.size(), read_pieces.grids.size()));
}

AssembledCoordinates assemble_coordinates(const config::Model& model, const Pieces& pieces,
                                          const CoordinateForms& forms,
                                          std::span<const OpeningPart> parts) {
  AssembledCoordinates out;
  for (std::size_t c = 0; c < pieces.coordinate_windows.size(); ++c) {
    const ElementPiece& piece = pieces.coordinate_windows[c];
    const CoordinateForm& form = forms.of(piece.element);
    auto& disagreements = out.disagreements.emplace_back();
    CoordinateSlab slab{piece.element, piece.window, {}, {}, {}, {}, {}, {}, {}, {}};
    for (const Kind& kind : kinds_of(model, piece, form)) {
      if (!kind.is_there) continue;
      Assembler assembler(kind, slab.*kind.assembled);
      for (std::size_t p = parts.size(); p-- > 0;) {
        assembler.place(parts[p].client, parts[p].coordinates[c]);
      }
      auto remark =
          assembler.disagreement(title(model, piece.element), sides_of(kind, piece.window));
      if (remark) disagreements.push_back(*std::move(remark));
    }
    if (form.label_bytes > 0) {
      slab.labels.resize(static_cast<std::size_t>(piece.window.volume()));
      for (std::size_t p = parts.size(); p-- > 0;) {
        place_labels(parts[p].coordinates[c], slab.labels);
      }
    }
    out.slabs.push_back(std::move(slab));
  }
  return out;
}

}  // namespace epios::io
