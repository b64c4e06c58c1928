#pragma once

#include <vector>

#include "config/model_fwd.hpp"
#include "config/read_grids.hpp"
#include "context/context_definition.hpp"
#include "context/context_group.hpp"

namespace epios::client {

/// Sizes and coordinates of grids that files which are read have, and nobody else gives. One server
/// looks at the files; what is in them of coordinates is read by a context of its own, so that each
/// client gets those of its part.
class GridsOfFiles {
 public:
  GridsOfFiles(const ContextGroup& group, ContextDefinition& definition)
      : group_(group), definition_(definition) {}

  /// Sets what files have in the definitions. Collective.
  void complete();

 private:
  using Wishes = std::vector<config::CoordinateWish>;
  using Values = std::vector<std::vector<double>>;  ///< per wish, of this client's part
  config::ReadGrids find_read_grids();
  std::vector<config::FileFacts> inspect(const config::ReadGrids& grids, bool lack_sizes);
  Values receive_coordinates(const config::Model& model, const config::ReadGrids& grids,
                             const Wishes& wishes);
  void read_coordinates(const config::Model& model, const config::ReadGrids& grids,
                        const Wishes& wishes);
  void read_corners(const config::Model& model, const config::ReadGrids& grids,
                    const Wishes& wishes, Values& values);

  const ContextGroup& group_;
  ContextDefinition& definition_;
  bool asked_about_files_ = false;  // before all clients have said what they lack
};

}  // namespace epios::client
