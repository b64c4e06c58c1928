// Lists what each server writes, reads and transforms, with windows shared by all streams, and
// settles which client sends which points. For that it goes through clients in ascending order and
// marks points that are taken.
#include "grid/pieces.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "grid/layout.hpp"
#include "grid/mesh.hpp"

namespace epios::io {

namespace {

using ElementKey = std::tuple<int, int, Extents, Extents>;

ElementKey key_of(const ElementPiece& piece) {
  return {static_cast<int>(piece.element.kind), piece.element.index, piece.window.begin,
          piece.window.size};
}

/// A list in which every window stands once.
class WindowList {
 public:
  explicit WindowList(std::vector<ElementPiece>& pieces) : pieces_(pieces) {}
  int add(const ElementPiece& piece) {
    const auto [place, is_new] = numbers_.emplace(key_of(piece), static_cast<int>(pieces_.size()));
    if (is_new) pieces_.push_back(piece);
    return place->second;
  }

 private:
  std::vector<ElementPiece>& pieces_;
  std::map<ElementKey, int> numbers_;
};

/// Collects the pieces of one server.
class PieceList {
 public:
  PieceList(const config::Model& model, std::size_t streams, Pieces& pieces)
      : model_(model),
        pieces_(pieces),
        windows_(pieces.windows),
        coordinate_windows_(pieces.coordinate_windows) {
    pieces_.of_stream.assign(streams, -1);
  }

  void add_stream(std::size_t stream, int grid, const Box& slab) {
    if (slab.is_empty()) return;
    pieces_.of_stream[stream] = number_of(grid, slab);
  }

  /// A stream of a file that this server has alone, which is made here of what crosses the wire, or
  /// by one step of another stream.
  void add_made_stream(std::size_t stream, const std::vector<config::ExpressionId>& steps,
                       int continued = -1) {
    std::vector<config::SpatialStep> all;
    all.reserve(steps.size());
    for (const config::ExpressionId expression : steps) {
      all.push_back(*config::spatial_step(model_, model_.expressions[expression]));
    }
    const auto has_points = [this](int grid) { return volume(global_shape(model_, grid)) > 0; };
    if (!has_points(all.front().from) || !has_points(all.back().to)) return;
    if (continued >= 0) {
      pieces_.of_stream[stream] =
          number_of(all.front().from, nothing(global_shape(model_, all.front().from).size()));
      pieces_.continued.resize(pieces_.of_stream.size(), -1);
      pieces_.continued[stream] = continued;
    } else {
      pieces_.of_stream[stream] = whole_grid(all.front().from);
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      const StepPiece step{steps[k], whole_grid(all[k].from), whole_grid(all[k].to)};
      const auto [place, is_new] = steps_.emplace(std::tuple(step.from, step.to, all[k].position),
                                                  static_cast<int>(pieces_.steps.size()));
      if (is_new) pieces_.steps.push_back(step);
      // Few servers make anything, and every client has the pieces of all.
      pieces_.steps_of_stream.resize(pieces_.of_stream.size());
      pieces_.steps_of_stream[stream].push_back(place->second);
    }
  }

  void add_coordinate(int file, const ElementPiece& piece) {
    if (piece.window.is_empty()) return;
    const CoordinatePiece added{file, coordinate_windows_.add(piece)};
    if (coordinates_.emplace(added.file, added.window).second) {
      pieces_.coordinates.push_back(added);
    }
  }

 private:
  int whole_grid(int grid) { return number_of(grid, whole(global_shape(model_, grid))); }
  int number_of(int grid, const Box& slab) {
    const auto [place, is_new] = grids_.emplace(std::tuple(grid, slab.begin, slab.size),
                                                static_cast<int>(pieces_.grids.size()));
    if (is_new) pieces_.grids.push_back(grid_piece(grid, slab));
    return place->second;
  }
  GridPiece grid_piece(int grid, const Box& slab) {
    GridPiece out{grid, slab, {}};
    const auto& elements = model_.grids[config::GridId(grid)].elements;
    const std::vector<Box> boxes = element_windows(model_, grid, slab);
    for (std::size_t e = 0; e < elements.size(); ++e) {
      out.windows.push_back(windows_.add({elements[e], boxes[e]}));
    }
    return out;
  }

