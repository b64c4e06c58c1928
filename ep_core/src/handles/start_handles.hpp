#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstdint>
#include <optional>

namespace ep {

/// True if the handle is one of the four that stand for another communicator in every process and
/// thread: EP_COMM_WORLD, EP_COMM_ENDPOINTS, EP_COMM_CLIQUE, EP_COMM_SELF.
bool is_predefined(EP_Comm comm) noexcept;

/// Resolves these handles, and tells where threads are attached. The room programs/, which creates
/// the communicators, implements it.
class StartHandles {
 public:
  StartHandles() = default;
  StartHandles(const StartHandles&) = delete;
  StartHandles(StartHandles&&) = delete;
  StartHandles& operator=(const StartHandles&) = delete;
  StartHandles& operator=(StartHandles&&) = delete;
  virtual ~StartHandles() = default;

  /// Returns the communicator for which a predefined handle stands in the calling thread. Throws if
  /// the thread is attached to no endpoint or to one outside that communicator, or may not call
  /// (EP_THREAD_FUNNELED).
  virtual EP_Comm resolve(EP_Comm predefined) const = 0;
  /// Returns the endpoint of the calling thread, or EP_UNDEFINED.
  virtual int attached() const noexcept = 0;
  /// Begins a CallScope. Returns the word that is 0 when it has ended, or null.
  virtual std::atomic<std::uint64_t>* begin_call(EP_Comm comm) const = 0;
  /// Returns EP_UNIVERSE_SIZE if it differs from MPI's.
  virtual std::optional<int> universe_size() const = 0;
};

/// Sets the object that is queried from now on, until the process ends.
void use_start_handles(const StartHandles& handles);
/// Records that the requested thread level allows fewer calls than the library supports.
void restrict_calls(bool restricted);

// Equivalents of these functions that also work without start communicators.
EP_Comm resolved(EP_Comm predefined);
int attached_endpoint() noexcept;
std::optional<int> universe_size();

/// Marks a call of the calling thread for the endpoint behind `comm` during its lifetime. Throws
/// EP_ERR_OTHER if the thread level forbids the call: MPI_THREAD_SERIALIZED while another thread is
/// in a call for the same endpoint, MPI_THREAD_FUNNELED while another thread is attached there.
/// Nested calls (from callbacks) are allowed, since they come from the same thread. Communicators
/// that libraries wrap (EP_Comm_from_mpi) and endpoints made by handle have no level of their own.
class CallScope {
 public:
  explicit CallScope(EP_Comm comm);
  CallScope(const CallScope&) = delete;
  CallScope(CallScope&&) = delete;
  CallScope& operator=(const CallScope&) = delete;
  CallScope& operator=(CallScope&&) = delete;
  ~CallScope() {
    if (caller_ != nullptr) caller_->store(0, std::memory_order_release);
  }

 private:
  std::atomic<std::uint64_t>* caller_ = nullptr;
};

}  // namespace ep
