// Recorded clients are asked one after the other: first which points they have, then for the values
// of those that this client gets.
#include "dealt_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/spatial.hpp"
#include "grid/part.hpp"
#include "recording/recorded_call.hpp"

namespace epios::replay {
namespace {

using client::size_of;
using config::ElementKind;
using config::GridElement;
using Reals = std::optional<config::value::reals>;

/// A range of numbers that ends before `end`.
struct Range {
  std::int64_t begin = 0, end = 0;
};

/// Sorts ranges, and unites those that overlap or meet.
void unite(std::vector<Range>& ranges) {
  std::sort(ranges.begin(), ranges.end(),
            [](const Range& a, const Range& b) { return a.begin < b.begin; });
  std::vector<Range> out;
  for (const Range& range : ranges) {
    if (!out.empty() && range.begin <= out.back().end) {
      out.back().end = std::max(out.back().end, range.end);
    } else {
      out.push_back(range);
    }
  }
  ranges = std::move(out);
}

/// The numbers from `first` to `last` of those in ranges, counted.
std::vector<std::int64_t> numbers_in(const std::vector<Range>& ranges, std::int64_t first,
                                     std::int64_t last) {
  std::vector<std::int64_t> out;
  std::int64_t before = 0;
  for (const Range& range : ranges) {
    const std::int64_t length = range.end - range.begin;
    const std::int64_t from = std::max(first - before, std::int64_t{0});
    const std::int64_t to = std::min(last - before, length);
    for (std::int64_t i = from; i < to; ++i) out.push_back(range.begin + i);
    before += length;
  }
  return out;
}

/// One value, or `width` of them, for each of some points.
class Gathered {
 public:
  Gathered() = default;
  Gathered(std::size_t points, std::size_t width)
      : width_(width), values_(points * width, std::numeric_limits<double>::quiet_NaN()) {}

  bool is_needed() const { return !values_.empty(); }
  std::size_t width() const { return width_; }
  void take(std::size_t point, std::span<const double> from, std::size_t place) {
    std::copy_n(from.data() + place * width_, width_, values_.data() + point * width_);
  }
  /// True if nobody has given a value of a point.
  bool lacks(std::size_t point) const { return values_[point * width_] != values_[point * width_]; }
  std::vector<double> values() && { return std::move(values_); }

 private:
  std::size_t width_ = 1;
  std::vector<double> values_;
};

/// An attribute with values for each column, each row or each cell.
struct Coordinate {
  const char* name;
  Reals config::DomainAttributes::*values;
  int dimensions;  // of a value per cell: 1, or 2 for ni and nj
};

constexpr std::array<Coordinate, 11> coordinates{{
    {"lonvalue_1d", &config::DomainAttributes::lonvalue_1d, 1},
    {"latvalue_1d", &config::DomainAttributes::latvalue_1d, 1},
    {"bounds_lon_1d", &config::DomainAttributes::bounds_lon_1d, 1},
    {"bounds_lat_1d", &config::DomainAttributes::bounds_lat_1d, 1},
    {"area_1d", &config::DomainAttributes::area_1d, 1},
    {"lonvalue_2d", &config::DomainAttributes::lonvalue_2d, 2},
    {"latvalue_2d", &config::DomainAttributes::latvalue_2d, 2},
    {"bounds_lon_2d", &config::DomainAttributes::bounds_lon_2d, 2},
    {"bounds_lat_2d", &config::DomainAttributes::bounds_lat_2d, 2},
    {"area", &config::DomainAttributes::area, 2},
    {"area_2d", &config::DomainAttributes::area_2d, 2},
}};

/// What is gathered of one domain: the cells of this client, in ascending order.
class DealtDomain {
 public:
  explicit DealtDomain(const config::Domain& domain)
      : id_(domain.id),
        ni_glo_(domain.attributes.ni_glo.value_or(0)),
        nj_glo_(domain.attributes.nj_glo.value_or(1)),
        has_rows_(domain.attributes.type == "rectilinear" && !domain.attributes.i_index) {}

