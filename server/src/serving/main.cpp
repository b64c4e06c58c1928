#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <ep/ep.hpp>
#include <exception>
#include <memory>
#include <optional>

#include "arguments.hpp"
#include "config/failure_text.hpp"
#include "event/job.hpp"
#include "event/job_rendezvous.hpp"
#include "server/server.hpp"

namespace {

/// One server process of the job; 0 when everything that arrived is in finished files.
int serve(const ep::Environment& environment) {
  epios::io::JobRendezvous rendezvous(MPI_COMM_WORLD);
  std::unique_ptr<epios::io::Job> job;
  try {
    job = std::make_unique<epios::io::Job>(
        rendezvous.comm(), epios::io::JobMember{.code_id = "", .clients = 0, .serves = true},
        environment.thread_level());
    epios::server::Server server(*job);
    server.run();
    return server.is_clean() ? 0 : 1;
  } catch (...) {
    // Threads of the server may still be at work for the job. To free the communicator is
    // collective.
    static_cast<void>(job.release());
    rendezvous.abandon();
    throw;
  }
}

/// Ends the whole job, and later than an abort would: the launcher still forwards the text.
[[noreturn]] void end_job(int exit_code) {
  std::fflush(stderr);
  std::_Exit(exit_code);
}

/// Prints what is wrong, if need be without memory.
void report(const std::exception& error) noexcept {
  try {
    fmt::print(stderr, "epios_server: error: {}\n", epios::failure_text(error));
  } catch (const std::exception&) {
    std::fputs("epios_server: error: out of memory (an allocation failed). Use more nodes?\n",
               stderr);
  }
}

/// Never leaves by MPI_Finalize after an error: that is collective, and the models wait for this
/// server.
int serve_or_exit() {
  const ep::Environment environment(MPI_THREAD_MULTIPLE);
  try {
    return serve(environment);
  } catch (const std::exception& error) {
    report(error);
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
    report(error);
    return 1;
  }
}
