// Two levels, played in one thread: what gatherers pass on makes the same bits as what clients send
// to those that write themselves.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "config/model.hpp"
#include "contexts/played_opening.hpp"
#include "event/gathered.hpp"
#include "grid/levels.hpp"
#include "records/stream_assignment.hpp"

namespace epios::server::test::gathered_opening_test {
namespace {

struct PlayedGatherer {
  PlayedServer server;
  std::vector<io::OpeningPart> parts;
  io::AssembledCoordinates coordinates;
};

/// Coordinates of its cells, which differ a little from client to client.
void add_coordinates(config::Model& own, int client) {
  const auto told = [client](std::int64_t k) {
    return 0.25 * static_cast<double>(k) + 1e-12 * client;
  };
  for (std::size_t d = 0; d < own.domains.size(); ++d) {
    const io::Part cells = io::owned_part(own, {GridElement::Kind::domain, static_cast<int>(d)});
    auto& a = nth(own.domains, d).attributes;
    const auto size = static_cast<std::size_t>(cells.places());
    config::value::reals lon{std::vector<double>(size), {cells.places()}};
    config::value::reals lat = lon;
    for (const auto& run : cells.runs()) {
      for (std::int64_t k = 0; k < run.count; ++k) {
        const auto at = static_cast<std::size_t>(run.place + k);
        lon.values[at] = told((run.global + k) % *a.ni_glo);
        lat.values[at] = told((run.global + k) / *a.ni_glo);
      }
    }
    a.lonvalue_1d = lon;
    a.latvalue_1d = lat;
    a.area_1d = lon;
  }
  for (auto& axis : own.axes) {
    auto& a = axis.attributes;
    const std::int64_t n = a.n.value_or(*a.n_glo);
    config::value::reals values{std::vector<double>(static_cast<std::size_t>(n)), {n}};
    for (std::int64_t k = 0; k < n; ++k) {
      values.values[static_cast<std::size_t>(k)] = told(a.begin.value_or(0) + k);
    }
    a.value = values;
  }
}

config::Model random_written_model(Random& random) {
  config::Model model = random_model(random);
  for (auto& domain : model.domains) {
    if (domain.attributes.type == "curvilinear" && random.flip()) {
      domain.attributes.type = "rectilinear";
    }
  }
  for (auto& file : model.files) {
    if (random.pick(0, 3) == 0) file.attributes.type = "multiple_file";
  }
  for (auto& stream : model.streams) {
    if (random.pick(0, 4) == 0) stream.attributes.indexed_output = true;
    if (random.pick(0, 4) == 0) stream.attributes.default_value = -9.0;
  }
  return model;
}

io::CoordinateForms forms_of(const config::Model& model, const std::vector<Client>& clients) {
  io::CoordinateForms forms = io::local_forms(model);
  std::vector<std::int32_t> most = io::numbers_of(forms);
  for (const Client& client : clients) {
    const auto own = io::numbers_of(io::local_forms(client.model));
    for (std::size_t i = 0; i < own.size(); ++i) most[i] = std::max(most[i], own[i]);
  }
  io::set_from_numbers(forms, most);
  return forms;
}

std::vector<PlayedGatherer> open_gatherers(const config::Model& model,
                                           const io::ServerChoice& choice, int servers,
                                           const std::vector<Client>& clients) {
  const auto pieces = io::gathered_pieces(model, choice, servers);
  std::vector<PlayedGatherer> out;
  for (const int rank : choice.gatherers) {
    PlayedGatherer& made = out.emplace_back();
    made.server = open_server(model, pieces[static_cast<std::size_t>(rank)], clients);
    made.server.streams =
        assign_streams(model, made.server.pieces, made.server.shares, made.server.parts);
    pass_as_sent(made.server.streams);
    made.parts = made.server.parts;
    if (rank != choice.gatherers.front()) {
      io::leave_columns_to_first(model, made.server.pieces, made.server.parts);
    }
    made.coordinates = io::assemble_coordinates(model, made.server.pieces, forms_of(model, clients),
                                                made.server.parts);
  }
  return out;
}

PlayedServer open_writer(const config::Model& model, const io::Pieces& pieces,
                         const std::vector<PlayedGatherer>& gatherers) {
  PlayedServer out;
  out.pieces = io::separate_windows(pieces);
  for (std::size_t g = 0; g < gatherers.size(); ++g) {
    const PlayedGatherer& gatherer = gatherers[g];
    const auto points =
        io::gather_points(model, gatherer.server.pieces, gatherer.parts, out.pieces);
    const auto bytes = io::encode(io::gathered_opening(model, points, gatherer.server.pieces,
                                                       gatherer.coordinates.slabs, out.pieces,
                                                       static_cast<int>(g)));
    out.parts.push_back(io::decode_opening_part(bytes));
    io::check_opening_part(model, out.pieces, out.parts.back());
  }
  out.shares = assign_pieces(out.pieces, out.parts);
  out.streams = assign_streams(model, out.pieces, out.shares, out.parts);
  return out;
}

template <class T>
std::vector<std::byte> passed(const io::Pattern& pattern, std::vector<std::byte>& slab) {
  std::vector<T> values(static_cast<std::size_t>(pattern.count()));
  pattern.gather(io::values_of<T>(slab).data(), values.data());
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

/// What a writer makes of a record that gatherers pass on.
std::vector<std::byte> passed_slab(const config::Model& model, const std::vector<Client>& clients,
                                   const std::vector<PlayedGatherer>& gatherers,
                                   const PlayedServer& writer, int stream) {
  const auto s = static_cast<std::size_t>(stream);
  const StreamAssignment& share = writer.streams[s];
  const auto piece = static_cast<std::size_t>(writer.pieces.of_stream[s]);
  std::vector<std::vector<std::byte>> payloads;
  for (std::size_t i = 0; i < share.piece->senders.size(); ++i) {
    const auto& gatherer = gatherers[static_cast<std::size_t>(share.piece->senders[i])];
    const auto points =
        io::gather_points(model, gatherer.server.pieces, gatherer.parts, writer.pieces);
    const io::Pattern pattern = io::pattern_to_pass(points[piece], share.piece->asked[i]);
    std::vector<std::byte> slab;
    if (gatherer.server.streams[s].is_concerned()) {
      slab = played_slab(model, clients, gatherer.server, stream);
    }
    payloads.push_back(share.value_bytes == 4 ? passed<float>(pattern, slab)
                                              : passed<double>(pattern, slab));
    EXPECT_EQ(payloads.back().size(), share.part_bytes(i));
  }
  std::vector<io::EventQueue::Part> parts;
  for (std::size_t i = 0; i < payloads.size(); ++i) {
    parts.push_back({share.piece->senders[i], payloads[i]});
  }
  std::vector<std::byte> slab(share.slab_bytes());
  assemble(share, parts, slab);
  return slab;
}

bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](double x, double y) { return (std::isnan(x) && std::isnan(y)) || x == y; });
}

