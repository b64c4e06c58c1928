#include "grid/mesh.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "config/model.hpp"
#include "element_kind.hpp"

namespace epios::io {

namespace {

using config::GridElement;

/// For each location: true if the file has elements of a mesh there.
using Locations = std::array<bool, 3>;

std::size_t number_of(MeshLocation location) { return static_cast<std::size_t>(location); }

struct NamedMesh {
  std::string name;
  Locations has{};
};

std::vector<NamedMesh> meshes_of(const config::Model& model, const config::File& file) {
  std::vector<NamedMesh> out;
  for (const config::StreamId s : file.streams) {
    const int grid = model.streams[config::StreamId(s)].grid;
    for (const GridElement& element : model.grids[config::GridId(grid)].elements) {
      if (!is_domain(element)) continue;
      const config::Domain& domain = model.domains[element.domain()];
      const auto location = mesh_location(domain);
      if (!location || !domain.transformations.empty()) continue;
      auto mesh = std::find_if(out.begin(), out.end(),
                               [&](const NamedMesh& one) { return one.name == domain.name; });
      if (mesh == out.end()) mesh = out.insert(out.end(), {domain.name, {}});
      mesh->has.at(number_of(*location)) = true;
    }
  }
  return out;
}

}  // namespace

std::optional<MeshLocation> mesh_location(const config::Domain& domain) {
  const std::int64_t vertices = domain.attributes.nvertex.value_or(0);
  if (domain.attributes.type.value_or("") != "unstructured" || vertices < 1) return std::nullopt;
  if (vertices > 2) return MeshLocation::face;
  return vertices == 1 ? MeshLocation::node : MeshLocation::edge;
}

std::vector<GridElement> lent_domains(const config::Model& model, const config::File& file) {
  if (file.attributes.convention.value_or("CF") != "UGRID") return {};
  std::vector<GridElement> out;
  for (const NamedMesh& mesh : meshes_of(model, file)) {
    bool is_wanted = false;  // from what has corners to what these are
    for (const MeshLocation location :
         {MeshLocation::face, MeshLocation::edge, MeshLocation::node}) {
      const bool is_there = mesh.has.at(number_of(location));
      const auto lent =
          std::find_if(model.domains.begin(), model.domains.end(), [&](const auto& domain) {
            return domain.name == mesh.name && domain.transformations.empty() &&
                   mesh_location(domain) == location;
          });
      if (is_wanted && !is_there && lent != model.domains.end()) {
        out.push_back({GridElement::Kind::domain, static_cast<int>(lent - model.domains.begin())});
      }
      is_wanted = is_wanted || is_there;
    }
  }
  return out;
}

}  // namespace epios::io
