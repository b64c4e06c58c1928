#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::io {
namespace {

config::Model global_model() {
  config::Model model;
  config::Domain domain;
  domain.id = "grid_T";
  domain.attributes.ni_glo = 4;
  domain.attributes.nj_glo = 3;
  model.domains = {domain};
  config::Axis axis;
  axis.id = "depth";
  axis.attributes.n_glo = 2;
  model.axes = {axis};
  model.grids = {
      {"grid_3d", {{config::GridElement::Kind::domain, 0}, {config::GridElement::Kind::axis, 0}}},
      {"empty", {}}};
  return model;
}

/// The model of the client that owns columns [ibegin, ibegin + ni).
config::Model client_model(std::int64_t ibegin, std::int64_t ni) {
  config::Model model = global_model();
  auto& d = model.domains[0].attributes;
  d.ibegin = ibegin, d.ni = ni, d.jbegin = 0, d.nj = 3;
  config::value::reals lon;
  config::value::reals edges;
  for (std::int64_t i = ibegin; i < ibegin + ni; ++i) {
    lon.values.push_back(static_cast<double>(10 * i));
    edges.values.push_back(static_cast<double>(10 * i - 5));
    edges.values.push_back(static_cast<double>(10 * i + 5));
  }
  d.lonvalue_1d = lon;
  d.bounds_lon_1d = edges;
  d.latvalue_1d = config::value::reals{{-30, 0, 30}, {3}};
  return model;
}

TEST(LocalPart, HoldsBoxesAndCoordinates) {
  const ClientPart part = local_part(client_model(1, 2), 7);
  EXPECT_EQ(part.remote_rank, 7);
  EXPECT_EQ(part.boxes, (std::vector<Box>{{{0, 0, 1}, {2, 3, 2}}, Box{}}));
  ASSERT_EQ(part.lon.size(), 1U);
  EXPECT_EQ(part.lon[0].begin, 1);
  EXPECT_EQ(part.lon[0].values, (std::vector<double>{10, 20}));
  EXPECT_EQ(part.lon[0].bounds, (std::vector<double>{5, 15, 15, 25}));
  EXPECT_EQ(part.lat[0].begin, 0);
  EXPECT_EQ(part.lat[0].values, (std::vector<double>{-30, 0, 30}));
  EXPECT_TRUE(part.axes[0].values.empty());
}

TEST(AssembleCoordinates, PutsPartsTogether) {
  const std::vector<ClientPart> parts = {local_part(client_model(2, 2), 0),
                                         local_part(client_model(0, 2), 1)};
  const ElementCoordinates all = assemble_coordinates(global_model(), parts);
  EXPECT_EQ(all.lon[0].values, (std::vector<double>{0, 10, 20, 30}));
  EXPECT_EQ(all.lon[0].bounds, (std::vector<double>{-5, 5, 5, 15, 15, 25, 25, 35}));
  EXPECT_EQ(all.lat[0].values, (std::vector<double>{-30, 0, 30}));
  EXPECT_TRUE(all.lat[0].bounds.empty());
  EXPECT_TRUE(all.axes[0].values.empty());
}

TEST(AssembleCoordinates, TheLowestRankWinsAndHolesAreNan) {
  std::vector<ClientPart> parts = {local_part(client_model(1, 1), 0),
                                   local_part(client_model(1, 2), 1)};
  parts[1].lon[0].values = {-1, -2};
  const auto lon = assemble_coordinates(global_model(), parts).lon[0].values;
  ASSERT_EQ(lon.size(), 4U);
  EXPECT_TRUE(std::isnan(lon[0]));
  EXPECT_EQ(lon[1], 10);
  EXPECT_EQ(lon[2], -2);
  EXPECT_TRUE(std::isnan(lon[3]));
}

TEST(CheckParts, RefusesWhatDoesNotBelong) {
  const config::Model model = global_model();
  const ClientPart good = local_part(client_model(1, 2), 0);
  EXPECT_NO_THROW(check_parts(model, {good}));
  const auto refused = [&](const std::function<void(ClientPart&)>& change) -> std::string {
    ClientPart part = good;
    change(part);
    try {
      assemble_coordinates(model, {good, part});
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::protocol);
      return error.what();
    }
    return "accepted";
  };
  const std::string head = "the local part of client 1 does not belong to the context (";
  const std::string tail = "). Do all clients see the same configuration?";
  EXPECT_EQ(refused([](ClientPart& p) { p.boxes.pop_back(); }),
            head + "it has 1 grids, 1 axes and 1 domains, the context 2, 1 and 1" + tail);
  EXPECT_EQ(refused([](ClientPart& p) { p.boxes[0].begin[2] = 3; }),
            head + "grid 'grid_3d': its part [0:2, 0:3, 3:5] is not in [0:2, 0:3, 0:4]" + tail);
  EXPECT_EQ(refused([](ClientPart& p) { p.boxes[0] = Box{}; }),
            head + "grid 'grid_3d': its part [] is not in [0:2, 0:3, 0:4]" + tail);
  EXPECT_EQ(
      refused([](ClientPart& p) { p.lon[0].begin = 3; }),
      head + "domain 'grid_T', longitudes: 2 values and 4 bounds from 3 on, of 4 in all" + tail);
  EXPECT_EQ(
      refused([](ClientPart& p) { p.lat[0].bounds = {1}; }),
      head + "domain 'grid_T', latitudes: 3 values and 1 bounds from 0 on, of 3 in all" + tail);
  EXPECT_EQ(refused([](ClientPart& p) {
              p.axes[0] = {-1, {1}, {}};
            }),
            head + "axis 'depth': 1 values and 0 bounds from -1 on, of 2 in all" + tail);
}

}  // namespace
}  // namespace epios::io
