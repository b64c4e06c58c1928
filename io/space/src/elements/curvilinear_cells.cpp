// Corners for curvilinear domains that have centres only. It fetches the surrounding centres from
// other clients, lays corners amid them, and estimates the error of areas.
#include "elements/curvilinear_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "exchange/fetched_values.hpp"
#include "exchange/whole_lines.hpp"
#include "grid/index.hpp"
#include "sphere/corners_between.hpp"

namespace epios::io {

namespace {

constexpr double earth_radius = 6371229;

config::value::reals list_of(std::vector<double> values) {
  config::value::reals out;
  out.shape = {static_cast<std::int64_t>(values.size())};
  out.values = std::move(values);
  return out;
}

/// Centres around the own cells, of whoever has them.
class Surroundings {
 public:
  Surroundings(const config::DomainAttributes& domain, const LocalCells& cells,
               const ep::Comm& clients)
      : cells_(cells), ni_(domain.ni_glo.value_or(0)), nj_(domain.nj_glo.value_or(0)) {
    const CornersBetween grid(ni_, nj_);
    for (std::size_t c = 0; c < cells.i.size(); ++c) {
      own_.push_back(cells.j[c] * ni_ + cells.i[c]);
      for (const std::int64_t number : grid.needed_for(cells.i[c], cells.j[c])) {
        if (number >= 0) wanted_.push_back(number);
      }
    }
    std::sort(wanted_.begin(), wanted_.end());
    wanted_.erase(std::unique(wanted_.begin(), wanted_.end()), wanted_.end());
    fetched_.emplace(clients, ni_ * nj_, own_, wanted_);
  }

  const std::vector<std::int64_t>& own() const { return own_; }

  CornersBetween corners(const std::vector<double>& lon, const std::vector<double>& lat) const {
    CornersBetween grid(ni_, nj_);
    grid.add(wanted_, wanted(lon), wanted(lat));
    return grid;
  }

  /// Returns is_never_filled() for each of this client's cells.
  std::vector<bool> never_filled(const std::vector<double>& lon,
                                 const std::vector<double>& lat) const {
    const std::vector<double> x = wanted(lon);
    const std::vector<double> y = wanted(lat);
    const auto at = [&](std::int64_t i, std::int64_t j) {
      const auto found = std::lower_bound(wanted_.begin(), wanted_.end(), j * ni_ + i);
      return static_cast<std::size_t>(found - wanted_.begin());
    };
    std::vector<bool> out(own_.size());
    for (std::size_t c = 0; c < own_.size(); ++c) {
      const std::int64_t i = cells_.i[c];
      const std::int64_t j = cells_.j[c];
      const std::size_t own = at(i, j);
      const auto is_same = [&](std::int64_t k, std::int64_t l) {
        return x[own] == x[at(k, l)] && y[own] == y[at(k, l)];
      };
      out[c] = is_never_filled(ni_, nj_, i, j, is_same);
    }
    return out;
  }

 private:
  std::vector<double> wanted(const std::vector<double>& own) const {
    const auto found = fetched_->of(list_of(own), 1, std::nan(""));
    return found ? found->values : std::vector<double>(wanted_.size(), std::nan(""));
  }

  const LocalCells& cells_;
  std::int64_t ni_, nj_;
  std::vector<std::int64_t> own_, wanted_;
  std::optional<FetchedValues> fetched_;
};

}  // namespace

bool has_straight_rows(const config::DomainAttributes& domain, const LocalCells& cells,
                       const config::DomainAttributes& values, const ep::Comm& clients) {
  constexpr double rounding = 1e-9;
  const auto is_line = [&](const std::vector<std::int64_t>& places, std::int64_t size,
                           const std::optional<config::value::reals>& given) {
    const std::vector<double> own = given ? given->values : std::vector<double>();
    const std::vector<double> line = whole_line(clients, size, places, own);
    for (std::size_t c = 0; c < own.size(); ++c) {
      if (!(std::fabs(own[c] - line[as_index(places[c])]) <= rounding)) return false;
    }
    return true;
  };
  const bool has_columns = is_line(cells.i, domain.ni_glo.value_or(0), values.lonvalue_1d);
  const bool has_rows = is_line(cells.j, domain.nj_glo.value_or(0), values.latvalue_1d);
  return !on_any(clients, !has_columns || !has_rows);
}

void add_amid_centres(const config::DomainAttributes& domain, const LocalCells& cells,
                      const config::DomainAttributes& values, const ep::Comm& clients, Cells& out) {
  const Surroundings around(domain, cells, clients);
  std::vector<double> lon = values.lonvalue_1d ? values.lonvalue_1d->values : std::vector<double>();
  const std::vector<double> lat =
      values.latvalue_1d ? values.latvalue_1d->values : std::vector<double>();
  const std::vector<bool> never_filled = around.never_filled(lon, lat);
  for (std::size_t c = 0; c < lon.size(); ++c) {
    if (never_filled[c]) lon[c] = std::nan("");
  }
  const CornersBetween grid = around.corners(lon, lat);
  for (std::size_t c = 0; c < cells.i.size(); ++c) {
    if (const auto corners = grid.of(cells.i[c], cells.j[c])) {
      for (const Vector& corner : *corners) {
        out.lon.push_back(longitude_of(corner));
        out.lat.push_back(latitude_of(corner));
      }
    }
    out.offsets.push_back(static_cast<std::int64_t>(out.lon.size()));
  }
}

AreaDoubt area_doubt(const Cells& own, std::int64_t ni, std::int64_t nj,
                     std::optional<double> radius, const ep::Comm& clients) {
  const std::vector<double> areas = areas_of(own);
  std::vector<std::int64_t> numbers;
  std::vector<std::int64_t> wanted;
  for (std::size_t c = 0; c < own.size(); ++c) {
    const std::int64_t number = own.number(c);
    const std::int64_t i = number % ni;
    const std::int64_t j = number / ni;
    numbers.push_back(number);
    wanted.push_back(i > 0 ? number - 1 : -1);
    wanted.push_back(i + 1 < ni ? number + 1 : -1);
    wanted.push_back(j > 0 ? number - ni : -1);
    wanted.push_back(j + 1 < nj ? number + ni : -1);
  }
  const FetchedValues fetched(clients, ni * nj, numbers, wanted);
  const auto values = fetched.of(list_of(areas), 1, 0);
  std::vector<std::array<double, 4>> beside(own.size());
  for (std::size_t k = 0; values && k < wanted.size(); ++k) {
    beside[k / 4][k % 4] = values->values[k];
  }
  const bool is_of_given = !on_any(clients, own.size() > 0 && own.area.empty());
  AreaDoubt most = area_doubt(own, areas, beside, is_of_given, radius.value_or(earth_radius));
  double all = 0;
  ep::check(EP_Allreduce(&most.share, &all, 1, MPI_DOUBLE, MPI_MAX, clients.get()));
  constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
  const std::int64_t cell = most.cell < 0 || most.share < all ? none : most.cell;
  ep::check(EP_Allreduce(&cell, &most.cell, 1, MPI_INT64_T, MPI_MIN, clients.get()));
  most.share = all;
  return most;
}

}  // namespace epios::io
