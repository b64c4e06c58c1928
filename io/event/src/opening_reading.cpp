// What clients receive of the pieces that servers read.
#include <algorithm>

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
  return std::none_of(needed.begin(), needed.end(), [&](int window) {
    return windows[static_cast<std::size_t>(window)].empty();
  });
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
  return pattern_to_send(model, parts, pieces, piece, {Asked::Points::all, {}});
}

}  // namespace epios::io
