// Makes the local part of elements from any description that a client may give: ranges, index
// lists, masks, and compressed arrays. The cells that a client owns come first, then the values in
// its array, then intersections with windows.
#include "grid/part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/spatial.hpp"

namespace epios::io {

namespace {

[[noreturn]] void fail(const std::string& element, const std::string& problem) {
  throw Error(ErrorCode::internal,
              fmt::format("{}: {}. Please report this with the configuration", element, problem));
}

/// Appends `run`, joined with the last one where it goes on in both arrays.
void append(std::vector<PartRun>& runs, const PartRun& run) {
  if (run.count <= 0) return;
  if (!runs.empty()) {
    PartRun& last = runs.back();
    if (last.global + last.count == run.global && last.place + last.count == run.place) {
      last.count += run.count;
      return;
    }
  }
  runs.push_back(run);
}

bool is_ascending(const std::vector<PartRun>& runs) {
  for (std::size_t i = 1; i < runs.size(); ++i) {
    if (runs[i].global < runs[i - 1].global + runs[i - 1].count) return false;
  }
  return true;
}

/// The cells of a local part in their own order: `global` of each, as runs whose places are cells.
using Cells = std::vector<PartRun>;

struct LocalDomain {
  std::int64_t ni = 0;
  std::int64_t nj = 0;
  Cells cells;
};

LocalDomain local_domain(const config::Domain& domain) {
  const auto& a = domain.attributes;
  const std::int64_t ni_glo = a.ni_glo.value_or(0);
  LocalDomain out;
  const auto size = static_cast<std::int64_t>(a.i_index ? a.i_index->values.size() : 0);
  out.ni = a.ni.value_or(a.i_index ? size : ni_glo);
  out.nj = a.nj.value_or(a.i_index ? 1 : a.nj_glo.value_or(0));
  if (a.i_index) {
    if (size != out.ni * out.nj) {
      fail("domain '" + domain.id + "'",
           fmt::format("i_index has {} values for {} x {} cells", size, out.ni, out.nj));
    }
    for (std::int64_t cell = 0; cell < size; ++cell) {
      const auto c = static_cast<std::size_t>(cell);
      const std::int64_t j = a.j_index ? a.j_index->values[c] : a.jbegin.value_or(0);
      append(out.cells, {j * ni_glo + a.i_index->values[c], cell, 1});
    }
    return out;
  }
  const std::int64_t ibegin = a.ibegin.value_or(0);
  const std::int64_t jbegin = a.jbegin.value_or(0);
  for (std::int64_t j = 0; j < out.nj; ++j) {
    append(out.cells, {(jbegin + j) * ni_glo + ibegin, j * out.ni, out.ni});
  }
  return out;
}

struct LocalAxis {
  std::int64_t n = 0;
  Cells cells;
};

LocalAxis local_axis(const config::Axis& axis) {
  const auto& a = axis.attributes;
  LocalAxis out;
  if (a.index) {
    out.n = static_cast<std::int64_t>(a.index->values.size());
    for (std::int64_t k = 0; k < out.n; ++k) {
      append(out.cells, {nth(a.index->values, k), k, 1});
    }
    return out;
  }
  out.n = a.n.value_or(a.n_glo.value_or(0));
  append(out.cells, {a.begin.value_or(0), 0, out.n});
  return out;
}

/// Looks up cells by their number; numbers mostly come in ascending order.
class CellReader {
 public:
  CellReader(const Cells& cells, const std::optional<config::value::booleans>& mask)
      : cells_(cells), mask_(mask ? &mask->values : nullptr) {}

  /// Appends the points of cells [cell, cell + count), which lie at `place` and following.
  void read(std::int64_t cell, std::int64_t place, std::int64_t count,
            std::vector<PartRun>& points) {
    if (count <= 0) return;
    seek(cell);
    while (count > 0) {
      const PartRun& run = cells_[at_];
      const std::int64_t skip = cell - run.place;
      const std::int64_t here = std::min(count, run.count - skip);
      add({run.global + skip, place, here}, cell, points);
      cell += here;
      place += here;
      count -= here;
      if (count > 0) ++at_;
    }
  }

