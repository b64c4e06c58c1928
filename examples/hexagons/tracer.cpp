#include "tracer.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace hexagons {
namespace {

constexpr int halo_tag = 1;

/// Wind at one time as a stream function, m2/s: what it differs by from one point to another flows
/// between them.
class Wind {
 public:
  explicit Wind(double days)
      : cos_turn_(std::cos(2 * std::numbers::pi * days / period_days)),
        sin_turn_(std::sin(2 * std::numbers::pi * days / period_days)),
        swirl_(10 * unit * std::cos(std::numbers::pi * days / period_days)) {}

  double operator()(const Point& p) const {
    // sin(longitude - turn) * cos(latitude)
    const double east = p[1] * cos_turn_ - p[0] * sin_turn_;
    return swirl_ * east * east - 2 * std::numbers::pi * unit * p[2];
  }

 private:
  static constexpr double unit = earth_radius_m * earth_radius_m / (period_days * seconds_per_day);
  double cos_turn_, sin_turn_, swirl_;
};

/// kg/m2 at the start.
double puffs(const Point& p) {
  double out = 0;
  for (const double degrees : {150.0, 210.0}) {
    const double lon = degrees * std::numbers::pi / 180;
    const double distance =
        std::acos(std::clamp(p[0] * std::cos(lon) + p[1] * std::sin(lon), -1.0, 1.0));
    if (distance < 0.5) out += 0.5 * (1 + std::cos(std::numbers::pi * distance / 0.5));
  }
  return out;
}

/// Endpoint of each cell.
std::vector<int> deal(const std::vector<Cell>& mesh, int endpoints) {
  std::vector<std::size_t> order(mesh.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return longitude(mesh[a].centre) < longitude(mesh[b].centre);
  });
  std::vector<int> out(mesh.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    out[order[k]] = static_cast<int>(k * static_cast<std::size_t>(endpoints) / order.size());
  }
  return out;
}

}  // namespace

std::vector<int> cells_of(const std::vector<Cell>& mesh, int endpoint, int endpoints) {
  const std::vector<int> owners = deal(mesh, endpoints);
  std::vector<int> out;
  for (std::size_t c = 0; c < mesh.size(); ++c) {
    if (owners[c] == endpoint) out.push_back(static_cast<int>(c));
  }
  // From south to north: an order of the model's own, which no file need know of.
  std::stable_sort(out.begin(), out.end(), [&](int a, int b) {
    return mesh[static_cast<std::size_t>(a)].centre[2] <
           mesh[static_cast<std::size_t>(b)].centre[2];
  });
  return out;
}

Tracer::Tracer(const std::vector<Cell>& mesh, const ep::Comm& comm, double timestep_s)
    : mesh_(mesh),
      comm_(comm),
      timestep_s_(timestep_s),
      cells_(cells_of(mesh, comm.rank(), comm.size())) {
  find_neighbours(deal(mesh, comm.size()));
  for (const int c : cells_) amounts_.push_back(puffs(mesh_[static_cast<std::size_t>(c)].centre));
  amounts_.resize(cells_.size() +
                  std::accumulate(exchanges_.begin(), exchanges_.end(), std::size_t{0},
                                  [](std::size_t sum, const auto& e) { return sum + e.count; }));
  next_ = amounts_;
}

/// Both ends list the cells that one needs of the other in the order of their numbers.
void Tracer::find_neighbours(const std::vector<int>& owners) {
  const int self = comm_.rank();
  std::map<int, std::size_t> places;
  std::map<int, std::map<int, std::size_t>> wanted;   // by endpoint and cell: place
  std::map<int, std::map<int, std::size_t>> offered;  // by endpoint and own cell: place
  for (std::size_t k = 0; k < cells_.size(); ++k) places[cells_[k]] = k;
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    const Cell& cell = mesh_[static_cast<std::size_t>(cells_[k])];
    for (std::size_t e = 0; e < cell.corner_count; ++e) {
      const int owner = owners[static_cast<std::size_t>(cell.neighbours[e])];
      if (owner == self) continue;
      wanted[owner][cell.neighbours[e]] = 0;
      offered[owner][cells_[k]] = k;
    }
  }
  std::size_t place = cells_.size();
  for (auto& [endpoint, cells] : wanted) {
    Exchange exchange;
    exchange.endpoint = endpoint;
    exchange.received = place;
    exchange.count = cells.size();
    for (const auto& [cell, own] : offered[endpoint]) exchange.sent.push_back(own);
    exchange.buffer.resize(exchange.sent.size());
    for (auto& [cell, at] : cells) places[cell] = at = place++;
    exchanges_.push_back(std::move(exchange));
  }
  for (const int c : cells_) {
    const Cell& cell = mesh_[static_cast<std::size_t>(c)];
    for (std::size_t e = 0; e < most_corners; ++e) {
      neighbours_.push_back(e < cell.corner_count ? places.at(cell.neighbours[e]) : 0);
    }
  }
}

void Tracer::exchange() {
  std::vector<EP_Request> requests;
  for (Exchange& e : exchanges_) {
    ep::check(EP_Irecv(amounts_.data() + e.received, static_cast<int>(e.count), MPI_DOUBLE,
                       e.endpoint, halo_tag, comm_.get(), &requests.emplace_back()));
    for (std::size_t k = 0; k < e.sent.size(); ++k) e.buffer[k] = amounts_[e.sent[k]];
    ep::check(EP_Isend(e.buffer.data(), static_cast<int>(e.buffer.size()), MPI_DOUBLE, e.endpoint,
                       halo_tag, comm_.get(), &requests.emplace_back()));
  }
  ep::check(EP_Waitall(static_cast<int>(requests.size()), requests.data(), nullptr));
}

void Tracer::advance(std::int64_t step) {
  exchange();
  const Wind wind((static_cast<double>(step) - 0.5) * timestep_s_ / seconds_per_day);
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    const Cell& cell = mesh_[static_cast<std::size_t>(cells_[k])];
    double loss = 0;
    double before = wind(cell.corners[0]);
    for (std::size_t e = 0; e < cell.corner_count; ++e) {
      const double after = wind(cell.corners[(e + 1) % cell.corner_count]);
      const double outward = before - after;
      loss += outward * (outward > 0 ? amounts_[k] : amounts_[neighbours_[k * most_corners + e]]);
      before = after;
    }
    next_[k] = amounts_[k] - timestep_s_ / cell.area_m2 * loss;
  }
  amounts_.swap(next_);
}

double Tracer::total() const {
  // Sums of whole numbers do not depend on their order: kilograms.
  std::int64_t own = 0;
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    own += std::llround(amounts_[k] * mesh_[static_cast<std::size_t>(cells_[k])].area_m2);
  }
  std::int64_t all = 0;
  ep::check(EP_Allreduce(&own, &all, 1, MPI_INT64_T, MPI_SUM, comm_.get()));
  return static_cast<double>(all);
}

}  // namespace hexagons
