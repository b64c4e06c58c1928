#include "process.hpp"

#include <ep/finalize.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

#include "team.hpp"

namespace ep {

namespace {

bool mpi_is_initialized() {
  int flag = 0;
  check_mpi(MPI_Initialized(&flag), "MPI_Initialized");
  return flag != 0;
}

/// Of EP_WATCHDOG_S; none, with a warning, for what are no seconds.
std::optional<double> watchdog_seconds(const char* text) {
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (end != text && *end == '\0' && std::isfinite(seconds) && seconds >= 0) return seconds;
  std::fprintf(stderr,
               "ep: warning: EP_WATCHDOG_S is '%s' (expected seconds, 0 for never). The default of "
               "60 s holds.\n",
               text);
  return std::nullopt;
}

}  // namespace

Process& process() {
  static Process* const instance = new Process;  // NOLINT: the one state of design section 2
  return *instance;
}

bool mpi_is_finalized() noexcept {
  int flag = 0;
  return MPI_Finalized(&flag) != MPI_SUCCESS || flag != 0;
}

Process::~Process() = default;

Process::Process() : registry_(doorbell_, engine_), teams_(std::make_unique<Teams>()) {
  if (const char* seconds = std::getenv("EP_WATCHDOG_S"); seconds != nullptr) {
    if (const auto value = watchdog_seconds(seconds)) registry_.set_watchdog(*value);
  }
  if (const char* wanted = std::getenv("EP_CHECK_TYPES"); wanted != nullptr) {
    checks_types_ = std::atoi(wanted) != 0;
  }
}

int Process::enter(int* argc, char*** argv, int required) {
  const std::lock_guard lock(mutex_);
  if (mpi_is_finalized()) {
    fail(EP_ERR_OTHER, "EP_Init_thread after MPI_Finalize (MPI cannot start twice).");
  }
  if (!mpi_is_initialized()) {
    int provided = MPI_THREAD_SINGLE;
    check_mpi(MPI_Init_thread(argc, argv, required, &provided), "MPI_Init_thread");
    initialised_mpi_ = true;
    // Registered first, it runs last: other callbacks may communicate.
    const auto shut_down = [](void* engine) { static_cast<Engine*>(engine)->shut_down(); };
    if (const int code = EP_On_finalize(shut_down, &engine_); code != EP_SUCCESS) {
      throw Error(code, last_error());
    }
  }
  check_mpi(MPI_Query_thread(&thread_level_), "MPI_Query_thread");
  int rank = 0;
  check_mpi(MPI_Comm_rank(MPI_COMM_WORLD, &rank), "MPI_Comm_rank");
  engine_.set_world_rank(rank);
  entries_.fetch_add(1);
  was_entered_.store(true);
  return thread_level_;
}

void Process::leave() {
  // Before nobody can ask them for anything any more.
  if (entries_.load() == 1 && spares_.exist() && start_.exist()) spares_.dismiss(start_.world());
  {
    const std::lock_guard lock(mutex_);
    if (entries_.load() == 0) {
      fail(EP_ERR_OTHER, "EP_Finalize without EP_Init_thread (calls must pair).");
    }
    if (entries_.fetch_sub(1) > 1) return;
    start_.free();
    spares_.free();
    if (!initialised_mpi_ || mpi_is_finalized()) return;
  }
  // Callbacks of EP_On_finalize may use this library.
  check_mpi(MPI_Finalize(), "MPI_Finalize");
}

std::uint64_t Process::next_uid() noexcept {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(world_rank())) << 32U) |
         next_uid_.fetch_add(1);
}

std::shared_ptr<Sleeper> Process::sleeper(int id) {
  const std::lock_guard lock(sleeper_mutex_);
  std::weak_ptr<Sleeper>& place = sleeper_of_[id];
  std::shared_ptr<Sleeper> sleeper = place.lock();
  if (!sleeper) {
    // Points that remember one given back only wake somebody who then looks in vain.
    sleeper.reset(sleepers_.take(), [this, id](Sleeper* item) {
      sleepers_.give(item);
      const std::lock_guard relock(sleeper_mutex_);
      const auto found = sleeper_of_.find(id);
      if (found != sleeper_of_.end() && found->second.expired()) sleeper_of_.erase(found);
    });
    place = sleeper;
  }
  return sleeper;
}

std::shared_ptr<Clique> Process::meet(std::uint64_t key, int pickups,
                                      const std::function<std::shared_ptr<Clique>()>& make) {
  std::shared_ptr<Rendezvous> entry;
  {
    const std::lock_guard lock(mutex_);
    auto& place = rendezvous_[key];
    if (!place) {
      place = std::make_shared<Rendezvous>();
      place->pickups_left = pickups;
    }
    entry = place;
    if (--entry->pickups_left == 0) rendezvous_.erase(key);
  }
  const std::lock_guard lock(entry->making);
  if (entry->code == EP_SUCCESS && !entry->clique) {
    entry->code = guarded([&] { entry->clique = make(); });
    if (entry->code != EP_SUCCESS) entry->text = last_error();
  }
  if (entry->code != EP_SUCCESS) throw Error(entry->code, entry->text);
  return entry->clique;
}

