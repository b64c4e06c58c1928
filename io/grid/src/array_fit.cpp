// How the model's arrays of several grids go together.
#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "config/index.hpp"
#include "config/model.hpp"
#include "grid/layout.hpp"

namespace epios::io {

namespace {

const std::vector<config::GridElement>& elements_of(const config::Model& model, int grid) {
  return model.grids[config::GridId(grid)].elements;
}

std::int64_t array_size(const config::Model& model, const LocalParts& parts, int grid) {
  std::int64_t size = 1;
  for (const auto& element : elements_of(model, grid)) size *= parts.data(element).places();
  return size;
}

bool is_one_point(const config::Model& model, const config::GridElement& element) {
  std::int64_t points = 1;
  for (const std::int64_t extent : element_shape(model, element)) points *= extent;
  return points == 1;
}

/// The elements of a grid that have more than one point.
std::vector<config::GridElement> wide_elements_of(const config::Model& model, int grid) {
  std::vector<config::GridElement> out;
  const auto& elements = elements_of(model, grid);
  std::copy_if(elements.begin(), elements.end(), std::back_inserter(out),
               [&](const config::GridElement& element) { return !is_one_point(model, element); });
  return out;
}

/// Steps between the points of a grid in its array, and the place that those of its elements with
/// one point give the first one: arrays of windows have them at different places.
struct ArraySteps {
  std::vector<std::int64_t> of_wide;      ///< per element with more than one point
  std::optional<std::int64_t> first = 0;  ///< nothing if this client lacks one of the single points
};
ArraySteps steps_of(const config::Model& model, const LocalParts& parts, int grid) {
  ArraySteps out;
  std::int64_t step = 1;
  for (const config::GridElement& element : elements_of(model, grid)) {
    const Part& part = parts.data(element);
    if (!is_one_point(model, element)) {
      out.of_wide.push_back(step);
    } else if (part.runs().empty()) {
      out.first = std::nullopt;
    } else if (out.first) {
      *out.first += part.runs().front().place * step;
    }
    step *= part.places();
  }
  return out;
}

/// Returns true if points with the same places along each wide element have one place in both
/// arrays.
bool go_the_same_steps(const ArraySteps& a, const ArraySteps& b) {
  return a.of_wide == b.of_wide && (!a.first || !b.first || *a.first == *b.first);
}

/// Points that two parts of one element have, and whether they have them at the same places.
struct PartOverlap {
  std::int64_t points = 0;
  bool is_aligned = true;
};
PartOverlap overlap_of(const Part& part, const Part& other) {
  PartOverlap out;
  std::size_t b = 0;
  for (const PartRun& run : part.runs()) {
    while (b < other.runs().size() &&
           other.runs()[b].global + other.runs()[b].count <= run.global) {
      ++b;
    }
    for (std::size_t k = b; k < other.runs().size(); ++k) {
      const PartRun& theirs = other.runs()[k];
      const std::int64_t begin = std::max(run.global, theirs.global);
      const std::int64_t end = std::min(run.global + run.count, theirs.global + theirs.count);
      if (begin >= end) break;
      out.points += end - begin;
      if (run.place - run.global != theirs.place - theirs.global) out.is_aligned = false;
    }
  }
  return out;
}

/// Returns true if `part` has points at all places where `other` has.
bool covers(const Part& part, const Part& other) {
  if (part.places() != other.places()) return false;
  std::vector<std::uint8_t> has(static_cast<std::size_t>(part.places()), 0);
  for (const PartRun& run : part.runs()) {
    std::fill_n(has.begin() + run.place, run.count, std::uint8_t{1});
  }
  return std::all_of(other.runs().begin(), other.runs().end(), [&](const PartRun& run) {
    const auto first = has.begin() + run.place;
    return std::find(first, first + run.count, std::uint8_t{0}) == first + run.count;
  });
}

/// The place of each cell that the client describes; -1: it has no value.
std::vector<std::int64_t> places_of_cells(const LocalParts& parts,
                                          const config::GridElement& element) {
  const Part& owned = parts.owned(element);
  std::vector<std::int64_t> places(static_cast<std::size_t>(owned.places()), -1);
  std::size_t at = 0;
  const auto data = parts.data(element).runs();
  for (const PartRun& run : owned.runs()) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      const std::int64_t global = run.global + k;
      while (at < data.size() && data[at].global + data[at].count <= global) ++at;
      if (at == data.size() || data[at].global > global) continue;
      nth(places, run.place + k) = data[at].place + global - data[at].global;
    }
  }
  return places;
}

