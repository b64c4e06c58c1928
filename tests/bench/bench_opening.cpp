// The opening of a context of 10^5 clients, 64 servers and 10^9 points, played without MPI by the
// pure functions that clients and servers call: the largest memory of a rank above its own part.
// Counts every allocation. usage: bench_opening [clients per side of the grid, default 316]
// [servers, default 64] [blocks or cells, default blocks]
// blocks: of a rectilinear domain, with its longitudes and latitudes. cells: of an unstructured
// one, each client with runs of 1,000 cells from all over it, without coordinates.
#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/model.hpp"
#include "event/opening.hpp"
#include "records/stream_assignment.hpp"

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
constexpr std::int64_t cells_per_run = 1'000;
constexpr std::int64_t runs = 1'000'000;

enum class Kind { blocks, cells };

config::Model common_model(Kind kind) {
  config::Model model;
  config::Domain domain;
  domain.id = domain.name = "d";
  if (kind == Kind::blocks) {
    domain.attributes.type = "rectilinear";
    domain.attributes.ni_glo = domain.attributes.nj_glo = points_per_side;
  } else {
    domain.attributes.type = "unstructured";
    domain.attributes.ni_glo = runs * cells_per_run;
    domain.attributes.nj_glo = 1;
    domain.attributes.jbegin = 0;
    domain.attributes.nj = 1;
  }
  model.domains.push_back(domain);
  config::Grid grid;
  grid.id = "g";
  grid.elements.push_back({config::GridElement::Kind::domain, 0});
  model.grids.push_back(grid);
  config::File file;
  file.id = "f";
  file.streams = {config::StreamId(0)};
  model.files.push_back(file);
  config::Stream stream;
  stream.name = "v";
  stream.file = config::FileId(0);
  stream.grid = config::GridId(0);
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

/// Every so many-th run, in an order that jumps about the globe.
void describe_cells(config::Model& model, std::int64_t client, std::int64_t clients) {
  constexpr std::int64_t stride = 618'033;  // has no divisor in common with the number of runs
  std::vector<std::int64_t> cells;
  for (std::int64_t run = client; run < runs; run += clients) {
    const std::int64_t first = run * stride % runs * cells_per_run;
    for (std::int64_t c = first; c < first + cells_per_run; ++c) cells.push_back(c);
  }
  auto& a = model.domains[0].attributes;
  const auto count = static_cast<std::int64_t>(cells.size());
  a.ibegin = 0;
  a.ni = count;
  a.i_index = config::value::integers{std::move(cells), {count}};
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

/// All clients, one after the other.
class Clients {
 public:
  Clients(std::int64_t per_side, Kind kind)
      : per_side_(per_side), kind_(kind), model_(common_model(kind)) {
    describe(0);
    forms_ = io::local_forms(model_);
    holders_ = io::local_holders(model_, io::LocalParts(model_), forms_, 0);
    agree();
  }

  std::int64_t count() const { return per_side_ * per_side_; }
  const config::Model& model() const { return model_; }
  const io::CoordinateForms& forms() const { return forms_; }
  const std::vector<std::uint64_t>& least_votes() const { return least_; }
  /// The model becomes that of a client.
  void describe(std::int64_t client) {
    if (kind_ == Kind::cells) return describe_cells(model_, client, count());
    describe_client(model_, client, per_side_);
  }
  /// Of the client that the model is.
  io::Holders holders_of(std::int64_t client) const {
    if (others_ && !may_tell(client)) return *others_;
    io::Holders out = holders_;
    const auto own = io::side_votes(model_, forms_, holders_, static_cast<int>(client));
    io::set_sides(out, model_, forms_, own, least_);
    return out;
  }

 private:
  /// None but the clients of the first row and the first column can be the lowest that has a column
  /// or a row of the grid, and all say the same.
  bool may_tell(std::int64_t client) const { return client < per_side_ || client % per_side_ == 0; }
  void agree() {
    least_ = io::side_votes(model_, forms_, holders_, 0);
    if (kind_ == Kind::cells) return;  // which have no sides
    for (std::int64_t c = 1; c < count(); ++c) {
      if (!may_tell(c)) continue;
      describe(c);
      const auto votes = io::side_votes(model_, forms_, holders_, static_cast<int>(c));
      for (std::size_t i = 0; i < votes.size(); ++i) least_[i] = std::min(least_[i], votes[i]);
    }
    describe(count() - 1);
    others_ = holders_of(count() - 1);
    const auto& sides = others_->sides[0];
    if (sides && sides->columns.empty() && sides->rows.empty()) return;
    std::printf("somebody tells what others have told\n");
    std::exit(EXIT_FAILURE);
  }

  std::int64_t per_side_;
  Kind kind_;
  config::Model model_;
  io::CoordinateForms forms_;
  io::Holders holders_;
  std::vector<std::uint64_t> least_;
  std::optional<io::Holders> others_;  // of a client that tells no side
};

Found play_client(Clients& clients, int servers, std::size_t& spoken_to) {
  return measured([&] {
    const std::int64_t me = clients.count() / 2;
    clients.describe(me);
    const config::Model& model = clients.model();
    const io::LocalParts parts(model);
    const auto pieces = io::pieces_of(model, io::place_files(model, servers, 0), servers);
    const auto received = clients.least_votes();
    const io::Holders own = clients.holders_of(me);
    std::vector<std::vector<std::byte>> messages;
    for (const auto& of_server : pieces) {
      const auto part = io::opening_part(model, parts, of_server, own, static_cast<int>(me));
      if (!part.is_empty()) ++spoken_to;
      messages.push_back(part.is_empty() ? std::vector<std::byte>() : io::encode(part));
    }
  });
}

struct Heard {
  Found found;
  std::size_t clients = 0;
};

Heard play_server(Clients& clients, const io::Pieces& mine) {
  std::vector<io::OpeningPart> parts;
  const std::int64_t before = live;
  double seconds = 0;
  for (std::int64_t c = 0; c < clients.count(); ++c) {
    clients.describe(c);
    const auto part = io::opening_part(clients.model(), io::LocalParts(clients.model()), mine,
                                       clients.holders_of(c), static_cast<int>(c));
    if (c > 0 && part.is_empty()) continue;
    const auto bytes = io::encode(part);
    const auto start = std::chrono::steady_clock::now();
    parts.push_back(io::decode_opening_part(bytes));
    io::check_opening_part(clients.model(), mine, parts.back());
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  const std::int64_t received = live - before;
  const Found settled = measured([&] {
    const auto coordinates =
        io::assemble_coordinates(clients.model(), mine, clients.forms(), parts);
    const auto shares = server::assign_pieces(mine, parts);
    const auto streams = server::assign_streams(clients.model(), mine, shares);
  });
  return {{received + settled.peak, seconds + settled.seconds}, parts.size()};
}

}  // namespace

int main(int argc, char** argv) {
  const int servers = argc > 2 ? std::atoi(argv[2]) : 64;
  const bool has_cells = argc > 3 && std::string_view(argv[3]) == "cells";
  Clients clients(argc > 1 ? std::atoll(argv[1]) : 316, has_cells ? Kind::cells : Kind::blocks);
  std::size_t spoken_to = 0;
  const Found client = play_client(clients, servers, spoken_to);
  const auto pieces =
      io::pieces_of(clients.model(), io::place_files(clients.model(), servers, 0), servers);
  Heard worst;
  for (const int s : {0, servers / 2, servers - 1}) {
    const Heard heard = play_server(clients, pieces[static_cast<std::size_t>(s)]);
    worst.found.peak = std::max(worst.found.peak, heard.found.peak);
    worst.found.seconds = std::max(worst.found.seconds, heard.found.seconds);
    worst.clients = std::max(worst.clients, heard.clients);
  }
  std::printf(
      "%lld clients, %d servers, %lld points\n", static_cast<long long>(clients.count()), servers,
      static_cast<long long>(has_cells ? runs * cells_per_run : points_per_side * points_per_side));
  std::printf("client: %.1f MB, %.3f s, speaks to %zu servers\n", megabytes(client.peak),
              client.seconds, spoken_to);
  std::printf("server: %.1f MB, %.3f s, hears %zu clients\n", megabytes(worst.found.peak),
              worst.found.seconds, worst.clients);
  const double most = megabytes(std::max(client.peak, worst.found.peak));
  std::printf("largest %.1f MB (limit 64)\n", most);
  return most <= 64 ? EXIT_SUCCESS : EXIT_FAILURE;
}
