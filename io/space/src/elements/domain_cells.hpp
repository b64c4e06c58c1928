/// @file
/// Cells of domains as polygons on the sphere, and those of other clients.
#pragma once

#include <ep/fwd.hpp>
#include <optional>
#include <string>

#include "config/model_fwd.hpp"
#include "exchange/step_frame.hpp"
#include "space/weights.hpp"

namespace epios::io {

/// This client's cells, by their numbers, each once; those that are none of `points` do not count.
/// Collective. Nothing, on all clients alike, when they lack what is needed: `why` says so.
enum class Needed {
  corners,
  centres,  ///< given ones, or else those of their corners
};
std::optional<Cells> cells_of(const config::Domain& domain, const Points& points, Needed needed,
                              const ep::Comm& clients, std::string& why);

/// The cells of all clients of which values at `around` are made by a method, perhaps a few more,
/// by their numbers, each once. Collective. Memory: what it returns.
Cells cells_around(const Cells& own, const Cells& around, const RemapOptions& options,
                   const ep::Comm& clients);

/// The cells of all clients that touch cells of this one, and these, by their numbers, each once.
/// Collective.
Cells cells_beside(const Cells& own, const ep::Comm& clients);

/// Reports defects of the cells of all clients, the same on all clients. Each of the `size` cells
/// of the domain counts once, however many clients have it. Collective.
CellReport report_of(const Cells& own, std::int64_t size, const ep::Comm& clients);

}  // namespace epios::io