/// Calls `visit(cell, place)` for the cells of a grid on this client, first element fastest, that
/// have a value.
template <class Visit>
void for_each_cell(const std::vector<std::vector<std::int64_t>>& places,
                   const std::vector<std::int64_t>& strides, Visit&& visit) {
  std::int64_t cells = 1;
  for (const auto& element : places) cells *= static_cast<std::int64_t>(element.size());
  for (std::int64_t cell = 0; cell < cells; ++cell) {
    std::int64_t rest = cell;
    std::int64_t place = 0;
    for (std::size_t e = 0; e < places.size() && place >= 0; ++e) {
      const auto size = static_cast<std::int64_t>(places[e].size());
      const std::int64_t own = nth(places[e], rest % size);
      rest /= size;
      place = own < 0 ? -1 : place + own * strides[e];
    }
    if (place >= 0) visit(cell, place);
  }
}

/// True if the two grids have the same points element by element, and no mask.
bool have_same_points(const config::Model& model, const LocalParts& parts, int grid, int other) {
  if (model.grids[config::GridId(grid)].mask.has_value() ||
      model.grids[config::GridId(other)].mask.has_value()) {
    return false;
  }
  const auto& elements = elements_of(model, grid);
  const auto& others = elements_of(model, other);
  return std::equal(elements.begin(), elements.end(), others.begin(), others.end(),
                    [&](const config::GridElement& element, const config::GridElement& theirs) {
                      if (element == theirs) return true;
                      const Part& part = parts.data(element);
                      const Part& there = parts.data(theirs);
                      const std::int64_t common = overlap_of(part, there).points;
                      return common == part.points() && common == there.points() &&
                             element_shape(model, element) == element_shape(model, theirs);
                    });
}

}  // namespace

ArrayFit fit_of_arrays(const config::Model& model, const LocalParts& parts, int grid, int other) {
  const std::int64_t size = array_size(model, parts, grid);
  if (size != array_size(model, parts, other)) return ArrayFit::none;
  const auto wide = wide_elements_of(model, grid);
  const auto others = wide_elements_of(model, other);
  if (wide.size() != others.size()) return ArrayFit::places;
  bool have_same_shapes = true;
  for (std::size_t e = 0; e < wide.size(); ++e) {
    if (wide[e] == others[e]) continue;
    if (element_shape(model, wide[e]) != element_shape(model, others[e])) {
      have_same_shapes = false;
    } else if (!overlap_of(parts.data(wide[e]), parts.data(others[e])).is_aligned) {
      return ArrayFit::none;
    }
  }
  if (size > 0 && have_same_shapes &&
      !go_the_same_steps(steps_of(model, parts, grid), steps_of(model, parts, other))) {
    return ArrayFit::none;
  }
  return have_same_points(model, parts, grid, other) ? ArrayFit::whole : ArrayFit::places;
}

bool has_values_of(const config::Model& model, const LocalParts& parts, int grid, int other) {
  const auto& elements = elements_of(model, grid);
  const auto& others = elements_of(model, other);
  if (model.grids[config::GridId(grid)].mask.has_value()) return false;
  if (elements.size() != others.size()) return false;
  for (std::size_t e = 0; e < elements.size(); ++e) {
    if (elements[e] == others[e]) continue;
    if (!covers(parts.data(elements[e]), parts.data(others[e]))) return false;
  }
  return true;
}

namespace {

/// Calls `visit(cell, place)` for the cells of a grid that have a value, also by its mask.
template <class Visit>
void for_each_value(const config::Model& model, const LocalParts& parts, int grid, Visit&& visit) {
  std::vector<std::vector<std::int64_t>> places;
  std::vector<std::int64_t> strides;
  std::int64_t size = 1;
  for (const auto& element : elements_of(model, grid)) {
    places.push_back(places_of_cells(parts, element));
    strides.push_back(size);
    size *= parts.data(element).places();
  }
  const auto& mask = model.grids[config::GridId(grid)].mask;
  for_each_cell(places, strides, [&](std::int64_t cell, std::int64_t place) {
    if (mask && nth(mask->values, cell) == 0) return;
    visit(cell, place);
  });
}

}  // namespace

std::vector<std::uint64_t> places_with_values(const config::Model& model, const LocalParts& parts,
                                              int grid) {
  std::int64_t size = 1;
  for (const auto& element : elements_of(model, grid)) size *= parts.data(element).places();
  std::vector<std::uint64_t> out(static_cast<std::size_t>(size + 63) / 64, 0);
  for_each_value(model, parts, grid, [&](std::int64_t, std::int64_t place) {
    out[static_cast<std::size_t>(place) / 64] |= std::uint64_t{1} << (place % 64);
  });
  return out;
}

