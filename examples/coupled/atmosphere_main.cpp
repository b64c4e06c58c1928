// The atmosphere of two coupled models. It knows nothing of the ocean: what comes and goes is said
// in iodef.xml.
#include <omp.h>

#include <cstdlib>
#include <epios/epios.hpp>
#include <exception>
#include <vector>

#include "atmosphere.hpp"
#include "job.hpp"

namespace coupled {
namespace {

constexpr double timestep_s = 3600;  // as iodef.xml has it
constexpr int steps_per_day = 24;

void describe(epios::client::Context& context, const SkyGrid& grid, const Columns& columns) {
  std::vector<double> lon;
  std::vector<double> lon_edges;
  for (int i = columns.begin; i < columns.begin + columns.count; ++i) {
    lon.push_back(grid.lon(i));
    lon_edges.insert(lon_edges.end(), {grid.lon(i) - grid.dlon / 2, grid.lon(i) + grid.dlon / 2});
  }
  std::vector<double> lat;
  std::vector<double> lat_edges;
  for (int j = 0; j < grid.nj; ++j) {
    lat.push_back(grid.lat(j));
    lat_edges.insert(lat_edges.end(), {grid.lat(j) - grid.dlat / 2, grid.lat(j) + grid.dlat / 2});
  }
  const auto domain = [&context](const char* attribute, const auto& value) {
    context.set("domain", "sky", attribute, value);
  };
  domain("ni_glo", grid.ni);
  domain("nj_glo", grid.nj);
  domain("ibegin", columns.begin);
  domain("ni", columns.count);
  domain("lonvalue_1d", lon);
  domain("latvalue_1d", lat);
  context.set("domain", "sky", "bounds_lon_1d", lon_edges, {2, columns.count});
  context.set("domain", "sky", "bounds_lat_1d", lat_edges, {2, grid.nj});
}

void run_client(const epios::client::Session& session, int index, const Options& options,
                const SkyClimate& climate) {
  epios::client::Client client(session, index);
  epios::client::Context context = client.open_context("sky");
  context.set("context", "", "output_dir", options.output.string());
  const Columns columns = columns_of(client.rank(), client.size(), climate.grid);
  describe(context, climate.grid, columns);
  Atmosphere model(climate, columns, timestep_s);
  context.close_definition();

  std::vector<double> sea(model.air().size());
  for (int step = 1; step <= options.days * steps_per_day; ++step) {
    model.advance(step);
    context.update_calendar(step);
    context.send("air", model.air());
    context.send("wind_u", model.u());
    context.send("wind_v", model.v());
    context.send("heat", model.heat());
    // What has been sent for this date is on its way: both models may receive now.
    if (!context.is_active("sea_temperature", true)) continue;
    context.receive("sea_temperature", sea);
    model.see(sea);
  }
  context.finalize();
  client.close();
}

void run(const Options& options) {
  const SkyClimate climate = read_sky(options.input);
  std::filesystem::create_directories(options.output);
  epios::client::Session session(
      "atmosphere",
      {.iodef = options.iodef.string(), .clients = options.threads, .host_server = false});
  omp_set_dynamic(0);
#pragma omp parallel num_threads(options.threads)
  try {
    run_client(session, omp_get_thread_num(), options, climate);
  } catch (const std::exception& error) {
    fail("coupled_atmosphere", error);
  }
  session.close();
}

}  // namespace
}  // namespace coupled

int main(int argc, char** argv) {
  int exit_code = EXIT_SUCCESS;
  const auto options = coupled::parse_options(argc, argv, "coupled_atmosphere", exit_code);
  if (!options) {
    if (exit_code != EXIT_SUCCESS) coupled::end_job(exit_code);
    return exit_code;
  }
  try {
    coupled::run(*options);
  } catch (const std::exception& error) {
    coupled::fail("coupled_atmosphere", error);
  }
  return EXIT_SUCCESS;
}
