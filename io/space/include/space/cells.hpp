/// @file
/// Cells of a grid on the sphere, or of a piece of one, as weights are worked out from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace epios::io {

/// What an edge between two corners of the same latitude is. All other edges are great circles.
enum class Edges {
  great_circles,  ///< curvilinear and unstructured grids
  parallels       ///< it follows its latitude: rectilinear and gaussian grids
};

/// Polygons on the unit sphere: of a whole grid, or those that one endpoint has or has gathered, in
/// any order, each number once. Coordinates in degrees, as models and files have them; 0 and 360
/// are one meridian to the last bit. Corners in either direction of rotation; corners that are
/// there twice (padding by the last one, poles of rectilinear cells) and corners on a straight edge
/// do no harm; the inside is the smaller side (of what is no smaller than the other nobody knows
/// the inside: such cells are not usable), but a cell of two longitudes and two latitudes with
/// Edges::parallels (a box) is what it says, up to the whole sphere. A box reaches from its first
/// longitude eastwards if it is given anticlockwise, and over less than 180 degrees otherwise.
struct Cells {
  std::vector<std::int64_t> index;    ///< number of each in its grid; empty: 0, 1, 2 ...
  std::vector<std::int64_t> offsets;  ///< one more than cells: corners of c are [o[c], o[c+1])
  std::vector<double> lon, lat;       ///< degrees, of corners
  std::vector<double> centre_lon, centre_lat;  ///< degrees, of cells; empty: their barycentres
  std::vector<std::uint8_t> mask;              ///< 0: does not count; empty: all count
  std::vector<double> area;                    ///< as given (m2), for use_area alone; may be empty
  Edges edges = Edges::great_circles;
  /// Whether boxes are given clockwise: of a piece what clockwise_votes() of the whole grid says.
  /// Nothing: it follows from these cells.
  std::optional<bool> clockwise;
  /// Corners that nobody gives: they lie amid the centres of neighbours (curvilinear_cells()).
  bool has_made_corners = false;

  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::int64_t number(std::size_t cell) const {
    return index.empty() ? static_cast<std::int64_t>(cell) : index[cell];
  }
  bool counts(std::size_t cell) const { return mask.empty() || mask[cell] != 0; }
};

/// The cells of a rectilinear grid, i fastest; `lon_bounds` and `lat_bounds` have two values per
/// column and per row (degrees). Edges are parallels. No centres. Columns all around the sphere
/// meet exactly, also if bounds in single precision nearly do (by a hundredth of a column).
Cells rectilinear_cells(std::span<const double> lon_bounds, std::span<const double> lat_bounds);

/// Bounds of columns, or rows, that only have centres: half way between them, the outermost as wide
/// on both sides; columns all around the sphere meet. `is_latitude`: not beyond the poles, and up
/// to them if less than half of a row is left (gaussian latitudes). Two per centre. One alone has
/// 360 or 180 degrees.
std::vector<double> bounds_between(std::span<const double> centres, bool is_latitude);

/// The cells of a curvilinear grid that has centres alone (degrees, i fastest): corners lie amid
/// the four centres around them; at the rim, and beside centres that are no points of the sphere or
/// were never filled in (those of two cells beside them, too), as if the grid went on. The last
/// column is beside the first where it goes around. Grids of straight rows and columns are those of
/// bounds_between().
Cells curvilinear_cells(std::int64_t ni, std::int64_t nj, std::span<const double> lon,
                        std::span<const double> lat);

/// By how much areas of cells with such corners are off at most. Half way is right where sizes of
/// cells do not bend: judged by `beside`, the areas (as in `areas`, of the unit sphere) of the
/// cells before and behind along i, and along j, of each cell; 0: there is none. Or, `is_of_given`,
/// by the areas that the cells have, on a sphere of this radius.
struct AreaDoubt {
  double share = 0;        ///< 0: nothing is to be seen
  std::int64_t cell = -1;  ///< the number of the first that is off so much
  bool is_of_given = false;
  /// "areas may be off by up to 3 %, judged by neighbours (cell 17)"
  std::string sentence() const;
};
AreaDoubt area_doubt(const Cells& cells, std::span<const double> areas,
                     std::span<const std::array<double, 4>> beside, bool is_of_given,
                     double radius);

/// Boxes that are given anticlockwise, less those that are not, as far as the plane tells: those
/// narrower than 180 degrees. Sums over pieces are those of the whole; below 0: Cells::clockwise.
std::int64_t clockwise_votes(const Cells& cells);

/// Some of the cells, in the given order; with their numbers and the direction of them all.
Cells selected(const Cells& cells, std::span<const std::size_t> which);

