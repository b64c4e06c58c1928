// Dust over a mesh of hexagons, written through EPIOS: every OpenMP thread of every process is a
// client with cells in an order of its own.

#include <omp.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "mesh.hpp"
#include "tracer.hpp"

namespace hexagons {
namespace {

struct Options {
  int level = 5;
  int days = 12;
  int threads = 2;
  std::string iodef = "iodef.xml";
  std::string output = ".";
};

/// About half of a cell per step.
int steps_per_day(int level) { return 9 << (level > 2 ? level - 2 : 0); }

/// Says which cells this endpoint has, in which order, and where they are.
void define_output(epios::client::Context& context, const Options& options,
                   const std::vector<Cell>& mesh, const Tracer& model) {
  context.set("context", "", "output_dir", options.output);
  context.set("calendar", "", "timestep",
              std::to_string(86'400 / steps_per_day(options.level)) + "s");
  const std::vector<std::int64_t> index(model.cells().begin(), model.cells().end());
  std::vector<double> lon;
  std::vector<double> lat;
  std::vector<double> bounds_lon;
  std::vector<double> bounds_lat;
  std::vector<double> area;
  for (const int c : model.cells()) {
    const Cell& cell = mesh[static_cast<std::size_t>(c)];
    lon.push_back(longitude(cell.centre));
    lat.push_back(latitude(cell.centre));
    area.push_back(cell.area_m2);
    for (const Point& corner : cell.corners) {
      bounds_lon.push_back(longitude(corner));
      bounds_lat.push_back(latitude(corner));
    }
  }
  const auto cells = static_cast<std::int64_t>(index.size());
  const auto vertices = static_cast<std::int64_t>(most_corners);
  const epios::client::Element domain = context.at("domain", "mesh");
  domain.set("ni_glo", static_cast<std::int64_t>(mesh.size()));
  domain.set("i_index", std::span<const std::int64_t>(index));
  domain.set("nvertex", vertices);
  domain.set("lonvalue_1d", std::span<const double>(lon));
  domain.set("latvalue_1d", std::span<const double>(lat));
  domain.set("bounds_lon_1d", std::span<const double>(bounds_lon), {vertices, cells});
  domain.set("bounds_lat_1d", std::span<const double>(bounds_lat), {vertices, cells});
  domain.set("area_1d", std::span<const double>(area));
  // Behind its own cells the model's array has those of its neighbours.
  domain.set("data_ni", static_cast<std::int64_t>(model.amounts().size()));
}

void run_endpoint(const epios::client::Session& session, int thread, const ep::Comm& comm,
                  const Options& options, const std::vector<Cell>& mesh) {
  const int steps = steps_per_day(options.level);
  Tracer model(mesh, comm, seconds_per_day / steps);
  epios::client::Client client(session, thread);
  epios::client::Context context = client.open_context("air");
  define_output(context, options, mesh, model);
  context.close_definition();
  for (int step = 1; step <= options.days * steps; ++step) {
    model.advance(step);
    context.update_calendar(step);
    context.send("dust", model.amounts());
    if (step % steps == 0) context.send("dust_total", model.total());
  }
  context.finalize();
  if (client.rank() == 0) {
    std::printf("%zu cells on %d endpoints, %d days in steps of %d s\n", mesh.size(), client.size(),
                options.days, 86'400 / steps);
    for (const auto& file : context.file_reports()) {
      std::printf("%s: %lld records\n", file.path.c_str(),
                  static_cast<long long>(file.records_written));
    }
  }
  client.close();
}

/// Ends the whole job; other threads may be waiting for this one, so nothing is unwound.
[[noreturn]] void fail(const std::exception& error) {
  std::fprintf(stderr, "hexagons: %s\n", error.what());
  std::fflush(nullptr);
  std::_Exit(EXIT_FAILURE);
}

/// The servers of the job wait for this process, and the launcher ends them only after one that had
/// started MPI.
[[noreturn]] void refuse(const CLI::ParseError& error) {
  std::fprintf(stderr, "hexagons: %s (--help says how it is used).\n", error.what());
  MPI_Init(nullptr, nullptr);
  std::fflush(nullptr);
  std::_Exit(2);
}

void run(const Options& options) {
  const std::vector<Cell> mesh = make_mesh(options.level);
  epios::client::Session session(
      "hexagons", {.iodef = options.iodef, .clients = options.threads, .host_server = false});
  {
    const ep::Comm processes = ep::Comm::from_mpi(session.comm());
    const std::vector<ep::Comm> endpoints = processes.create_endpoints(options.threads);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(options.threads)
    try {
      if (omp_get_num_threads() != options.threads) {
        throw std::runtime_error(
            "OpenMP gives too few threads (a limit of the environment). Use a smaller --threads.");
      }
      const int thread = omp_get_thread_num();
      run_endpoint(session, thread, endpoints[static_cast<std::size_t>(thread)], options, mesh);
    } catch (const std::exception& error) {
      fail(error);
    }
  }
  session.close();
}

}  // namespace
}  // namespace hexagons

int main(int argc, char** argv) {
  hexagons::Options options;
  CLI::App app("Dust in a wind over hexagonal cells, written by EPIOS");
  app.add_option("--level", options.level, "10 * 4^level + 2 cells")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  app.add_option("--days", options.days, "length of the run in days")
      ->check(CLI::Range(1, 3650))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "client endpoints (OpenMP threads) per process")
      ->check(CLI::Range(1, 64))
      ->capture_default_str();
  app.add_option("--iodef", options.iodef, "XML: what is written")->capture_default_str();
  app.add_option("--output", options.output, "folder of the output files")->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& answer) {
    return app.exit(answer);
  } catch (const CLI::ParseError& error) {
    hexagons::refuse(error);
  }
  try {
    hexagons::run(options);
  } catch (const std::exception& error) {
    hexagons::fail(error);
  }
  return EXIT_SUCCESS;
}
