// Start communicators and the attachment of threads to endpoints. One thread-local object says
// where a thread is attached and in which generation of start communicators. In order: the thread's
// state, creation and end, resolving predefined handles, thread levels, attaching.
#include "programs/attachment.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "creation/api_creation.hpp"
#include "creation/subset.hpp"
#include "handles/endpoint.hpp"
#include "process/error.hpp"
#include "process/first_exception.hpp"
#include "process/process.hpp"
#include "programs/job_statistics.hpp"
#include "programs/program_tables.hpp"
#include "progress/progress.hpp"
#include "traces/observation.hpp"

namespace ep {

namespace {

pid_t thread_id() noexcept { return static_cast<pid_t>(::syscall(SYS_gettid)); }

std::vector<pid_t> running_threads() {
  std::vector<pid_t> out;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    out.push_back(static_cast<pid_t>(std::atoi(entry.path().filename().c_str())));
  }
  // Without /proc, the calling thread is the only one known to run.
  if (out.empty()) out.push_back(thread_id());
  return out;
}

std::uint64_t next_token() noexcept {
  static std::atomic<std::uint64_t> last{0};  // NOLINT: numbers threads, for a lock word
  return last.fetch_add(1) + 1;
}

}  // namespace

/// The calling thread's part. Gives a claimed endpoint back when the thread ends.
struct ThreadAttachment {
  std::uint64_t generation = 0;
  int endpoint = EP_UNDEFINED;
  std::uint64_t token = next_token();

  void release() const noexcept {
    const StartCommunicators& start = start_communicators();
    const std::lock_guard lock(start.end_mutex_);
    if (generation != start.generation_ || !start.exist() || endpoint == EP_UNDEFINED) return;
    std::uint64_t mine = token;
    start.home(endpoint).caller.compare_exchange_strong(mine, 0);
  }
  ThreadAttachment() = default;
  ThreadAttachment(const ThreadAttachment&) = delete;
  ThreadAttachment(ThreadAttachment&&) = delete;
  ThreadAttachment& operator=(const ThreadAttachment&) = delete;
  ThreadAttachment& operator=(ThreadAttachment&&) = delete;
  ~ThreadAttachment() { release(); }
};

namespace {

// The thread-local state that defines the attached endpoint of a thread (docs/architecture.md).
ThreadAttachment& this_thread() {
  thread_local ThreadAttachment state;
  return state;
}

}  // namespace

void StartCommunicators::create(EP_Comm world, int endpoints, int level) {
  world_ = world;
  Membership mine;
  mine.count = endpoints;
  mine.first_id = 0;  // the first of them is the process itself
  if (endpoints < 1) mine.error = EP_ERR_ENDPOINTS;
  if (endpoints > 1 && process().thread_level() < MPI_THREAD_MULTIPLE) {
    mine.error = EP_ERR_ENDPOINTS;
  }
  std::vector<NewEndpoint> all;
  try {
    all = create_members(*world_, mine, "EP_Init_endpoint");
  } catch (...) {
    free_endpoint(std::exchange(world_, EP_COMM_NULL));
    throw;
  }
  const NewEndpoint alone = create_from_mpi(MPI_COMM_SELF);
  const EP_Comm process_only = handle_of(nullptr, alone);
  const auto clique = create_members(*process_only, mine, "EP_Init_endpoint");
  free_endpoint(process_only);

  homes_ = std::make_unique<Home[]>(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int number = static_cast<int>(i);
    homes_[i].in_endpoints = handle_of(nullptr, all[i]);
    homes_[i].in_clique = handle_of(nullptr, clique[i]);
    homes_[i].self = handle_of(
        nullptr, create_subset(*homes_[i].in_clique, std::span(&number, 1), subset_tag(0)));
  }
  agree_on_statistics(world_);
  world_->of_start = true;
  introduce(world_, EP_COMM_WORLD, "EP_COMM_WORLD");
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (EP_Comm handle : {homes_[i].in_endpoints, homes_[i].in_clique, homes_[i].self}) {
      handle->of_start = true;
    }
    introduce(homes_[i].in_endpoints, EP_COMM_ENDPOINTS, "EP_COMM_ENDPOINTS");
    introduce(homes_[i].in_clique, EP_COMM_CLIQUE, "EP_COMM_CLIQUE");
    introduce(homes_[i].self, EP_COMM_SELF, "EP_COMM_SELF");
  }
  count_ = endpoints;
  level_ = level;
  threads_at_start_ = running_threads();
  ++generation_;
  exist_.store(true, std::memory_order_release);
  use_start_handles(*this);
  restrict_calls(level == MPI_THREAD_FUNNELED || level == MPI_THREAD_SERIALIZED);
  claim(0);
  move_to(0);
}

