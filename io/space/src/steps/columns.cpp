// Interpolation of whole columns whose coordinates are fields. A client gathers the columns of its
// targets and then interpolates each one.
#include "steps/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "elements/local_cells.hpp"
#include "elements/transformation_error.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/missing.hpp"

namespace epios::io {

namespace {

Error columns_error(const config::SpatialStep& step, const std::string& target,
                    const std::string& why) {
  return transformation_error(*step.transformation, fmt::format("axis '{}'", target), why);
}

int grid_of(const config::Model& model, const config::FieldExpressionNode& data) {
  if (data.source >= 0) return model.sources[data.source].grid;
  return model.expressions[data.expression].grid;
}

/// Returns true if arrays of both grids have the same points at the same places.
bool are_alike(const StepContext& context, int grid, int other) {
  const auto& a = nth(context.model.grids, grid).elements;
  const auto& b = nth(context.model.grids, other).elements;
  for (std::size_t e = 0; e < a.size(); ++e) {
    const Part& x = context.parts.data(a[e]);
    const Part& y = context.parts.data(b[e]);
    if (x.places() != y.places() ||
        !std::equal(x.runs().begin(), x.runs().end(), y.runs().begin(), y.runs().end())) {
      return false;
    }
  }
  return true;
}

/// Returns the values of all points of an axis; nobody's value where it has none.
std::vector<double> all_values(const config::Axis& axis, const ep::Comm& clients) {
  const std::vector<std::int64_t> local = local_points(axis.attributes);
  const bool has_any =
      axis.attributes.value && axis.attributes.value->values.size() == local.size();
  return whole_line(clients, axis.attributes.n_glo.value_or(0),
                    has_any ? local : std::vector<std::int64_t>(),
                    has_any ? axis.attributes.value->values : std::vector<double>());
}

}  // namespace

ColumnPlan::ColumnPlan(const StepContext& context, const config::SpatialStep& step,
                       const config::FieldExpression& expression, const Frame& element)
    : before_(element.before),
      behind_(element.behind),
      size_(element.source_points),
      target_array_(element.target_array),
      source_size_(static_cast<std::size_t>(element.before.array * element.source_array *
                                            element.behind.array)),
      targets_(points_of(context.parts.data(step.target))) {
  const config::Transformation& how = *step.transformation;
  has_source_ = config::coordinate_of(how, true).has_value();
  has_target_ = config::coordinate_of(how, false).has_value();
  count_ = static_cast<std::size_t>(config::integer_of(how, "order").value_or(1)) + 1;
  const std::optional<bool> extrapolates = [&]() -> std::optional<bool> {
    for (const config::Property& property : how.attributes) {
      if (property.name == "extrapolate") return std::get<bool>(property.value);
    }
    return std::nullopt;
  }();
  extrapolates_ = extrapolates.value_or(true);
  const config::Axis& source = context.model.axes[step.source.axis()];
  const config::Axis& target = context.model.axes[step.target.axis()];
  config::ExpressionNodeId node(1);
  for (const bool is_source : {true, false}) {
    if (!(is_source ? has_source_ : has_target_)) continue;
    const int grid = grid_of(context.model, expression.nodes[node++]);
    if (!on_any(context.clients, !are_alike(context, grid, is_source ? step.from : step.to))) {
      continue;
    }
    throw columns_error(
        step, target.id,
        fmt::format("coordinates '{}' have other points, or at other places of arrays, than the "
                    "values (on some client). Describe both grids alike?",
                    *config::coordinate_of(how, is_source)));
  }
  const auto lacks = [](double value) { return !std::isfinite(value); };
  if (!has_source_) {
    from_ = all_values(source, context.clients);
    if (std::all_of(from_.begin(), from_.end(), lacks)) {
      throw columns_error(
          step, target.id,
          fmt::format("axis '{}' has no values. Set value of it, or coordinate_src?", source.id));
    }
  }
  if (!has_target_) {
    const std::vector<double> all = all_values(target, context.clients);
    for (const std::int64_t key : targets_.keys) to_.push_back(nth(all, key));
    if (on_any(context.clients, std::any_of(to_.begin(), to_.end(), lacks))) {
      throw columns_error(step, target.id,
                          "it has no values to interpolate to. Set value of it on each client, "
                          "or coordinate_dst?");
    }
  }
}

Stencils ColumnPlan::whole_columns(std::int64_t size) {
  Stencils out;
  for (std::int64_t k = 0; k < size; ++k) {
    out.targets.keys.push_back(k);
    out.targets.places.push_back(k);
    out.sources.push_back(k);
    out.close_target();
  }
  return out;
}

std::size_t ColumnPlan::column_size() const {
  return static_cast<std::size_t>(before_.array * size_ * behind_.array);
}

std::size_t ColumnPlan::target_size() const {
  return static_cast<std::size_t>(before_.array * target_array_ * behind_.array);
}

ColumnPlan::Room ColumnPlan::room() const {
  Room room;
  room.known.reserve(static_cast<std::size_t>(size_));
  return room;
}

void ColumnPlan::work_out(const double* values, const double* from, const double* to,
                          double* results, Room& room) const {
  const auto by_coordinate = [](const Known& a, const Known& b) {
    return a.coordinate != b.coordinate ? a.coordinate < b.coordinate : a.level < b.level;
  };
  for (const std::int64_t behind : behind_.places) {
    for (const std::int64_t before : before_.places) {
      room.known.clear();
      for (std::int64_t k = 0; k < size_; ++k) {
        const std::int64_t place = before + before_.array * (k + size_ * behind);
        const double coordinate = from != nullptr ? from[place] : nth(from_, k);
        if (!std::isfinite(coordinate) || std::isnan(values[place])) continue;
        room.known.push_back({coordinate, values[place], k});
      }
      if (!std::is_sorted(room.known.begin(), room.known.end(), by_coordinate)) {
        std::sort(room.known.begin(), room.known.end(), by_coordinate);
      }
      // The first of equal coordinates counts.
      room.known.erase(
          std::unique(room.known.begin(), room.known.end(),
                      [](const Known& a, const Known& b) { return a.coordinate == b.coordinate; }),
          room.known.end());
      for (std::size_t t = 0; t < targets_.keys.size(); ++t) {
        const std::int64_t place =
            before + before_.array * (targets_.places[t] + target_array_ * behind);
        results[place] = at(to != nullptr ? to[place] : to_[t], room);
      }
    }
  }
}

/// Lagrange's polynomial through the nearest points, as differences to the first value: a constant
/// stays what it is.
double ColumnPlan::at(double coordinate, const Room& room) const {
  const auto& known = room.known;
  constexpr std::size_t least = 2;
  if (known.size() < least || !std::isfinite(coordinate)) return missing;
  const bool is_outside =
      coordinate < known.front().coordinate || coordinate > known.back().coordinate;
  if (is_outside && !extrapolates_) return missing;
  const std::size_t count = std::min(count_, known.size());
  const auto above =
      std::lower_bound(known.begin(), known.end(), coordinate,
                       [](const auto& point, double c) { return point.coordinate < c; });
  auto first = static_cast<std::size_t>(std::max<std::ptrdiff_t>(above - known.begin() - 1, 0));
  first = std::min(first, known.size() - least);
  std::size_t end = first + least;
  while (end - first < count) {
    const bool goes_down =
        end == known.size() || (first > 0 && coordinate - known[first - 1].coordinate <=
                                                 known[end].coordinate - coordinate);
    if (goes_down) {
      --first;
    } else {
      ++end;
    }
  }
  double sum = 0;
  for (std::size_t k = first + 1; k < end; ++k) {
    double weight = 1;
    for (std::size_t m = first; m < end; ++m) {
      if (m == k) continue;
      weight *= (coordinate - known[m].coordinate) / (known[k].coordinate - known[m].coordinate);
    }
    sum += weight * (known[k].value - known[first].value);
  }
  return known[first].value + sum;
}

Columns::Columns(const ColumnPlan& plan)
    : plan_(plan), values_(plan.column_size(), missing), room_(plan.room()) {
  if (plan.has_target_field()) to_.resize(plan.target_size());
  if (!plan.has_source_field()) return;
  from_.resize(plan.column_size(), missing);
  kept_.resize(plan.source_size());
}

void Columns::take(std::span<const std::span<const double>> coordinates) {
  std::size_t next = 0;
  if (plan_.has_source_field()) {
    const std::span<const double> from = coordinates[next++];
    std::copy(from.begin(), from.end(), kept_.begin());
  }
  if (plan_.has_target_field()) {
    const std::span<const double> to = coordinates[next];
    std::copy(to.begin(), to.end(), to_.begin());
  }
}

void Columns::deliver(const double* values, Gather& gather, double* results) {
  gather.deliver(values, values_.data());
  const bool has_coordinates = plan_.has_source_field();
  if (has_coordinates) gather.deliver(kept_.data(), from_.data(), 1);
  plan_.work_out(values_.data(), has_coordinates ? from_.data() : nullptr,
                 to_.empty() ? nullptr : to_.data(), results, room_);
}

}  // namespace epios::io
