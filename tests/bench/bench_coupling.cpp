// 100 exchanges of fields of 1 MB between two components, and the same bytes by messages with a
// redistribution written by hand: run_coupling.sh. Rows on one side, columns on the other.
#include <mpi.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <epios/epios.hpp>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "measuring.hpp"

namespace {

constexpr std::int64_t nx = 512;
constexpr std::int64_t ny = 256;  // 1 MB

struct Options {
  std::string side = "rows";
  bool raw = false;
  int steps = 100;
};

/// Of the whole grid.
struct Block {
  std::int64_t x = 0, y = 0, width = 0, height = 0;
  std::int64_t size() const { return width * height; }
};
Block block_of(bool are_rows, int rank, int size) {
  if (are_rows) return {0, ny * rank / size, nx, ny * (rank + 1) / size - ny * rank / size};
  return {nx * rank / size, 0, nx * (rank + 1) / size - nx * rank / size, ny};
}
Block common(const Block& a, const Block& b) {
  const std::int64_t x = std::max(a.x, b.x);
  const std::int64_t y = std::max(a.y, b.y);
  return {x, y, std::min(a.x + a.width, b.x + b.width) - x,
          std::min(a.y + a.height, b.y + b.height) - y};
}
double value_of(std::int64_t step, std::int64_t x, std::int64_t y) {
  return static_cast<double>(1000 * step + 10 * x + y);
}
void check(const std::vector<double>& field, const Block& own, std::int64_t step) {
  for (const std::int64_t k : {std::int64_t{0}, own.size() / 3, own.size() - 1}) {
    const double expected = value_of(step, own.x + k % own.width, own.y + k / own.width);
    if (field[static_cast<std::size_t>(k)] != expected) throw std::runtime_error("wrong values");
  }
}
void fill(std::vector<double>& field, const Block& own, std::int64_t step) {
  for (std::int64_t k = 0; k < own.size(); ++k) {
    field[static_cast<std::size_t>(k)] =
        value_of(step, own.x + k % own.width, own.y + k / own.width);
  }
}

/// Of each step the time from the first send to the last value: what making and looking at values
/// takes is not in it.
void coupled(const Options& options) {
  const bool are_rows = options.side == "rows";
  epios::client::Session session(options.side, {.iodef = "iodef.xml", .clients = 1});
  epios::client::Client client(session, 0);
  epios::client::Context context = client.open_context(options.side);
  const Block own = block_of(are_rows, client.rank(), client.size());
  context.set("domain", "d", "ibegin", own.x);
  context.set("domain", "d", "ni", own.width);
  context.set("domain", "d", "jbegin", own.y);
  context.set("domain", "d", "nj", own.height);
  context.close_definition();
  const std::string to = are_rows ? "from_rows" : "from_columns";
  const std::string from = are_rows ? "from_columns" : "from_rows";
  std::vector<double> sent(static_cast<std::size_t>(own.size()));
  std::vector<double> received(sent.size());
  double seconds = 0;
  for (int step = 1; step <= options.steps + 3; ++step) {  // three to warm up
    fill(sent, own, step);
    const auto start = bench::Clock::now();
    context.update_calendar(step);
    context.send(to, sent);
    context.receive(from, received);
    if (step > 3) seconds += bench::seconds_since(start);
    check(received, own, step);
  }
  context.finalize();
  bench::print("wall_s", seconds);
  client.close();
  session.close();
}

/// Half of the processes have rows, the others columns.
void by_hand(const Options& options) {
  MPI_Init(nullptr, nullptr);  // errors end the program
  int size = 0;
  int rank = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int half = size / 2;
  const bool are_rows = rank < half;
  const Block own = block_of(are_rows, rank % half, half);
  struct Peer {
    int rank = 0;
    Block part;  ///< within the own block
    std::vector<double> out, in;
  };
  std::vector<Peer> peers;
  for (int p = 0; p < half; ++p) {
    Peer& peer = peers.emplace_back();
    peer.rank = are_rows ? half + p : p;
    peer.part = common(own, block_of(!are_rows, p, half));
    peer.out.resize(static_cast<std::size_t>(peer.part.size()));
    peer.in.resize(peer.out.size());
  }
  std::vector<double> sent(static_cast<std::size_t>(own.size()));
  std::vector<double> received(sent.size());
  const auto row = [&](std::vector<double>& field, const Peer& peer, std::int64_t j) {
    return field.data() + (peer.part.y - own.y + j) * own.width + (peer.part.x - own.x);
  };
  std::vector<MPI_Request> requests(2 * peers.size());
  double seconds = 0;
  for (int step = 1; step <= options.steps + 3; ++step) {
    fill(sent, own, step);
    const auto start = bench::Clock::now();
    std::size_t n = 0;
    for (Peer& peer : peers) {
      const auto count = static_cast<int>(peer.in.size());
      MPI_Irecv(peer.in.data(), count, MPI_DOUBLE, peer.rank, 1, MPI_COMM_WORLD, &requests[n++]);
    }
    for (Peer& peer : peers) {
      for (std::int64_t j = 0; j < peer.part.height; ++j) {
        std::copy_n(row(sent, peer, j), peer.part.width, peer.out.data() + j * peer.part.width);
      }
      const auto count = static_cast<int>(peer.out.size());
      MPI_Isend(peer.out.data(), count, MPI_DOUBLE, peer.rank, 1, MPI_COMM_WORLD, &requests[n++]);
    }
    MPI_Waitall(static_cast<int>(n), requests.data(), MPI_STATUSES_IGNORE);
    for (Peer& peer : peers) {
      for (std::int64_t j = 0; j < peer.part.height; ++j) {
        std::copy_n(peer.in.data() + j * peer.part.width, peer.part.width, row(received, peer, j));
      }
    }
    if (step > 3) seconds += bench::seconds_since(start);
    check(received, own, step);
  }
  bench::print("wall_s", seconds);
  MPI_Finalize();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Exchanges of fields between two components", "bench_coupling"};
  app.add_option("--side", options.side)->check(CLI::IsMember({"rows", "columns"}));
  app.add_flag("--raw", options.raw);
  app.add_option("--steps", options.steps);
  if (const auto exit_code = ep::read_arguments(app, argc, argv)) return *exit_code;
  try {
    options.raw ? by_hand(options) : coupled(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_coupling: %s\n", error.what());
    return 1;
  }
  return 0;
}
