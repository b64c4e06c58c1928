/// @file
/// What the user should know about grids and coordinates although the run continues.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grid/box.hpp"

namespace epios::io {

/// A remark as one server sees it. Remarks of several servers about one thing differ in points and
/// examples.
struct Remark {
  std::string file{};       ///< path; "" if it concerns no file
  std::string what;         ///< "domain 'd': no client gives 'lon'"
  std::int64_t points = 0;  ///< number of points concerned; 0 if it is not about points
  std::vector<std::string>
      examples{};      ///< some of these points: the first ones that the server sees
  std::string advice;  ///< the consequence, and what to do: whole sentences
  bool operator==(const Remark&) const = default;
};

/// Largest number of examples of a remark.
inline constexpr std::size_t most_examples = 3;

/// Returns one text per thing, in the order of the remarks. Points that the servers of one file see
/// are added up. Files with the same remark are named together.
std::vector<std::string> sentences(const std::vector<Remark>& remarks);

/// Returns "(3, 0)": the indices, from 0 and first dimension of the model first, of a position in a
/// box whose dimensions are in file order.
std::string point_text(const Box& box, std::int64_t position);

}  // namespace epios::io
