#include "steps/stencils.hpp"

#include <string>

#include "config/model.hpp"
#include "elements/dealt_elements.hpp"

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

Stencils rows::duplicate_scalar(StepContext& context, const config::SpatialStep& step) {
  return copies(points_of(context.parts.data(step.target)),
                [](std::int64_t) { return std::int64_t{0}; });
}

Stencils rows::expand_domain(StepContext& context, const config::SpatialStep& step) {
  return copies(points_of(context.parts.data(step.target)), [&](std::int64_t key) {
    return cell_before(context.model.domains[step.source.domain()].attributes, *step.transformation,
                       key);
  });
}

Stencils stencils_of(StepContext& context, const config::SpatialStep& step) {
  using config::TransformationWork;
#define TRANSFORMATION(name, tag, within, source, shape, work, ...)           \
  if constexpr (TransformationWork::work == TransformationWork::weighted ||   \
                TransformationWork::work == TransformationWork::coarsening) { \
    if (step.transformation->kind == config::ElementKind::name) {             \
      return rows::name(context, step);                                       \
    }                                                                         \
  }
#include "config/transformations.def"
  // Points that are dealt out anew are the same ones.
  return copies(points_of(context.parts.data(step.target)), [](std::int64_t key) { return key; });
}

RowGaps gaps_of(const config::Transformation& transformation) {
  // Its points are put together by Gather::coarsen.
  if (transformation.kind == config::ElementKind::coarsen_domain) return {true, true, true, false};
  const bool is_remapped = transformation.kind == config::ElementKind::interpolate_domain;
  const std::string method = config::text_of(transformation, "method").value_or("conservative");
  const bool is_of_points = transformation.kind == config::ElementKind::stations ||
                            (is_remapped && method != "conservative");
  if (is_of_points) {
    // Weights between points are parts of no area: what is left of them counts for all.
    return {config::flag_of(transformation, "detect_missing_value"), true, true, false};
  }
  const bool keeps_totals = is_remapped && config::flag_of(transformation, "quantity");
  return {config::flag_of(transformation, "detect_missing_value"), is_remapped,
          is_remapped && !keeps_totals && config::flag_of(transformation, "renormalize"),
          keeps_totals, is_remapped ? config::real_of(transformation, "cover").value_or(0) : 0};
}

}  // namespace epios::io