  void add_cells(const io::Part& owned) {
    for (const io::PartRun& run : owned.runs())
      cells_.push_back({run.global, run.global + run.count});
    if (cells_.size() > largest_list) unite(cells_);
  }
  void deal(const Share& share) {
    unite(cells_);
    if (has_rows_) {
      begin_ = nj_glo_ * share.rank / share.clients;
      rows_ = nj_glo_ * (share.rank + 1) / share.clients - begin_;
      cells_ = {{begin_ * ni_glo_, (begin_ + rows_) * ni_glo_}};
      mine_ = numbers_in(cells_, 0, rows_ * ni_glo_);
    } else {
      std::int64_t all = 0;
      for (const Range& range : cells_) all += range.end - range.begin;
      mine_ = numbers_in(cells_, all * share.rank / share.clients,
                         all * (share.rank + 1) / share.clients);
    }
    has_data_.assign(mine_.size(), 0);
  }
  void gather(const config::Domain& domain, const io::Part& owned, const io::Part& data) {
    for_each_of_mine(data, [&](std::size_t point, std::int64_t) { has_data_[point] = 1; });
    for (const Coordinate& coordinate : coordinates) {
      const Reals& given = domain.attributes.*coordinate.values;
      if (given && !given->values.empty()) gather(coordinate, domain, *given, owned);
    }
  }
  void append(std::vector<DealtAttribute>& out) &&;

 private:
  static constexpr std::size_t largest_list = 100'000;
  enum class Along { cells, columns, rows };

  Along along(const Coordinate& coordinate) const {
    const std::string_view name = coordinate.name;
    if (!has_rows_ || coordinate.dimensions == 2 || name == "area_1d") return Along::cells;
    return name.find("lon") != std::string_view::npos ? Along::columns : Along::rows;
  }
  /// Calls `visit(point, place)` for the points of a part that are of this client.
  template <class Visit>
  void for_each_of_mine(const io::Part& part, const Visit& visit) const {
    for (const io::PartRun& run : part.runs()) {
      auto at = std::lower_bound(mine_.begin(), mine_.end(), run.global);
      for (; at != mine_.end() && *at < run.global + run.count; ++at) {
        visit(size_of(at - mine_.begin()), run.place + (*at - run.global));
      }
    }
  }
  void gather(const Coordinate& coordinate, const config::Domain& domain,
              const config::value::reals& given, const io::Part& owned);
  void check_side(const Gathered& side, const char* what) const;

