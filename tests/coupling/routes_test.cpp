// Points that leave arrive, once each, at their places: random layouts of both sides.
#include "coupling/routes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ep/ep.hpp>
#include <limits>
#include <map>
#include <optional>
#include <vector>

#include "../grid/models.hpp"
#include "../grid/random.hpp"
#include "space/directory.hpp"

namespace epios::io::routes_test {
namespace {

constexpr std::int64_t ni = 5;
constexpr std::int64_t nj = 4;
constexpr std::int64_t nz = 3;

/// What one client has: cells of the domain in any order, levels, and a mask of the grid.
struct Layout {
  std::vector<std::int64_t> cells;
  std::int64_t first_level = 0;
  std::int64_t levels = nz;
  std::vector<std::uint8_t> mask;  ///< per cell and level; empty: none
};

struct Holder {
  config::Model model;
  Layout layout;
  int grid = 0;

  explicit Holder(Layout given) : layout(std::move(given)) {
    const int d = test::add_domain(model, ni, nj);
    const int z = test::add_axis(model, nz);
    auto& domain = model.domains[0].attributes;
    domain.type = "curvilinear";
    std::vector<std::int64_t> i;
    std::vector<std::int64_t> j;
    for (const std::int64_t cell : layout.cells) {
      i.push_back(cell % ni);
      j.push_back(cell / ni);
    }
    const auto count = static_cast<std::int64_t>(layout.cells.size());
    domain.ni = count;
    domain.nj = 1;
    domain.i_index = config::value::integers{i, {count}};
    domain.j_index = config::value::integers{j, {count}};
    model.axes[0].attributes.begin = layout.first_level;
    model.axes[0].attributes.n = layout.levels;
    grid = test::add_grid(model, {test::domain(d), test::axis(z), test::scalar()});
    if (!layout.mask.empty()) model.grids[0].mask = test::mask(layout.mask);
  }

  CoupledGrid coupled() const { return CoupledGrid(model, LocalParts(model), grid); }
  /// The number of the grid's point at each place; -1: it has no value.
  std::vector<std::int64_t> points() const {
    std::vector<std::int64_t> out;
    for (std::int64_t k = 0; k < layout.levels; ++k) {
      for (const std::int64_t cell : layout.cells) {
        const bool has = layout.mask.empty() || layout.mask[out.size()] != 0;
        out.push_back(has ? cell + ni * nj * (layout.first_level + k) : -1);
      }
    }
    return out;
  }
};

Layout random_layout(test::Random& random, int rank, int size, bool cuts_levels, bool has_mask) {
  Layout out;
  const bool overlaps = random.pick(0, 3) == 0;
  for (std::int64_t cell = 0; cell < ni * nj; ++cell) {
    const bool is_own = random.pick(0, size - 1) == rank;
    const bool is_shared = overlaps && random.pick(0, 4) == 0;
    if (is_own || is_shared) out.cells.push_back(cell);
  }
  if (random.flip()) std::reverse(out.cells.begin(), out.cells.end());
  if (cuts_levels) {
    out.first_level = random.pick(0, nz - 1);
    out.levels = random.pick(1, nz - out.first_level);
  }
  if (!has_mask) return out;
  for (std::size_t k = 0; k < out.cells.size() * static_cast<std::size_t>(out.levels); ++k) {
    out.mask.push_back(random.flip() ? 1 : 0);
  }
  return out;
}

/// All values travel, by one message each; returned is what arrives.
std::vector<double> exchange(const ep::Comm& both, const CoupledRoutes& routes,
                             const std::vector<double>& values, std::size_t size) {
  std::vector<std::vector<std::int64_t>> messages(static_cast<std::size_t>(both.size()));
  for (const CoupledRoute& route : routes.to) {
    auto& message = messages[static_cast<std::size_t>(route.rank)];
    message.resize(static_cast<std::size_t>(route.pattern.count()));
    route.pattern.gather(values.data(), message.data());
  }
  const auto arrived = exchange_lists(both, messages);
  std::vector<double> out(size, std::numeric_limits<double>::quiet_NaN());
  for (const CoupledRoute& route : routes.from) {
    const auto& message = arrived[static_cast<std::size_t>(route.rank)];
    EXPECT_EQ(static_cast<std::int64_t>(message.size()), route.pattern.count());
    route.pattern.scatter(message.data(), out.data());
  }
  return out;
}

TEST(Routes, bring_every_point_that_somebody_has) {
  const ep::Comm both = ep::Comm::from_mpi(MPI_COMM_WORLD);
  test::Random shared(7);  // the same on all ranks
  test::Random own(100 + static_cast<unsigned>(both.rank()));
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(round);
    const bool cuts_levels = shared.pick(0, 2) == 0;
    const bool has_mask = shared.pick(0, 3) == 0;
    const int senders = static_cast<int>(shared.pick(1, both.size()));
    const bool sends = both.rank() < senders;
    const bool receives = shared.flip() || both.rank() >= senders - 1;  // some do both
    std::optional<Holder> from;
    std::optional<Holder> to;
    if (sends) from.emplace(random_layout(own, both.rank(), senders, cuts_levels, has_mask));
    if (receives) to.emplace(random_layout(own, both.rank(), both.size(), cuts_levels, has_mask));
    std::optional<CoupledGrid> sent;
    std::optional<CoupledGrid> received;
    if (from) sent.emplace(from->coupled());
    if (to) received.emplace(to->coupled());
    const CoupledRoutes routes =
        find_routes(both, sent ? &*sent : nullptr, received ? &*received : nullptr);
    // Who has a point, and the value that the lowest rank of them gives it.
    std::vector<int> lowest(static_cast<std::size_t>(ni * nj * nz), both.size());
    std::vector<double> values;
    if (from) {
      for (const std::int64_t point : from->points()) {
        values.push_back(static_cast<double>(1000 * both.rank() + point));
        if (point >= 0) lowest[static_cast<std::size_t>(point)] = both.rank();
      }
    }
    std::vector<int> holders(lowest.size());
    ep::check(EP_Allreduce(lowest.data(), holders.data(), static_cast<int>(lowest.size()), MPI_INT,
                           MPI_MIN, both.get()));
    const std::vector<std::int64_t> wanted = to ? to->points() : std::vector<std::int64_t>();
    const std::vector<double> arrived = exchange(both, routes, values, wanted.size());
    std::int64_t left_out = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const int holder = wanted[k] < 0 ? both.size() : holders[static_cast<std::size_t>(wanted[k])];
      if (holder == both.size()) {
        EXPECT_TRUE(std::isnan(arrived[k]));
        left_out += wanted[k] < 0 ? 0 : 1;
      } else {
        EXPECT_EQ(arrived[k], static_cast<double>(1000 * holder + wanted[k]));
      }
    }
    EXPECT_EQ(routes.left_out, left_out);
  }
}

}  // namespace
}  // namespace epios::io::routes_test
