#include "building/received_grids.hpp"

#include <memory>
#include <utility>

#include "building/open_elements.hpp"
#include "config/model.hpp"

namespace epios::config {

CoupledGrids coupled_grids_of(const ContextStore& store) {
  CoupledGrids out;
  const ElementKind in = ElementKind::coupler_in;
  if (store.elements_below(store.root_of(in), in).empty()) return out;
  out.grids.draft = std::make_shared<const Model>(draft_of(store));
  const Model& model = *out.grids.draft;
  OpenElements open(model);
  for (const Coupler& coupler : model.couplers) {
    for (const CoupledField& field : coupler.fields) {
      if (coupler.kind != in || field.grid < 0) continue;
      CoupledGrids::Field& received = out.fields.emplace_back();
      received.id = field.id;
      received.where = field.where;
      received.partner_code = coupler.partner_code;
      received.partner_context = coupler.partner_context;
      for (const GridElement& element : model.grids[field.grid].elements) {
        if (element.kind != GridElement::Kind::scalar)
          received.elements.push_back(open.add(element));
      }
    }
  }
  out.grids.elements = open.take();
  return out;
}

}  // namespace epios::config
