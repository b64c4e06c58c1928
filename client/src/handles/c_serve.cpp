#include <epios/epios.h>

#include <ep/ep.hpp>
#include <memory>
#include <optional>

#include "config/error.hpp"
#include "event/job.hpp"
#include "event/job_rendezvous.hpp"
#include "handles/c_guard.hpp"
#include "handles/handle_table.hpp"
#include "server/server.hpp"

namespace {

using epios::Error;
using epios::ErrorCode;
using epios::client::guarded;
using epios::client::HandleTable;

/// Whether everything that arrived is in finished files.
bool serve(MPI_Comm comm) {
  auto environment = std::make_unique<ep::Environment>(MPI_THREAD_MULTIPLE);
  std::optional<epios::io::JobRendezvous> rendezvous;
  std::unique_ptr<epios::io::Job> job;
  try {
    rendezvous.emplace(comm);
    job = std::make_unique<epios::io::Job>(
        rendezvous->comm(), epios::io::JobMember{.code_id = "", .clients = 0, .serves = true},
        environment->thread_level());
    epios::server::Server server(*job);
    server.run();
    return server.is_clean();
  } catch (...) {
    // The process will end without MPI_Finalize, which would wait for models that wait for it.
    static_cast<void>(job.release());
    static_cast<void>(environment.release());
    if (rendezvous) rendezvous->abandon();
    throw;
  }
}

}  // namespace

int epios_serve(MPI_Comm comm) {
  return guarded([&] {
    HandleTable::instance().claim_session();
    if (!serve(comm)) {
      throw Error(ErrorCode::io,
                  "the server could not finish all files (see the log). Free space or write "
                  "elsewhere?");
    }
    HandleTable::instance().leave_well();
  });
}
