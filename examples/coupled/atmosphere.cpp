#include "atmosphere.hpp"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "forcing.hpp"
#include "input_file.hpp"

namespace coupled {
namespace {

constexpr std::size_t months = 12;
constexpr double seconds_per_day = 86400;
/// The air above a square metre as far as it mixes, J/(m2 K).
constexpr double heat_capacity = 1.0e6;
constexpr double return_days = 5;
/// The sea is warmer than the air by so much where neither warms the other: it has the sun.
constexpr double sun_warms_by = 1.0;

/// W/(m2 K), by wind.
double exchange_coefficient(double u, double v) { return 5 + 4 * std::sqrt(u * u + v * v); }

/// Means of the cells of the climatology that lie in a cell of the grid.
std::vector<double> coarse(const std::vector<double>& all, std::size_t month, const SkyGrid& grid) {
  const std::size_t fine_ni = 3 * static_cast<std::size_t>(grid.ni);
  const std::size_t fine_size = 6 * grid.size();
  std::vector<double> out;
  out.reserve(grid.size());
  for (std::size_t j = 0; j < static_cast<std::size_t>(grid.nj); ++j) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(grid.ni); ++i) {
      double sum = 0;
      int count = 0;
      for (std::size_t k = 0; k < 6; ++k) {
        const std::size_t fine = (2 * j + k / 3) * fine_ni + 3 * i + k % 3;
        const double value = all[month * fine_size + fine];
        if (std::isnan(value)) continue;
        sum += value;
        ++count;
      }
      out.push_back(count > 0 ? sum / count : std::numeric_limits<double>::quiet_NaN());
    }
  }
  return out;
}

SkyClimate::Monthly read_monthly(const ocean::InputFile& file, const std::string& name,
                                 const SkyGrid& grid) {
  const std::vector<double> all = file.read(name, months * 6 * grid.size());
  SkyClimate::Monthly out;
  for (std::size_t m = 0; m < months; ++m) {
    out[m] = coarse(all, m, grid);
    ocean::fill_holes(out[m], grid.ni, grid.nj, name + " of coads_climatology.cdf");
  }
  return out;
}

}  // namespace

Columns columns_of(int rank, int size, const SkyGrid& grid) {
  if (size > grid.ni) {
    throw std::runtime_error("more clients than columns (" + std::to_string(size) + " for " +
                             std::to_string(grid.ni) + "). Use fewer processes or threads.");
  }
  const int begin = rank * grid.ni / size;
  return {begin, (rank + 1) * grid.ni / size - begin};
}

SkyClimate read_sky(const std::filesystem::path& folder) {
  const ocean::InputFile file(folder / "coads_climatology.cdf");
  SkyClimate out;
  out.air = read_monthly(file, "AIRT", out.grid);
  out.u = read_monthly(file, "UWND", out.grid);
  out.v = read_monthly(file, "VWND", out.grid);
  return out;
}

Atmosphere::Atmosphere(const SkyClimate& climate, const Columns& columns, double dt_s)
    : dt_s_(dt_s) {
  const SkyGrid& grid = climate.grid;
  const auto slice = [&](const std::vector<double>& global) {
    std::vector<double> out;
    for (int j = 0; j < grid.nj; ++j) {
      const auto first = global.begin() + static_cast<std::ptrdiff_t>(j) * grid.ni + columns.begin;
      out.insert(out.end(), first, first + columns.count);
    }
    return out;
  };
  for (std::size_t m = 0; m < months; ++m) {
    monthly_.push_back({slice(climate.air[m]), slice(climate.u[m]), slice(climate.v[m])});
  }
  air_ = monthly_.front().air;
  u_ = monthly_.front().u;
  v_ = monthly_.front().v;
  heat_.assign(air_.size(), 0.0);
  sea_.assign(air_.size(), std::numeric_limits<double>::quiet_NaN());
}

void Atmosphere::see(std::span<const double> sea) { sea_.assign(sea.begin(), sea.end()); }

void Atmosphere::advance(std::int64_t step) {
  const double time_days = static_cast<double>(step) * dt_s_ / seconds_per_day;
  const ocean::MonthWeights season = ocean::month_weights(std::fmod(time_days, 365.0));
  const Local& before = monthly_[season.before];
  const Local& after = monthly_[season.after];
  const double w1 = season.weight;
  const double w0 = 1 - w1;
  for (std::size_t k = 0; k < air_.size(); ++k) {
    u_[k] = before.u[k] * w0 + after.u[k] * w1;
    v_[k] = before.v[k] * w0 + after.v[k] * w1;
    const double usual = before.air[k] * w0 + after.air[k] * w1;
    const bool is_land = std::isnan(sea_[k]);
    heat_[k] =
        is_land ? 0.0 : exchange_coefficient(u_[k], v_[k]) * (air_[k] + sun_warms_by - sea_[k]);
    air_[k] +=
        dt_s_ * ((usual - air_[k]) / (return_days * seconds_per_day) - heat_[k] / heat_capacity);
  }
}

}  // namespace coupled
