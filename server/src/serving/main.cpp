#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <exception>
#include <new>
#include <optional>

#include "arguments.hpp"
#include "event/job.hpp"
#include "event/job_rendezvous.hpp"
#include "server/server.hpp"

namespace {

/// One server process of the job; 0 when everything that arrived is in finished files.
int serve(const ep::Environment& environment) {
  epios::io::JobRendezvous rendezvous(MPI_COMM_WORLD);
  try {
    const epios::io::Job job(rendezvous.comm(), {.code_id = "", .clients = 0, .serves = true},
                             environment.thread_level());
    epios::server::Server server(job);
    server.run();
    return server.is_clean() ? 0 : 1;
  } catch (...) {
    rendezvous.abandon();  // to free it is collective, too
    throw;
  }
}

/// Ends the whole job, and later than an abort would: the launcher still forwards the text.
[[noreturn]] void end_job(int exit_code) {
  std::fflush(stderr);
  std::_Exit(exit_code);
}

/// Never leaves by MPI_Finalize after an error: that is collective, and the models wait for this
/// server.
int serve_or_exit() {
  const ep::Environment environment(MPI_THREAD_MULTIPLE);
  try {
    return serve(environment);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr,
               "epios_server: error: out of memory (an allocation failed). Start fewer processes "
               "on this node?\n");
    end_job(1);
  } catch (const std::exception& error) {
    fmt::print(stderr, "epios_server: error: {}\n", error.what());
    end_job(1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{
      "EPIOS I/O server. Start it beside the models, in one MPI job:\n"
      "  mpiexec -n 4 model : -n 1 epios_server",
      "epios_server"};
  app.set_version_flag("--version", EPIOS_VERSION);
  const std::optional<int> exit_code = ep::read_arguments(app, argc, argv);
  if (exit_code == 0) return 0;
  try {
    if (exit_code) {
      // A launcher ends the others of the job only for one that had joined them.
      const ep::Environment environment(MPI_THREAD_SINGLE);
      end_job(*exit_code);
    }
    return serve_or_exit();
  } catch (const std::exception& error) {
    fmt::print(stderr, "epios_server: error: {}\n", error.what());
    return 1;
  }
}