// Error handlers receive the handles that programs know.
void StartCommunicators::introduce(EP_Comm comm, EP_Comm predefined, const char* name) const {
  comm->place().errors.set_comm(predefined);
  registry().set_name(comm->place(), name);
  if (TraceFile* const trace = observation().trace();
      trace != nullptr && predefined == EP_COMM_ENDPOINTS) {
    trace->name(comm->local_group().id(comm->rank), "rank " + std::to_string(comm->rank));
  }
}

void StartCommunicators::delete_attributes() const {
  if (!exist()) return;
  const int mine = attached();
  FirstException problem;
  for (EP_Comm predefined : {EP_COMM_SELF, EP_COMM_CLIQUE, EP_COMM_ENDPOINTS, EP_COMM_WORLD}) {
    for (int i = 0; i < (predefined == EP_COMM_WORLD ? 1 : count_); ++i) {
      const EP_Comm comm = behind(predefined, i);
      // The predefined handles are those of the calling thread's endpoint.
      const EP_Comm told = i == mine ? predefined : comm;
      Attributes& left = comm->attributes;
      while (!left.empty()) {
        problem.guard([&] { ep::delete_attributes(comm, told); });
        if (!left.empty()) left.erase(set_last(left));  // the attribute whose function failed
      }
    }
  }
  problem.rethrow();
}

void StartCommunicators::free() noexcept {
  if (!exist_.exchange(false)) return;
  restrict_calls(false);
  for (int i = 0; i < count_; ++i) {
    free_endpoint(home(i).in_endpoints);
    free_endpoint(home(i).in_clique);
    free_endpoint(home(i).self);
  }
  free_endpoint(world_);
  // Threads that end later check their generation first.
  const std::lock_guard lock(end_mutex_);
  ++generation_;
  homes_.reset();
  count_ = 0;
}

int StartCommunicators::size() const noexcept { return home(0).in_endpoints->local_group().size(); }

int StartCommunicators::rank_of_first() const noexcept { return home(0).in_endpoints->rank; }

bool StartCommunicators::are_orphans() const noexcept {
  for (int i = 0; i < count_; ++i) {
    const EP_Comm parent = home(i).parent;
    if (parent == EP_COMM_NULL && i > 0) continue;  // a spawn may have connected the first only
    if (parent == EP_COMM_NULL || is_endpoint(parent)) return false;
  }
  return true;
}

bool StartCommunicators::ran_at_start() const noexcept {
  return std::find(threads_at_start_.begin(), threads_at_start_.end(), thread_id()) !=
         threads_at_start_.end();
}

int StartCommunicators::attached() const noexcept {
  if (!exist()) return EP_UNDEFINED;
  const ThreadAttachment& thread = this_thread();
  if (thread.generation == generation_) return thread.endpoint;
  return count_ == 1 || ran_at_start() ? 0 : EP_UNDEFINED;
}

EP_Comm StartCommunicators::behind(EP_Comm predefined, int endpoint) const {
  if (predefined == EP_COMM_ENDPOINTS) return home(endpoint).in_endpoints;
  if (predefined == EP_COMM_CLIQUE) return home(endpoint).in_clique;
  if (predefined == EP_COMM_SELF) return home(endpoint).self;
  if (endpoint != 0) {
    fail(EP_ERR_COMM, "EP_COMM_WORLD in a thread attached to endpoint ", endpoint,
         " of its clique (it has the first endpoint of each). Use EP_COMM_ENDPOINTS?");
  }
  return world_;
}

EP_Comm StartCommunicators::resolve(EP_Comm predefined) const {
  if (!exist()) {
    fail(EP_ERR_COMM, "a predefined communicator before EP_Init_thread or EP_Init_endpoint.");
  }
  const int endpoint = attached();
  if (endpoint == EP_UNDEFINED) {
    fail(EP_ERR_COMM, "a predefined communicator in a thread attached to none of the ", count_,
         " endpoints (only threads that ran at the start are by themselves). Call "
         "EP_Thread_attach, or load the library that lets threads inherit?");
  }
  if (level_ == MPI_THREAD_FUNNELED && home(endpoint).caller.load() != this_thread().token) {
    fail(EP_ERR_OTHER, "a call of a second thread at endpoint ", endpoint,
         " (MPI_THREAD_FUNNELED allows one). Ask for MPI_THREAD_SERIALIZED?");
  }
  return behind(predefined, endpoint);
}

