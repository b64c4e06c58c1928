#include "grids/array_extents.hpp"

#include "config/model.hpp"

namespace epios::client {
namespace {

using Extents = std::vector<std::int64_t>;
using Kind = config::GridElement::Kind;

void append_array(const config::DomainAttributes& a, Extents& out) {
  const std::int64_t ni = a.ni.value_or(0);
  const std::int64_t nj = a.nj.value_or(0);
  const bool is_row = a.data_dim.value_or(1) == 1;
  if (a.data_i_index) {
    const auto points = static_cast<std::int64_t>(a.data_i_index->values.size());
    const std::int64_t columns = a.data_ni.value_or(points);
    const bool is_table = !is_row && columns * a.data_nj.value_or(1) == points;
    if (!is_table) return out.push_back(points);
    out.insert(out.end(), {columns, a.data_nj.value_or(1)});
  } else if (!is_row) {
    out.insert(out.end(), {a.data_ni.value_or(ni), a.data_nj.value_or(nj)});
  } else if (a.data_ni.value_or(ni * nj) == ni * nj && a.data_ibegin.value_or(0) == 0) {
    out.insert(out.end(), {ni, nj});
  } else {
    out.push_back(*a.data_ni);
  }
}

void append_array(const config::AxisAttributes& a, Extents& out) {
  const std::int64_t n = a.n.value_or(0);
  out.push_back(a.data_index ? static_cast<std::int64_t>(a.data_index->values.size())
                             : a.data_n.value_or(n));
}

void append_cells(const config::DomainAttributes& a, Extents& out) {
  out.insert(out.end(), {a.ni.value_or(0), a.nj.value_or(0)});
}

void append_cells(const config::AxisAttributes& a, Extents& out) { out.push_back(a.n.value_or(0)); }

/// `append`: adds the extents of an axis or a domain with these attributes.
template <class Append>
Extents extents_of(const config::Model& model, int grid, const Append& append) {
  Extents out;
  for (const config::GridElement& element : model.grids[config::GridId(grid)].elements) {
    if (element.kind == Kind::axis) {
      append(model.axes[element.axis()].attributes, out);
    } else if (element.kind == Kind::domain) {
      append(model.domains[element.domain()].attributes, out);
    } else if (model.scalars[element.scalar()].places != 1) {
      out.push_back(model.scalars[element.scalar()].places);
    }
  }
  if (out.empty()) out.push_back(1);
  return out;
}

}  // namespace

std::vector<std::int64_t> array_extents(const config::Model& model, int grid) {
  return extents_of(model, grid,
                    [](const auto& attributes, Extents& out) { append_array(attributes, out); });
}

std::vector<std::int64_t> cell_extents(const config::Model& model, int grid) {
  return extents_of(model, grid,
                    [](const auto& attributes, Extents& out) { append_cells(attributes, out); });
}

}  // namespace epios::client
