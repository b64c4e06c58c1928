#include <algorithm>
#include <utility>

#include "config/index.hpp"
#include "config/model_elements.hpp"
#include "config/spatial.hpp"
#include "elements/element_views.hpp"
#include "elements/local_cells.hpp"
#include "elements/selection.hpp"

namespace epios::io {

namespace {

/// The points that an extraction takes, and the numbers that they get.
class Wanted {
 public:
  Wanted(const config::Transformation& extract, std::int64_t size) {
    if (const auto list = config::extracted_list(extract)) {
      is_listed_ = true;
      for (std::size_t k = 0; k < list->size(); ++k) {
        positions_.emplace_back((*list)[k], static_cast<std::int64_t>(k));
      }
      std::sort(positions_.begin(), positions_.end());
      return;
    }
    interval_ = config::extracted_interval(extract, size);
  }
  bool is_listed() const { return is_listed_; }
  /// -1: it is not taken.
  std::int64_t position(std::int64_t point) const {
    if (!is_listed_) {
      const std::int64_t position = point - interval_.begin;
      return position >= 0 && position < interval_.n ? position : -1;
    }
    const auto found =
        std::lower_bound(positions_.begin(), positions_.end(), std::pair(point, std::int64_t{0}));
    return found != positions_.end() && found->first == point ? found->second : -1;
  }

 private:
  bool is_listed_ = false;
  config::Interval interval_;
  std::vector<std::pair<std::int64_t, std::int64_t>> positions_;  // by point
};

}  // namespace

std::vector<std::int64_t> local_points(const config::AxisAttributes& axis) {
  if (axis.index) return axis.index->values;
  std::vector<std::int64_t> out(static_cast<std::size_t>(axis.n.value_or(axis.n_glo.value_or(0))));
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = axis.begin.value_or(0) + static_cast<std::int64_t>(k);
  }
  return out;
}

std::vector<std::int64_t> points_of_places(const config::AxisAttributes& axis) {
  const auto n = static_cast<std::int64_t>(
      axis.index ? axis.index->values.size()
                 : static_cast<std::size_t>(axis.n.value_or(axis.n_glo.value_or(0))));
  const auto within = [n](std::int64_t point) { return point >= 0 && point < n ? point : -1; };
  std::vector<std::int64_t> out;
  if (axis.data_index) {
    out = axis.data_index->values;
    for (std::int64_t& point : out) point = within(point);
    return out;
  }
  out.resize(static_cast<std::size_t>(axis.data_n.value_or(n)));
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k] = within(axis.data_begin.value_or(0) + static_cast<std::int64_t>(k));
  }
  return out;
}

SelectedCells views::extract_axis(const config::Axis& source, const config::Transformation& extract,
                                  config::Axis& target) {
  const config::AxisAttributes& a = source.attributes;
  config::AxisAttributes& out = target.attributes;
  const Wanted wanted(extract, a.n_glo.value_or(0));
  const std::vector<std::int64_t> points = local_points(a);
  SelectedCells kept;
  std::vector<std::int64_t> index;
  for (std::size_t k = 0; k < points.size(); ++k) {
    const std::int64_t point = wanted.position(points[k]);
    if (point < 0) continue;
    kept.push_back(static_cast<std::int64_t>(k));
    index.push_back(point);
  }
  out.n = static_cast<std::int64_t>(kept.size());
  const bool is_listed = a.index || wanted.is_listed();
  out.begin = is_listed || index.empty() ? 0 : index.front();
  if (is_listed) out.index = listed(std::move(index));
  out.value = picked(a.value, kept);
  out.bounds = picked(a.bounds, kept, 2);
  out.label = picked(a.label, kept);
  out.mask = picked(a.mask, kept);
  const std::vector<std::int64_t> left = positions(kept, static_cast<std::int64_t>(points.size()));
  std::vector<std::int64_t> places = points_of_places(a);
  for (std::int64_t& point : places) {
    if (point >= 0) point = nth(left, point);
  }
  out.data_n = static_cast<std::int64_t>(places.size());
  out.data_index = listed(std::move(places));
  return kept;
}

/// The points stay where they are, under other numbers.
SelectedCells views::inverse_axis(const config::Axis& source, const config::Transformation& /*how*/,
                                  config::Axis& target) {
  const config::AxisAttributes& a = source.attributes;
  config::AxisAttributes& out = target.attributes;
  std::vector<std::int64_t> index = local_points(a);
  for (std::int64_t& point : index) point = a.n_glo.value_or(0) - 1 - point;
  out.n = static_cast<std::int64_t>(index.size());
  out.index = listed(std::move(index));
  out.value = a.value;
  out.bounds = a.bounds;
  out.label = a.label;
  out.mask = a.mask;
  // Bounds follow each other as the points do.
  for (std::size_t k = 1; out.bounds && k < out.bounds->values.size(); k += 2) {
    std::swap(out.bounds->values[k - 1], out.bounds->values[k]);
  }
  out.data_begin = a.data_begin;
  out.data_n = a.data_n;
  out.data_index = a.data_index;
  return all_of(*out.n);
}

SelectedCells views::extract_axis_to_scalar(const config::Axis& source,
                                            const config::Transformation& extract,
                                            config::Scalar& target) {
  const config::AxisAttributes& a = source.attributes;
  config::ScalarAttributes& out = target.attributes;
  const std::int64_t position = config::integer_of(extract, "position").value_or(0);
  const std::vector<std::int64_t> points = local_points(a);
  const std::vector<std::int64_t> places = points_of_places(a);
  target.places = static_cast<std::int64_t>(places.size());
  target.place = 0;
  const auto found = std::find(points.begin(), points.end(), position);
  const bool has_point = found != points.end();
  const auto k = static_cast<std::size_t>(found - points.begin());
  const auto place = std::find(places.begin(), places.end(), static_cast<std::int64_t>(k));
  const bool is_there = has_point && place != places.end();
  out.n = is_there ? 1 : 0;
  if (!is_there) return {};
  target.place = place - places.begin();
  if (a.mask) out.mask = a.mask->values[k] != 0;
  return {static_cast<std::int64_t>(k)};
}

}  // namespace epios::io
