/// @file
/// Thin C++ over <ep/ep.h>: ownership as types, errors as exceptions, views for buffers. What the C
/// functions say of collectivity, threads and buffers holds here; what they return, is thrown.
#pragma once

#include <ep/ep.h>

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ep {

/// A failed call: `code` is what the C function returned, what() reads "problem (why).
/// Suggestion?".
class Error : public std::runtime_error {
 public:
  Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
  int code() const noexcept { return code_; }

 private:
  int code_;
};

/// Throws Error with EP_Last_error() unless `code` is EP_SUCCESS. For the thread whose call it was.
inline void check(int code) {
  if (code != EP_SUCCESS) throw Error(code, EP_Last_error());
}

/// Pairs EP_Init_library with EP_Finalize. Local to construct; the destructor of the last one of a
/// process that initialised MPI is collective over processes.
class Environment {
 public:
  explicit Environment(int required_thread_level = MPI_THREAD_MULTIPLE) {
    check(EP_Init_library(required_thread_level, &thread_level_));
  }
  Environment(const Environment&) = delete;
  Environment(Environment&&) = delete;
  Environment& operator=(const Environment&) = delete;
  Environment& operator=(Environment&&) = delete;
  ~Environment() { EP_Finalize(); }

  /// What MPI grants: MPI_THREAD_SINGLE … MPI_THREAD_MULTIPLE.
  int thread_level() const noexcept { return thread_level_; }

 private:
  int thread_level_ = MPI_THREAD_SINGLE;
};

/// Attaches the calling thread to an endpoint while it lives, then back to where it was. For the
/// start of an OpenMP region or task.
class AttachScope {
 public:
  explicit AttachScope(int rank, EP_Comm comm = EP_COMM_CLIQUE) {
    check(EP_Thread_attached(&before_));
    check(EP_Thread_attach(rank, comm));
  }
  AttachScope(const AttachScope&) = delete;
  AttachScope(AttachScope&&) = delete;
  AttachScope& operator=(const AttachScope&) = delete;
  AttachScope& operator=(AttachScope&&) = delete;
  ~AttachScope() {
    // Where the thread was it may have been the one caller: try to be that again.
    if (before_ == EP_UNDEFINED || EP_Thread_attach(before_, EP_COMM_CLIQUE) != EP_SUCCESS) {
      EP_Thread_inherit(before_);
    }
  }

 private:
  int before_ = EP_UNDEFINED;
};

/// Owns a communicator handle of one endpoint. Never communicates by itself: collective operations
/// are the named functions. The destructor frees the handle (local). Errors are exceptions: a
/// handle taken over gets the error handler EP_ERRORS_RETURN, and what is made from it inherits it.
class Comm {
 public:
  /// EP_COMM_NULL.
  Comm() noexcept = default;
  /// Takes over a handle, which may be EP_COMM_NULL; never a predefined one. Local.
  explicit Comm(EP_Comm handle) : handle_(handle) {
    if (handle_ != EP_COMM_NULL) check(EP_Comm_set_errhandler(handle_, EP_ERRORS_RETURN));
  }
  Comm(const Comm&) = delete;
  Comm& operator=(const Comm&) = delete;
  Comm(Comm&& other) noexcept : handle_(std::exchange(other.handle_, EP_COMM_NULL)) {}
  Comm& operator=(Comm&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Comm() {
    if (handle_ != EP_COMM_NULL) EP_Comm_free(&handle_);
  }

  /// EP_Comm_from_mpi. Collective over `mpi`, which must stay valid as long.
  static Comm from_mpi(MPI_Comm mpi) {
    EP_Comm handle = EP_COMM_NULL;
    check(EP_Comm_from_mpi(mpi, &handle));
    return Comm(handle);
  }

  /// The handle, for the C functions; stays owned.
  EP_Comm get() const noexcept { return handle_; }
  /// Whether it is not EP_COMM_NULL.
  explicit operator bool() const noexcept { return handle_ != EP_COMM_NULL; }

  // Local; of the group that the endpoint is ranked in, or the other one. Throw for EP_COMM_NULL.

  int rank() const { return query(EP_Comm_rank); }
  int size() const { return query(EP_Comm_size); }
  int remote_size() const { return query(EP_Comm_remote_size); }
  bool is_inter() const { return query(EP_Comm_test_inter) != 0; }
  /// EP_Comm_locality of a rank of the remote group.
  int locality(int rank) const {
    int value = 0;
    check(EP_Comm_locality(handle_, rank, &value));
    return value;
  }

  /// EP_Comm_dup. Collective.
  Comm dup() const {
    Comm out;
    check(EP_Comm_dup(handle_, &out.handle_));
    return out;
  }
  /// EP_Comm_split. Collective; null for colour EP_UNDEFINED.
  Comm split(int color, int key) const {
    Comm out;
    check(EP_Comm_split(handle_, color, key, &out.handle_));
    return out;
  }
  /// EP_Comm_create_endpoints. Collective over this communicator; one per endpoint that this
  /// process gets, each for one thread at a time.
  std::vector<Comm> create_endpoints(int count) const {
    std::vector<EP_Comm> handles(static_cast<std::size_t>(count), EP_COMM_NULL);
    check(EP_Comm_create_endpoints(handle_, count, MPI_INFO_NULL, handles.data()));
    std::vector<Comm> out;
    out.reserve(handles.size());
    for (EP_Comm handle : handles) out.emplace_back(handle);
    return out;
  }
  /// EP_Intercomm_create. Collective over both groups; `peer` counts at the leaders.
  static Comm intercomm(const Comm& local, int local_leader, const Comm& peer, int remote_leader,
                        int tag) {
    Comm out;
    check(EP_Intercomm_create(local.get(), local_leader, peer.get(), remote_leader, tag,
                              &out.handle_));
    return out;
  }

 private:
  int query(int (*function)(EP_Comm, int*)) const {
    int value = 0;
    check(function(handle_, &value));
    return value;
  }

  EP_Comm handle_ = EP_COMM_NULL;
};

/// What a wait is for: shown by the watchdog.
struct WaitReason {
  const char* what = "";   ///< must outlive the wait
  int peer = -1;           ///< rank waited for, -1 when none or several
  double max_sleep_s = 0;  ///< bound of one sleep for conditions that no one rings for; 0: none
};

/// EP_Wait_until with any callable `bool ready()`, called by this thread only; an exception from
/// `ready` ends the wait and propagates. Local.
template <class Ready>
void wait_until(const Comm& comm, WaitReason reason, Ready&& ready) {
  struct State {
    std::remove_reference_t<Ready>* ready;
    std::exception_ptr error;
  } state{&ready, nullptr};
  const int code = EP_Wait_until(
      comm.get(),
      [](void* opaque) -> int {
        auto& s = *static_cast<State*>(opaque);
        try {
          return (*s.ready)() ? 1 : 0;
        } catch (...) {
          s.error = std::current_exception();
          return -1;
        }
      },
      &state, reason.what, reason.peer, reason.max_sleep_s);
  if (state.error) std::rethrow_exception(state.error);
  check(code);
}

/// A byte count as MPI takes it. Throws Error for a message that is too long, naming its size.
inline int message_count(std::size_t bytes) {
  constexpr std::size_t limit = 2147483647;
  if (bytes <= limit) return static_cast<int>(bytes);
  throw Error(EP_ERR_COUNT, "a message of " + std::to_string(bytes) +
                                " bytes cannot be sent (one "
                                "has at most " +
                                std::to_string(limit) + "). Can more processes share the work?");
}

/// EP_Send of bytes, which may be reused afterwards. Throws as message_count().
inline void send(const Comm& comm, std::span<const std::byte> bytes, int dest, int tag) {
  check(EP_Send(bytes.data(), message_count(bytes.size()), MPI_BYTE, dest, tag, comm.get()));
}

/// A message of any size from `source` (or EP_ANY_SOURCE).
struct Received {
  std::vector<std::byte> bytes;
  int source = EP_ANY_SOURCE;
};

/// Blocks until a message of any size has come, and receives it. `source` and `tag` may be
/// wildcards.
inline Received receive(const Comm& comm, int source, int tag) {
  EP_Message message = EP_MESSAGE_NULL;
  EP_Status status;
  check(EP_Mprobe(source, tag, comm.get(), &message, &status));
  int count = 0;
  check(EP_Get_count(&status, MPI_BYTE, &count));
  Received out{std::vector<std::byte>(static_cast<std::size_t>(count)), status.EP_SOURCE};
  check(EP_Mrecv(out.bytes.data(), count, MPI_BYTE, &message, EP_STATUS_IGNORE));
  return out;
}

/// The same if one has arrived; otherwise false, and `out` stays as it is. Never waits.
inline bool try_receive(const Comm& comm, int source, int tag, Received& out) {
  EP_Message message = EP_MESSAGE_NULL;
  EP_Status status;
  int flag = 0;
  check(EP_Improbe(source, tag, comm.get(), &flag, &message, &status));
  if (flag == 0) return false;
  int count = 0;
  check(EP_Get_count(&status, MPI_BYTE, &count));
  out.bytes.resize(static_cast<std::size_t>(count));
  out.source = status.EP_SOURCE;
  check(EP_Mrecv(out.bytes.data(), count, MPI_BYTE, &message, EP_STATUS_IGNORE));
  return true;
}

}  // namespace ep
