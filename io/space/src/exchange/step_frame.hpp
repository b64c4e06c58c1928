/// @file
/// A step from grid to grid as one client sees it: points of the element that changes, and what
/// goes with each of them alike.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <vector>

#include "config/spatial.hpp"
#include "grid/part.hpp"

namespace epios::io {

/// Points by their number, and where arrays have them.
struct Points {
  std::vector<std::int64_t> keys;    ///< ascending, each once
  std::vector<std::int64_t> places;  ///< places in the array along the element
};
/// Returns the points for which this client has values.
Points points_of(const Part& part);

/// The points of the elements before the one that changes, or behind it.
struct Level {
  std::vector<std::int64_t> points;  ///< their number among all, ascending
  std::vector<std::int64_t> places;  ///< places in the array along these elements
  std::int64_t all = 1;              ///< of the whole grid
  std::int64_t array = 1;            ///< places of this client's array along these elements
};

/// The sources of each point of the target.
struct Stencils {
  Points targets;
  std::vector<std::int64_t> begin{0};  ///< per target into sources, and their end
  std::vector<std::int64_t> sources;   ///< keys
  std::vector<double> weights;         ///< as sources; none: each counts as it is
  std::vector<double> first_order;     ///< where a source is missing (Weights); none: the same

  void close_target() { begin.push_back(static_cast<std::int64_t>(sources.size())); }
};

/// Which values of the source a client has, and where results go: place(before, point, behind) =
/// before + before.array * (point + points.array * behind).
struct Frame {
  Level before, behind;
  std::int64_t source_array = 1;  ///< places along the element that changes
  std::int64_t target_array = 1;
  std::int64_t source_points = 1;  ///< number over all clients; keys are smaller
  std::int64_t target_points = 1;
  Points sources;

  std::size_t levels() const { return before.points.size() * behind.points.size(); }
};

/// Among whom points of a step are exchanged.
enum class Reach {
  nobody,   ///< each client has what it needs
  all,      ///< those who have the same points of the other elements
  by_point  ///< whoever has some of them: each point of the grid is one of its own
};

/// The points of others that a step uses.
enum class Scope {
  client,  ///< nothing
  points,  ///< points that this client has not
  copies   ///< of its own points, too
};

/// The frame of a step, of values and results that this client has. `comm` is that of those who
/// exchange.
struct StepFrame {
  Frame frame;
  Reach reach = Reach::nobody;
  ep::Comm comm;
  /// Places of the source's array that have no value, though their elements have: masked by the
  /// grid. What of them others have with values is none of the frame's sources.
  std::vector<std::int64_t> masked;
};
StepFrame frame_of(const config::Model& model, const LocalParts& parts,
                   const config::SpatialStep& step, const ep::Comm& clients,
                   Scope scope);  ///< collective

/// Stencils along the element that changes, for the points of a frame of Reach::by_point.
Stencils spread(const Stencils& stencils, const Frame& element);
/// The frame in which each point of the grid is a point of its own. `masked`: places without value.
Frame spread(const Frame& element, const std::vector<std::int64_t>& masked);

}  // namespace epios::io