 private:
  void seek(std::int64_t cell) {
    const auto holds = [&](std::size_t i) {
      return cells_[i].place <= cell && cell < cells_[i].place + cells_[i].count;
    };
    if (at_ < cells_.size() && holds(at_)) return;
    if (at_ + 1 < cells_.size() && holds(at_ + 1)) {
      ++at_;
      return;
    }
    const auto after = std::upper_bound(
        cells_.begin(), cells_.end(), cell,
        [](std::int64_t wanted, const PartRun& run) { return wanted < run.place; });
    at_ = static_cast<std::size_t>(after - cells_.begin()) - 1;
  }

  void add(const PartRun& run, std::int64_t cell, std::vector<PartRun>& points) const {
    if (mask_ == nullptr) return append(points, run);
    for (std::int64_t k = 0; k < run.count; ++k) {
      if (nth(*mask_, cell + k) == 0) continue;
      append(points, {run.global + k, run.place + k, 1});
    }
  }

  const Cells& cells_;
  const std::vector<std::uint8_t>* mask_;
  std::size_t at_ = 0;
};

/// The numbers of a window [begin, begin + n) of an array that are in [0, end).
struct DataWindow {
  std::int64_t first = 0;  ///< in the array
  std::int64_t cell = 0;   ///< of `first`
  std::int64_t count = 0;
};
DataWindow data_window(std::int64_t begin, std::int64_t n, std::int64_t end) {
  DataWindow out;
  out.first = std::max<std::int64_t>(0, -begin);
  out.cell = begin + out.first;
  out.count = std::max<std::int64_t>(0, std::min(n - out.first, end - out.cell));
  return out;
}

Part axis_data(const config::Axis& axis) {
  const auto& a = axis.attributes;
  const LocalAxis local = local_axis(axis);
  CellReader reader(local.cells, a.mask);
  std::vector<PartRun> points;
  const std::int64_t begin = a.data_begin.value_or(0);
  if (a.data_index) {
    const auto n = static_cast<std::int64_t>(a.data_index->values.size());
    for (std::int64_t k = 0; k < n; ++k) {
      const std::int64_t cell = nth(a.data_index->values, k);
      if (cell >= 0 && cell < local.n) reader.read(cell, k, 1, points);
    }
    return {std::move(points), n};
  }
  const std::int64_t n = a.data_n.value_or(local.n);
  const DataWindow here = data_window(begin, n, local.n);
  reader.read(here.cell, here.first, here.count, points);
  return {std::move(points), n};
}

/// A model array of two dimensions, or compressed with the positions (i, j) of its points.
Part domain_data_2d(const config::Domain& domain, const LocalDomain& local, CellReader reader) {
  const auto& a = domain.attributes;
  const std::int64_t data_ni = a.data_ni.value_or(local.ni);
  const std::int64_t data_nj = a.data_nj.value_or(local.nj);
  std::vector<PartRun> points;
  if (a.data_i_index) {
    const auto& is = a.data_i_index->values;
    const auto size = static_cast<std::int64_t>(is.size());
    for (std::int64_t k = 0; k < size; ++k) {
      const std::int64_t i = nth(is, k);
      const std::int64_t j = a.data_j_index ? nth(a.data_j_index->values, k) : 0;
      if (i < 0 || i >= local.ni || j < 0 || j >= local.nj) continue;
      reader.read(j * local.ni + i, k, 1, points);
    }
    return {std::move(points), size};
  }
  const DataWindow i = data_window(a.data_ibegin.value_or(0), data_ni, local.ni);
  const DataWindow j = data_window(a.data_jbegin.value_or(0), data_nj, local.nj);
  for (std::int64_t row = 0; row < j.count; ++row) {
    reader.read((j.cell + row) * local.ni + i.cell, (j.first + row) * data_ni + i.first, i.count,
                points);
  }
  return {std::move(points), data_ni * data_nj};
}

/// A model array of one dimension, in the order of the cells or compressed.
Part domain_data_1d(const config::Domain& domain, const LocalDomain& local, CellReader reader) {
  const auto& a = domain.attributes;
  const std::int64_t cells = local.ni * local.nj;
  std::vector<PartRun> points;
  if (a.data_i_index) {
    const auto& is = a.data_i_index->values;
    const auto size = static_cast<std::int64_t>(is.size());
    for (std::int64_t k = 0; k < size; ++k) {
      const auto at = static_cast<std::size_t>(k);
      std::int64_t cell = is[at];
      if (a.data_j_index) {
        const std::int64_t j = a.data_j_index->values[at];
        if (is[at] < 0 || is[at] >= local.ni || j < 0 || j >= local.nj) continue;
        cell += j * local.ni;
      }
      if (cell >= 0 && cell < cells) reader.read(cell, k, 1, points);
    }
    return {std::move(points), size};
  }
  const std::int64_t size = a.data_ni.value_or(cells);
  const DataWindow here = data_window(a.data_ibegin.value_or(0), size, cells);
  reader.read(here.cell, here.first, here.count, points);
  return {std::move(points), size};
}

Part domain_data(const config::Domain& domain) {
  const auto& a = domain.attributes;
  const LocalDomain local = local_domain(domain);
  const CellReader reader(local.cells, a.mask_1d ? a.mask_1d : a.mask_2d);
  return a.data_dim.value_or(1) == 1 ? domain_data_1d(domain, local, reader)
                                     : domain_data_2d(domain, local, reader);
}

/// Appends runs that overlap, the first of which begins first and none of which goes beyond
/// `reach`: of a point that occurs twice, the first place counts.
void flatten(std::span<const PartRun> runs, std::int64_t reach, std::vector<PartRun>& once,
             std::vector<Part::Repeat>& repeats) {
  const std::int64_t base = runs.front().global;
  std::vector<std::int64_t> places(static_cast<std::size_t>(reach - base), -1);
  for (const PartRun& run : runs) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      auto& place = nth(places, run.global - base + k);
      if (place < 0 || run.place + k < place) place = run.place + k;
    }
  }
  for (const PartRun& run : runs) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      const std::int64_t first = nth(places, run.global - base + k);
      if (first != run.place + k) repeats.push_back({run.place + k, first});
    }
  }
  for (std::size_t k = 0; k < places.size(); ++k) {
    append(once, {base + static_cast<std::int64_t>(k), places[k], 1});
  }
}