void expect_same(const io::CoordinateSlab& one, const io::CoordinateSlab& two) {
  EXPECT_TRUE(are_same(one.values, two.values));
  EXPECT_TRUE(are_same(one.lon, two.lon));
  EXPECT_TRUE(are_same(one.lat, two.lat));
  EXPECT_TRUE(are_same(one.area, two.area));
}

/// Servers of the first level, and groups of the second.
io::ServerChoice random_choice(Random& random, const config::Model& model, int& servers) {
  io::ServerChoice choice;
  const int gatherers = static_cast<int>(random.pick(1, 3));
  const int writers = static_cast<int>(random.pick(1, 3));
  servers = gatherers + writers;
  std::vector<int> behind;
  for (int rank = 0; rank < servers; ++rank) {
    (rank < gatherers ? choice.gatherers : behind).push_back(rank);
  }
  io::ServerGroups each;
  for (const int rank : behind) each.push_back({rank});
  for (std::size_t f = 0; f < model.files.size(); ++f) {
    choice.writers.add(random.flip() ? each : io::ServerGroups{behind});
  }
  return choice;
}

TEST(GatheredOpening, WritersMakeTheSameOfWhatIsPassedOn) {
  int compared = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const config::Model model = random_written_model(random);
    ASSERT_TRUE(io::can_be_dealt_out(model));
    std::vector<Client> clients;
    const int count = static_cast<int>(random.pick(1, 5));
    for (int c = 0; c < count; ++c) {
      config::Model own = random_client(random, model);
      add_coordinates(own, c);
      clients.emplace_back(std::move(own));
    }
    int servers = 0;
    const io::ServerChoice choice = random_choice(random, model, servers);
    const auto placements = io::place_files(model, servers, 1, choice);
    const auto pieces = io::pieces_of(model, placements, servers);
    const io::CoordinateForms forms = forms_of(model, clients);
    const auto gatherers = open_gatherers(model, choice, servers, clients);
    for (int rank = 0; rank < servers; ++rank) {
      const io::Pieces& its = pieces[static_cast<std::size_t>(rank)];
      if (!io::is_downstream(choice, rank)) {
        EXPECT_TRUE(its.grids.empty());
        continue;
      }
      PlayedServer one = open_server(model, its, clients);
      one.streams = assign_streams(model, one.pieces, one.shares, one.parts);
      const PlayedServer two = open_writer(model, its, gatherers);
      const auto of_clients = io::assemble_coordinates(model, its, forms, one.parts);
      const auto of_gatherers = io::assemble_coordinates(model, two.pieces, forms, two.parts);
      for (std::size_t c = 0; c < of_clients.slabs.size(); ++c) {
        expect_same(of_clients.slabs[c], of_gatherers.slabs[c]);
        EXPECT_TRUE(of_gatherers.disagreements[c].empty());
      }
      for (int s = 0; s < static_cast<int>(model.streams.size()); ++s) {
        const StreamAssignment& share = two.streams[static_cast<std::size_t>(s)];
        if (!share.is_concerned()) continue;
        const auto& gathering = one.streams[static_cast<std::size_t>(s)].gathering;
        ASSERT_EQ(share.gathering.has_value(), gathering.has_value());
        if (gathering) {
          ASSERT_EQ(share.gathering->points, gathering->points);
        }
        std::vector<double> wanted(static_cast<std::size_t>(io::volume(
                                       io::global_shape(model, nth(model.streams, s).grid))),
                                   -1);
        std::vector<double> got = wanted;
        place_slab(model, share, s, played_slab(model, clients, one, s), wanted);
        place_slab(model, share, s, passed_slab(model, clients, gatherers, two, s), got);
        ASSERT_TRUE(are_same(wanted, got)) << "stream " << s;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

/// Gatherers together see each point that nobody has once.
TEST(GatheredOpening, MissingPointsAreCountedOnce) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    const config::Model model = random_written_model(random);
    std::vector<Client> clients;
    for (std::int64_t c = random.pick(1, 4); c > 0; --c) {
      clients.emplace_back(random_client(random, model));
    }
    int servers = 0;
    const io::ServerChoice choice = random_choice(random, model, servers);
    const auto gatherers = open_gatherers(model, choice, servers, clients);
    for (int s = 0; s < static_cast<int>(model.streams.size()); ++s) {
      const int grid = nth(model.streams, s).grid;
      const auto expected = expected_record(model, clients, grid);
      std::int64_t missing = 0;
      for (const PlayedGatherer& gatherer : gatherers) {
        const StreamAssignment& share = gatherer.server.streams[static_cast<std::size_t>(s)];
        if (share.is_concerned()) missing += share.piece->missing;
      }
      ASSERT_EQ(missing, std::count_if(expected.begin(), expected.end(),
                                       [](double value) { return std::isnan(value); }));
    }
  }
}

}  // namespace
}  // namespace epios::server::test::gathered_opening_test
