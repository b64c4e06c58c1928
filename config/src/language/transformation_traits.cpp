#include "config/transformation_traits.hpp"

#include <array>
#include <cstddef>

namespace epios::config {

namespace {

constexpr auto traits = std::to_array<TransformationTraits>({
#define TRANSFORMATION(kind, tag, within, source, shape, work, required, ...) \
  {ElementKind::kind,                                                         \
   tag,                                                                       \
   ElementKind::within,                                                       \
   GridElement::Kind::source,                                                 \
   ShapeRule::shape,                                                          \
   TransformationWork::work,                                                  \
   required},
#include "config/transformations.def"
});

constexpr auto names = std::to_array<TransformationName>({
#define TRANSFORMATION(kind, tag, within, source, shape, work, required, handle, adder, meaning) \
  {tag, ElementKind::kind, handle, adder, meaning, ""},
#define TRANSFORMATION_ALIAS(kind, tag, handle, adder, meaning) \
  {tag, ElementKind::kind, handle, adder, meaning, #kind},
#include "config/transformations.def"
});

}  // namespace

const TransformationTraits& traits_of(ElementKind transformation) {
  return traits.at(static_cast<std::size_t>(transformation) -
                   static_cast<std::size_t>(traits.front().kind));
}

std::span<const TransformationName> transformation_names() { return names; }

std::vector<std::string_view> transformation_tags(ElementKind within) {
  std::vector<std::string_view> tags;
  for (const TransformationName& name : names) {
    if (traits_of(name.kind).within == within) tags.push_back(name.tag);
  }
  return tags;
}

std::string_view why_not_on_servers(TransformationWork work) {
  switch (work) {
    case TransformationWork::view:
    case TransformationWork::weighted:
    case TransformationWork::coarsening:
      return {};
    case TransformationWork::reduction:
    case TransformationWork::combination:
      return "reductions are put together among clients, less crosses to servers";
    case TransformationWork::redistribution:
      return "it deals points out to clients";
    case TransformationWork::splitting:
      return "it collects dates, which clients have";
    case TransformationWork::description:
      return "it moves no data";
  }
  return {};
}

bool keeps_to_source(ElementKind transformation) {
  return traits_of(transformation).shape != ShapeRule::own;
}

bool is_interpolation(ElementKind transformation) {
  const TransformationTraits& of = traits_of(transformation);
  const bool is_axis = of.within == ElementKind::axis && of.source == GridElement::Kind::axis;
  const bool is_domain = of.within == ElementKind::domain && of.source == GridElement::Kind::domain;
  return of.work == TransformationWork::weighted && of.shape == ShapeRule::own &&
         (is_axis || is_domain);
}

}  // namespace epios::config