bool has_scalar(const config::Scalar& scalar) { return scalar.attributes.n.value_or(1) != 0; }

}  // namespace

Part::Part(std::vector<PartRun> runs, std::int64_t places) : places_(places) {
  std::erase_if(runs, [](const PartRun& run) { return run.count <= 0; });
  if (!is_ascending(runs)) {
    std::sort(runs.begin(), runs.end(), [](const PartRun& a, const PartRun& b) {
      return a.global != b.global ? a.global < b.global : a.place < b.place;
    });
    std::vector<PartRun> once;
    once.reserve(runs.size());
    for (std::size_t i = 0; i < runs.size();) {
      std::size_t end = i + 1;
      std::int64_t reach = runs[i].global + runs[i].count;
      while (end < runs.size() && runs[end].global < reach) {
        reach = std::max(reach, runs[end].global + runs[end].count);
        ++end;
      }
      if (end == i + 1) {
        append(once, runs[i]);
      } else {
        flatten(std::span(runs).subspan(i, end - i), reach, once, repeats_);
      }
      i = end;
    }
    runs = std::move(once);
  }
  runs_ = std::move(runs);
  for (const PartRun& run : runs_) points_ += run.count;
}

Extents element_shape(const config::Model& model, const config::GridElement& element) {
  switch (element.kind) {
    case config::GridElement::Kind::axis:
      return {model.axes[element.axis()].attributes.n_glo.value_or(0)};
    case config::GridElement::Kind::domain: {
      const config::Domain& domain = model.domains[element.domain()];
      const std::int64_t ni = domain.attributes.ni_glo.value_or(0);
      const std::int64_t nj = domain.attributes.nj_glo.value_or(0);
      if (is_unstructured(domain)) return {ni * nj};
      return {nj, ni};
    }
    case config::GridElement::Kind::scalar:
      break;
  }
  return {};
}

bool is_rectilinear(const config::Model& model, const config::GridElement& element) {
  return element.kind == config::GridElement::Kind::domain &&
         model.domains[element.domain()].attributes.type.value_or("rectilinear") == "rectilinear";
}

bool is_unstructured(const config::Domain& domain) {
  return config::is_row_of_cells(domain.attributes.type.value_or("rectilinear"));
}

