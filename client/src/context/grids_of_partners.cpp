// Grids of a context whose sizes and coordinates come from those that send it fields. Partners say
// all at once, before files are looked at; coordinates are set last, where files had none, since
// each client takes those of its part.
#include "context/grids_of_partners.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/coupled_grids.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"
#include "context/open_grids.hpp"
#include "coupling/dealt_values.hpp"
#include "event/agreement.hpp"

namespace epios::client {
namespace {

using config::ElementKind;
using config::GridElement;

/// The element of a Model; none: it is not there.
std::optional<GridElement> find_element(const config::Model& model,
                                        const config::ReadGrids::Element& element) {
  const auto find_in = [&](const auto& all, GridElement::Kind kind) -> std::optional<GridElement> {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.id == element.id; });
    if (found == all.end()) return std::nullopt;
    return GridElement{kind, static_cast<int>(found - all.begin())};
  };
  return element.kind == ElementKind::axis ? find_in(model.axes, GridElement::Kind::axis)
                                           : find_in(model.domains, GridElement::Kind::domain);
}

bool is_open(const std::optional<std::int64_t>& size) { return !size || *size == 0; }

}  // namespace

void GridsOfPartners::take() {
  config::CoupledGrids wanted = definition_.known().coupled_grids(group_.id());
  if (!wanted.grids.draft) return;
  OpenGrids open = compare_open_grids(group_, wanted.grids, wanted.hash());
  if (open.lack_sizes) ask(std::move(wanted), std::move(open.lack_size_of));
}

void GridsOfPartners::ask(config::CoupledGrids wanted, std::vector<bool> lack_size_of) {
  ClientState& client = group_.client();
  const ep::Comm& clients = group_.clients();
  std::uint64_t opening = client.next_opening();
  ep::check(EP_Bcast(&opening, 1, MPI_UINT64_T, io::leader, clients.get()));
  std::vector<int> in_component = group_.ranks_in_component();
  io::all_or_none(clients, [&] {
    taken_ = std::make_unique<PartnerGrids>(PartnerGrids::Setup{
        client.session().job(), clients, client.handshake(), client.session().code_id(),
        group_.id(), client.actor(), std::move(in_component), opening, group_.settings().patience_s,
        group_.settings().give_up_s, std::move(wanted), std::move(lack_size_of),
        [&client](const std::string& context) { return client.neighbour(context); },
        [this] { progress_.poll_for_partners(); }});
  });
  taken_->take();
  io::all_or_none(clients, [&] { set_sizes(); });
}

void GridsOfPartners::set_sizes() {
  const config::ReadGrids& grids = taken_->grids();
  for (const auto& [number, taken] : taken_->taken()) {
    set_sizes(nth(grids.elements, number), taken);
  }
}

/// Sizes, and the whole range where this client has not said what its part is.
void GridsOfPartners::set_sizes(const config::ReadGrids::Element& element,
                                const PartnerGrids::Taken& taken) {
  const config::Model& draft = *taken_->grids().draft;
  const auto set = [&](const char* attribute, config::Value value) {
    definition_.definitions().set(group_.id(), element.kind, element.id, attribute,
                                  std::move(value), taken.from);
  };
  const auto set_whole = [&](const char* begin, const char* count, std::int64_t size) {
    set(begin, std::int64_t{0});
    set(count, size);
  };
  const auto place = find_element(draft, element);
  if (!place) return;
  if (element.kind == ElementKind::axis) {
    const auto& axis = draft.axes[place->axis()].attributes;
    if (is_open(axis.n_glo)) set("n_glo", taken.element.ni_glo);
    if (!axis.begin && !axis.n && !axis.index) set_whole("begin", "n", taken.element.ni_glo);
    return;
  }
  const config::Domain& domain = draft.domains[place->domain()];
  const config::DomainAttributes& d = domain.attributes;
  if (!d.type) set("type", taken.element.type);
  if (!d.nvertex && taken.element.nvertex > 0) set("nvertex", taken.element.nvertex);
  if (is_open(d.ni_glo)) set("ni_glo", taken.element.ni_glo);
  if (is_open(d.nj_glo)) set("nj_glo", taken.element.nj_glo);
  if (d.i_index || d.j_index || config::is_dealt_out(domain)) return;
  if (!d.ibegin && !d.ni) set_whole("ibegin", "ni", taken.element.ni_glo);
  if (!d.jbegin && !d.nj) set_whole("jbegin", "nj", taken.element.nj_glo);
}

void GridsOfPartners::set_coordinates() {
  if (!taken_) return;
  const ep::Comm& clients = group_.clients();
  const config::ReadGrids& grids = taken_->grids();
  config::ReadGrids completed;  // by files
  config::Model model;
  struct Wanted {
    const PartnerGrids::Taken* taken = nullptr;
    const config::ReadGrids::Element* element = nullptr;
    GridElement place;
    std::size_t coordinate = 0;
    std::vector<std::int64_t> points;  // of this client
    std::vector<double> values;
    const config::GivenElement::Coordinate& what() const {
      return taken->element.coordinates[coordinate];
    }
  };
  io::all_or_none(clients, [&] {
    model = definition_.resolved();
    definition_.drop_prepared();  // coordinates become parts of it
    distribute_domains(group_, definition_, model, grids);
    completed = definition_.known().coupled_grids(group_.id()).grids;
  });
  const std::vector<bool> wants =
      compare_open_grids(group_, completed, completed.hash()).want_coordinates;
  std::vector<Wanted> all;
  io::all_or_none(clients, [&] {
    for (const auto& [number, taken] : taken_->taken()) {
      const auto& element = nth(grids.elements, number);
      if (!nth(wants, number)) continue;
      const auto place = find_element(model, element);
      for (std::size_t c = 0; c < taken.element.coordinates.size(); ++c) {
        Wanted& one = all.emplace_back(Wanted{&taken, &element, place.value(), c, {}, {}});
        one.points = config::global_positions(model, one.place, one.what().along);
      }
    }
  });
  for (Wanted& one : all) {
    one.values = io::look_up(clients, one.taken->element.size(one.what().along), one.what().width,
                             one.taken->stretches[one.coordinate], one.points);
  }
  config::Definitions& definitions = definition_.definitions();
  io::all_or_none(clients, [&] {
    for (Wanted& one : all) {
      auto value =
          config::attribute_value(model, one.place, one.what(), std::exchange(one.values, {}));
      if (one.element->kind == ElementKind::domain) {
        definitions.keep_coordinates(group_.id(), one.element->id);
      }
      definitions.set(group_.id(), one.element->kind, one.element->id, one.what().attribute,
                      std::move(value), one.taken->from);
    }
  });
}

}  // namespace epios::client
