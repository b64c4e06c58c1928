#include "stencils.hpp"

#include "dealt_elements.hpp"

namespace epios::io {

namespace {

/// Each point of the target is one of the source.
template <class SourceOf>
Stencils copies(Points targets, SourceOf source_of) {
  Stencils out;
  out.targets = std::move(targets);
  for (const std::int64_t key : out.targets.keys) {
    const std::int64_t source = source_of(key);
    if (source >= 0) out.sources.push_back(source);
    out.close_target();
  }
  return out;
}

}  // namespace

Stencils stencils_of(const config::Model& model, const LocalParts& parts,
                     const config::SpatialStep& step, const ep::Comm& clients,
                     std::vector<std::string>& remarks) {
  Points targets = points_of(parts.data(step.target));
  switch (step.transformation->kind) {
    case config::ElementKind::duplicate_scalar:
      return copies(std::move(targets), [](std::int64_t) { return std::int64_t{0}; });
    case config::ElementKind::expand_domain: {
      const auto source = static_cast<std::size_t>(step.source.index);
      return copies(std::move(targets), [&](std::int64_t key) {
        return cell_before(model.domains[source].attributes, *step.transformation, key);
      });
    }
    case config::ElementKind::interpolate_axis:
      return interpolated_axis(model, parts, step, clients);
    case config::ElementKind::interpolate_domain:
      return interpolated_domain(model, parts, step, clients, remarks);
    default:
      return copies(std::move(targets), [](std::int64_t key) { return key; });
  }
}

Gaps gaps_of(const config::Transformation& transformation) {
  const bool is_remapped = transformation.kind == config::ElementKind::interpolate_domain;
  return {config::flag_of(transformation, "detect_missing_value"), is_remapped,
          is_remapped && config::flag_of(transformation, "renormalize")};
}

}  // namespace epios::io
