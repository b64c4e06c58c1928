#include "grids/point_coordinates.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <ep/ep.hpp>
#include <limits>
#include <set>
#include <vector>

#include "config/model.hpp"
#include "config/spatial.hpp"

namespace epios::client {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
/// Value and two bounds.
using Coordinates = std::array<double, 3>;

Coordinates coordinates_of(const config::Axis& axis, const config::Transformation& extract) {
  const config::AxisAttributes& a = axis.attributes;
  const std::int64_t position = config::integer_of(extract, "position").value_or(0);
  Coordinates out{none, none, none};
  std::int64_t k = position - a.begin.value_or(0);
  if (a.index) {
    const auto& index = a.index->values;
    k = std::find(index.begin(), index.end(), position) - index.begin();
  }
  const std::int64_t n = a.index ? static_cast<std::int64_t>(a.index->values.size())
                                 : a.n.value_or(a.n_glo.value_or(0));
  if (k < 0 || k >= n) return out;
  const auto point = static_cast<std::size_t>(k);
  if (a.value) out[0] = a.value->values[point];
  if (a.bounds) {
    out[1] = a.bounds->values[2 * point];
    out[2] = a.bounds->values[2 * point + 1];
  }
  return out;
}

}  // namespace

void share_point_coordinates(config::Model& model, const ep::Comm& clients) {
  std::set<int> seen;
  std::vector<int> scalars;
  std::vector<double> own;
  for (const config::FieldExpression& expression : model.expressions) {
    const auto step = config::spatial_step(model, expression);
    if (!step || step->transformation->kind != config::ElementKind::extract_axis_to_scalar)
      continue;
    if (!seen.insert(step->target.index).second) continue;
    scalars.push_back(step->target.index);
    const Coordinates mine = coordinates_of(model.axes[step->source.axis()], *step->transformation);
    own.insert(own.end(), mine.begin(), mine.end());
  }
  if (scalars.empty()) return;
  std::vector<double> all(own.size());
  ep::check(EP_Allreduce(own.data(), all.data(), ep::message_count(own.size()), MPI_DOUBLE, MPI_MAX,
                         clients.get()));
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    auto& a = model.scalars[config::ScalarId(scalars[k])].attributes;
    const double* const values = all.data() + 3 * k;
    if (!a.value && values[0] != none) a.value = values[0];
    if (!a.bounds && values[1] != none)
      a.bounds = config::value::reals{{values[1], values[2]}, {2}};
  }
}

}  // namespace epios::client
