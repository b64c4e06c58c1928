#include "context/open_grids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "config/error.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "config/stations.hpp"
#include "event/agreement.hpp"
#include "space/steps.hpp"

namespace epios::client {

void compare_what_is_read(const ContextGroup& group, std::uint64_t hash) {
  // Hashes as their own and their complement, so that one reduction finds both ends.
  const std::array<std::uint64_t, 2> mine{hash, ~hash};
  std::array<std::uint64_t, 2> most{};
  ep::check(
      EP_Allreduce(mine.data(), most.data(), 2, MPI_UINT64_T, MPI_MAX, group.clients().get()));
  if (most[0] == ~most[1]) return;
  throw Error(ErrorCode::mismatch,
              fmt::format("context '{}': what is read or received, or its grids, differs between "
                          "clients. Do all processes read the same XML and set the same global "
                          "attributes?",
                          group.id()));
}

OpenGrids compare_open_grids(const ContextGroup& group, const config::ReadGrids& grids,
                             std::uint64_t hash) {
  const std::size_t count = grids.elements.size();
  compare_what_is_read(group, hash);
  std::vector<int> own;
  for (const auto& element : grids.elements) {
    own.push_back(element.lacks_size ? 1 : 0);
    own.push_back(element.has_coordinates ? 1 : 0);
  }
  std::vector<int> all(own.size());
  if (count > 0) {
    ep::check(EP_Allreduce(own.data(), all.data(), ep::message_count(own.size()), MPI_INT, MPI_MAX,
                           group.clients().get()));
  }
  OpenGrids open;
  open.lack_sizes = grids.lacks_stations;
  for (std::size_t e = 0; e < count; ++e) {
    open.lack_sizes = open.lack_sizes || all[2 * e] != 0;
    open.lack_size_of.push_back(all[2 * e] != 0);
    open.want_coordinates.push_back(all[2 * e + 1] == 0);
  }
  return open;
}

void distribute_domains(const ContextGroup& group, ContextDefinition& definition,
                        config::Model& model, const config::ReadGrids& grids) {
  config::Model distributed;
  for (const auto& element : grids.elements) {
    if (element.kind != config::ElementKind::domain) continue;
    for (const config::Domain& domain : model.domains) {
      if (domain.id != element.id || !config::is_dealt_out(domain)) continue;
      if (config::stations_of(domain) != nullptr) continue;  // nothing is read on them
      config::Domain& part = distributed.domains.emplace_back(domain);
      std::erase_if(part.transformations, [](const config::Transformation& t) {
        return t.kind != config::ElementKind::generate_rectilinear_domain;
      });
    }
  }
  if (distributed.domains.empty()) return;
  io::shape_elements(distributed, group.clients());
  for (const config::Domain& domain : distributed.domains) {
    const config::DomainAttributes& part = domain.attributes;
    const auto own = std::find_if(model.domains.begin(), model.domains.end(),
                                  [&](const config::Domain& d) { return d.id == domain.id; });
    const auto set = [&](const char* name,
                         std::optional<std::int64_t> config::DomainAttributes::*attribute) {
      own->attributes.*attribute = part.*attribute;
      definition.definitions().set(
          group.id(), config::ElementKind::domain, domain.id, name, *(part.*attribute),
          part.nside ? "type=\"healpix\"" : "<generate_rectilinear_domain>");
    };
    set("ibegin", &config::DomainAttributes::ibegin);
    set("ni", &config::DomainAttributes::ni);
    set("jbegin", &config::DomainAttributes::jbegin);
    set("nj", &config::DomainAttributes::nj);
  }
}

}  // namespace epios::client