  const config::Model& model_;
  Pieces& pieces_;
  WindowList windows_;
  WindowList coordinate_windows_;
  std::map<std::tuple<int, Extents, Extents>, int> grids_;
  std::map<std::tuple<int, int, std::size_t>, int> steps_;  ///< from, to, which element
  std::set<std::pair<int, int>> coordinates_;
};

/// Adds the coordinates of an element that each writer of a file has.
void add_coordinates(const config::Model& model, int file, const config::GridElement& element,
                     const FilePlacement& placement, std::vector<PieceList>& lists) {
  const auto windows = coordinate_windows(model, element, placement);
  for (std::size_t w = 0; w < placement.writers.size(); ++w) {
    auto& list = nth(lists, placement.writers[w]);
    list.add_coordinate(file, {element, windows[w]});
  }
}

/// Returns true if one server, the same, has both files.
bool is_on_one_server(const FilePlacement& a, const FilePlacement& b) {
  return a.writers.size() == 1 && a.writers == b.writers;
}

/// Bits of points, by their number.
class PointSet {
 public:
  explicit PointSet(std::int64_t points)
      : points_(points), words_(static_cast<std::size_t>((points + 63) / 64)) {}
  /// True if it was not there.
  bool insert(std::int64_t point) {
    std::uint64_t& word = nth(words_, point / 64);
    const std::uint64_t bit = std::uint64_t{1} << static_cast<unsigned>(point % 64);
    if ((word & bit) != 0) return false;
    word |= bit;
    ++count_;
    return true;
  }
  bool has(std::int64_t point) const {
    return (nth(words_, point / 64) >> static_cast<unsigned>(point % 64) & 1U) != 0;
  }
  std::int64_t missing() const { return points_ - count_; }
  std::int64_t points() const { return points_; }

 private:
  std::int64_t points_;
  std::int64_t count_ = 0;
  std::vector<std::uint64_t> words_;
};

bool is_everything(std::span<const PlaceRun> runs, std::int64_t points) {
  return runs.size() == 1 && runs[0] == PlaceRun{0, points};
}

std::int64_t total(std::span<const PlaceRun> runs) {
  std::int64_t sum = 0;
  for (const PlaceRun& run : runs) sum += run.count;
  return sum;
}

bool is_empty(const Offer& offer) {
  return std::any_of(offer.positions.begin(), offer.positions.end(),
                     [](const auto& runs) { return total(runs) == 0; });
}

void add_position(std::vector<PlaceRun>& runs, std::int64_t position) {
  if (!runs.empty() && runs.back().place + runs.back().count == position) {
    ++runs.back().count;
  } else {
    runs.push_back({position, 1});
  }
}

/// Settles one grid piece.
class Settler {
 public:
  Settler(std::span<const Offer> offers, const std::vector<std::int64_t>& window_points)
      : offers_(offers), window_points_(window_points) {
    const bool is_masked = std::any_of(offers.begin(), offers.end(), [](const Offer& offer) {
      return !offer.mask.empty() && !is_empty(offer);
    });
    for (std::size_t e = 0; e < window_points.size(); ++e) {
      if (is_masked || !is_same_for_all(e)) deciding_.push_back(e);
    }
    for (const std::size_t e : deciding_) points_ *= window_points[e];
  }

  Settlement settle() {
    PointSet taken(points_);
    for (const Offer& offer : offers_) {
      if (is_empty(offer)) continue;
      Settlement::Sender sender = ask(offer, taken);
      if (sender.sends_all || !sender.positions.empty()) {
        out_.senders.push_back(std::move(sender));
      }
    }
    note_missing(taken);
    return std::move(out_);
  }