Part owned_part(const config::Model& model, const config::GridElement& element) {
  switch (element.kind) {
    case config::GridElement::Kind::axis: {
      LocalAxis local = local_axis(model.axes[element.axis()]);
      return {std::move(local.cells), local.n};
    }
    case config::GridElement::Kind::domain: {
      LocalDomain local = local_domain(model.domains[element.domain()]);
      return {std::move(local.cells), local.ni * local.nj};
    }
    case config::GridElement::Kind::scalar:
      break;
  }
  const std::int64_t n = has_scalar(model.scalars[element.scalar()]) ? 1 : 0;
  return {{{0, 0, n}}, n};
}

Part data_part(const config::Model& model, const config::GridElement& element) {
  switch (element.kind) {
    case config::GridElement::Kind::axis:
      return axis_data(model.axes[element.axis()]);
    case config::GridElement::Kind::domain:
      return domain_data(model.domains[element.domain()]);
    case config::GridElement::Kind::scalar:
      break;
  }
  const config::Scalar& scalar = model.scalars[element.scalar()];
  const std::int64_t n = has_scalar(scalar) ? 1 : 0;
  if (n == 0 || !scalar.attributes.mask.value_or(true)) return {{}, scalar.places};
  return {{{0, scalar.place, 1}}, scalar.places};
}

LocalParts::LocalParts(const config::Model& model) {
  const auto fill = [&](Kind& kind, config::GridElement::Kind which, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const config::GridElement element{which, static_cast<int>(i)};
      kind.data.push_back(data_part(model, element));
      kind.owned.push_back(owned_part(model, element));
    }
  };
  fill(scalars_, config::GridElement::Kind::scalar, model.scalars.size());
  fill(axes_, config::GridElement::Kind::axis, model.axes.size());
  fill(domains_, config::GridElement::Kind::domain, model.domains.size());
}

const LocalParts::Kind& LocalParts::of(const config::GridElement& element) const {
  switch (element.kind) {
    case config::GridElement::Kind::axis:
      return axes_;
    case config::GridElement::Kind::domain:
      return domains_;
    case config::GridElement::Kind::scalar:
      break;
  }
  return scalars_;
}

const Part& LocalParts::data(const config::GridElement& element) const {
  return nth(of(element).data, element.index);
}

const Part& LocalParts::owned(const config::GridElement& element) const {
  return nth(of(element).owned, element.index);
}

Part clip(const Part& part, const Extents& shape, const Box& window) {
  std::vector<PartRun> out;
  if (window.is_empty()) return {std::move(out), part.places()};
  const std::int64_t width = shape.empty() ? 1 : shape.back();
  const std::int64_t first_row = shape.size() < 2 ? 0 : window.begin[0];
  const std::int64_t rows = shape.size() < 2 ? 1 : window.size[0];
  const std::int64_t first = shape.empty() ? 0 : window.begin.back();
  const std::int64_t n = shape.empty() ? 1 : window.size.back();
  const bool has_whole_rows = n == width;
  for (const PartRun& run : part.runs()) {
    const std::int64_t begin = std::max(run.global, first_row * width);
    const std::int64_t end = std::min(run.global + run.count, (first_row + rows) * width);
    if (begin >= end) continue;
    if (has_whole_rows) {
      append(out, {begin - first_row * width, run.place + (begin - run.global), end - begin});
      continue;
    }
    for (std::int64_t row = begin / width; row * width < end; ++row) {
      const std::int64_t from = std::max(begin, row * width + first);
      const std::int64_t to = std::min(end, row * width + first + n);
      if (from >= to) continue;
      append(out, {(row - first_row) * n + (from - row * width - first),
                   run.place + (from - run.global), to - from});
    }
  }
  return {std::move(out), part.places()};
}

std::vector<Box> element_windows(const config::Model& model, int grid, const Box& box) {
  const auto& elements = model.grids[config::GridId(grid)].elements;
  std::vector<Box> out(elements.size());
  std::size_t d = 0;
  for (std::size_t e = elements.size(); e-- > 0;) {
    const std::size_t rank = element_shape(model, elements[e]).size();
    for (std::size_t k = 0; k < rank; ++k, ++d) {
      out[e].begin.push_back(box.begin[d]);
      out[e].size.push_back(box.size[d]);
    }
  }
  return out;
}

}  // namespace epios::io
