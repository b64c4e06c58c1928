#include "ocean.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>

namespace ocean {
namespace {

constexpr double earth_radius_m = 6.371e6;
constexpr double seconds_per_day = 86400;
/// Cells are taken no narrower than at this latitude, so that poles do not dictate the time step.
constexpr double narrowest_latitude = 80;
/// Integrals are in units of 2^-40 degree: 16200 cells of less than 100 degrees fit into 63 bits.
constexpr double integral_unit = 1099511627776.0;
constexpr int halo_tag = 1;

double radians(double degrees) { return degrees * std::numbers::pi / 180.0; }

}  // namespace

Rows rows_of(int rank, int size, const Grid& grid) {
  if (size > grid.nj) {
    throw std::runtime_error("more endpoints than rows (" + std::to_string(size) + " for " +
                             std::to_string(grid.nj) + "). Use fewer processes or threads.");
  }
  const int begin = rank * grid.nj / size;
  return {begin, (rank + 1) * grid.nj / size - begin};
}

Climate::Climate(const Forcing& forcing, const Rows& rows, double relaxation_days) {
  const auto row = static_cast<std::ptrdiff_t>(forcing.grid.ni);
  const auto slice = [&](const std::vector<double>& global) {
    const auto first = global.begin() + rows.begin * row;
    return std::vector<double>(first, first + rows.count * row);
  };
  for (std::size_t m = 0; m < forcing.sst.size(); ++m) {
    monthly_.push_back({slice(forcing.sst[m]), slice(forcing.u[m]), slice(forcing.v[m])});
  }
  drive_.warming.resize(monthly_.front().sst.size());
  drive_.u = drive_.v = drive_.target = drive_.warming;
  drive_.relaxation_s = relaxation_days * seconds_per_day;
}

const Drive& Climate::between(const MonthWeights& months) {
  const Local& before = monthly_[months.before];
  const Local& after = monthly_[months.after];
  const double w1 = months.weight;
  const double w0 = 1 - w1;
  for (std::size_t k = 0; k < drive_.u.size(); ++k) {
    drive_.u[k] = before.u[k] * w0 + after.u[k] * w1;
    drive_.v[k] = before.v[k] * w0 + after.v[k] * w1;
    drive_.target[k] = before.sst[k] * w0 + after.sst[k] * w1;
  }
  return drive_;
}

const Drive& Climate::at(std::int64_t step, double dt_s) {
  const double time_days = static_cast<double>(step) * dt_s / seconds_per_day;
  return between(month_weights(std::fmod(time_days, 365.0)));
}

const Drive& Climate::of_month(std::size_t month) { return between({month, month, 0}); }

Ocean::Ocean(const Forcing& forcing, const Rows& rows, const Physics& physics, const ep::Comm& comm)
    : comm_(comm),
      physics_(physics),
      rows_(rows),
      ni_(forcing.grid.ni),
      rank_(comm.rank()),
      size_(comm.size()),
      dy_m_(radians(forcing.grid.step_degrees()) * earth_radius_m) {
  const Grid& grid = forcing.grid;
  const auto south = grid.lat.begin() + rows_.begin;
  for (const double lat : std::span(south, south + rows_.count)) {
    cos_lat_.push_back(std::cos(radians(lat)));
    dx_m_.push_back(dy_m_ * std::max(cos_lat_.back(), std::cos(radians(narrowest_latitude))));
  }
  temperature_.assign(at(0, rows_.count + 2), 0.0);
  wet_.assign(temperature_.size(), 0);
  const MonthWeights start = month_weights(0);
  for (int j = 0; j < rows_.count + 2; ++j) {
    const int global_j = rows_.begin + j - 1;
    if (global_j < 0 || global_j >= grid.nj) continue;
    for (int i = 0; i < ni_ + 2; ++i) {
      const auto c = index(global_j, (i - 1 + ni_) % ni_);
      wet_[at(i, j)] = grid.wet[c];
      temperature_[at(i, j)] = forcing.sst[start.before][c] * (1 - start.weight) +
                               forcing.sst[start.after][c] * start.weight;
    }
  }
  next_ = temperature_;
}

void Ocean::check_stability(const Drive& drive) const {
  const double dt = physics_.dt_s;
  double worst = 0;
  for (int j = 0; j < rows_.count; ++j) {
    const double dx = dx_m_[static_cast<std::size_t>(j)];
    const double diffusion =
        2 * physics_.diffusivity_m2_s * dt * (1 / (dx * dx) + 1 / (dy_m_ * dy_m_));
    for (int i = 0; i < ni_; ++i) {
      if (wet_[at(i + 1, j + 1)] == 0) continue;
      const auto c = index(j, i);
      const double courant = dt * (std::abs(drive.u[c]) / dx + std::abs(drive.v[c]) / dy_m_);
      worst = std::max(worst, courant + diffusion);
    }
  }
  if (drive.relaxation_s > 0) worst += dt / drive.relaxation_s;
  if (worst > 1) {
    throw std::runtime_error("time step of " + std::to_string(dt) +
                             " s is too long (the scheme's stability number is " +
                             std::to_string(worst) + ", at most 1 is stable). Use a shorter one.");
  }
}

/// Rows travel whole, with their cyclic columns.
void Ocean::exchange_halo() {
  for (int j = 1; j <= rows_.count; ++j) {
    temperature_[at(0, j)] = temperature_[at(ni_, j)];
    temperature_[at(ni_ + 1, j)] = temperature_[at(1, j)];
  }
  const int south = rank_ > 0 ? rank_ - 1 : EP_PROC_NULL;
  const int north = rank_ + 1 < size_ ? rank_ + 1 : EP_PROC_NULL;
  const int count = ni_ + 2;
  double* data = temperature_.data();
  std::array<EP_Request, 4> requests{};
  const EP_Comm comm = comm_.get();
  ep::check(EP_Irecv(data + at(0, 0), count, MPI_DOUBLE, south, halo_tag, comm, &requests[0]));
  ep::check(EP_Irecv(data + at(0, rows_.count + 1), count, MPI_DOUBLE, north, halo_tag, comm,
                     &requests[1]));
  ep::check(EP_Isend(data + at(0, 1), count, MPI_DOUBLE, south, halo_tag, comm, &requests[2]));
  ep::check(
      EP_Isend(data + at(0, rows_.count), count, MPI_DOUBLE, north, halo_tag, comm, &requests[3]));
  ep::check(EP_Waitall(static_cast<int>(requests.size()), requests.data(), nullptr));
}

void Ocean::advance_row(int j, const Drive& drive) {
  const double dx = dx_m_[static_cast<std::size_t>(j - 1)];
  const double dy = dy_m_;
  const double kappa = physics_.diffusivity_m2_s;
  const double rate = drive.relaxation_s > 0 ? 1 / drive.relaxation_s : 0;
  for (int i = 1; i <= ni_; ++i) {
    const std::size_t c = at(i, j);
    if (wet_[c] == 0) continue;
    const auto k = index(j - 1, i - 1);
    const double u = drive.u[k];
    const double v = drive.v[k];
    // Nothing crosses a coast: a dry neighbour counts as one of the same temperature.
    const double here = temperature_[c];
    const auto neighbour = [&](std::size_t n) { return wet_[n] != 0 ? temperature_[n] : here; };
    const double west = neighbour(c - 1);
    const double east = neighbour(c + 1);
    const double south = neighbour(at(i, j - 1));
    const double north = neighbour(at(i, j + 1));
    const double advection = u * (u > 0 ? here - west : east - here) / dx +
                             v * (v > 0 ? here - south : north - here) / dy;
    const double diffusion =
        kappa * ((east - 2 * here + west) / (dx * dx) + (north - 2 * here + south) / (dy * dy));
    next_[c] = here + physics_.dt_s * (diffusion - advection + rate * (drive.target[k] - here) +
                                       drive.warming[k]);
  }
}

void Ocean::restore(std::span<const double> temperature) {
  temperature_.assign(temperature.begin(), temperature.end());
  next_ = temperature_;
}

void Ocean::advance(const Drive& drive) {
  exchange_halo();
  for (int j = 1; j <= rows_.count; ++j) advance_row(j, drive);
  temperature_.swap(next_);
}

Ocean::Integral Ocean::integral() const {
  Integral sum;
  for (int j = 1; j <= rows_.count; ++j) {
    const double weight = cos_lat_[static_cast<std::size_t>(j - 1)];
    for (int i = 1; i <= ni_; ++i) {
      if (wet_[at(i, j)] == 0) continue;
      sum.heat += std::llround(weight * temperature_[at(i, j)] * integral_unit);
      sum.area += std::llround(weight * integral_unit);
    }
  }
  return sum;
}

}  // namespace ocean
