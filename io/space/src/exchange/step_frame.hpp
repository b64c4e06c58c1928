/// @file
/// A step from grid to grid as one client sees it: the points of the element that changes, and the
/// other elements, which are the same for each of them.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <vector>

#include "config/spatial.hpp"
#include "grid/part.hpp"

namespace epios::io {

/// Points by number, and their places in arrays.
struct Points {
  std::vector<std::int64_t> keys;    ///< ascending, each once
  std::vector<std::int64_t> places;  ///< places in the array along the element
};
/// Returns the points for which this client has values.
Points points_of(const Part& part);

/// The points of the elements before the one that changes, or behind it.
struct Level {
  std::vector<std::int64_t> points;  ///< their numbers among all points, ascending
  std::vector<std::int64_t> places;  ///< places in the array along these elements
  std::int64_t all = 1;              ///< number of points of the whole grid
  std::int64_t array = 1;  ///< number of places in this client's array along these elements
};

/// The sources of each point of the target.
struct Stencils {
  Points targets;
  std::vector<std::int64_t> begin{0};  ///< first entry in `sources` of each target, and the end
  std::vector<std::int64_t> sources;   ///< keys
  std::vector<double> weights;         ///< parallel to sources; empty if each counts as it is
  std::vector<double>
      first_order;  ///< weights if a source is missing (Weights); empty if they are the same

  void close_target() { begin.push_back(static_cast<std::int64_t>(sources.size())); }
};

/// The source values that a client has, and the places of results: place(before, point, behind) =
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

/// The clients among which points of a step are exchanged.
enum class Reach {
  nobody,   ///< none: each client has what it needs
  all,      ///< those with the same points of the other elements
  by_point  ///< all that have some of them: each point of the grid counts separately
};

/// The points of others that a step uses.
enum class Scope {
  client,  ///< none
  points,  ///< points that this client does not have
  copies   ///< also copies of its own points
};

/// The frame of a step for the values and results of this client. `comm` contains those that
/// exchange points.
struct StepFrame {
  Frame frame;
  Reach reach = Reach::nobody;
  ep::Comm comm;
  /// Places of the source's array without a value although their elements have one, because the
  /// mask of the grid hides them. Others may have values for them; these are no sources of the
  /// frame.
  std::vector<std::int64_t> masked;
};
StepFrame frame_of(const config::Model& model, const LocalParts& parts,
                   const config::SpatialStep& step, const ep::Comm& clients,
                   Scope scope);  ///< collective

/// Returns stencils along the element that changes, for the points of a frame with Reach::by_point.
Stencils spread(const Stencils& stencils, const Frame& element);
/// Returns the frame in which each point of the grid counts separately. `masked` are places without
/// value.
Frame spread(const Frame& element, const std::vector<std::int64_t>& masked);

}  // namespace epios::io
