#pragma once

#include <memory>

#include "context/context_definition.hpp"
#include "context/context_group.hpp"
#include "context/context_progress.hpp"
#include "coupling/partner_grids.hpp"

namespace epios::client {

/// Sizes and coordinates of grids that those have who send the context fields, and nobody here
/// gives.
class GridsOfPartners {
 public:
  /// What is given outlives this.
  GridsOfPartners(const ContextGroup& group, ContextDefinition& definition,
                  ContextProgress& progress)
      : group_(group), definition_(definition), progress_(progress) {}

  /// Asks the partners, if any sizes are wanted, and sets them in the definitions. Collective.
  void take();
  /// Sets coordinates of elements that neither a client nor, meanwhile, a file has given any.
  /// Collective.
  void set_coordinates();

 private:
  void ask(config::CoupledGrids wanted, std::vector<bool> lack_size_of);
  void set_sizes();
  void set_sizes(const config::ReadGrids::Element& element, const PartnerGrids::Taken& taken);

  const ContextGroup& group_;
  ContextDefinition& definition_;
  ContextProgress& progress_;
  std::unique_ptr<PartnerGrids> taken_;  // null: none is wanted
};

}  // namespace epios::client
