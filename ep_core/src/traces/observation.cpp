#include "traces/observation.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "cliques/clique.hpp"
#include "process/error.hpp"
#include "traces/account.hpp"

namespace ep {

Observation::Observation() {
  const char* const statistics = std::getenv("EP_STATISTICS");
  counts_ = statistics != nullptr && std::strcmp(statistics, "1") == 0;
  if (statistics != nullptr && !counts_ && std::strcmp(statistics, "0") != 0) {
    std::fprintf(stderr, "ep: warning: EP_STATISTICS is '%s' (expected 0 or 1). 0 holds.\n",
                 statistics);
  }
  if (const char* const trace = std::getenv("EP_TRACE"); trace != nullptr) trace_pattern_ = trace;
  if (!counts_ && trace_pattern_.empty()) return;
  if (std::atexit(say_rest) != 0) {
    std::fputs("ep: warning: EP_TRACE and EP_STATISTICS lose what is heard last.\n", stderr);
  }
}

Observation::~Observation() = default;

void Observation::listen_at(Clique& clique, const Ears& ears) {
  if (!counts_ && trace_pattern_.empty()) return;
  // Files are opened only when MPI has told which process this is.
  std::call_once(opened_, [this] {
    const int code = guarded([this] {
      check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &world_rank_), "MPI_Comm_rank");
      if (trace_pattern_.empty()) return;
      trace_ = std::make_unique<TraceFile>(trace_path(trace_pattern_, world_rank_), world_rank_);
    });
    if (code != EP_SUCCESS) std::fprintf(stderr, "ep: warning: %s\n", last_error());
  });
  if (!counts_ && trace_ == nullptr) return;
  clique.slot(ears.slot).listener = std::make_unique<Account>(*this, clique, ears);
}

void Observation::enter(Account& account) {
  const std::lock_guard lock(mutex_);
  living_.insert(&account);
}

void Observation::leave(Account& account) noexcept {
  const std::lock_guard lock(mutex_);
  living_.erase(&account);
  static_cast<void>(guarded([&] { account.give(ended_); }));
}

Statistics Observation::take_statistics() {
  const std::lock_guard lock(mutex_);
  for (Account* const account : living_) account->give(ended_);
  return std::exchange(ended_, Statistics());
}

// A process that has called EP_Finalize has printed everything; one that uses the library inside a
// program may not have.
void Observation::say_rest() noexcept {
  static_cast<void>(guarded([] {
    Observation& local = observation();
    if (local.trace_ != nullptr) local.trace_->flush();
    if (!local.counts_) return;
    const Statistics rest = local.take_statistics();
    if (rest.is_quiet()) return;
    const std::string whose = "process " + std::to_string(local.world_rank_);
    std::fputs(rest.table(whose).c_str(), stderr);
  }));
}

}  // namespace ep