namespace {

/// Returns, for each place of `part`, the place of the same point in `other`, or -1.
std::vector<std::int64_t> places_in(const Part& part, const Part& other) {
  std::vector<std::int64_t> out(static_cast<std::size_t>(part.places()), -1);
  const auto runs = other.runs();
  for (const PartRun& run : part.runs()) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      const std::int64_t global = run.global + k;
      const auto behind = std::upper_bound(
          runs.begin(), runs.end(), global,
          [](std::int64_t index, const PartRun& theirs) { return index < theirs.global; });
      if (behind == runs.begin()) continue;
      const PartRun& theirs = *std::prev(behind);
      if (global - theirs.global >= theirs.count) continue;
      nth(out, run.place + k) = theirs.place + global - theirs.global;
    }
  }
  return out;
}

/// An element of a grid beside that of another one which has the same points.
struct ElementPair {
  std::vector<std::int64_t> places;  ///< in the other; of an element without counterpart 0 or -1
  std::int64_t stride = 0;           ///< of the other
};

/// In the order of the elements of `grid`; elements of one point need no counterpart.
std::optional<std::vector<ElementPair>> pairs_of(const config::Model& model,
                                                 const LocalParts& parts, int grid, int other,
                                                 std::int64_t& base) {
  std::vector<ElementPair> pairs;
  const auto& others = elements_of(model, other);
  std::size_t at = 0;
  std::int64_t stride = 1;
  const auto skip_single = [&] {
    for (; at < others.size() && is_one_point(model, others[at]); ++at) {
      const Part& part = parts.data(others[at]);
      if (part.runs().empty()) {
        base = -1;
      } else if (base >= 0) {
        base += part.runs().front().place * stride;
      }
      stride *= part.places();
    }
  };
  for (const config::GridElement& element : elements_of(model, grid)) {
    const Part& part = parts.data(element);
    ElementPair& pair = pairs.emplace_back();
    if (is_one_point(model, element)) {
      pair.places.assign(static_cast<std::size_t>(part.places()), -1);
      for (const PartRun& run : part.runs()) nth(pair.places, run.place) = 0;
      continue;
    }
    skip_single();
    if (at == others.size() || element_shape(model, element) != element_shape(model, others[at])) {
      return std::nullopt;
    }
    // Points that this client has in one of them alone would be missing without a word.
    const Part& owned = parts.owned(element);
    const Part& owned_there = parts.owned(others[at]);
    const std::int64_t common = overlap_of(owned, owned_there).points;
    if (common != owned.points() || common != owned_there.points()) return std::nullopt;
    const Part& theirs = parts.data(others[at++]);
    pair = {places_in(part, theirs), stride};
    stride *= theirs.places();
  }
  skip_single();
  if (at != others.size()) return std::nullopt;
  return pairs;
}

}  // namespace

bool meet_by_points(const config::Model& model, const LocalParts& parts, int grid, int other) {
  std::int64_t base = 0;
  return pairs_of(model, parts, grid, other, base).has_value();
}

std::optional<std::vector<std::int64_t>> places_by_points(const config::Model& model,
                                                          const LocalParts& parts, int grid,
                                                          int other) {
  std::int64_t base = 0;
  const auto pairs = pairs_of(model, parts, grid, other, base);
  if (!pairs) return std::nullopt;
  const std::vector<std::uint64_t> has_value = places_with_values(model, parts, other);
  std::vector<std::int64_t> out(static_cast<std::size_t>(array_size(model, parts, grid)), -1);
  for (std::size_t place = 0; place < out.size() && base >= 0; ++place) {
    std::size_t rest = place;
    std::int64_t found = base;
    for (const ElementPair& pair : *pairs) {
      const std::int64_t own = pair.places[rest % pair.places.size()];
      rest /= pair.places.size();
      found = own < 0 || found < 0 ? -1 : found + own * pair.stride;
    }
    if (found < 0) continue;
    const auto bit = static_cast<std::size_t>(found);
    if ((has_value[bit / 64] >> (bit % 64) & 1) != 0) out[place] = found;
  }
  return out;
}

std::vector<std::int64_t> places_of_cells(const config::Model& model, const LocalParts& parts,
                                          int grid) {
  std::int64_t cells = 1;
  for (const auto& element : elements_of(model, grid)) cells *= parts.owned(element).places();
  std::vector<std::int64_t> out(static_cast<std::size_t>(cells), -1);
  for_each_value(model, parts, grid,
                 [&](std::int64_t cell, std::int64_t place) { nth(out, cell) = place; });
  return out;
}

}  // namespace epios::io
