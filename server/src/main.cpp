#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <exception>

#include "event/job.hpp"
#include "server/server.hpp"

namespace {

/// One server process of the job; 0 when everything that arrived is in finished files.
int serve(const ep::Environment& environment) {
  const epios::io::Job job(MPI_COMM_WORLD, {.code_id = "", .clients = 0, .serves = true},
                           environment.thread_level());
  epios::server::Server server(job);
  server.run();
  return server.is_clean() ? 0 : 1;
}

/// Never leaves by MPI_Finalize after an error: that is collective, and the models wait for this
/// server.
int serve_or_exit() {
  const ep::Environment environment(MPI_THREAD_MULTIPLE);
  try {
    return serve(environment);
  } catch (const std::exception& error) {
    fmt::print(stderr, "epios_server: error: {}\n", error.what());
    std::fflush(stderr);
    // Ends the whole job, and later than an abort would: the launcher still forwards the text.
    std::_Exit(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "EPIOS I/O server. Start it beside the models, in one MPI job:\n"
      "  mpiexec -n 4 model : -n 1 epios_server"};
  app.set_version_flag("--version", EPIOS_VERSION);
  CLI11_PARSE(app, argc, argv);
  try {
    return serve_or_exit();
  } catch (const std::exception& error) {
    fmt::print(stderr, "epios_server: error: {}\n", error.what());
    return 1;
  }
}
