/// @file
/// Elements of grids that are still open when the definition of a context ends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/read_grids.hpp"
#include "language/context_store.hpp"

namespace epios::config {

/// Returns the Model of the definitions as they are. Their mistakes are reported when they are
/// resolved.
Model draft_of(const ContextStore& store);

bool is_size(const std::optional<std::int64_t>& size);
/// Returns true if its cells have one dimension.
bool is_row_of_cells(const DomainAttributes& domain);
/// Return true if this client has any coordinates.
bool has_coordinates(const AxisAttributes& axis);
bool has_coordinates(const DomainAttributes& domain);

ElementKind kind_of(const GridElement& element);
const std::string& id_of(const Model& model, const GridElement& element);

/// Numbers axes and domains in the order of their first use.
class OpenElements {
 public:
  explicit OpenElements(const Model& model) : model_(model) {}
  /// Returns the number of an element, which must not be a scalar.
  int add(const GridElement& element);
  std::vector<ReadGrids::Element> take() { return std::move(elements_); }

 private:
  const Model& model_;
  std::vector<ReadGrids::Element> elements_;
  std::map<std::pair<ElementKind, std::string>, int> numbers_;
};

}  // namespace epios::config
