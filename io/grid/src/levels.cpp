#include "grid/levels.hpp"

#include <algorithm>
#include <cstddef>

#include "config/index.hpp"
#include "element_kind.hpp"

namespace epios::io {

bool has_levels(const ServerChoice& choice) { return !choice.gatherers.empty(); }

int gatherer_number(const ServerChoice& choice, int server) {
  const auto found = std::find(choice.gatherers.begin(), choice.gatherers.end(), server);
  return found == choice.gatherers.end() ? -1 : static_cast<int>(found - choice.gatherers.begin());
}

bool is_downstream(const ServerChoice& choice, int server) {
  return has_levels(choice) && gatherer_number(choice, server) < 0 && choice.writers.has(server);
}

bool can_be_dealt_out(const config::Model& model) {
  return std::all_of(model.streams.begin(), model.streams.end(), [&](const config::Stream& stream) {
    const auto& elements = model.grids[stream.grid].elements;
    return std::count_if(elements.begin(), elements.end(), is_domain) <= 1;
  });
}

std::vector<FilePlacement> gathered_files(const config::Model& model, const ServerChoice& choice) {
  return std::vector<FilePlacement>(model.files.size(), {choice.gatherers, true});
}

std::vector<Pieces> gathered_pieces(const config::Model& model, const ServerChoice& choice,
                                    int servers) {
  std::vector<Pieces> out = pieces_of(model, gathered_files(model, choice), servers);
  for (std::size_t g = 1; g < choice.gatherers.size(); ++g) {
    Pieces& pieces = nth(out, choice.gatherers[g]);
    std::vector<ElementPiece> windows;
    std::vector<int> kept;  // per window: its number from now on; -1: left to the first
    for (const ElementPiece& piece : pieces.coordinate_windows) {
      kept.push_back(is_domain(piece.element) ? static_cast<int>(windows.size()) : -1);
      if (is_domain(piece.element)) windows.push_back(piece);
    }
    pieces.coordinate_windows = std::move(windows);
    for (CoordinatePiece& piece : pieces.coordinates) {
      piece.window = nth(kept, piece.window);
    }
    std::erase_if(pieces.coordinates,
                  [](const CoordinatePiece& piece) { return piece.window < 0; });
  }
  return out;
}

Pieces separate_windows(const Pieces& pieces) {
  Pieces out = pieces;
  out.windows.clear();
  for (GridPiece& grid : out.grids) {
    for (int& window : grid.windows) {
      out.windows.push_back(nth(pieces.windows, window));
      window = static_cast<int>(out.windows.size()) - 1;
    }
  }
  return out;
}

}  // namespace epios::io
