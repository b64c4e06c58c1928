/// @file
/// Cells of curvilinear domains without corners.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <optional>

#include "config/model.hpp"
#include "elements/local_cells.hpp"
#include "exchange/step_frame.hpp"
#include "space/cells.hpp"

namespace epios::io {

/// Returns true if each column has one longitude and each row one latitude. `values` has longitudes
/// and latitudes in the order of `cells`. Collective.
bool has_straight_rows(const config::DomainAttributes& domain, const LocalCells& cells,
                       const config::DomainAttributes& values, const ep::Comm& clients);

/// Adds the corners of all `cells`, amid the centres of neighbours on any client. Cells whose
/// extent does not follow from neighbours, or whose centre was never filled in, get no corners.
/// Collective.
void add_amid_centres(const config::DomainAttributes& domain, const LocalCells& cells,
                      const config::DomainAttributes& values, const ep::Comm& clients, Cells& out);

/// Returns area_doubt() for the cells of all clients, ni x nj, each once. Collective.
AreaDoubt area_doubt(const Cells& own, std::int64_t ni, std::int64_t nj,
                     std::optional<double> radius, const ep::Comm& clients);

}  // namespace epios::io
