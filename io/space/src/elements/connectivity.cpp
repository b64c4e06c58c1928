#include "elements/connectivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "elements/domain_cells.hpp"
#include "elements/local_cells.hpp"
#include "elements/transformation_error.hpp"
#include "sphere/cell_neighbours.hpp"

namespace epios::io {

namespace {

using config::Transformation;

/// Per cell that the client describes, the places of its neighbours.
std::vector<std::vector<std::int64_t>> local_neighbours(const config::Domain& domain,
                                                        const Transformation& how,
                                                        const ep::Comm& clients) {
  const LocalCells local = local_cells(domain.attributes);
  const std::int64_t ni = domain.attributes.ni_glo.value_or(0);
  std::map<std::int64_t, std::int64_t> places;  // first place of each number
  Points points;
  std::vector<std::int64_t> numbers;
  for (std::size_t c = 0; c < local.i.size(); ++c) {
    numbers.push_back(local.j[c] * ni + local.i[c]);
    places.emplace(numbers.back(), static_cast<std::int64_t>(c));
  }
  points.keys = numbers;
  std::sort(points.keys.begin(), points.keys.end());
  std::string why;
  const auto cells = cells_of(domain, points, Needed::corners, clients, why);
  if (!cells) throw transformation_error(how, fmt::format("domain '{}'", domain.id), why);
  const bool by_corner = config::text_of(how, "type").value_or("edge") == "node";
  const CellNeighbours neighbours =
      cell_neighbours(*cells, by_corner ? Shared::corner : Shared::edge);
  std::map<std::int64_t, std::size_t> sorted;  // cell of `cells` for each number
  for (std::size_t c = 0; c < cells->size(); ++c) sorted.emplace(cells->number(c), c);
  std::vector<std::vector<std::int64_t>> out(numbers.size());
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    for (const std::size_t n : neighbours.of(sorted.at(numbers[c]))) {
      out[c].push_back(places.at(cells->number(n)));
    }
    std::sort(out[c].begin(), out[c].end());
  }
  return out;
}

void set(Transformation& how, const char* attribute, config::Value value) {
  std::erase_if(how.local_attributes,
                [&](const config::Property& property) { return property.name == attribute; });
  how.local_attributes.push_back({attribute, std::move(value)});
}

}  // namespace

void connect_domains(config::Model& model, const ep::Comm& clients) {
  for (config::Domain& domain : model.domains) {
    for (Transformation& how : domain.transformations) {
      if (how.kind != config::ElementKind::compute_connectivity_domain) continue;
      const auto neighbours = local_neighbours(domain, how, clients);
      std::int64_t most = 0;
      config::value::integers counts;
      for (const auto& list : neighbours) {
        counts.values.push_back(static_cast<std::int64_t>(list.size()));
        most = std::max(most, counts.values.back());
      }
      const auto cells = static_cast<std::int64_t>(neighbours.size());
      counts.shape = {cells};
      config::value::integers lists;
      for (std::vector<std::int64_t> list : neighbours) {
        list.resize(static_cast<std::size_t>(most), -1);
        lists.values.insert(lists.values.end(), list.begin(), list.end());
      }
      lists.shape = {most, cells};
      set(how, "n_neighbor", std::move(counts));
      set(how, "local_neighbor", std::move(lists));
      set(how, "n_neighbor_max", most);
    }
  }
}

}  // namespace epios::io
