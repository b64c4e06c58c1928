#include "wave.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tsunami {
namespace {

constexpr double gravity = 9.81;
constexpr int halo_tag = 1;
constexpr double uplift_m = 4;
constexpr double uplift_radius_m = 150'000;

double distance_m(const Place& a, const Place& b) {
  constexpr double degree = std::numbers::pi / 180;
  const double x = std::sin((a.lat - b.lat) * degree / 2);
  const double y = std::sin((a.lon - b.lon) * degree / 2);
  const double h = x * x + std::cos(a.lat * degree) * std::cos(b.lat * degree) * y * y;
  return 2 * earth_radius_m * std::asin(std::sqrt(h));
}

int cut(int n, int parts, int part) { return n * part / parts; }

}  // namespace

Block block_of(const Grid& grid, int endpoint, int endpoints, int columns) {
  const int rows = endpoints / columns;
  const int column = endpoint % columns;
  const int row = endpoint / columns;
  Block out;
  out.ibegin = cut(grid.ni, columns, column);
  out.ni = cut(grid.ni, columns, column + 1) - out.ibegin;
  out.jbegin = cut(grid.nj, rows, row);
  out.nj = cut(grid.nj, rows, row + 1) - out.jbegin;
  if (column > 0) out.west = endpoint - 1;
  if (column + 1 < columns) out.east = endpoint + 1;
  if (row > 0) out.south = endpoint - columns;
  if (row + 1 < rows) out.north = endpoint + columns;
  return out;
}

Wave::Wave(const Grid& grid, const std::vector<double>& depths, const Place& earthquake,
           const Block& block, const ep::Comm& comm)
    : grid_(grid), block_(block), comm_(comm) {
  const std::size_t size = at(0, block.nj + 2);
  depths_.assign(size, 0.0);
  surface_.assign(size, 0.0);
  u_.assign(size, 0.0);
  v_.assign(size, 0.0);
  for (auto* column : {&sent_[0], &sent_[1], &received_[0], &received_[1]}) {
    column->assign(static_cast<std::size_t>(block.nj) + 2, 0.0);
  }
  for (int j = 0; j < block.nj + 2; ++j) {
    for (int i = 0; i < block.ni + 2; ++i) {
      const int global_i = block.ibegin + i - 1;
      const int global_j = block.jbegin + j - 1;
      if (global_i < 0 || global_i >= grid.ni || global_j < 0 || global_j >= grid.nj) continue;
      const double depth =
          depths[static_cast<std::size_t>(global_j) * static_cast<std::size_t>(grid.ni) +
                 static_cast<std::size_t>(global_i)];
      depths_[at(i, j)] = depth;
      if (depth <= 0) continue;
      const Place place = grid.on_earth(grid.x(global_i + 0.5), grid.y(global_j + 0.5));
      const double distance = distance_m(place, earthquake) / uplift_radius_m;
      surface_[at(i, j)] = distance < 3 ? uplift_m * std::exp(-distance * distance) : 0;
    }
  }
  for (int j = 1; j <= block.nj; ++j) {
    for (int i = 1; i <= block.ni; ++i) sea_.push_back(depths_[at(i, j)] > 0 ? 1 : 0);
  }
}

bool Wave::is_land_only() const {
  return std::none_of(sea_.begin(), sea_.end(), [](unsigned char is_sea) { return is_sea != 0; });
}

double Wave::longest_step_s(const Grid& grid, const std::vector<double>& depths) {
  const double deepest = *std::max_element(depths.begin(), depths.end());
  const double narrowest = std::min({grid.width_m(0), grid.width_m(grid.nj), grid.height_m()});
  return narrowest / std::sqrt(2 * gravity * deepest);
}

/// Rows as they are, columns through buffers; corners are not needed.
void Wave::exchange(std::vector<double>& values) {
  const auto rank = [](int endpoint) { return endpoint < 0 ? EP_PROC_NULL : endpoint; };
  const int row = block_.ni;
  const int column = block_.nj + 2;
  for (int j = 0; j < column; ++j) {
    sent_[0][static_cast<std::size_t>(j)] = values[at(1, j)];
    sent_[1][static_cast<std::size_t>(j)] = values[at(block_.ni, j)];
  }
  std::array<EP_Request, 8> r{};
  const EP_Comm comm = comm_.get();
  const auto receive = [&](double* data, int count, int from, EP_Request& request) {
    ep::check(EP_Irecv(data, count, MPI_DOUBLE, rank(from), halo_tag, comm, &request));
  };
  const auto send = [&](const double* data, int count, int to, EP_Request& request) {
    ep::check(EP_Isend(data, count, MPI_DOUBLE, rank(to), halo_tag, comm, &request));
  };
  receive(received_[0].data(), column, block_.west, r[0]);
  receive(received_[1].data(), column, block_.east, r[1]);
  receive(&values[at(1, 0)], row, block_.south, r[2]);
  receive(&values[at(1, block_.nj + 1)], row, block_.north, r[3]);
  send(sent_[0].data(), column, block_.west, r[4]);
  send(sent_[1].data(), column, block_.east, r[5]);
  send(&values[at(1, 1)], row, block_.south, r[6]);
  send(&values[at(1, block_.nj)], row, block_.north, r[7]);
  ep::check(EP_Waitall(static_cast<int>(r.size()), r.data(), nullptr));
  for (int j = 1; j <= block_.nj; ++j) {
    if (block_.west >= 0) values[at(0, j)] = received_[0][static_cast<std::size_t>(j)];
    if (block_.east >= 0) values[at(block_.ni + 1, j)] = received_[1][static_cast<std::size_t>(j)];
  }
}

void Wave::advance(double dt_s) {
  const double dy = grid_.height_m();
  exchange(surface_);
  // Sides of own cells, the eastern and northern ones of the last, too.
  for (int j = 1; j <= block_.nj + 1; ++j) {
    const int global_j = block_.jbegin + j - 1;
    const double dx = grid_.width_m(global_j + 0.5);
    for (int i = 1; i <= block_.ni + 1; ++i) {
      const std::size_t c = at(i, j);
      const std::size_t w = c - 1;
      const std::size_t s = at(i, j - 1);
      if (j <= block_.nj && depths_[c] > 0 && depths_[w] > 0) {
        const double depth = std::min(depths_[c], depths_[w]);
        u_[c] -= dt_s * gravity * depth * (surface_[c] - surface_[w]) / dx;
      }
      if (i <= block_.ni && depths_[c] > 0 && depths_[s] > 0) {
        const double depth = std::min(depths_[c], depths_[s]);
        v_[c] -= dt_s * gravity * depth * (surface_[c] - surface_[s]) / dy;
      }
    }
  }
  for (int j = 1; j <= block_.nj; ++j) {
    const int global_j = block_.jbegin + j - 1;
    const double south = grid_.width_m(global_j);
    const double north = grid_.width_m(global_j + 1);
    const double area = grid_.area_m2(global_j);
    for (int i = 1; i <= block_.ni; ++i) {
      const std::size_t c = at(i, j);
      if (depths_[c] <= 0) continue;
      const double outward = (u_[c + 1] - u_[c]) * dy + v_[at(i, j + 1)] * north - v_[c] * south;
      surface_[c] -= dt_s * outward / area;
    }
  }
}

}  // namespace tsunami