void wait_for_mpi(MPI_Request& raw, const char* reason) {
  const WaitSpec spec{reason, -1, 0, true};
  const auto wait = [&] {
    process().registry().wait(std::span<WaitPoint* const>(), spec, [&raw] {
      int flag = 0;
      check_mpi(MPI_Test(&raw, &flag, MPI_STATUS_IGNORE), "MPI_Test");
      return flag != 0;
    });
  };
  // The buffers of a raw operation are mostly its caller's: an error of other traffic does not end
  // the wait unless it is for good.
  constexpr int most_errors = 1000;
  for (int errors = 1;; ++errors) {
    const int code = guarded(wait);
    if (code == EP_SUCCESS) return;
    if (raw == MPI_REQUEST_NULL || errors == most_errors) throw Error(code, last_error());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

bool is_endpoint(EP_Comm comm) noexcept {
  return process().endpoints().contains(comm) && comm->alive.load() == endpoint_alive;
}

EP_Comm endpoint_or_null(EP_Comm comm) noexcept {
  if (!StartCommunicators::is_predefined(comm)) return is_endpoint(comm) ? comm : EP_COMM_NULL;
  try {
    return process().start().resolve(comm);
  } catch (const std::exception&) {
    return EP_COMM_NULL;  // not started, or the thread is no endpoint of it
  }
}

Endpoint& endpoint_of(EP_Comm comm) {
  if (comm == EP_COMM_NULL) fail(EP_ERR_COMM, "the communicator is EP_COMM_NULL.");
  if (StartCommunicators::is_predefined(comm)) return *process().start().resolve(comm);
  if (!is_endpoint(comm)) {
    fail(EP_ERR_COMM, "the communicator handle is not valid (freed, or not made by this library).");
  }
  return *comm;
}

Endpoint& intra_endpoint_of(EP_Comm comm, const char* operation) {
  Endpoint& endpoint = endpoint_of(comm);
  if (endpoint.clique->is_inter()) {
    fail(EP_ERR_COMM, operation,
         " on an intercommunicator (it needs one group). Use the local communicator?");
  }
  return endpoint;
}

namespace {

// Every endpoint counts references of its own: siblings would fight for one counter at each
// message.
std::shared_ptr<Clique> own_reference(std::shared_ptr<Clique> clique) {
  Clique* const same = clique.get();
  return {std::make_shared<std::shared_ptr<Clique>>(std::move(clique)), same};
}

struct Waiting {
  std::shared_ptr<Sleeper> as;
  int size;  // of the group, for the watchdog
};

EP_Comm make_handle(const Endpoint* parent, std::shared_ptr<Clique> clique, const Member& as,
                    const Waiting& waiting) {
  ep_comm* const endpoint = process().endpoints().take();
  endpoint->clique = own_reference(std::move(clique));
  endpoint->slot = as.slot;
  endpoint->side = as.side;
  endpoint->rank = as.rank;
  endpoint->operations = 0;
  endpoint->duplications = 0;
  endpoint->sleeper = waiting.as;
  endpoint->of_start = parent != nullptr && parent->of_start;
  Slot& place = endpoint->place();
  place.rank = as.rank;
  place.size = waiting.size;
  place.sleeper.store(waiting.as.get());
  place.errors.set_comm(endpoint);
  if (parent != nullptr) {
    place.errors.inherit(parent->place().errors);
    if (parent->clique->checks_types.load()) endpoint->clique->checks_types.store(true);
  }
  endpoint->alive.store(endpoint_alive);
  return endpoint;
}

}  // namespace

EP_Comm make_early_endpoint(const Endpoint& parent, std::shared_ptr<Clique> clique, int size) {
  return make_handle(&parent, std::move(clique), parent, {parent.sleeper, size});
}

EP_Comm make_endpoint(const Endpoint* parent, std::shared_ptr<Clique> clique, int slot, int side,
                      int rank) {
  const RankTable& group = clique->local_group(side);
  const Waiting waiting{process().sleeper(group.id(rank)), group.size()};
  return make_handle(parent, std::move(clique), {nullptr, slot, side, rank}, waiting);
}

void free_endpoint(EP_Comm comm) {
  Endpoint& endpoint = endpoint_of(comm);
  delete_attributes(comm);
  endpoint.alive.store(0);
  endpoint.place().errors.set_comm(EP_COMM_NULL);
  endpoint.topology.reset();
  endpoint.hints.clear();
  endpoint.clique.reset();
  endpoint.sleeper.reset();
  process().endpoints().give(comm);
}

}  // namespace ep
