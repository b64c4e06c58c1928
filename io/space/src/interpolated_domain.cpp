#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/error.hpp"
#include "domain_cells.hpp"
#include "space/weights.hpp"
#include "stencils.hpp"
#include "whole_lines.hpp"

namespace epios::io {

namespace {

[[noreturn]] void refuse(const config::SpatialStep& step, const std::string& target,
                         const std::string& why) {
  throw Error(ErrorCode::configuration,
              fmt::format("{}: error: <interpolate_domain> of domain '{}' cannot be worked out: {}",
                          step.transformation->where, target, why));
}

/// `has_mask`: cells may be masked at some levels only.
RemapOptions options_of(const config::Transformation& how, const config::Domain& domain,
                        bool has_mask) {
  RemapOptions out;
  out.order = static_cast<int>(config::integer_of(how, "order").value_or(2));
  out.renormalize = config::flag_of(how, "renormalize");
  out.quantity = config::flag_of(how, "quantity");
  out.use_area = config::flag_of(how, "use_area");
  out.for_missing = config::flag_of(how, "detect_missing_value") || has_mask;
  if (domain.attributes.radius) out.radius = *domain.attributes.radius;
  return out;
}

void remark(const config::Domain& domain, const Cells& cells, const ep::Comm& clients,
            std::vector<std::string>& remarks) {
  CellReport report = report_of(cells, clients);
  report.clockwise = {};  // of no harm
  for (const std::string& sentence : report.sentences()) {
    const std::string text = fmt::format("domain '{}': {}", domain.id, sentence);
    if (std::find(remarks.begin(), remarks.end(), text) == remarks.end()) remarks.push_back(text);
  }
}

}  // namespace

Stencils interpolated_domain(const config::Model& model, const LocalParts& parts,
                             const config::SpatialStep& step, const ep::Comm& clients,
                             std::vector<std::string>& remarks) {
  const config::Domain& from = model.domains[static_cast<std::size_t>(step.source.index)];
  const config::Domain& to = model.domains[static_cast<std::size_t>(step.target.index)];
  const bool has_mask =
      on_any(clients, model.grids[static_cast<std::size_t>(step.from)].mask.has_value());
  const RemapOptions options = options_of(*step.transformation, to, has_mask);
  std::string why;
  const auto sources = cells_of(from, points_of(parts.data(step.source)), clients, why);
  if (!sources) refuse(step, to.id, why);
  Stencils out;
  out.targets = points_of(parts.data(step.target));
  const auto targets = cells_of(to, out.targets, clients, why);
  if (!targets) refuse(step, to.id, why);
  const bool lacks_area = (sources->size() > 0 && sources->area.empty()) ||
                          (targets->size() > 0 && targets->area.empty());
  if (options.use_area && on_any(clients, lacks_area)) {
    refuse(step, to.id,
           fmt::format("use_area needs the areas of both domains, '{}' and '{}'. Set area_1d of "
                       "them on each client?",
                       from.id, to.id));
  }
  remark(from, *sources, clients, remarks);
  remark(to, *targets, clients, remarks);
  std::vector<std::size_t> wanted;
  for (std::size_t cell = 0; cell < targets->size(); ++cell) {
    if (targets->counts(cell)) wanted.push_back(cell);
  }
  const Cells mine = selected(*targets, wanted);
  const Cells around = cells_around(*sources, mine, options.order > 1, clients);
  Weights weights = make_weights(around, mine, options);
  // Both by the numbers of targets, each once.
  out.begin = std::move(weights.offsets);
  out.sources = std::move(weights.source);
  out.weights = std::move(weights.weight);
  out.first_order = std::move(weights.first_order);
  return out;
}

}  // namespace epios::io
