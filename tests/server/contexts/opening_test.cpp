#include "event/opening.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "contexts/played_opening.hpp"
#include "records/stream_assignment.hpp"

namespace epios::server::test::opening_test {
namespace {

TEST(Opening, EveryPointIsWrittenByTheLowestClientThatHasAValueThere) {
  for (unsigned seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const config::Model model = random_model(random);
    std::vector<Client> clients;
    for (std::int64_t c = random.pick(1, 5); c > 0; --c) {
      clients.emplace_back(random_client(random, model));
    }
    const int servers = static_cast<int>(random.pick(1, 3));
    const auto placements = io::place_files(model, servers, random.flip() ? 1 : 1'000'000);
    const auto pieces = io::pieces_of(model, placements, servers);
    std::vector<PlayedServer> played;
    for (const auto& of_server : pieces) {
      played.push_back(open_server(model, of_server, clients));
    }
    for (PlayedServer& server : played) {
      server.streams = assign_streams(model, server.pieces, server.shares);
    }
    for (int s = 0; s < static_cast<int>(model.streams.size()); ++s) {
      const int grid = nth(model.streams, s).grid;
      const std::vector<double> expected = expected_record(model, clients, grid);
      std::vector<double> record(expected.size(), -1);
      std::int64_t missing = 0;
      std::int64_t unowned = 0;
      for (const PlayedServer& server : played) {
        ASSERT_NO_FATAL_FAILURE(play_record(model, clients, server, s, record));
        const StreamAssignment& share = server.streams[static_cast<std::size_t>(s)];
        if (!share.is_concerned()) continue;
        missing += share.piece->missing;
        unowned += share.piece->unowned;
      }
      for (std::size_t p = 0; p < record.size(); ++p) {
        ASSERT_EQ(std::isnan(record[p]), std::isnan(expected[p])) << "point " << p;
        if (!std::isnan(expected[p])) {
          ASSERT_EQ(record[p], expected[p]) << "point " << p;
        }
      }
      ASSERT_EQ(missing, std::count_if(expected.begin(), expected.end(),
                                       [](double value) { return std::isnan(value); }));
      ASSERT_EQ(unowned, count_unowned(model, clients, grid));
    }
  }
}

/// Longitudes and areas by cell, from clients that overlap.
TEST(Opening, CoordinatesAreThoseOfTheLowestClient) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const config::Model model = random_model(random);
    const auto truth = [](std::int64_t global) { return 0.25 * static_cast<double>(global); };
    std::vector<Client> clients;
    for (std::int64_t c = random.pick(1, 4); c > 0; --c) {
      config::Model own = random_client(random, model);
      for (std::size_t d = 0; d < own.domains.size(); ++d) {
        const io::Part cells =
            io::owned_part(own, {GridElement::Kind::domain, static_cast<int>(d)});
        config::value::reals values{std::vector<double>(static_cast<std::size_t>(cells.places())),
                                    {cells.places()}};
        for (const auto& run : cells.runs()) {
          for (std::int64_t k = 0; k < run.count; ++k) {
            values.values[static_cast<std::size_t>(run.place + k)] = truth(run.global + k);
          }
        }
        nth(own.domains, d).attributes.lonvalue_1d = values;
        nth(own.domains, d).attributes.latvalue_1d = values;
        nth(own.domains, d).attributes.area_1d = values;
      }
      clients.emplace_back(std::move(own));
    }
    const auto placements = io::place_files(model, 2, random.flip() ? 1 : 1'000'000);
    const auto pieces = io::pieces_of(model, placements, 2);
    io::CoordinateForms forms = io::local_forms(clients.front().model);
    EXPECT_TRUE(forms.domains.front().has_lon && forms.domains.front().has_area);
    for (const auto& of_server : pieces) {
      const PlayedServer server = open_server(model, of_server, clients);
      const auto assembled = io::assemble_coordinates(model, server.pieces, forms, server.parts);
      for (const auto& remarks : assembled.disagreements) EXPECT_TRUE(remarks.empty());
      for (const io::CoordinateSlab& slab : assembled.slabs) {
        if (slab.element.kind != GridElement::Kind::domain) continue;
        const io::Extents shape = io::element_shape(model, slab.element);
        const io::Part all({{0, 0, io::volume(shape)}}, io::volume(shape));
        const io::Part window = io::clip(all, shape, slab.window);
        for (const auto& run : window.runs()) {
          for (std::int64_t k = 0; k < run.count; ++k) {
            const auto at = static_cast<std::size_t>(run.global + k);
            const bool is_owned =
                std::any_of(clients.begin(), clients.end(), [&](const Client& client) {
                  return Client::find(client.parts.owned(slab.element), run.place + k) >= 0;
                });
            ASSERT_EQ(std::isnan(slab.lon[at]), !is_owned);
            if (!is_owned) continue;
            ASSERT_EQ(slab.lon[at], truth(run.place + k));
            ASSERT_EQ(slab.lat[at], truth(run.place + k));
            ASSERT_EQ(slab.area[at], truth(run.place + k));
          }
        }
      }
    }
  }
}

