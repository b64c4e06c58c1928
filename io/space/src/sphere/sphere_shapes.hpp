/// @file
/// Cells prepared for clipping: convex pieces, each a box or a polygon.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "space/cells.hpp"
#include "sphere/sphere_box.hpp"
#include "sphere/sphere_polygon.hpp"

namespace epios::io {

/// The validity of a cell.
enum class CellKind : std::uint8_t { good, few_corners, not_finite, no_area, half_sphere };

/// The corners of one cell in prepared form; keeps its working memory.
class CellOutline {
 public:
  /// Prepares cell `cell`: anticlockwise, without repeated corners.
  CellOutline(const Cells& cells, bool is_turned) : cells_(cells), is_turned_(is_turned) {}
  CellKind look(std::size_t cell);

  bool is_box() const { return is_box_; }
  const LatLonBox& box() const { return box_; }
  std::span<const Corner> corners() const { return corners_; }
  bool is_convex() const { return is_convex_; }
  bool was_clockwise() const { return was_clockwise_; }
  bool is_crossed() const;

 private:
  void leave_out_spikes();
  void leave_out_turns();
  CellKind look_at_polygon(std::span<const double> lon, std::span<const double> lat);

  const Cells& cells_;
  bool is_turned_ = false;
  bool is_box_ = false;
  bool is_convex_ = false;
  bool was_clockwise_ = false;
  bool goes_round_again_ = false;
  LatLonBox box_;
  std::vector<Corner> corners_;
  std::vector<PolygonSide> sides_;
};

/// Returns true if most boxes of the cells go round clockwise, as far as this can be decided.
bool mostly_clockwise(const Cells& cells);

/// A convex part of a cell; in nearly all cases the whole cell. If a cell crosses itself, or its
/// edges go out and back, parts may count negatively.
struct Piece {
  std::uint32_t cell = 0;
  bool is_box = false;
  bool is_negative = false;
  std::uint32_t corners = 0;  ///< number of corners; a box has none unless they are wanted
  std::size_t first = 0;      ///< first of its corners
  LatLonBox box{};
};

/// The shapes of all usable cells that count.
class Shapes {
 public:
  enum class BoxCorners { none, also };
  Shapes(const Cells& cells, BoxCorners box_corners, int threads);

  std::span<const Piece> pieces() const { return pieces_; }
  std::span<const Piece> pieces_of(std::size_t cell) const {
    return std::span(pieces_).subspan(first_[cell], first_[cell + 1] - first_[cell]);
  }
  std::span<const Corner> corners(const Piece& piece) const {
    return std::span(corners_).subspan(piece.first, piece.corners);
  }
  /// Returns boxes in space, parallel to pieces().
  std::span<const SpaceBox> bounds() const { return bounds_; }
  bool has_only_boxes() const { return has_only_boxes_; }

 private:
  friend class ShapeMaker;
  std::vector<Piece> pieces_;
  std::vector<std::size_t> first_;  // per cell, and one more
  std::vector<Corner> corners_;
  std::vector<SpaceBox> bounds_;
  bool has_only_boxes_ = true;
};

/// Returns a box around a convex piece, rounded outwards.
SpaceBox space_box(std::span<const Corner> corners);

double area_of(const Shapes& shapes, std::size_t cell, RecentDirections& directions);
Vector moment_of(const Shapes& shapes, std::size_t cell, RecentDirections& directions);

/// Triangles of great circles (three corners each, anticlockwise). The area of a polygon is the sum
/// of their areas, minus that of `negative`.
struct Triangles {
  std::vector<Corner> positive, negative;
};
void triangulate(std::span<const Corner> polygon, Triangles& triangles);

}  // namespace epios::io
