// A small ocean model that writes through EPIOS: every OpenMP thread of every process is a client.

#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <epios/epios.hpp>
#include <exception>
#include <memory>
#include <vector>

#include "dump.hpp"
#include "forcing.hpp"
#include "ocean.hpp"
#include "options.hpp"
#include "output.hpp"
#include "progress.hpp"
#include "restart.hpp"

namespace ocean {
namespace {

/// Ends the whole job: one process that ends with an error takes the others with it, but only once
/// it has joined them. Sibling threads may be waiting for the failed one, so nothing is joined or
/// unwound here.
[[noreturn]] void end_job(int exit_code) {
  std::fflush(nullptr);
  int joined = 0;
  if (EP_Initialized(&joined) == EP_SUCCESS && joined == 0) {
    int level = 0;
    EP_Init_library(MPI_THREAD_SINGLE, &level);  // the exit follows anyhow
  }
  std::_Exit(exit_code);
}
[[noreturn]] void fail(const std::exception& error) {
  std::fprintf(stderr, "ocean_heat: %s\n", error.what());
  end_job(EXIT_FAILURE);
}

/// Global mean temperature and traffic, the same on all endpoints. Collective over `comm`.
struct GlobalState {
  double mean = 0;
  Traffic traffic;
};
GlobalState gather_state(const Ocean& model, const epios_statistics& own, const ep::Comm& comm) {
  const auto microseconds = [](double seconds) { return static_cast<std::int64_t>(seconds * 1e6); };
  const Ocean::Integral integral = model.integral();
  const std::vector<std::int64_t> own_sums{integral.heat,
                                           integral.area,
                                           own.bytes_sent,
                                           microseconds(own.blocked_s),
                                           microseconds(own.in_library_s),
                                           microseconds(own.open_s)};
  std::vector<std::int64_t> sums(own_sums.size());
  ep::check(EP_Allreduce(own_sums.data(), sums.data(), static_cast<int>(sums.size()), MPI_INT64_T,
                         MPI_SUM, comm.get()));
  return {static_cast<double>(sums[0]) / static_cast<double>(sums[1]),
          {sums[2], sums[3], sums[4], sums[5]}};
}

/// One client endpoint from its first to its last call.
void run_endpoint(const epios::client::Session& session, int index, const ep::Comm& comm,
                  const Options& options, const Forcing& forcing) {
  epios::client::Client client(session, index);
  epios::client::Context context = client.open_context("ocean");
  const Rows rows = rows_of(client.rank(), client.size(), forcing.grid);
  define_output(context, options, forcing.grid, rows);
  define_continuation(context, options);
  Physics physics;
  physics.dt_s = static_cast<double>(options.timestep_s());
  Climate climate(forcing, rows, parameter(context, "relaxation_days", 30));
  Ocean model(forcing, rows, physics, comm);
  for (std::size_t month = 0; month < forcing.sst.size(); ++month) {
    model.check_stability(climate.of_month(month));
  }
  std::unique_ptr<Dump> dump;
  const bool first = client.rank() == 0;
  if (!options.dump.empty()) dump = std::make_unique<Dump>(options, forcing.grid);
  if (dump && first) dump->write_header(options, forcing.grid);
  if (options.restart > 0) read_restart(client, options, forcing.grid, model);
  context.close_definition();

  Progress progress(options, client.size());
  GlobalState state;
  for (std::int64_t step = options.first_step(); step <= options.last_step(); ++step) {
    model.advance(climate.at(step, physics.dt_s));
    context.update_calendar(step - options.first_step() + 1);
    context.send("sst", model.temperature());
    if (dump) dump->write(step, model);
    if (step % options.steps_per_day() != 0) continue;
    state = gather_state(model, context.statistics(), comm);
    context.send("sst_global_mean", state.mean);
    if (!first) continue;
    if (dump) dump->write_mean(step, state.mean);
    progress.show(step / options.steps_per_day(), context.current_date(), state.traffic);
  }
  context.finalize();
  if (options.stop > 0) write_restart(client, options, forcing.grid, model);
  if (first) progress.finish(context.file_reports(), state.traffic);
  client.close();
}

void run(const Options& options) {
  const Forcing forcing = read_forcing(options.input);
  std::filesystem::create_directories(options.output);
  epios::client::Session session(
      "ocean_heat",
      {.iodef = options.iodef.string(), .clients = options.threads, .host_server = false});
  {
    // The model's own messages: endpoints in the same order as its clients.
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
      run_endpoint(session, thread, endpoints[static_cast<std::size_t>(thread)], options, forcing);
    } catch (const std::exception& error) {
      fail(error);
    }
  }
  session.close();
}

}  // namespace
}  // namespace ocean

int main(int argc, char** argv) {
  int exit_code = EXIT_SUCCESS;
  const auto options = ocean::parse_options(argc, argv, exit_code);
  if (!options) {
    if (exit_code != EXIT_SUCCESS) ocean::end_job(exit_code);
    return exit_code;
  }
  try {
    ocean::run(*options);
  } catch (const std::exception& error) {
    ocean::fail(error);
  }
  return EXIT_SUCCESS;
}
