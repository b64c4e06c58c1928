/// @file
/// Redistributed and expanded elements.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/spatial.hpp"

namespace epios::io {

/// Lists the cells of this client by number, in the order of its array. Local.
void list_cells(const std::vector<std::int64_t>& cells, std::int64_t ni,
                config::DomainAttributes& out);
/// Gives this client a block of columns and rows. Local.
void set_block(const config::Interval& i, const config::Interval& j, config::DomainAttributes& out);

// The functions below are collective: what describes the points comes from the clients that have
// them.

/// Redistributes the points of a domain (attribute `type`).
void redistribute(const config::Domain& source, const config::Transformation& how,
                  const ep::Comm& clients, config::Domain& target);
void redistribute(const config::Axis& source, const config::Transformation& how,
                  const ep::Comm& clients, config::Axis& target);
void redistribute(const config::Transformation& how, const ep::Comm& clients,
                  config::Scalar& target);

/// Returns true if cells form no rows.
bool is_mesh(const config::DomainAttributes& domain);

/// Adds a ring around the domain; each client gets the ring around its own cells. If cells form no
/// rows, the ring consists of cells of other clients that share an edge (or a corner) with its own,
/// and the domain has as many cells as before.
void expand(const config::Domain& source, const config::Transformation& how,
            const ep::Comm& clients, config::Domain& target);
/// Returns the cell of the source that is a cell of the expanded domain, or -1 beyond the edge.
std::int64_t cell_before(const config::DomainAttributes& source, const config::Transformation& how,
                         std::int64_t cell);

}  // namespace epios::io
