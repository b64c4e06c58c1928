// The opening of a context of 10^5 clients, 64 servers and 10^9 points, played without MPI by the
// pure functions that clients and servers call: the largest memory of a rank above its own part.
// Counts every allocation. usage: bench_opening [clients per side of the grid, default 316]
// [servers, default 64]
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "event/opening.hpp"
#include "stream_share.hpp"

namespace {
std::atomic<std::int64_t> live{0};
std::atomic<std::int64_t> peak{0};
}  // namespace

void* operator new(std::size_t bytes) {
  void* const out = std::malloc(bytes);
  if (out == nullptr) throw std::bad_alloc();
  const std::int64_t now = live += static_cast<std::int64_t>(malloc_usable_size(out));
  if (now > peak) peak = now;
  return out;
}
void operator delete(void* memory) noexcept {
  if (memory != nullptr) live -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }

namespace {

using namespace epios;

constexpr std::int64_t points_per_side = 31'623;  // 10^9 in all

config::Model common_model() {
  config::Model model;
  config::Domain domain;
  domain.id = domain.name = "d";
  domain.attributes.type = "rectilinear";
  domain.attributes.ni_glo = domain.attributes.nj_glo = points_per_side;
  model.domains.push_back(domain);
  config::Grid grid;
  grid.id = "g";
  grid.elements.push_back({config::GridElement::Kind::domain, 0});
  model.grids.push_back(grid);
  config::File file;
  file.id = "f";
  file.streams = {0};
  model.files.push_back(file);
  config::Stream stream;
  stream.name = "v";
  stream.file = 0;
  stream.grid = 0;
  stream.attributes.prec = 8;
  model.streams.push_back(stream);
  return model;
}

/// A block of the grid with its longitudes and latitudes.
void describe_client(config::Model& model, std::int64_t client, std::int64_t per_side) {
  auto& a = model.domains[0].attributes;
  const auto cut = [&](std::int64_t part) { return points_per_side * part / per_side; };
  a.ibegin = cut(client % per_side);
  a.ni = cut(client % per_side + 1) - *a.ibegin;
  a.jbegin = cut(client / per_side);
  a.nj = cut(client / per_side + 1) - *a.jbegin;
  a.lonvalue_1d =
      config::value::reals{std::vector<double>(static_cast<std::size_t>(*a.ni), 1.0), {*a.ni}};
  a.latvalue_1d =
      config::value::reals{std::vector<double>(static_cast<std::size_t>(*a.nj), 1.0), {*a.nj}};
}

double megabytes(std::int64_t bytes) { return static_cast<double>(bytes) / 1e6; }

struct Found {
  std::int64_t peak = 0;
  double seconds = 0;
};

template <class Work>
Found measured(const Work& work) {
  const std::int64_t before = live;
  peak = before;
  const auto start = std::chrono::steady_clock::now();
  work();
  return {peak - before,
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()};
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t per_side = argc > 1 ? std::atoll(argv[1]) : 316;
  const int servers = argc > 2 ? std::atoi(argv[2]) : 64;
  const std::int64_t clients = per_side * per_side;
  config::Model model = common_model();
  const io::Holders holders = [&] {
    describe_client(model, 0, per_side);
    const io::LocalParts parts(model);
    return io::local_holders(model, parts, io::local_forms(model), 0);
  }();
  const io::CoordinateForms forms = io::local_forms(model);
  // What all clients agree on: none but those of the first row and the first column of clients can
  // be the lowest that has a column or a row of the grid, and all say the same.
  const auto may_tell = [per_side](std::int64_t c) { return c < per_side || c % per_side == 0; };
  std::vector<std::uint64_t> least = io::side_votes(model, forms, holders, 0);
  for (std::int64_t c = 1; c < clients; ++c) {
    if (!may_tell(c)) continue;
    describe_client(model, c, per_side);
    const auto votes = io::side_votes(model, forms, holders, static_cast<int>(c));
    for (std::size_t i = 0; i < votes.size(); ++i) least[i] = std::min(least[i], votes[i]);
  }
  const auto holders_of = [&](std::int64_t c) {
    io::Holders out = holders;
    const auto own = io::side_votes(model, forms, holders, static_cast<int>(c));
    io::set_sides(out, model, forms, own, least);
    return out;
  };
  describe_client(model, clients - 1, per_side);
  const io::Holders of_others = holders_of(clients - 1);
  if (!of_others.sides[0] || !of_others.sides[0]->columns.empty() ||
      !of_others.sides[0]->rows.empty()) {
    std::printf("somebody tells what others have told\n");
    return EXIT_FAILURE;
  }

  std::size_t spoken_to = 0;
  const Found client = measured([&] {
    describe_client(model, clients / 2, per_side);
    const io::LocalParts parts(model);
    const auto placements = io::place_files(model, servers, 0);
    const auto pieces = io::pieces_of(model, placements, servers);
    const auto received = least;  // by the client
    const io::Holders own = holders_of(clients / 2);
    std::vector<std::vector<std::byte>> messages;
    for (const auto& of_server : pieces) {
      const auto part =
          io::opening_part(model, parts, of_server, own, static_cast<int>(clients / 2));
      if (!part.is_empty()) ++spoken_to;
      messages.push_back(part.is_empty() ? std::vector<std::byte>() : io::encode(part));
    }
    const std::vector<std::uint64_t> hashes(static_cast<std::size_t>(clients));  // of the models
  });

  const auto placements = io::place_files(model, servers, 0);
  const auto pieces = io::pieces_of(model, placements, servers);
  Found worst;
  std::size_t most_clients = 0;
  for (const int s : {0, servers / 2, servers - 1}) {
    const io::Pieces& mine = pieces[static_cast<std::size_t>(s)];
    std::vector<io::OpeningPart> parts;
    const std::int64_t before = live;
    double seconds = 0;
    for (std::int64_t c = 0; c < clients; ++c) {
      describe_client(model, c, per_side);
      const io::LocalParts local(model);
      const auto part = io::opening_part(
          model, local, mine, may_tell(c) ? holders_of(c) : of_others, static_cast<int>(c));
      if (c > 0 && part.is_empty()) continue;
      const auto bytes = io::encode(part);
      const auto start = std::chrono::steady_clock::now();
      parts.push_back(io::decode_opening_part(bytes));
      io::check_opening_part(model, mine, parts.back());
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }
    const std::int64_t received = live - before;
    const Found settled = measured([&] {
      const auto coordinates = io::assemble_coordinates(model, mine, forms, parts);
      const auto shares = server::share_pieces(mine, parts);
      const auto streams = server::share_streams(model, mine, shares);
    });
    worst.peak = std::max(worst.peak, received + settled.peak);
    worst.seconds = std::max(worst.seconds, seconds + settled.seconds);
    most_clients = std::max(most_clients, parts.size());
  }
  std::printf("%lld clients, %d servers, %lld points\n", static_cast<long long>(clients), servers,
              static_cast<long long>(points_per_side * points_per_side));
  std::printf("client: %.1f MB, %.3f s, speaks to %zu servers\n", megabytes(client.peak),
              client.seconds, spoken_to);
  std::printf("server: %.1f MB, %.3f s, hears %zu clients\n", megabytes(worst.peak), worst.seconds,
              most_clients);
  const double most = megabytes(std::max(client.peak, worst.peak));
  std::printf("largest %.1f MB (limit 64)\n", most);
  return most <= 64 ? EXIT_SUCCESS : EXIT_FAILURE;
}
