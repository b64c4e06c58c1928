/// @file
/// Cells of domains as polygons on the sphere, including those of other clients.
#pragma once

#include <ep/fwd.hpp>
#include <optional>
#include <string>

#include "config/model_fwd.hpp"
#include "exchange/step_frame.hpp"
#include "space/weights.hpp"

namespace epios::io {

/// Returns this client's cells by their numbers, each once; those outside of `points` do not count.
/// Collective. Returns nothing, on all clients alike, if something is missing; `why` says what.
enum class Needed {
  corners,
  centres,  ///< given ones, or else those of their corners
};
std::optional<Cells> cells_of(const config::Domain& domain, const Points& points, Needed needed,
                              const ep::Comm& clients, std::string& why);

/// Returns the cells of all clients from which a method makes values at `around`, possibly a few
/// more, by their numbers, each once. Collective. Memory: the result.
Cells cells_around(const Cells& own, const Cells& around, const RemapOptions& options,
                   const ep::Comm& clients);

/// Returns this client's cells and those of all clients that touch them, by their numbers, each
/// once. Collective.
Cells cells_beside(const Cells& own, const ep::Comm& clients);

/// Reports defects of the cells of all clients, the same on all clients. Each of the `size` cells
/// of the domain counts once, however many clients have it. Collective.
CellReport report_of(const Cells& own, std::int64_t size, const ep::Comm& clients);

}  // namespace epios::io
