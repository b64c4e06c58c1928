#include "grids/whole_domains.hpp"

#include <fmt/format.h>

#include <ep/ep.hpp>

#include "config/data_graph.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "grid/layout.hpp"

namespace epios::client {

std::vector<std::string> whole_domains(const config::Model& model, const io::LocalParts& parts,
                                       const ep::Comm& clients) {
  if (clients.size() == 1 || model.domains.empty()) return {};
  // What only transformations make, no client has to describe.
  std::vector<bool> is_sent(model.domains.size(), false);
  for (std::size_t i = 0; i < model.sources.size(); ++i) {
    if (!config::is_sent_by_model(model, config::SourceId(static_cast<int>(i)))) continue;
    const auto& grid = model.grids[nth(model.sources, i).grid];
    for (const config::GridElement& element : grid.elements) {
      if (element.kind != config::GridElement::Kind::domain) continue;
      nth(is_sent, element.index) = true;
    }
  }
  std::vector<int> held;
  std::vector<std::int64_t> points;
  for (std::size_t i = 0; i < model.domains.size(); ++i) {
    const config::GridElement element{config::GridElement::Kind::domain, static_cast<int>(i)};
    points.push_back(io::volume(io::element_shape(model, element)));
    held.push_back(points[i] > 1 && parts.owned(element).points() == points[i] ? 1 : 0);
  }
  std::vector<int> held_by_all(held.size());
  ep::check(EP_Allreduce(held.data(), held_by_all.data(), ep::message_count(held.size()), MPI_INT,
                         MPI_MIN, clients.get()));
  std::vector<std::string> out;
  for (std::size_t i = 0; i < held.size(); ++i) {
    if (held_by_all[i] == 0 || !is_sent[i]) continue;
    out.push_back(fmt::format(
        "context '{}': every client holds the whole domain '{}' ({} clients with all of its {} "
        "points; what client 0 sends is written). Give each its part: ibegin and ni, jbegin and "
        "nj, "
        "or i_index?",
        model.context_id, nth(model.domains, i).id, clients.size(), points[i]));
  }
  return out;
}

}  // namespace epios::client
