#include "grids/point_coordinates.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <ep/ep.hpp>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/model.hpp"
#include "config/spatial.hpp"

namespace epios::client {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
/// Value and two bounds.
using Coordinates = std::array<double, 3>;

/// What a client says of the point of an axis that a scalar is.
struct Point {
  Coordinates coordinates{none, none, none};
  std::optional<std::string> label;
  bool is_described() const {
    return coordinates != Coordinates{none, none, none} || label.has_value();
  }
};

Point point_of(const config::Axis& axis, const config::Transformation& extract) {
  const config::AxisAttributes& a = axis.attributes;
  const std::int64_t position = config::integer_of(extract, "position").value_or(0);
  Point out;
  std::int64_t k = position - a.begin.value_or(0);
  if (a.index) {
    const auto& index = a.index->values;
    k = std::find(index.begin(), index.end(), position) - index.begin();
  }
  const std::int64_t n = a.index ? static_cast<std::int64_t>(a.index->values.size())
                                 : a.n.value_or(a.n_glo.value_or(0));
  if (k < 0 || k >= n) return out;
  const auto point = static_cast<std::size_t>(k);
  if (a.value) out.coordinates[0] = a.value->values[point];
  if (a.bounds) {
    out.coordinates[1] = a.bounds->values[2 * point];
    out.coordinates[2] = a.bounds->values[2 * point + 1];
  }
  if (a.label) out.label = a.label->values[point];
  return out;
}

/// The greatest of what all clients say, number by number.
template <class T>
std::vector<T> greatest(const std::vector<T>& own, MPI_Datatype type, const ep::Comm& clients) {
  std::vector<T> all(own.size());
  ep::check(EP_Allreduce(own.data(), all.data(), ep::message_count(own.size()), type, MPI_MAX,
                         clients.get()));
  return all;
}

/// Keeps the points that no client of lower rank describes.
void leave_to_lowest(std::vector<Point>& points, const ep::Comm& clients) {
  std::vector<int> ranks;  // the greatest is that of the lowest rank
  for (const Point& point : points) {
    ranks.push_back(point.is_described() ? -clients.rank() : -clients.size());
  }
  ranks = greatest(ranks, MPI_INT, clients);
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (ranks[k] != -clients.rank()) points[k] = {};
  }
}

/// Labels of all points; nobody has one: none.
std::vector<std::optional<std::string>> shared_labels(const std::vector<Point>& points,
                                                      const ep::Comm& clients) {
  std::vector<std::int64_t> lengths;
  for (const Point& point : points) {
    lengths.push_back(point.label ? static_cast<std::int64_t>(point.label->size()) : -1);
  }
  lengths = greatest(lengths, MPI_INT64_T, clients);
  std::vector<unsigned char> characters;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const auto length = static_cast<std::size_t>(std::max<std::int64_t>(lengths[k], 0));
    std::string own = points[k].label.value_or("");
    own.resize(length, '\0');
    characters.insert(characters.end(), own.begin(), own.end());
  }
  if (!characters.empty()) characters = greatest(characters, MPI_UNSIGNED_CHAR, clients);
  std::vector<std::optional<std::string>> out(points.size());
  auto next = characters.begin();
  for (std::size_t k = 0; k < points.size(); ++k) {
    if (lengths[k] < 0) continue;
    const auto end = next + static_cast<std::ptrdiff_t>(lengths[k]);
    out[k] = std::string(next, end);
    next = end;
  }
  return out;
}

}  // namespace

void share_point_coordinates(config::Model& model, const ep::Comm& clients) {
  std::set<int> seen;
  std::vector<int> scalars;
  std::vector<Point> points;
  for (const config::FieldExpression& expression : model.expressions) {
    const auto step = config::spatial_step(model, expression);
    if (!step || step->transformation->kind != config::ElementKind::extract_axis_to_scalar)
      continue;
    if (!seen.insert(step->target.index).second) continue;
    scalars.push_back(step->target.index);
    points.push_back(point_of(model.axes[step->source.axis()], *step->transformation));
  }
  if (scalars.empty()) return;
  leave_to_lowest(points, clients);
  std::vector<double> numbers;
  for (const Point& point : points) {
    numbers.insert(numbers.end(), point.coordinates.begin(), point.coordinates.end());
  }
  numbers = greatest(numbers, MPI_DOUBLE, clients);
  const std::vector<std::optional<std::string>> labels = shared_labels(points, clients);
  for (std::size_t k = 0; k < scalars.size(); ++k) {
    auto& a = model.scalars[config::ScalarId(scalars[k])].attributes;
    const double* const values = numbers.data() + 3 * k;
    if (!a.value && values[0] != none) a.value = values[0];
    if (!a.bounds && values[1] != none)
      a.bounds = config::value::reals{{values[1], values[2]}, {2}};
    if (!a.label) a.label = labels[k];
  }
}

}  // namespace epios::client