/// A box in space around cells on the unit sphere: rounded outwards, bulges of edges included.
struct SpaceBox {
  std::array<float, 3> low{2, 2, 2};
  std::array<float, 3> high{-2, -2, -2};
  bool is_empty() const { return low[0] > high[0]; }
  bool operator==(const SpaceBox&) const = default;
};
inline bool touch(const SpaceBox& a, const SpaceBox& b) {
  // All six, without jumps.
  return static_cast<int>(a.low[0] <= b.high[0]) & static_cast<int>(b.low[0] <= a.high[0]) &
         static_cast<int>(a.low[1] <= b.high[1]) & static_cast<int>(b.low[1] <= a.high[1]) &
         static_cast<int>(a.low[2] <= b.high[2]) & static_cast<int>(b.low[2] <= a.high[2]);
}

/// Cells, to be found many times: made once. Of cells that count alone.
class CellIndex {
 public:
  enum class Of {
    cells,    ///< what lies in their edges
    centres,  ///< their centres, as given or else barycentres
    both
  };
  /// O(n log n). Nothing is kept of `cells`.
  CellIndex(const Cells& cells, Of what, int threads = 1);
  CellIndex(const CellIndex&) = delete;
  CellIndex(CellIndex&&) = delete;
  CellIndex& operator=(const CellIndex&) = delete;
  CellIndex& operator=(CellIndex&&) = delete;
  ~CellIndex();

  /// At most `most` boxes that contain them all, made by halving along a curve that fills space:
  /// what an endpoint tells others of its cells. `margin`: further out on all sides.
  std::vector<SpaceBox> boxes(std::size_t most, double margin = 0) const;
  /// Cells (not numbers) that have a point in one of the boxes, perhaps a few more; ascending.
  std::vector<std::size_t> in(std::span<const SpaceBox> boxes) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Boxes around cells, and cells in boxes, of a CellIndex that is needed once.
///
/// An endpoint that wants conservative weights of its target cells needs: (1) source cells in
/// boxes_around(its targets); for order 2 also (2) source cells in boxes_around(what it got by
/// (1)), the neighbours of which gradients are made. Bilinear ones need the same around the centres
/// of targets (CellIndex::Of::centres). Nearest ones need the source cells whose centres are in
/// boxes_to_nearest(targets, boxes around centres of all sources).
std::vector<SpaceBox> boxes_around(const Cells& cells, std::size_t most);
std::vector<std::size_t> cells_in(const Cells& cells, std::span<const SpaceBox> boxes);

/// Boxes around the centres of cells, each further out on all sides by what the nearest of the
/// points that are in `sources` (each box has one) may be away at most.
std::vector<SpaceBox> boxes_to_nearest(const Cells& targets, std::span<const SpaceBox> sources,
                                       std::size_t most);

/// Whether all cells that count and are usable are boxes: with Edges::parallels, two longitudes and
/// two latitudes each.
bool are_boxes(const Cells& cells);

/// What is wrong with cells, counted; the numbers (Cells::number) of the first ones.
struct CellReport {
  struct Kind {
    std::size_t count = 0;
    std::int64_t first = -1;
  };
  Kind few_corners;  ///< fewer than three different ones
  Kind not_finite;   ///< NaN, infinite, or a latitude beyond a pole by more than rounding
  Kind no_area;      ///< three corners or more, on one line, or around as much as they take away
  Kind half_sphere;  ///< corners of a polygon that lie in no half of the sphere, or around its rim
  Kind crossed;      ///< edges cross or touch each other
  Kind clockwise;    ///< of no harm, but often a mistake when other cells are not
  Kind anticlockwise;
  Kind bent;        ///< bent inwards, with edges on parallels, which are taken for great circles
  Kind odd_area;    ///< given areas that are no numbers above 0: use_area takes that on the sphere
  double area = 0;  ///< of all good ones, of the unit sphere
  /// Of the first four kinds: such cells have no weights.
  std::size_t unusable() const {
    return few_corners.count + not_finite.count + no_area.count + half_sphere.count;
  }
  /// One sentence per kind that occurs: "3 cells have fewer than 3 different corners (the first is
  /// cell 17)".
  std::vector<std::string> sentences() const;
};
CellReport inspect(const Cells& cells);

/// Area of each on the unit sphere; 0 of what has none.
std::vector<double> areas_of(const Cells& cells);

/// Degrees, longitudes in (-180, 180] where they are worked out: the centres given, or else
/// barycentres; NaN of what has none.
struct CellCentres {
  std::vector<double> lon, lat;
};
CellCentres centres_of(const Cells& cells);

}  // namespace epios::io