  std::string id_;
  std::int64_t ni_glo_, nj_glo_;
  bool has_rows_;
  std::int64_t begin_ = 0, rows_ = 0;
  std::vector<Range> cells_;
  std::vector<std::int64_t> mine_;
  std::vector<std::uint8_t> has_data_;
  std::map<std::string_view, Gathered> gathered_;
};

void DealtDomain::gather(const Coordinate& coordinate, const config::Domain& domain,
                         const config::value::reals& given, const io::Part& owned) {
  const std::int64_t ni = domain.attributes.ni.value_or(0);
  const std::int64_t nj = domain.attributes.nj.value_or(1);
  const Along way = along(coordinate);
  const std::int64_t own = way == Along::cells ? ni * nj : way == Along::columns ? ni : nj;
  const std::int64_t points = way == Along::cells     ? std::ssize(mine_)
                              : way == Along::columns ? ni_glo_
                                                      : rows_;
  if (own == 0) return;
  const bool is_single = !std::string_view(coordinate.name).starts_with("bounds");
  if (is_single && std::ssize(given.values) != own) {
    throw Error(ErrorCode::argument,
                fmt::format("domain '{}': {} is given for each cell of a rectilinear domain (its "
                            "points cannot be dealt out anew). Leave out --clients?",
                            id_, coordinate.name));
  }
  Gathered& out =
      gathered_.try_emplace(coordinate.name, size_of(points), given.values.size() / size_of(own))
          .first->second;
  if (way == Along::cells) {
    return for_each_of_mine(owned, [&](std::size_t point, std::int64_t place) {
      if (out.lacks(point)) out.take(point, given.values, size_of(place));
    });
  }
  // A column or a row of a block: its first cell tells where it is.
  for (const io::PartRun& run : owned.runs()) {
    for (std::int64_t i = 0; i < run.count; ++i) {
      const std::int64_t cell = run.global + i;
      const std::int64_t place = run.place + i;
      const std::int64_t point = way == Along::columns ? cell % ni_glo_ : cell / ni_glo_ - begin_;
      if (point < 0 || point >= points || !out.lacks(size_of(point))) continue;
      out.take(size_of(point), given.values,
               size_of(way == Along::columns ? place % ni : place / ni));
    }
  }
}

void DealtDomain::check_side(const Gathered& side, const char* what) const {
  for (std::size_t i = 0; i * side.width() < size_of(what[0] == 'c' ? ni_glo_ : rows_); ++i) {
    if (!side.lacks(i)) continue;
    throw Error(ErrorCode::argument,
                fmt::format("domain '{}': no recorded client has {} {} (its points cannot be dealt "
                            "out anew). Leave out --clients?",
                            id_, what, i));
  }
}

void DealtDomain::append(std::vector<DealtAttribute>& out) && {
  const auto add = [&](const char* name, config::Value value) {
    out.push_back({ElementKind::domain, id_, name, std::move(value)});
  };
  const std::int64_t cells = std::ssize(mine_);
  if (has_rows_) {
    add("ibegin", std::int64_t{0});
    add("ni", ni_glo_);
    add("jbegin", begin_);
    add("nj", rows_);
  } else {
    add("ni", cells);
    add("nj", std::int64_t{1});
    config::value::integers i{{}, {cells}};
    config::value::integers j{{}, {cells}};
    for (const std::int64_t cell : mine_) {
      i.values.push_back(cell % ni_glo_);
      j.values.push_back(cell / ni_glo_);
    }
    add("i_index", std::move(i));
    if (nj_glo_ > 1) add("j_index", std::move(j));
  }
  // As the cells follow each other, whatever the XML says of arrays.
  for (const char* zero : {"data_ibegin", "data_jbegin"}) add(zero, std::int64_t{0});
  for (const char* one : {"data_dim", "data_nj"}) add(one, std::int64_t{1});
  add("data_ni", cells);
  for (const Coordinate& coordinate : coordinates) {
    const auto found = gathered_.find(coordinate.name);
    if (found == gathered_.end() || !found->second.is_needed()) continue;
    const Along way = along(coordinate);
    if (way == Along::columns) check_side(found->second, "column");
    if (way == Along::rows) check_side(found->second, "row");
    const auto width = static_cast<std::int64_t>(found->second.width());
    config::value::reals values{std::move(found->second).values(), {}};
    const std::int64_t points = std::ssize(values.values) / width;
    // Bounds are two-dimensional also where they have a width of 1.
    if (std::string_view(coordinate.name).starts_with("bounds")) values.shape.push_back(width);
    if (coordinate.dimensions == 1) {
      values.shape.push_back(points);
    } else if (has_rows_) {
      values.shape.insert(values.shape.end(), {ni_glo_, rows_});
    } else {
      values.shape.insert(values.shape.end(), {points, 1});
    }
    add(coordinate.name, std::move(values));
  }
  if (std::find(has_data_.begin(), has_data_.end(), 0) != has_data_.end()) {
    add("mask_1d", config::value::booleans{std::move(has_data_), {cells}});
  }
}

/// What is gathered of one axis: all of its points.
class DealtAxis {
 public:
  explicit DealtAxis(const config::Axis& axis)
      : id_(axis.id),
        n_glo_(axis.attributes.n_glo.value_or(0)),
        is_known_(size_of(n_glo_), 0),
        has_data_(size_of(n_glo_), 0) {}