 private:
  bool is_same_for_all(std::size_t e) const {
    return std::all_of(offers_.begin(), offers_.end(), [&](const Offer& offer) {
      return is_empty(offer) || is_everything(offer.positions[e], window_points_[e]);
    });
  }

  /// Numbers of the deciding elements' points, fastest first, as a pattern over them.
  Pattern pattern_of(const Offer& offer) const {
    std::vector<PatternFactor> factors;
    for (const std::size_t e : deciding_) {
      factors.push_back(
          {window_points_[e], {offer.positions[e].begin(), offer.positions[e].end()}});
    }
    return Pattern(factors);
  }

  Settlement::Sender ask(const Offer& offer, PointSet& taken) const {
    Settlement::Sender sender;
    sender.client = offer.client;
    // Which positions of each deciding element have a point that nobody had before.
    std::vector<PointSet> useful;
    for (const std::size_t e : deciding_) useful.emplace_back(window_points_[e]);
    const Pattern pattern = pattern_of(offer);
    std::int64_t gained = 0;
    pattern.for_each([&](std::int64_t number, std::int64_t point) {
      if (!offer.mask.empty() &&
          (nth(offer.mask, number / 64) >> static_cast<unsigned>(number % 64) & 1U) == 0) {
        return;
      }
      if (!taken.insert(point)) return;
      ++gained;
      for (std::size_t d = 0; d < deciding_.size(); ++d) {
        const std::int64_t extent = window_points_[deciding_[d]];
        useful[d].insert(point % extent);
        point /= extent;
      }
    });
    if (gained == pattern.count()) return sender;
    sender.sends_all = false;
    if (gained == 0) return sender;
    reduce(offer, useful, sender);
    return sender;
  }

  /// A masked part travels as it was offered: its mask belongs to these very points.
  void reduce(const Offer& offer, const std::vector<PointSet>& useful,
              Settlement::Sender& sender) const {
    if (!offer.mask.empty()) {
      sender.sends_all = true;
      return;
    }
    bool is_less = false;
    for (std::size_t e = 0; e < window_points_.size(); ++e) {
      const auto deciding = std::find(deciding_.begin(), deciding_.end(), e);
      std::vector<PlaceRun>& kept = sender.positions.emplace_back();
      if (deciding == deciding_.end()) {
        kept.assign(offer.positions[e].begin(), offer.positions[e].end());
        continue;
      }
      const PointSet& set = nth(useful, deciding - deciding_.begin());
      for (const PlaceRun& run : offer.positions[e]) {
        for (std::int64_t k = 0; k < run.count; ++k) {
          if (set.has(run.place + k)) add_position(kept, run.place + k);
        }
      }
      is_less = is_less || total(kept) < total(offer.positions[e]);
    }
    if (is_less) return;
    sender.sends_all = true;
    sender.positions.clear();
  }

  void note_missing(const PointSet& taken) {
    constexpr std::size_t most_examples = 3;
    // Where a point of this element is missing, all points of the other elements are missing, too.
    std::int64_t each = 1;
    for (std::size_t e = 0; e < window_points_.size(); ++e) {
      if (std::find(deciding_.begin(), deciding_.end(), e) == deciding_.end()) {
        each *= window_points_[e];
      }
    }
    out_.missing = taken.missing() * each;
    if (out_.missing == 0) return;
    for (std::int64_t p = 0; p < points_ && out_.first_missing.size() < most_examples; ++p) {
      if (!taken.has(p)) out_.first_missing.push_back(position_in_slab(p));
    }
  }

  std::int64_t position_in_slab(std::int64_t point) const {
    std::int64_t out = 0;
    std::int64_t stride = 1;
    for (std::size_t e = 0; e < window_points_.size(); ++e) {
      if (std::find(deciding_.begin(), deciding_.end(), e) != deciding_.end()) {
        out += point % window_points_[e] * stride;
        point /= window_points_[e];
      }
      stride *= window_points_[e];
    }
    return out;
  }

