/// @file
/// Cells of a grid on the sphere, or of a piece of one, from which weights are computed.
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

/// The course of an edge between two corners of the same latitude. All other edges are great
/// circles.
enum class Edges {
  great_circles,  ///< used for curvilinear and unstructured grids
  parallels       ///< the edge follows its latitude: rectilinear and gaussian grids
};

/// Polygons on the unit sphere, either of a whole grid, or those that one endpoint has or has
/// gathered, in any order, each number once. Coordinates are in degrees, as in models and files; 0
/// and 360 are one meridian to the last bit. Corners may be given in either direction of rotation.
/// Repeated corners (padding by the last one, poles of rectilinear cells) and corners on a straight
/// edge are accepted. The inside is the smaller side; cells without a smaller side are not usable.
/// An exception is a cell of two longitudes and two latitudes with Edges::parallels (a box): it is
/// taken as given, up to the whole sphere. A box extends eastwards from its first longitude if it
/// is given anticlockwise; otherwise it extends over less than 180 degrees.
struct Cells {
  std::vector<std::int64_t> index;  ///< number of each cell in its grid; empty for 0, 1, 2 ...
  std::vector<std::int64_t>
      offsets;  ///< one more than cells: the corners of cell c are [offsets[c], offsets[c+1])
  std::vector<double> lon, lat;  ///< corners, in degrees
  std::vector<double> centre_lon,
      centre_lat;                  ///< centres of cells, in degrees; empty for their barycentres
  std::vector<std::uint8_t> mask;  ///< 0 if the cell does not count; empty if all count
  std::vector<double> area;        ///< area as given (m2), for use_area only; may be empty
  Edges edges = Edges::great_circles;
  /// True if boxes are given clockwise. For a piece it follows from clockwise_votes() of the whole
  /// grid. If it is not set, it follows from these cells.
  std::optional<bool> clockwise;
  /// True if nobody gives corners: they then lie amid the centres of neighbours
  /// (curvilinear_cells()).
  bool has_made_corners = false;

  std::size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::int64_t number(std::size_t cell) const {
    return index.empty() ? static_cast<std::int64_t>(cell) : index[cell];
  }
  bool counts(std::size_t cell) const { return mask.empty() || mask[cell] != 0; }
};

/// Returns the cells of a rectilinear grid, i fastest. `lon_bounds` and `lat_bounds` have two
/// values per column and per row (degrees); `centres` of the columns say where wide ones lie whose
/// second bound is not east of the first. Edges are parallels. The cells have no centres. Columns
/// all around the sphere meet exactly, also if bounds in single precision only nearly do (within a
/// hundredth of a column).
Cells rectilinear_cells(std::span<const double> lon_bounds, std::span<const double> lat_bounds,
                        std::span<const double> centres = {});

/// Returns bounds of columns, or rows, that have centres only, two per centre. They are half way
/// between centres; the outermost column is equally wide on both sides, and columns all around the
/// sphere meet. With `is_latitude` they do not exceed the poles, and extend to them if less than
/// half of a row is left (gaussian latitudes). A single centre has 360 or 180 degrees.
std::vector<double> bounds_between(std::span<const double> centres, bool is_latitude);

/// Returns the cells of a curvilinear grid that has centres only (degrees, i fastest). A corner
/// lies amid the four centres around it. At the rim, and beside centres that are no points of the
/// sphere or were never filled in (also beside two cells with those), the grid is extrapolated. The
/// last column neighbours the first one if the grid goes around. Grids of straight rows and columns
/// are those of bounds_between().
Cells curvilinear_cells(std::int64_t ni, std::int64_t nj, std::span<const double> lon,
                        std::span<const double> lat);

/// Largest error of areas of cells with such corners. Half way is right if cell sizes change
/// linearly. This is judged by `beside`, the areas (as in `areas`, of the unit sphere) of the cells
/// before and behind along i, and along j, of each cell; 0 means none. With `is_of_given` it is
/// judged by the areas that the cells have, on a sphere of this radius.
struct AreaDoubt {
  double share = 0;        ///< relative error; 0 if there is none to see
  std::int64_t cell = -1;  ///< number of the first cell with that error
  bool is_of_given = false;
  /// Returns "areas may be off by up to 3 %, judged by neighbours (cell 17)".
  std::string sentence() const;
};
AreaDoubt area_doubt(const Cells& cells, std::span<const double> areas,
                     std::span<const std::array<double, 4>> beside, bool is_of_given,
                     double radius);

/// Returns the number of boxes given anticlockwise minus the number of others, as far as the plane
/// decides: those narrower than 180 degrees. Sums over pieces are those of the whole; a sum below 0
/// means Cells::clockwise.
std::int64_t clockwise_votes(const Cells& cells);