/// Three clients with some of four cells.
TEST(Opening, WhereCoordinatesDifferIsTold) {
  config::Model model;
  config::Domain domain{"cells", "cells", {}};
  domain.attributes.type = "unstructured";
  domain.attributes.ni_glo = 4;
  domain.attributes.nj_glo = 1;
  domain.attributes.nvertex = 2;
  model.domains = {domain};
  model.grids = {{"g", {{GridElement::Kind::domain, 0}}}};
  config::Stream stream;
  stream.name = "v";
  model.streams = {stream};
  model.files = {{"f", "f.nc", {}, {config::StreamId(0)}, {}, {}}};
  std::vector<Client> clients;
  for (int c = 0; c < 3; ++c) {
    config::Model own = model;
    auto& a = own.domains[0].attributes;
    // None has everything: of those who have, one is asked.
    a.ibegin = c == 1 ? 0 : 1;
    a.ni = 3;
    a.nj = 1;
    const auto cells = static_cast<std::size_t>(*a.ni);
    std::vector<double> lon(cells, 10);
    if (c == 1) lon[2] = 11;           // cell 2
    if (c == 2) lon[1] = lon[2] = 12;  // cells 2 and 3
    a.lonvalue_1d = {lon, {*a.ni}};
    a.latvalue_1d = {std::vector<double>(cells, 1e-7 * c), {*a.ni}};
    a.bounds_lon_1d = {std::vector<double>(2 * cells, c), {2, *a.ni}};
    a.bounds_lat_1d = {std::vector<double>(2 * cells, 0), {2, *a.ni}};
    clients.emplace_back(std::move(own));
  }
  const auto pieces = io::pieces_of(model, io::place_files(model, 1, 1'000'000), 1);
  const PlayedServer server = open_server(model, pieces[0], clients);
  const auto assembled = io::assemble_coordinates(
      model, server.pieces, io::local_forms(clients.front().model), server.parts);
  ASSERT_EQ(assembled.disagreements.size(), 1U);
  const std::string rest =
      "That of the lowest client is written. Are the coordinates of halos those of the cells "
      "inside?";
  // A cell counts once, whoever differs and in however many vertices.
  EXPECT_EQ(io::sentences(assembled.disagreements[0]),
            (std::vector<std::string>{
                "domain 'cells': clients differ in the longitude at 2 points (among them (2) has "
                "10 on client 0 and 11 on one of higher rank). " +
                    rest,
                "domain 'cells': clients differ in the longitude of a vertex at 3 points (among "
                "them (1) has 0 on client 0 and 1 on one of higher rank). " +
                    rest}));
}

TEST(Opening, DamagedPartsAreRefused) {
  Random random(5);
  const config::Model model = random_model(random);
  const auto pieces = io::pieces_of(model, io::place_files(model, 1, 1'000'000), 1);
  const Client client(model);
  const io::OpeningPart good =
      io::opening_part(client.model, client.parts, pieces[0],
                       io::local_holders(client.model, client.parts, io::local_forms(model), 0), 0);
  EXPECT_NO_THROW(io::check_opening_part(model, pieces[0], good));
  const auto refused = [&](auto&& damage) {
    io::OpeningPart part = good;
    damage(part);
    try {
      io::check_opening_part(model, pieces[0], part);
    } catch (const Error& error) {
      return error.code() == ErrorCode::protocol;
    }
    return false;
  };
  EXPECT_TRUE(refused([](auto& part) { part.windows.pop_back(); }));
  EXPECT_TRUE(refused([](auto& part) { part.windows[0].back().count += 1000; }));
  EXPECT_TRUE(refused([](auto& part) { part.masks[0] = {1, 2, 3, 4, 5, 6, 7, 8}; }));
  EXPECT_TRUE(refused([](auto& part) { part.client = -1; }));
  EXPECT_TRUE(refused([](auto& part) { part.coordinates[0].lon = {1}; }) || refused([](auto& part) {
                part.coordinates[0].values = {1, 2, 3, 4, 5};
              }));
  try {
    io::OpeningPart of_gatherer = good;
    of_gatherer.client = 3;
    of_gatherer.clients = {{0, 2}};
    of_gatherer.masks.emplace_back();
    io::check_opening_part(model, pieces[0], of_gatherer);
    FAIL() << "was taken";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("the part of gatherer 3 does not belong"), 0U)
        << error.what();
  }
  const auto bytes = io::encode(good);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    EXPECT_THROW(io::decode_opening_part(std::span(bytes).first(cut)), Error);
  }
}

}  // namespace
}  // namespace epios::server::test::opening_test
