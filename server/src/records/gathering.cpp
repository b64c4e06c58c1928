#include "records/gathering.hpp"

#include <cstring>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::server {
namespace {

/// Points of a window of a grid piece that some client has values of; empty: all, or none.
std::vector<std::int64_t> points_of(const io::ElementPiece& piece, std::size_t window,
                                    std::size_t number, std::span<const io::OpeningPart> parts) {
  std::vector<bool> is_there(static_cast<std::size_t>(piece.window.volume()), false);
  for (const io::OpeningPart& part : parts) {
    // What it says of the window is for another grid, or it has no values of its other elements.
    if (window >= part.windows.size() || number >= part.offered.size()) continue;
    if (part.offered[number] == 0) continue;
    for (const io::PlaceRun& run : part.windows[window]) {
      for (std::int64_t k = 0; k < run.count; ++k) {
        nth(is_there, run.place + k) = true;
      }
    }
  }
  std::vector<std::int64_t> out;
  for (std::size_t p = 0; p < is_there.size(); ++p) {
    if (is_there[p]) out.push_back(static_cast<std::int64_t>(p));
  }
  if (out.size() == is_there.size()) out.clear();
  return out;
}

template <class T>
std::span<std::byte> move_to_front(const io::Pattern& kept, std::span<std::byte> slab) {
  // Places ascend and are never before their positions: no value is overwritten before it is read.
  kept.for_each([&](std::int64_t position, std::int64_t place) {
    std::memcpy(slab.data() + static_cast<std::size_t>(position) * sizeof(T),
                slab.data() + static_cast<std::size_t>(place) * sizeof(T), sizeof(T));
  });
  return slab.first(static_cast<std::size_t>(kept.count()) * sizeof(T));
}

}  // namespace

Gathering gathering_of(const config::Model& model, const io::Pieces& pieces, std::size_t number,
                       std::span<const io::OpeningPart> parts) {
  const io::GridPiece& piece = pieces.grids[number];
  const auto& elements = model.grids[config::GridId(piece.grid)].elements;
  std::vector<std::vector<std::int64_t>> points;
  std::vector<io::PatternFactor> factors;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    const auto window = static_cast<std::size_t>(piece.windows[e]);
    const io::ElementPiece& its = pieces.windows[window];
    const bool is_scalar = elements[e].kind == config::GridElement::Kind::scalar;
    points.push_back(is_scalar ? std::vector<std::int64_t>()
                               : points_of(its, window, number, parts));
    io::PatternFactor factor{its.window.volume(), {}};
    if (points.back().empty()) {
      factor.runs = {{0, its.window.volume()}};
    } else {
      for (const std::int64_t point : points.back()) {
        if (!factor.runs.empty() && factor.runs.back().place + factor.runs.back().count == point) {
          ++factor.runs.back().count;
        } else {
          factor.runs.push_back({point, 1});
        }
      }
    }
    factors.push_back(std::move(factor));
  }
  io::Extents shape;
  for (std::size_t e = elements.size(); e-- > 0;) {
    const io::Extents& whole = nth(pieces.windows, piece.windows[e]).window.size;
    if (points[e].empty()) {
      shape.insert(shape.end(), whole.begin(), whole.end());
    } else {
      shape.push_back(static_cast<std::int64_t>(points[e].size()));
    }
  }
  return {std::move(points), io::whole(shape), io::Pattern(factors)};
}

std::span<std::byte> Gathering::gather(std::span<std::byte> slab, int value_bytes) const {
  if (kept.is_whole()) return slab;
  return value_bytes == 4 ? move_to_front<float>(kept, slab) : move_to_front<double>(kept, slab);
}

}  // namespace epios::server