/// Returns some of the cells, in the given order, with their numbers and the direction of all.
Cells selected(const Cells& cells, std::span<const std::size_t> which);

/// A box in space around cells on the unit sphere: rounded outwards, bulges of edges included.
struct SpaceBox {
  std::array<float, 3> low{2, 2, 2};
  std::array<float, 3> high{-2, -2, -2};
  bool is_empty() const { return low[0] > high[0]; }
  bool operator==(const SpaceBox&) const = default;
};
inline bool touch(const SpaceBox& a, const SpaceBox& b) {
  // All six comparisons, without branches.
  return static_cast<int>(a.low[0] <= b.high[0]) & static_cast<int>(b.low[0] <= a.high[0]) &
         static_cast<int>(a.low[1] <= b.high[1]) & static_cast<int>(b.low[1] <= a.high[1]) &
         static_cast<int>(a.low[2] <= b.high[2]) & static_cast<int>(b.low[2] <= a.high[2]);
}

/// Finds cells many times, among those that count. Built once.
class CellIndex {
 public:
  enum class Of {
    cells,    ///< everything inside their edges
    centres,  ///< their centres, as given or else barycentres
    both
  };
  /// O(n log n). Keeps nothing of `cells`.
  CellIndex(const Cells& cells, Of what, int threads = 1);
  CellIndex(const CellIndex&) = delete;
  CellIndex(CellIndex&&) = delete;
  CellIndex& operator=(const CellIndex&) = delete;
  CellIndex& operator=(CellIndex&&) = delete;
  ~CellIndex();

  /// Returns at most `most` boxes that contain all cells, made by bisection along a space-filling
  /// curve. An endpoint describes its cells to others by them. `margin` extends them on all sides.
  std::vector<SpaceBox> boxes(std::size_t most, double margin = 0) const;
  /// Returns the cells (not their numbers) that have a point in one of the boxes, possibly a few
  /// more; ascending.
  std::vector<std::size_t> in(std::span<const SpaceBox> boxes) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The following functions find boxes around cells, and cells in boxes, with a CellIndex that is
/// used once.
///
/// For conservative weights of its target cells, an endpoint needs (1) the source cells in
/// boxes_around(its targets) and, for order 2, also (2) the source cells in boxes_around(result of
/// (1)), whose neighbours give gradients. Bilinear weights need the same around the centres of
/// targets (CellIndex::Of::centres). Nearest weights need the source cells whose centres are in
/// boxes_to_nearest(targets, boxes around the centres of all sources).
std::vector<SpaceBox> boxes_around(const Cells& cells, std::size_t most);
std::vector<std::size_t> cells_in(const Cells& cells, std::span<const SpaceBox> boxes);

/// Returns boxes around the centres of cells, each extended on all sides by the largest possible
/// distance to the nearest of the points that are in `sources` (each box has one).
std::vector<SpaceBox> boxes_to_nearest(const Cells& targets, std::span<const SpaceBox> sources,
                                       std::size_t most);

/// Returns true if all usable cells that count are boxes: with Edges::parallels, two longitudes and
/// two latitudes each.
bool are_boxes(const Cells& cells);

/// The kinds of defects of cells, counted, with the numbers (Cells::number) of the first ones.
struct CellReport {
  struct Kind {
    std::size_t count = 0;
    std::int64_t first = -1;
  };
  Kind few_corners;  ///< fewer than three different corners
  Kind not_finite;   ///< NaN, infinite, or a latitude beyond a pole by more than rounding
  Kind no_area;  ///< three corners or more, on one line, or positive and negative area that cancel
  Kind half_sphere;  ///< corners of a polygon that lie in no half of the sphere, or around its rim
  Kind crossed;      ///< edges cross or touch each other
  Kind clockwise;    ///< harmless, but often a mistake if other cells are not
  Kind anticlockwise;
  Kind bent;        ///< bent inwards, with edges on parallels, which are treated as great circles
  Kind odd_area;    ///< given areas that are no numbers above 0: use_area takes the area on the
                    ///< sphere instead
  double area = 0;  ///< area of all valid cells, on the unit sphere
  /// Returns the number of cells of the first four kinds, which have no weights.
  std::size_t unusable() const {
    return few_corners.count + not_finite.count + no_area.count + half_sphere.count;
  }
  /// Returns one sentence per kind that occurs: "3 cells have fewer than 3 different corners (the
  /// first is cell 17)".
  std::vector<std::string> sentences() const;
};
CellReport inspect(const Cells& cells);

/// Returns the area of each cell on the unit sphere; 0 for cells without any.
std::vector<double> areas_of(const Cells& cells);

/// Centres in degrees: those given, or else barycentres, with longitudes in (-180, 180]. NaN for
/// cells without any.
struct CellCentres {
  std::vector<double> lon, lat;
};
CellCentres centres_of(const Cells& cells);

}  // namespace epios::io