  std::span<const Offer> offers_;
  const std::vector<std::int64_t>& window_points_;
  std::vector<std::size_t> deciding_;  // elements along which the offers differ
  std::int64_t points_ = 1;            // of the deciding elements
  Settlement out_;
};

}  // namespace

int piece_on_file(const Pieces& pieces, std::size_t stream) {
  if (pieces.steps_of_stream.empty() || pieces.steps_of_stream[stream].empty()) {
    return pieces.of_stream[stream];
  }
  return nth(pieces.steps, pieces.steps_of_stream[stream].back()).to;
}

std::vector<Pieces> pieces_of(const config::Model& model, std::span<const FilePlacement> placements,
                              int servers) {
  std::vector<Pieces> out(static_cast<std::size_t>(servers));
  std::vector<PieceList> lists;
  lists.reserve(out.size());
  for (Pieces& pieces : out) lists.emplace_back(model, model.streams.size(), pieces);
  const auto continued = config::continued_streams(model);
  for (std::size_t s = 0; s < model.streams.size(); ++s) {
    const config::Stream& stream = nth(model.streams, s);
    const FilePlacement& placement = nth(placements, stream.file);
    const auto slabs = place_stream(model, static_cast<int>(s), placement).slabs;
    const std::vector<config::ExpressionId> steps = config::steps_on_servers(model, stream);
    const int other = nth(continued, s);
    if (other >= 0 &&
        is_on_one_server(placement, nth(placements, model.streams[config::StreamId(other)].file))) {
      nth(lists, placement.writers.front()).add_made_stream(s, {steps.back()}, other);
    } else if (!steps.empty()) {
      nth(lists, placement.writers.front()).add_made_stream(s, steps);
    }
    for (std::size_t w = 0; steps.empty() && w < placement.writers.size(); ++w) {
      auto& list = nth(lists, placement.writers[w]);
      list.add_stream(s, stream.grid, slabs[w]);
    }
    for (const auto& element : model.grids[stream.grid].elements) {
      add_coordinates(model, stream.file, element, placement, lists);
    }
  }
  for (std::size_t f = 0; f < model.files.size(); ++f) {
    for (const auto& element : lent_domains(model, nth(model.files, f))) {
      add_coordinates(model, static_cast<int>(f), element, placements[f], lists);
    }
  }
  return out;
}

std::vector<Pieces> read_pieces_of(const config::Model& model,
                                   std::span<const FilePlacement> placements, int servers) {
  std::vector<Pieces> out(static_cast<std::size_t>(servers));
  std::vector<PieceList> lists;
  lists.reserve(out.size());
  for (Pieces& pieces : out) lists.emplace_back(model, model.read_fields.size(), pieces);
  for (std::size_t i = 0; i < model.read_fields.size(); ++i) {
    const config::ReadField& field = nth(model.read_fields, i);
    const FilePlacement& placement = nth(placements, field.file);
    const auto slabs = place_read_field(model, static_cast<int>(i), placement);
    for (std::size_t r = 0; r < slabs.size(); ++r) {
      nth(lists, placement.writers[r]).add_stream(i, field.grid, slabs[r]);
    }
  }
  return out;
}

std::vector<PlaceRun> positions(const Part& clipped) {
  std::vector<PlaceRun> out;
  out.reserve(clipped.runs().size());
  for (const PartRun& run : clipped.runs()) {
    if (!out.empty() && out.back().place + out.back().count == run.global) {
      out.back().count += run.count;
    } else {
      out.push_back({run.global, run.count});
    }
  }
  return out;
}

Settlement settle(std::span<const Offer> offers, const std::vector<std::int64_t>& window_points) {
  return Settler(offers, window_points).settle();
}

}  // namespace epios::io