StartCommunicators::Home* StartCommunicators::home_of(EP_Comm comm) const noexcept {
  if (is_predefined(comm)) {
    const int endpoint = attached();
    return endpoint == EP_UNDEFINED ? nullptr : &home(endpoint);
  }
  if (!is_endpoint(comm) || !comm->of_start || !comm->clique->is_active()) return nullptr;
  const int number = comm->local_group().id(comm->rank);
  return number < count_ ? &home(number) : nullptr;
}

std::optional<int> StartCommunicators::universe_size() const {
  if (!exist() || !spare_processes().exist()) return std::nullopt;
  return size() + spare_processes().count();
}

std::atomic<std::uint64_t>* StartCommunicators::begin_call(EP_Comm comm) const {
  Home* const home = home_of(comm);
  if (home == nullptr) return nullptr;
  const std::uint64_t mine = this_thread().token;
  std::uint64_t caller = home->caller.load(std::memory_order_relaxed);
  if (caller == mine) return nullptr;
  if (level_ == MPI_THREAD_FUNNELED) {
    // No thread is attached there, since a handle may outlive the attachment of its thread.
    if (caller == 0) return nullptr;
    fail(EP_ERR_OTHER,
         "a call of a second thread at an endpoint where another one is attached "
         "(MPI_THREAD_FUNNELED allows one). Ask for MPI_THREAD_SERIALIZED?");
  }
  caller = 0;
  if (!home->caller.compare_exchange_strong(caller, mine)) {
    fail(EP_ERR_OTHER,
         "a call at an endpoint where another thread is in a call "
         "(MPI_THREAD_SERIALIZED allows one at a time). Let threads take turns?");
  }
  return &home->caller;
}

int StartCommunicators::named(int rank, EP_Comm comm) const {
  if (comm == EP_COMM_NULL) {
    fail(EP_ERR_ENDPOINTS, "EP_Thread_attach with EP_COMM_NULL.");
  }
  const int from = attached() == EP_UNDEFINED ? 0 : attached();
  // Rank 0 of EP_COMM_WORLD may be meant by a thread that is outside of it.
  const Endpoint& via =
      is_predefined(comm) ? *behind(comm, comm == EP_COMM_WORLD ? 0 : from) : endpoint_of(comm);
  if (rank < 0 || rank >= via.local_group().size()) {
    fail(EP_ERR_ENDPOINTS, "EP_Thread_attach to rank ", rank, " (the communicator has ",
         via.local_group().size(), " ranks).");
  }
  const Place place = via.local_group().place(rank);
  if (place.process != via.clique->my_process()) {
    fail(EP_ERR_ENDPOINTS, "EP_Thread_attach to rank ", rank, " (an endpoint of another clique).");
  }
  const int number = via.local_group().id(rank);
  if (number >= count_) {
    fail(
        EP_ERR_ENDPOINTS, "EP_Thread_attach to rank ", rank,
        " of a communicator that does not come from EP_COMM_ENDPOINTS (it was created by handle).");
  }
  return number;
}

void StartCommunicators::claim(int endpoint) {
  if (level_ != MPI_THREAD_FUNNELED) return;
  std::uint64_t nobody = 0;
  const std::uint64_t mine = this_thread().token;
  if (!home(endpoint).caller.compare_exchange_strong(nobody, mine) && nobody != mine) {
    fail(EP_ERR_ENDPOINTS, "EP_Thread_attach to endpoint ", endpoint,
         ", where another thread is attached (MPI_THREAD_FUNNELED allows one). Ask for "
         "MPI_THREAD_SERIALIZED?");
  }
}

void StartCommunicators::move_to(int endpoint) const {
  ThreadAttachment& thread = this_thread();
  if (thread.generation == generation_ && thread.endpoint != endpoint) thread.release();
  thread.generation = generation_;
  thread.endpoint = endpoint;
}

void StartCommunicators::attach(int rank, EP_Comm comm) {
  if (!exist()) {
    fail(EP_ERR_ENDPOINTS, "EP_Thread_attach before EP_Init_thread or EP_Init_endpoint.");
  }
  const int endpoint = named(rank, comm);
  claim(endpoint);
  move_to(endpoint);
}

void StartCommunicators::inherit(int endpoint) {
  if (!exist()) return;
  if (endpoint != EP_UNDEFINED && (endpoint < 0 || endpoint >= count_)) {
    fail(EP_ERR_ENDPOINTS, "a thread inherits endpoint ", endpoint, " (the clique has ", count_,
         ").");
  }
  move_to(endpoint);
}

}  // namespace ep
