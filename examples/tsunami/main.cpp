// A tsunami on a rotated grid, written through EPIOS: every OpenMP thread of every process is a
// client with a block of the grid, also one that is all land.

#include <omp.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "sea.hpp"
#include "wave.hpp"

namespace tsunami {
namespace {

constexpr Place earthquake{-10.5, 36.5};  // Lisbon, 1 November 1755
constexpr int timestep_s = 60;

struct Options {
  int hours = 12;
  int threads = 2;
  int columns = 3;
  std::string iodef = "iodef.xml";
  std::string output = ".";
  std::string relief = "/usr/share/ferret-vis/data/etopo20.cdf";
};

/// Where the cells of a block are: centres, and corners counter-clockwise.
void define_places(epios::client::Element domain, const Grid& grid, const Block& block) {
  std::vector<double> lon;
  std::vector<double> lat;
  std::vector<double> bounds_lon;
  std::vector<double> bounds_lat;
  std::vector<double> area;
  const auto corner = [&](int i, int j) {
    const Place place = grid.on_earth(grid.x(i), grid.y(j));
    bounds_lon.push_back(place.lon);
    bounds_lat.push_back(place.lat);
  };
  for (int j = block.jbegin; j < block.jbegin + block.nj; ++j) {
    for (int i = block.ibegin; i < block.ibegin + block.ni; ++i) {
      const Place place = grid.on_earth(grid.x(i + 0.5), grid.y(j + 0.5));
      lon.push_back(place.lon);
      lat.push_back(place.lat);
      area.push_back(grid.area_m2(j));
      corner(i, j);
      corner(i + 1, j);
      corner(i + 1, j + 1);
      corner(i, j + 1);
    }
  }
  domain.set("nvertex", 4);
  domain.set("lonvalue_2d", std::span<const double>(lon), {block.ni, block.nj});
  domain.set("latvalue_2d", std::span<const double>(lat), {block.ni, block.nj});
  domain.set("bounds_lon_2d", std::span<const double>(bounds_lon), {4, block.ni, block.nj});
  domain.set("bounds_lat_2d", std::span<const double>(bounds_lat), {4, block.ni, block.nj});
  domain.set("area_2d", std::span<const double>(area), {block.ni, block.nj});
}

void define_output(epios::client::Context& context, const Options& options, const Grid& grid,
                   const Block& block, const Wave& wave) {
  context.set("context", "", "output_dir", options.output);
  context.set("calendar", "", "timestep", std::to_string(timestep_s) + "s");
  const epios::client::Element domain = context.at("domain", "sea");
  domain.set("ni_glo", grid.ni).set("nj_glo", grid.nj);
  domain.set("ibegin", block.ibegin).set("ni", block.ni);
  domain.set("jbegin", block.jbegin).set("nj", block.nj);
  // Arrays come with one halo cell on each side.
  domain.set("data_dim", 2);
  domain.set("data_ibegin", -1).set("data_ni", block.ni + 2);
  domain.set("data_jbegin", -1).set("data_nj", block.nj + 2);
  domain.set("mask_2d", std::span<const unsigned char>(wave.sea()), {block.ni, block.nj});
  define_places(domain, grid, block);
}

void run_endpoint(const epios::client::Session& session, int thread, const ep::Comm& comm,
                  const Options& options, const std::vector<double>& depths) {
  const Grid grid;
  epios::client::Client client(session, thread);
  const Block block = block_of(grid, client.rank(), client.size(), options.columns);
  Wave wave(grid, depths, earthquake, block, comm);
  epios::client::Context context = client.open_context("sea");
  define_output(context, options, grid, block, wave);
  context.close_definition();
  if (wave.is_land_only()) {
    std::printf("client %d of %d has land only, and calls as all do\n", client.rank(),
                client.size());
  }
  for (int step = 1; step <= options.hours * 3600 / timestep_s; ++step) {
    wave.advance(timestep_s);
    context.update_calendar(step);
    context.send("surface", wave.surface());
  }
  context.finalize();
  if (client.rank() == 0) {
    for (const auto& file : context.file_reports()) {
      std::printf("%s: %lld records\n", file.path.c_str(),
                  static_cast<long long>(file.records_written));
    }
  }
  client.close();
}

/// Ends the whole job; other threads may be waiting for this one, so nothing is unwound.
[[noreturn]] void fail(const std::exception& error) {
  std::fprintf(stderr, "tsunami: %s\n", error.what());
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

/// The servers of the job wait for this process, and the launcher ends them only after one that had
/// started MPI.
[[noreturn]] void refuse(const CLI::ParseError& error) {
  std::fprintf(stderr, "tsunami: %s (--help says how it is used).\n", error.what());
  MPI_Init(nullptr, nullptr);
  std::fflush(nullptr);
  std::_Exit(2);
}

void run(const Options& options) {
  const Grid grid;
  epios::client::Session session(
      "tsunami", {.iodef = options.iodef, .clients = options.threads, .host_server = false});
  const std::vector<double> depths = read_depths(grid, earthquake, options.relief);
  if (timestep_s > Wave::longest_step_s(grid, depths)) {
    throw std::runtime_error("the time step is too long for this depth");
  }
  {
    const ep::Comm processes = ep::Comm::from_mpi(session.comm());
    const std::vector<ep::Comm> endpoints = processes.create_endpoints(options.threads);
    if (endpoints.front().size() % options.columns != 0) {
      throw std::runtime_error(std::to_string(endpoints.front().size()) +
                               " endpoints do not stand in " + std::to_string(options.columns) +
                               " columns. Set --columns?");
    }
    omp_set_dynamic(0);
#pragma omp parallel num_threads(options.threads)
    try {
      if (omp_get_num_threads() != options.threads) {
        throw std::runtime_error(
            "OpenMP gives too few threads (a limit of the environment). Use a smaller --threads.");
      }
      const int thread = omp_get_thread_num();
      run_endpoint(session, thread, endpoints[static_cast<std::size_t>(thread)], options, depths);
    } catch (const std::exception& error) {
      fail(error);
    }
  }
  session.close();
}

}  // namespace
}  // namespace tsunami

int main(int argc, char** argv) {
  tsunami::Options options;
  CLI::App app("The tsunami of Lisbon on a rotated grid, written by EPIOS");
  app.add_option("--hours", options.hours, "length of the run in hours")
      ->check(CLI::Range(1, 240))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "client endpoints (OpenMP threads) per process")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--columns", options.columns, "blocks side by side")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--relief", options.relief, "etopo20.cdf of ferret-datasets")
      ->capture_default_str();
  app.add_option("--iodef", options.iodef, "XML: what is written")->capture_default_str();
  app.add_option("--output", options.output, "folder of the output files")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::ParseError& error) {
    tsunami::refuse(error);
  }
  try {
    tsunami::run(options);
  } catch (const std::exception& error) {
    tsunami::fail(error);
  }
  return EXIT_SUCCESS;
}
