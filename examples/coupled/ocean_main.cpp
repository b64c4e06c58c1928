// The ocean of two coupled models: that of examples/ocean_heat, driven by winds and heat that come
// from an atmosphere, on the ocean's own grid.
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <epios/epios.hpp>
#include <exception>
#include <vector>

#include "forcing.hpp"
#include "job.hpp"
#include "ocean.hpp"

namespace coupled {
namespace {

using ocean::Drive;
using ocean::Forcing;
using ocean::Grid;
using ocean::Rows;

constexpr double timestep_s = 7200;  // as iodef.xml has it
constexpr int steps_per_day = 12;
/// Of the layer that the surface mixes with, J/(m2 K): 50 m of water.
constexpr double heat_capacity = 1025.0 * 3990.0 * 50.0;

/// Of the ocean's cells as the model has them, and as what comes from the atmosphere is wanted.
void describe(epios::client::Context& context, const std::string& id, const Grid& grid,
              const Rows& rows) {
  const auto domain = [&](const char* attribute, const auto& value) {
    context.set("domain", id, attribute, value);
  };
  const double half = grid.step_degrees() / 2;
  std::vector<double> lat;
  std::vector<double> lat_edges;
  for (int j = rows.begin; j < rows.begin + rows.count; ++j) {
    lat.push_back(grid.lat[static_cast<std::size_t>(j)]);
    lat_edges.insert(lat_edges.end(), {lat.back() - half, lat.back() + half});
  }
  std::vector<double> lon_edges;
  for (const double lon : grid.lon) lon_edges.insert(lon_edges.end(), {lon - half, lon + half});
  domain("ni_glo", grid.ni);
  domain("nj_glo", grid.nj);
  domain("jbegin", rows.begin);
  domain("nj", rows.count);
  domain("lonvalue_1d", grid.lon);
  domain("latvalue_1d", lat);
  context.set("domain", id, "bounds_lon_1d", lon_edges, {2, grid.ni});
  context.set("domain", id, "bounds_lat_1d", lat_edges, {2, rows.count});
  const auto first = grid.wet.begin() + static_cast<std::ptrdiff_t>(rows.begin) * grid.ni;
  const std::vector<unsigned char> mask(first,
                                        first + static_cast<std::ptrdiff_t>(rows.count) * grid.ni);
  context.set("domain", id, "mask_2d", mask, {grid.ni, rows.count});
}

/// What has come from the atmosphere, for the next hours.
void take_over(const std::vector<double>& wind_u, const std::vector<double>& wind_v,
               const std::vector<double>& heat, const Grid& grid, const Rows& rows, Drive& drive) {
  const auto ni = static_cast<std::size_t>(grid.ni);
  for (std::size_t k = 0; k < heat.size(); ++k) {
    const double lat = grid.lat[static_cast<std::size_t>(rows.begin) + k / ni];
    const ocean::Vector drift = ocean::drift_of({wind_u[k], wind_v[k]}, lat);
    drive.u[k] = drift.u;
    drive.v[k] = drift.v;
    drive.warming[k] = heat[k] / heat_capacity;
  }
}

/// The temperature without the cells that surround the rows.
std::vector<double> without_halo(const ocean::Ocean& model, int ni) {
  std::vector<double> out;
  const auto row = static_cast<std::size_t>(model.row_length());
  for (int j = 1; j <= model.rows().count; ++j) {
    const auto cells = model.temperature().subspan(static_cast<std::size_t>(j) * row + 1,
                                                   static_cast<std::size_t>(ni));
    out.insert(out.end(), cells.begin(), cells.end());
  }
  return out;
}

void run_client(const epios::client::Session& session, int index, const ep::Comm& comm,
                const Options& options, const Forcing& forcing) {
  epios::client::Client client(session, index);
  epios::client::Context context = client.open_context("sea");
  context.set("context", "", "output_dir", options.output.string());
  const Grid& grid = forcing.grid;
  const Rows rows = ocean::rows_of(client.rank(), client.size(), grid);
  describe(context, "sea", grid, rows);
  describe(context, "sea_for_winds", grid, rows);
  ocean::Physics physics;
  physics.dt_s = timestep_s;
  ocean::Ocean model(forcing, rows, physics, comm);
  context.close_definition();

  // Until the atmosphere has been heard of, the sea is at rest.
  const std::size_t cells =
      static_cast<std::size_t>(grid.ni) * static_cast<std::size_t>(rows.count);
  const std::vector<double> none(cells, 0.0);
  Drive drive{none, none, none, none, 0};
  std::vector<double> wind_u(cells);
  std::vector<double> wind_v(cells);
  std::vector<double> heat(cells);
  for (int step = 1; step <= options.days * steps_per_day; ++step) {
    model.advance(drive);
    context.update_calendar(step);
    context.send("temperature", without_halo(model, grid.ni));
    if (!context.is_active("sky_heat", true)) continue;
    context.receive("wind_u_at_sea", wind_u);
    context.receive("wind_v_at_sea", wind_v);
    context.receive("heat_at_sea", heat);
    take_over(wind_u, wind_v, heat, grid, rows, drive);
    model.check_stability(drive);
  }
  context.finalize();
  if (client.rank() == 0) {
    std::printf("%d days of ocean and atmosphere, %d records from each to the other one\n",
                options.days, options.days * 4);
  }
  client.close();
}

void run(const Options& options) {
  const Forcing forcing = ocean::read_forcing(options.input);
  std::filesystem::create_directories(options.output);
  epios::client::Session session(
      "ocean", {.iodef = options.iodef.string(), .clients = options.threads, .host_server = false});
  {
    // The model's own messages: endpoints in the same order as its clients.
    const ep::Comm processes = ep::Comm::from_mpi(session.comm());
    const std::vector<ep::Comm> endpoints = processes.create_endpoints(options.threads);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(options.threads)
    try {
      const int thread = omp_get_thread_num();
      run_client(session, thread, endpoints[static_cast<std::size_t>(thread)], options, forcing);
    } catch (const std::exception& error) {
      fail("coupled_ocean", error);
    }
  }
  session.close();
}

}  // namespace
}  // namespace coupled

int main(int argc, char** argv) {
  int exit_code = EXIT_SUCCESS;
  const auto options = coupled::parse_options(argc, argv, "coupled_ocean", exit_code);
  if (!options) {
    if (exit_code != EXIT_SUCCESS) coupled::end_job(exit_code);
    return exit_code;
  }
  try {
    coupled::run(*options);
  } catch (const std::exception& error) {
    coupled::fail("coupled_ocean", error);
  }
  return EXIT_SUCCESS;
}
