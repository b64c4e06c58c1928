// What clients receive of the pieces that servers read.
#include <algorithm>
#include <map>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "event/opening.hpp"

namespace epios::io {

std::vector<std::vector<PlaceRun>> read_windows(const config::Model& model, const LocalParts& parts,
                                                const Pieces& pieces) {
  std::vector<std::vector<PlaceRun>> out;
  out.reserve(pieces.windows.size());
  for (const ElementPiece& piece : pieces.windows) {
    const Extents shape = element_shape(model, piece.element);
    out.push_back(positions(clip(parts.data(piece.element), shape, piece.window)));
  }
  return out;
}

bool receives(const Pieces& pieces, std::size_t piece,
              const std::vector<std::vector<PlaceRun>>& windows) {
  const std::vector<int>& needed = pieces.grids[piece].windows;
  return std::none_of(needed.begin(), needed.end(),
                      [&](int window) { return nth(windows, window).empty(); });
}

std::vector<std::vector<std::uint8_t>> notified_pieces(
    std::span<const Pieces> pieces, std::span<const std::vector<std::vector<PlaceRun>>> windows) {
  std::vector<std::vector<std::uint8_t>> out;
  for (const Pieces& its : pieces) out.emplace_back(its.grids.size(), std::uint8_t{0});
  const std::size_t fields = pieces.empty() ? 0 : pieces.front().of_stream.size();
  for (std::size_t f = 0; f < fields; ++f) {
    std::size_t first = pieces.size();
    bool has_points = false;
    for (std::size_t s = pieces.size(); s-- > 0;) {
      const int piece = pieces[s].of_stream[f];
      if (piece < 0) continue;
      first = s;
      has_points = has_points || receives(pieces[s], static_cast<std::size_t>(piece), windows[s]);
    }
    if (has_points || first == pieces.size()) continue;
    nth(out[first], pieces[first].of_stream[f]) = 1;
  }
  return out;
}

Pattern pattern_in_slab(const Pieces& pieces, std::size_t piece,
                        const std::vector<std::vector<PlaceRun>>& windows) {
  std::vector<PatternFactor> factors;
  for (const int window : pieces.grids[piece].windows) {
    const auto w = static_cast<std::size_t>(window);
    factors.push_back({pieces.windows[w].window.volume(), windows[w]});
  }
  return Pattern(factors);
}

Pattern pattern_to_receive(const config::Model& model, const LocalParts& parts,
                           const Pieces& pieces, std::size_t piece) {
  return pattern_to_send(model, parts, pieces, piece, {RequestedPoints::Points::all, {}});
}

namespace {

/// The cell that each place of an element's array belongs to; -1: it has none, or nobody can tell.
std::vector<std::int64_t> cells_of_places(const Part& owned, const Part& data) {
  std::vector<std::int64_t> cells(static_cast<std::size_t>(data.places()), -1);
  std::map<std::int64_t, std::int64_t> place_of;  // of the first cells of points that repeat
  std::map<std::int64_t, std::vector<std::int64_t>> repeats_of;
  for (const Part::Repeat& repeat : owned.repeats()) {
    repeats_of[repeat.first].push_back(repeat.place);
  }
  std::size_t at = 0;
  for (const PartRun& run : owned.runs()) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      const std::int64_t global = run.global + k;
      const auto runs = data.runs();
      while (at < runs.size() && runs[at].global + runs[at].count <= global) ++at;
      if (at == runs.size() || runs[at].global > global) continue;
      const std::int64_t place = runs[at].place + global - runs[at].global;
      nth(cells, place) = run.place + k;
      if (repeats_of.contains(run.place + k)) place_of[place] = run.place + k;
    }
  }
  std::map<std::int64_t, std::vector<std::int64_t>> places;  // of repeats, by the first one's
  for (const Part::Repeat& repeat : data.repeats()) places[repeat.first].push_back(repeat.place);
  for (auto& [first, its] : places) {
    const auto cell = place_of.find(first);
    if (cell == place_of.end() || repeats_of[cell->second].size() != its.size()) continue;
    std::sort(its.begin(), its.end());
    std::vector<std::int64_t>& theirs = repeats_of[cell->second];
    std::sort(theirs.begin(), theirs.end());
    for (std::size_t k = 0; k < its.size(); ++k) {
      nth(cells, its[k]) = theirs[k];
    }
  }
  return cells;
}

/// Goes through the product of the places of elements, from the slowest on.
class RepeatedPlaces {
 public:
  RepeatedPlaces(const config::Model& model, const LocalParts& parts, int grid) {
    for (const config::GridElement& element : model.grids[config::GridId(grid)].elements) {
      const Part& part = parts.data(element);
      parts_.push_back(&part);
      strides_.push_back(stride_);
      stride_ *= part.places();
      repeat_.push_back(repeat_.empty() ? part.repeated() > 0
                                        : repeat_.back() || part.repeated() > 0);
    }
  }

  std::vector<Part::Repeat> take() {
    if (!repeat_.empty() && repeat_.back()) visit(parts_.size(), {}, false);
    return std::move(out_);
  }

 private:
  /// `level`: elements that are left.
  void visit(std::size_t level, const Part::Repeat& at, bool repeats) {
    if (level == 0) {
      out_.push_back(at);
      return;
    }
    const std::size_t e = level - 1;
    const std::int64_t stride = strides_[e];
    for (const Part::Repeat& repeat : parts_[e]->repeats()) {
      visit(e, {at.place + repeat.place * stride, at.first + repeat.first * stride}, true);
    }
    const bool may_repeat = repeats || (e > 0 && repeat_[e - 1]);
    if (!may_repeat) return;
    for (const PartRun& run : parts_[e]->runs()) {
      for (std::int64_t k = 0; k < run.count; ++k) {
        const std::int64_t offset = (run.place + k) * stride;
        visit(e, {at.place + offset, at.first + offset}, repeats);
      }
    }
  }

  std::vector<const Part*> parts_;
  std::vector<std::int64_t> strides_;
  std::vector<bool> repeat_;  // this element or a faster one has repeats
  std::int64_t stride_ = 1;
  std::vector<Part::Repeat> out_;
};

}  // namespace

std::vector<Part::Repeat> repeated_places(const config::Model& model, const LocalParts& parts,
                                          int grid) {
  const config::Grid& its = model.grids[config::GridId(grid)];
  std::vector<Part::Repeat> out = RepeatedPlaces(model, parts, grid).take();
  if (!its.mask || out.empty()) return out;
  std::vector<std::vector<std::int64_t>> cells;
  for (const config::GridElement& element : its.elements) {
    cells.push_back(cells_of_places(parts.owned(element), parts.data(element)));
  }
  const auto is_unmasked = [&](std::int64_t place) {
    std::int64_t cell = 0;
    std::int64_t stride = 1;
    for (std::size_t e = 0; e < cells.size(); ++e) {
      const auto places = static_cast<std::int64_t>(cells[e].size());
      const std::int64_t own = nth(cells[e], place % places);
      if (own < 0) return false;
      cell += own * stride;
      place /= places;
      stride *= parts.owned(its.elements[e]).places();
    }
    return nth(its.mask->values, cell) != 0;
  };
  std::erase_if(out, [&](const Part::Repeat& repeat) {
    return !is_unmasked(repeat.place) || !is_unmasked(repeat.first);
  });
  return out;
}

}  // namespace epios::io
