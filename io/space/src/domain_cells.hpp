/// @file
/// Cells of domains as polygons on the sphere, and those of other clients.
#pragma once

#include <ep/ep.hpp>
#include <optional>
#include <string>

#include "config/model.hpp"
#include "space/cells.hpp"
#include "step_frame.hpp"

namespace epios::io {

/// This client's cells, by their numbers, each once; those that are none of `points` do not count.
/// Collective. Nothing, on all clients alike, when they have no corners: `why` says so.
std::optional<Cells> cells_of(const config::Domain& domain, const Points& points,
                              const ep::Comm& clients, std::string& why);

/// The cells of all clients that touch cells of this one, perhaps a few more, by their numbers,
/// each once. `has_neighbours`: and those that touch these. Collective. Memory: what it returns.
Cells cells_around(const Cells& own, const Cells& around, bool has_neighbours,
                   const ep::Comm& clients);

/// What is wrong with the cells of all clients, the same on all. Collective.
CellReport report_of(const Cells& own, const ep::Comm& clients);

}  // namespace epios::io