  void gather(const config::Axis& axis, const io::Part& owned, const io::Part& data) {
    for (const io::PartRun& run : data.runs()) {
      std::fill_n(has_data_.begin() + run.global, run.count, std::uint8_t{1});
    }
    const config::AxisAttributes& a = axis.attributes;
    const std::size_t points = size_of(a.n.value_or(n_glo_));
    for (const io::PartRun& run : owned.runs()) {
      for (std::int64_t i = 0; i < run.count; ++i) {
        const std::size_t point = size_of(run.global + i);
        const std::size_t place = size_of(run.place + i);
        if (std::exchange(is_known_[point], 1) != 0) continue;
        take(values_, a.value, points, point, place);
        take(bounds_, a.bounds, points, point, place);
        if (!a.label || a.label->values.size() != points) continue;
        labels_.resize(size_of(n_glo_));
        labels_[point] = a.label->values[place];
      }
    }
  }
  void append(std::vector<DealtAttribute>& out) && {
    if (std::find(is_known_.begin(), is_known_.end(), 0) != is_known_.end()) {
      throw Error(ErrorCode::argument,
                  fmt::format("axis '{}': some of its points are no recorded client's (they cannot "
                              "be dealt out anew). Leave out --clients?",
                              id_));
    }
    const auto add = [&](const char* name, config::Value value) {
      out.push_back({ElementKind::axis, id_, name, std::move(value)});
    };
    add("begin", std::int64_t{0});
    add("n", n_glo_);
    add("data_begin", std::int64_t{0});
    add("data_n", n_glo_);
    if (values_.is_needed())
      add("value", config::value::reals{std::move(values_).values(), {n_glo_}});
    if (bounds_.is_needed()) {
      add("bounds", config::value::reals{std::move(bounds_).values(), {2, n_glo_}});
    }
    if (!labels_.empty()) add("label", config::value::strings{std::move(labels_), {n_glo_}});
    if (std::find(has_data_.begin(), has_data_.end(), 0) != has_data_.end()) {
      add("mask", config::value::booleans{std::move(has_data_), {n_glo_}});
    }
  }

 private:
  void take(Gathered& out, const Reals& given, std::size_t points, std::size_t point,
            std::size_t place) const {
    if (!given || points == 0 || given->values.empty()) return;
    if (!out.is_needed()) out = Gathered(size_of(n_glo_), given->values.size() / points);
    out.take(point, given->values, place);
  }

  std::string id_;
  std::int64_t n_glo_;
  std::vector<std::uint8_t> is_known_, has_data_;
  Gathered values_, bounds_;
  std::vector<std::string> labels_;
};

/// What a transformation makes of others follows from those.
template <class Element>
bool is_dealt(const Element& element) {
  return element.transformations.empty() && !element.id.empty();
}

}  // namespace

std::vector<DealtAttribute> dealt_attributes(std::span<const config::Model> recorded,
                                             const Share& share) {
  std::vector<std::optional<DealtDomain>> domains;
  std::vector<std::optional<DealtAxis>> axes;
  const auto domain_part = [](std::size_t d) {
    return GridElement{GridElement::Kind::domain, static_cast<int>(d)};
  };
  for (const config::Model& model : recorded) {
    const bool is_first = &model == recorded.data();
    for (std::size_t d = 0; d < model.domains.size(); ++d) {
      const config::Domain& domain = nth(model.domains, d);
      if (is_first) {
        domains.emplace_back();
        if (config::is_dealt_out(domain)) {
          throw Error(ErrorCode::argument,
                      fmt::format("domain '{}' is distributed by EPIOS itself, for the recorded "
                                  "number of clients (values that were sent cannot be dealt out "
                                  "anew). Leave out --clients?",
                                  domain.id));
        }
        if (is_dealt(domain)) domains.back().emplace(domain);
      }
      if (domains[d]) domains[d]->add_cells(io::owned_part(model, domain_part(d)));
    }
    if (!is_first) continue;
    for (const config::Axis& axis : model.axes) {
      axes.emplace_back();
      if (is_dealt(axis)) axes.back().emplace(axis);
    }
  }
  for (auto& domain : domains) {
    if (domain) domain->deal(share);
  }
  for (const config::Model& model : recorded) {
    const io::LocalParts parts(model);
    for (std::size_t d = 0; d < domains.size(); ++d) {
      const GridElement element = domain_part(d);
      if (domains[d]) {
        domains[d]->gather(nth(model.domains, d), parts.owned(element), parts.data(element));
      }
    }
    for (std::size_t a = 0; a < axes.size(); ++a) {
      const GridElement element{GridElement::Kind::axis, static_cast<int>(a)};
      if (axes[a]) axes[a]->gather(nth(model.axes, a), parts.owned(element), parts.data(element));
    }
  }
  std::vector<DealtAttribute> out;
  for (auto& domain : domains) {
    if (domain) std::move(*domain).append(out);
  }
  for (auto& axis : axes) {
    if (axis) std::move(*axis).append(out);
  }
  return out;
}

}  // namespace epios::replay
