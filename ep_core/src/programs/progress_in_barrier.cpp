// MPICH before 4.2 may wait in MPI_Finalize for ever between nodes that UCX connects by TCP. There,
// each process disconnects its UCX endpoints and then waits in a barrier of the launcher, in which
// it makes no progress (MPICH's pull request 6596). A connection by TCP is disconnected when the
// other side has acknowledged what was sent; a process that comes a moment later than its peers
// waits for acknowledgements of those that sit in the barrier. The functions below stand before
// UCX's own, since a program looks for names in this library first: from the end of the
// disconnection to the destruction of UCX's worker, a thread makes the progress that is missing.
// Where names are found in another order, all is as without.
#include <dlfcn.h>
#include <mpi.h>

#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40200000

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <exception>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace ep {
namespace {

/// Returns UCX's function of this name; null if the process has none.
template <typename Function>
Function* ucx_function(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

class ProgressInBarrier {
 public:
  void know(void* worker) {
    const std::lock_guard lock(mutex_);
    known_workers_.push_back(worker);
  }

  /// Returns what MPICH gets for a disconnection: if nothing had to wait, once a request of ours,
  /// so that MPICH releases at least one and it is known when all are complete.
  void* disconnected(void* worker, void* request) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(known_workers_, worker) == known_workers_.end()) return request;
    if (std::ranges::find(workers_, worker) == workers_.end()) {
      workers_.push_back(worker);
      if (request == nullptr) request = &stand_in_;
    }
    if (is_request(request)) requests_.push_back(request);
    is_disconnecting_ = true;
    return request;
  }

  bool is_stand_in(const void* request) const { return request == &stand_in_; }

  /// MPICH calls this for any request, also for those of messages.
  void released(void* request) {
    if (!is_disconnecting_) return;
    const std::lock_guard lock(mutex_);
    if (std::erase(requests_, request) == 0) return;
    if (requests_.empty() && !workers_.empty()) start();
  }

  /// Progress has ended for all workers when this returns.
  void before_destruction(void* worker) {
    std::jthread ending;  // joined without the lock, since its progress may release requests
    const std::lock_guard lock(mutex_);
    std::erase(known_workers_, worker);
    if (std::erase(workers_, worker) != 0) ending = std::move(thread_);
  }

 private:
  /// UCX returns null, a pointer, or a negative error (of which there are 100) in a pointer's
  /// place.
  static bool is_request(const void* request) {
    return request != nullptr &&
           reinterpret_cast<std::uintptr_t>(request) < static_cast<std::uintptr_t>(-100);
  }

  void start() {
    auto* const progress = ucx_function<unsigned(void*)>("ucp_worker_progress");
    if (progress == nullptr) return;
    // Signals of the program are for its own threads.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    if (::pthread_sigmask(SIG_SETMASK, &all, &before) != 0) return;
    try {
      thread_ = std::jthread([progress, workers = workers_](const std::stop_token& stop) {
        while (!stop.stop_requested()) {
          for (void* const worker : workers) progress(worker);
          std::this_thread::sleep_for(between_looks);
        }
      });
    } catch (const std::exception&) {
      // Without a thread all is as without this class.
    }
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  static constexpr std::chrono::microseconds between_looks{500};

  std::mutex mutex_;
  std::vector<void*> known_workers_;
  std::vector<void*> workers_;
  std::vector<void*> requests_;
  std::atomic<bool> is_disconnecting_ = false;
  std::jthread thread_;
  char stand_in_ = 0;
};

/// It is never destroyed: programs may call MPI_Finalize in the destructor of anything.
ProgressInBarrier& progress_in_barrier() {
  static auto* const here = new ProgressInBarrier;
  return *here;
}

}  // namespace
}  // namespace ep

extern "C" {

signed char ucp_worker_create(void* context, const void* parameters, void** worker) {
  static auto* const below =
      ep::ucx_function<signed char(void*, const void*, void**)>("ucp_worker_create");
  const signed char status = below(context, parameters, worker);
  if (status == 0) ep::progress_in_barrier().know(*worker);
  return status;
}

void* ucp_disconnect_nb(void* endpoint) {
  static auto* const below = ep::ucx_function<void*(void*)>("ucp_disconnect_nb");
  // An endpoint of UCX begins with its worker. What is none of the workers that are known is left
  // alone.
  void* const worker = *static_cast<void**>(endpoint);
  return ep::progress_in_barrier().disconnected(worker, below(endpoint));
}

int ucp_request_is_completed(void* request) {
  static auto* const below = ep::ucx_function<int(void*)>("ucp_request_is_completed");
  return ep::progress_in_barrier().is_stand_in(request) ? 1 : below(request);
}

void ucp_request_release(void* request) {
  static auto* const below = ep::ucx_function<void(void*)>("ucp_request_release");
  if (!ep::progress_in_barrier().is_stand_in(request)) below(request);
  ep::progress_in_barrier().released(request);
}

void ucp_worker_destroy(void* worker) {
  static auto* const below = ep::ucx_function<void(void*)>("ucp_worker_destroy");
  ep::progress_in_barrier().before_destruction(worker);
  below(worker);
}

}  // extern "C"

#endif
