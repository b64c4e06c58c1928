#include "grid/layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "config/error.hpp"

namespace epios::io {

namespace {

using Run = LocalLayout::Run;

/// How one element, or the product of several, maps the model array to owned points.
struct Mapping {
  std::int64_t array_size = 1;
  std::int64_t points = 1;
  std::vector<Run> runs = {{0, 0, 1}};

  bool is_identity() const {
    if (array_size != points) return false;
    if (points == 0) return true;
    return runs.size() == 1 && runs[0].array == 0 && runs[0].point == 0 && runs[0].count == points;
  }
  void add(const Run& run) {
    if (run.count == 0) return;
    if (!runs.empty()) {
      Run& last = runs.back();
      if (last.array + last.count == run.array && last.point + last.count == run.point) {
        last.count += run.count;
        return;
      }
    }
    runs.push_back(run);
  }
};

/// One direction of an element: `n` owned points from `begin` on, of which the model array holds
/// `data_n` from local point `data_begin` on.
struct Direction {
  std::int64_t begin = 0;
  std::int64_t n = 0;
  std::int64_t data_begin = 0;
  std::int64_t data_n = 0;
};

[[noreturn]] void fail(const std::string& element, const std::string& problem) {
  throw Error(ErrorCode::internal,
              fmt::format("{}: {}. Please report this with the configuration", element, problem));
}

void check_direction(const std::string& element, const Direction& part, std::int64_t global) {
  constexpr std::int64_t most = std::int64_t{1} << 62U;  // sums of two stay in range
  if (part.begin < 0 || part.n < 0 || part.begin > global - part.n || part.data_n < 0 ||
      part.data_n > most || part.data_begin < -most || part.data_begin > most) {
    fail(element, fmt::format("the local part {}+{} does not fit (global size {}, the model array "
                              "has {} values from {} on)",
                              part.begin, part.n, global, part.data_n, part.data_begin));
  }
}

/// Runs of a single direction, without a mask.
Mapping map_direction(const Direction& part) {
  Mapping out{part.data_n, part.n, {}};
  const std::int64_t first = std::max<std::int64_t>(part.data_begin, 0);
  const std::int64_t end = std::min(part.data_begin + part.data_n, part.n);
  if (end > first) out.add({first - part.data_begin, first, end - first});
  return out;
}

/// `inner` varies faster than `outer`.
Mapping product(const Mapping& inner, const Mapping& outer) {
  Mapping out{inner.array_size * outer.array_size, inner.points * outer.points, {}};
  const bool whole_inner = inner.is_identity();
  for (const Run& slow : outer.runs) {
    if (whole_inner) {
      out.add(
          {slow.array * inner.array_size, slow.point * inner.points, slow.count * inner.points});
      continue;
    }
    for (std::int64_t k = 0; k < slow.count; ++k) {
      for (const Run& fast : inner.runs) {
        out.add({fast.array + (slow.array + k) * inner.array_size,
                 fast.point + (slow.point + k) * inner.points, fast.count});
      }
    }
  }
  return out;
}

/// Takes the points out where `mask` is false.
Mapping masked(const Mapping& mapping, const std::vector<std::uint8_t>& mask,
               const std::string& element) {
  if (static_cast<std::int64_t>(mask.size()) != mapping.points) {
    fail(element, fmt::format("its mask has {} values (expected {})", mask.size(), mapping.points));
  }
  Mapping out{mapping.array_size, mapping.points, {}};
  for (const Run& run : mapping.runs) {
    for (std::int64_t k = 0; k < run.count; ++k) {
      if (mask[static_cast<std::size_t>(run.point + k)] != 0) {
        out.add({run.array + k, run.point + k, 1});
      }
    }
  }
  return out;
}

Direction axis_part(const config::Axis& axis) {
  const auto& a = axis.attributes;
  const std::int64_t global = a.n_glo.value_or(0);
  Direction part;
  part.begin = a.begin.value_or(0);
  part.n = a.n.value_or(global);
  part.data_begin = a.data_begin.value_or(0);
  part.data_n = a.data_n.value_or(part.n);
  check_direction("axis '" + axis.id + "'", part, global);
  return part;
}

struct DomainPart {
  Direction i;
  Direction j;
};

DomainPart domain_part(const config::Domain& domain) {
  const auto& a = domain.attributes;
  const std::int64_t ni_glo = a.ni_glo.value_or(0);
  const std::int64_t nj_glo = a.nj_glo.value_or(0);
  DomainPart part;
  part.i.begin = a.ibegin.value_or(0);
  part.i.n = a.ni.value_or(ni_glo);
  part.j.begin = a.jbegin.value_or(0);
  part.j.n = a.nj.value_or(nj_glo);
  const bool flat = a.data_dim.value_or(1) == 1;
  part.i.data_begin = a.data_ibegin.value_or(0);
  part.i.data_n = a.data_ni.value_or(flat ? part.i.n * part.j.n : part.i.n);
  part.j.data_begin = flat ? 0 : a.data_jbegin.value_or(0);
  part.j.data_n = flat ? 1 : a.data_nj.value_or(part.j.n);
  check_direction("domain '" + domain.id + "', direction i", part.i, ni_glo);
  check_direction("domain '" + domain.id + "', direction j", part.j, nj_glo);
  return part;
}

Mapping map_axis(const config::Axis& axis) {
  const Mapping mapping = map_direction(axis_part(axis));
  const auto& mask = axis.attributes.mask;
  return mask ? masked(mapping, mask->values, "axis '" + axis.id + "'") : mapping;
}

Mapping map_domain(const config::Domain& domain) {
  const auto& a = domain.attributes;
  const DomainPart part = domain_part(domain);
  Mapping mapping;
  if (a.data_dim.value_or(1) == 1) {
    mapping = map_direction({0, part.i.n * part.j.n, part.i.data_begin, part.i.data_n});
  } else {
    mapping = product(map_direction(part.i), map_direction(part.j));
  }
  const std::string name = "domain '" + domain.id + "'";
  if (a.mask_1d) mapping = masked(mapping, a.mask_1d->values, name);
  if (a.mask_2d) mapping = masked(mapping, a.mask_2d->values, name);
  return mapping;
}

/// Element `element` of a checked model.
template <class T>
const T& at(const std::vector<T>& items, int index) {
  return items[static_cast<std::size_t>(index)];
}

void set_missing(double* values, std::int64_t count) {
  std::fill_n(values, count, std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

Extents global_shape(const config::Model& model, int grid) {
  const auto& elements = at(model.grids, grid).elements;
  Extents shape;
  for (std::size_t e = elements.size(); e-- > 0;) {
    const auto& element = elements[e];
    if (element.kind == config::GridElement::Kind::axis) {
      shape.push_back(at(model.axes, element.index).attributes.n_glo.value_or(0));
    } else if (element.kind == config::GridElement::Kind::domain) {
      const auto& attributes = at(model.domains, element.index).attributes;
      shape.push_back(attributes.nj_glo.value_or(0));
      shape.push_back(attributes.ni_glo.value_or(0));
    }
  }
  return shape;
}

Box local_box(const config::Model& model, int grid) {
  const auto& elements = at(model.grids, grid).elements;
  Box box;
  const auto add = [&box](const Direction& part) {
    box.begin.push_back(part.begin);
    box.size.push_back(part.n);
  };
  for (std::size_t e = elements.size(); e-- > 0;) {
    const auto& element = elements[e];
    if (element.kind == config::GridElement::Kind::axis) {
      add(axis_part(at(model.axes, element.index)));
    } else if (element.kind == config::GridElement::Kind::domain) {
      const DomainPart part = domain_part(at(model.domains, element.index));
      add(part.j);
      add(part.i);
    }
  }
  return box;
}

LocalLayout::LocalLayout(const config::Model& model, int grid) : box_(local_box(model, grid)) {
  Mapping mapping;
  for (const auto& element : at(model.grids, grid).elements) {
    if (element.kind == config::GridElement::Kind::axis) {
      mapping = product(mapping, map_axis(at(model.axes, element.index)));
    } else if (element.kind == config::GridElement::Kind::domain) {
      mapping = product(mapping, map_domain(at(model.domains, element.index)));
    }
  }
  array_size_ = mapping.array_size;
  is_identity_ = mapping.is_identity();
  runs_ = std::move(mapping.runs);
}

template <class T>
void LocalLayout::pick(std::span<const T> array, std::span<double> points) const {
  const std::int64_t count = box_.volume();
  if (static_cast<std::int64_t>(array.size()) != array_size_ ||
      static_cast<std::int64_t>(points.size()) != count) {
    fail("layout", fmt::format("{} values were to become {} points (expected {} and {})",
                               array.size(), points.size(), array_size_, count));
  }
  const T* from = array.data();
  double* to = points.data();
  std::int64_t next = 0;
  for (const Run& run : runs_) {
    if (run.point > next) set_missing(to + next, run.point - next);
    if constexpr (std::is_same_v<T, double>) {
      std::memcpy(to + run.point, from + run.array,
                  static_cast<std::size_t>(run.count) * sizeof(double));
    } else {
      const T* __restrict source = from + run.array;
      double* __restrict target = to + run.point;
      for (std::int64_t i = 0; i < run.count; ++i) target[i] = static_cast<double>(source[i]);
    }
    next = run.point + run.count;
  }
  if (count > next) set_missing(to + next, count - next);
}

template void LocalLayout::pick(std::span<const double>, std::span<double>) const;
template void LocalLayout::pick(std::span<const float>, std::span<double>) const;

}  // namespace epios::io
