/// @file
/// Elements that are the same, or nearly, and lie elsewhere.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>

#include "config/model_fwd.hpp"

namespace epios::io {

// All collective: what describes the points comes from the clients that have them.

/// Redistributes the points of a domain (attribute `type`).
void redistribute(const config::Domain& source, const config::Transformation& how,
                  const ep::Comm& clients, config::Domain& target);
void redistribute(const config::Axis& source, const config::Transformation& how,
                  const ep::Comm& clients, config::Axis& target);
void redistribute(const config::Transformation& how, const ep::Comm& clients,
                  config::Scalar& target);

/// Returns true if cells form no rows.
bool is_mesh(const config::DomainAttributes& domain);

/// A ring around the domain; each client has the one around its own cells. Of cells that form no
/// rows, those of other clients that share an edge (or a corner) with its own: the domain has as
/// many as before.
void expand(const config::Domain& source, const config::Transformation& how,
            const ep::Comm& clients, config::Domain& target);
/// The cell of the source that a cell of the expanded domain is; -1: none is beyond the edge.
std::int64_t cell_before(const config::DomainAttributes& source, const config::Transformation& how,
                         std::int64_t cell);

}  // namespace epios::io
