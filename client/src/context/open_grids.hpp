#pragma once

#include <cstdint>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/read_grids.hpp"
#include "context/context_definition.hpp"
#include "context/context_group.hpp"

namespace epios::client {

/// What grids have open, and files or partners may say.
struct OpenGrids {
  bool lack_sizes = false;
  std::vector<bool> want_coordinates;  ///< per ReadGrids::elements: nobody gives any
  std::vector<bool> lack_size_of;      ///< per ReadGrids::elements: somebody lacks it
};

/// Throws Error{mismatch} on all clients when they do not read or receive the same. `hash`: of what
/// is read or received; 0: of nothing. Collective.
void compare_what_is_read(const ContextGroup& group, std::uint64_t hash);
/// As compare_what_is_read(); returns what is open on any client. Collective.
OpenGrids compare_open_grids(const ContextGroup& group, const config::ReadGrids& grids,
                             std::uint64_t hash);
/// Domains that are distributed by <generate_rectilinear_domain> get their parts, in `model` and in
/// the definitions, before their coordinates: those are read of the parts. Collective.
void distribute_domains(const ContextGroup& group, ContextDefinition& definition,
                        config::Model& model, const config::ReadGrids& grids);

}  // namespace epios::client
