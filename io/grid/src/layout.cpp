#include "grid/layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/model.hpp"

namespace epios::io {

namespace {

// Gaps up to this many places are cheaper to compute than to step over.
constexpr std::int64_t short_gap = 8;

/// The places of a part in their own order, short gaps filled.
PatternFactor covering_factor(const Part& part) {
  std::vector<PlaceRun> runs;
  runs.reserve(part.runs().size());
  for (const PartRun& run : part.runs()) runs.push_back({run.place, run.count});
  std::sort(runs.begin(), runs.end(),
            [](const PlaceRun& a, const PlaceRun& b) { return a.place < b.place; });
  PatternFactor out{part.places(), {}};
  for (const PlaceRun& run : runs) {
    if (!out.runs.empty()) {
      PlaceRun& last = out.runs.back();
      if (run.place - (last.place + last.count) <= short_gap) {
        last.count = run.place + run.count - last.place;
        continue;
      }
    }
    out.runs.push_back(run);
  }
  return out;
}

Pattern covering_pattern(const config::Model& model, const LocalParts& parts, int grid) {
  std::vector<PatternFactor> factors;
  for (const auto& element : model.grids[config::GridId(grid)].elements) {
    factors.push_back(covering_factor(parts.data(element)));
  }
  return Pattern(factors);
}

}  // namespace

Extents global_shape(const config::Model& model, int grid) {
  const auto& elements = model.grids[config::GridId(grid)].elements;
  Extents shape;
  for (std::size_t e = elements.size(); e-- > 0;) {
    const Extents part = element_shape(model, elements[e]);
    shape.insert(shape.end(), part.begin(), part.end());
  }
  return shape;
}

ArrayLayout::ArrayLayout(const config::Model& model, const LocalParts& parts, int grid)
    : places_(covering_pattern(model, parts, grid)) {
  for (const auto& element : model.grids[config::GridId(grid)].elements) {
    if (element.kind == config::GridElement::Kind::scalar) continue;
    text_ += fmt::format("{}{}", text_.empty() ? "" : " x ", parts.data(element).places());
  }
  if (text_.empty()) text_ = "1";
}

}  // namespace epios::io
