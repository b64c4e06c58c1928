/// @file
/// What the user should know of grids and coordinates although the run goes on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grid/box.hpp"

namespace epios::io {

/// As far as one server sees it: remarks of several on one thing differ in points and examples.
struct Remark {
  std::string file{};                   ///< path; "": it is about no file
  std::string what;                     ///< "domain 'd': no client gives 'lon'"
  std::int64_t points = 0;              ///< where it is so; 0: it is not about points
  std::vector<std::string> examples{};  ///< some of them: the first ones, as far as they are seen
  std::string advice;                   ///< what becomes of it, and what to do: whole sentences
  bool operator==(const Remark&) const = default;
};

/// Examples that a remark has at most.
inline constexpr std::size_t most_examples = 3;

/// One text per thing, in the order in which they come: points of the servers of one file are added
/// up, files about which the same is to be said are named together.
std::vector<std::string> sentences(const std::vector<Remark>& remarks);

/// "(3, 0)": the indices from 0, first dimension of the model first, of a position in a box, whose
/// dimensions are in file order.
std::string point_text(const Box& box, std::int64_t position);

}  // namespace epios::io
