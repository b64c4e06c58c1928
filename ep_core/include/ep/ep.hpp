/// @file
/// Thin C++ interface over <ep/ep.h>: types own handles, errors are exceptions, and spans are
/// buffers. Each function has the collectivity, thread and buffer rules of the C function that it
/// calls, and throws Error where that returns an error code.
#pragma once

#include <ep/ep.h>

#include <cstddef>
#include <cstdio>
#include <ep/error.hpp>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace ep {

/// Throws Error with EP_Last_error() unless `code` is EP_SUCCESS. Must be called by the thread
/// whose call returned `code`. Local.
inline void check(int code) {
  if (code != EP_SUCCESS) throw Error(code, EP_Last_error());
}

/// Calls EP_Init_library, and EP_Finalize in the destructor. Construction is local. If the library
/// initialised MPI, destruction of the last object of a process is collective over processes.
class Environment {
 public:
  /// Initialises the library, and MPI if it is not initialised, with the requested thread level;
  /// thread_level() returns the granted one. Local. Throws Error.
  explicit Environment(int required_thread_level = MPI_THREAD_MULTIPLE) {
    check(EP_Init_library(required_thread_level, &thread_level_));
  }
  Environment(const Environment&) = delete;
  Environment(Environment&&) = delete;
  Environment& operator=(const Environment&) = delete;
  Environment& operator=(Environment&&) = delete;
  ~Environment() { EP_Finalize(); }

  /// Returns the level that MPI grants: MPI_THREAD_SINGLE … MPI_THREAD_MULTIPLE.
  int thread_level() const noexcept { return thread_level_; }

 private:
  int thread_level_ = MPI_THREAD_SINGLE;
};

/// Attaches the calling thread to an endpoint for the lifetime of the object, then to its former
/// endpoint again. Meant for the beginning of an OpenMP region or task. Throws Error as
/// EP_Thread_attach fails. Local.
class AttachScope {
 public:
  /// Attaches the calling thread to the endpoint with this rank in `comm`. Throws Error and changes
  /// nothing on failure.
  explicit AttachScope(int rank, EP_Comm comm = EP_COMM_CLIQUE) {
    check(EP_Thread_attached(&before_));
    check(EP_Thread_attach(rank, comm));
  }
  AttachScope(const AttachScope&) = delete;
  AttachScope(AttachScope&&) = delete;
  AttachScope& operator=(const AttachScope&) = delete;
  AttachScope& operator=(AttachScope&&) = delete;
  ~AttachScope() {
    // With MPI_THREAD_FUNNELED the thread may have been its endpoint's only caller: restore that if
    // possible.
    if (before_ == EP_UNDEFINED || EP_Thread_attach(before_, EP_COMM_CLIQUE) != EP_SUCCESS) {
      EP_Thread_inherit(before_);
    }
  }

 private:
  int before_ = EP_UNDEFINED;
};

/// Owns a communicator handle of one endpoint. Only the named functions communicate; the destructor
/// frees the handle, which is local. Errors are exceptions: Comm sets the error handler
/// EP_ERRORS_RETURN for a handle that it takes over, and communicators created from it inherit that
/// handler. Move-only.
class Comm {
 public:
  /// Constructs an empty object (EP_COMM_NULL).
  Comm() noexcept = default;
  /// Takes ownership of a handle, which may be EP_COMM_NULL but not a predefined one. Local. Throws
  /// Error.
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

  /// Calls EP_Comm_from_mpi. Collective over `mpi`, which must outlive the result.
  static Comm from_mpi(MPI_Comm mpi) {
    EP_Comm handle = EP_COMM_NULL;
    check(EP_Comm_from_mpi(mpi, &handle));
    return Comm(handle);
  }

  /// Returns the handle for the C functions; this object keeps owning it.
  EP_Comm get() const noexcept { return handle_; }
  /// True unless the handle is EP_COMM_NULL.
  explicit operator bool() const noexcept { return handle_ != EP_COMM_NULL; }

  // The following queries are local; they concern the endpoint's own group, or the remote one. They
  // throw Error for EP_COMM_NULL.

  /// Returns the rank of this endpoint in its group.
  int rank() const { return query(EP_Comm_rank); }
  /// Returns the number of endpoints in its group.
  int size() const { return query(EP_Comm_size); }
  /// Returns the number of endpoints in the remote group. Throws for an intracommunicator.
  int remote_size() const { return query(EP_Comm_remote_size); }
  /// True for an intercommunicator.
  bool is_inter() const { return query(EP_Comm_test_inter) != 0; }
  /// Returns EP_Comm_locality of `rank`: EP_LOCALITY_PROCESS, EP_LOCALITY_NODE or
  /// EP_LOCALITY_REMOTE. Local.
  int locality(int rank) const {
    int value = 0;
    check(EP_Comm_locality(handle_, rank, &value));
    return value;
  }

  /// Calls EP_Comm_dup. Collective.
  Comm dup() const {
    Comm out;
    check(EP_Comm_dup(handle_, &out.handle_));
    return out;
  }
  /// Calls EP_Comm_split. Returns an empty object for colour EP_UNDEFINED. Collective.
  Comm split(int color, int key) const {
    Comm out;
    check(EP_Comm_split(handle_, color, key, &out.handle_));
    return out;
  }
  /// Calls EP_Comm_create_endpoints. Returns one communicator per new endpoint; one thread at a
  /// time may use each. Collective over this communicator.
  std::vector<Comm> create_endpoints(int count) const {
    std::vector<EP_Comm> handles(static_cast<std::size_t>(count), EP_COMM_NULL);
    check(EP_Comm_create_endpoints(handle_, count, MPI_INFO_NULL, handles.data()));
    std::vector<Comm> out;
    out.reserve(handles.size());
    for (EP_Comm handle : handles) out.emplace_back(handle);
    return out;
  }
  /// Calls EP_Intercomm_create. `peer` is significant at the leaders only. Collective over both
  /// groups.
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

/// Returns a byte count as an int, as MPI expects it. Throws Error with EP_ERR_COUNT if the message
/// is too long.
inline int message_count(std::size_t bytes) {
  constexpr std::size_t limit = 2147483647;
  if (bytes <= limit) return static_cast<int>(bytes);
  throw Error(EP_ERR_COUNT, "a message of " + std::to_string(bytes) +
                                " bytes cannot be sent (one "
                                "has at most " +
                                std::to_string(limit) + "). Can more processes share the work?");
}

/// Owns a window handle of one endpoint. Freeing a window is collective, so the destructor does not
/// free it: call free(), otherwise the window stays and the destructor prints a message to stderr.
/// Errors are exceptions: Window sets the error handler EP_ERRORS_RETURN for a handle that it takes
/// over. Move-only.
class Window {
 public:
  /// Constructs an empty object (EP_WIN_NULL).
  Window() noexcept = default;
  /// Takes ownership of a handle, which may be EP_WIN_NULL. Local. Throws Error.
  explicit Window(EP_Win handle) : handle_(handle) {
    if (handle_ != EP_WIN_NULL) check(EP_Win_set_errhandler(handle_, EP_ERRORS_RETURN));
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;
  Window(Window&& other) noexcept : handle_(std::exchange(other.handle_, EP_WIN_NULL)) {}
  Window& operator=(Window&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Window() {
    if (handle_ != EP_WIN_NULL) std::fputs("ep: a window was not freed (Window::free).\n", stderr);
  }

  // The following functions are collective over `comm`; `info` may be MPI_INFO_NULL.

  /// Calls EP_Win_create. The caller owns `memory`, which must outlive the window. Displacements
  /// count units of `unit` bytes.
  static Window create(const Comm& comm, std::span<std::byte> memory, int unit = 1,
                       MPI_Info info = MPI_INFO_NULL) {
    EP_Win handle = EP_WIN_NULL;
    check(EP_Win_create(memory.data(), size_of(memory), unit, info, comm.get(), &handle));
    return Window(handle);
  }
  /// Calls EP_Win_allocate. The window owns memory().
  static Window allocate(const Comm& comm, MPI_Aint bytes, int unit = 1,
                         MPI_Info info = MPI_INFO_NULL) {
    EP_Win handle = EP_WIN_NULL;
    void* base = nullptr;
    check(EP_Win_allocate(bytes, unit, info, comm.get(), static_cast<void*>(&base), &handle));
    return Window(handle);
  }
  /// Calls EP_Win_allocate_shared.
  static Window allocate_shared(const Comm& comm, MPI_Aint bytes, int unit = 1,
                                MPI_Info info = MPI_INFO_NULL) {
    EP_Win handle = EP_WIN_NULL;
    void* base = nullptr;
    check(
        EP_Win_allocate_shared(bytes, unit, info, comm.get(), static_cast<void*>(&base), &handle));
    return Window(handle);
  }
  /// Calls EP_Win_create_dynamic.
  static Window create_dynamic(const Comm& comm, MPI_Info info = MPI_INFO_NULL) {
    EP_Win handle = EP_WIN_NULL;
    check(EP_Win_create_dynamic(info, comm.get(), &handle));
    return Window(handle);
  }
  /// Calls EP_Win_create_client_server. Collective over both groups.
  static Window create_client_server(const Comm& intercomm, std::span<std::byte> memory,
                                     int unit = 1, MPI_Info info = MPI_INFO_NULL) {
    EP_Win handle = EP_WIN_NULL;
    check(EP_Win_create_client_server(memory.data(), size_of(memory), unit, info, intercomm.get(),
                                      &handle));
    return Window(handle);
  }

  /// Calls EP_Win_free. Collective; does nothing for EP_WIN_NULL.
  void free() {
    if (handle_ != EP_WIN_NULL) check(EP_Win_free(&handle_));
  }

  /// Returns the handle for the C functions; this object keeps owning it.
  EP_Win get() const noexcept { return handle_; }
  /// True unless the handle is EP_WIN_NULL.
  explicit operator bool() const noexcept { return handle_ != EP_WIN_NULL; }

  /// Returns the caller's segment, in bytes. Local.
  std::span<std::byte> memory() const {
    void* base = nullptr;
    const MPI_Aint* size = nullptr;
    int found = 0;
    check(EP_Win_get_attr(handle_, EP_WIN_BASE, static_cast<void*>(&base), &found));
    check(EP_Win_get_attr(handle_, EP_WIN_SIZE, static_cast<void*>(&size), &found));
    return {static_cast<std::byte*>(base), static_cast<std::size_t>(*size)};
  }
  /// Returns the segment of `rank` at its address in this process, for windows of
  /// allocate_shared(). Local.
  std::span<std::byte> memory_of(int rank) const {
    void* base = nullptr;
    MPI_Aint size = 0;
    int unit = 0;
    check(EP_Win_shared_query(handle_, rank, &size, &unit, static_cast<void*>(&base)));
    return {static_cast<std::byte*>(base), static_cast<std::size_t>(size)};
  }

  /// Calls EP_Win_fence. Collective.
  void fence(int assertion = 0) const { check(EP_Win_fence(assertion, handle_)); }
  /// Calls EP_Put with bytes; needs an access epoch. `data` must not change until the epoch ends or
  /// a flush returns.
  void put(std::span<const std::byte> data, int rank, MPI_Aint disp) const {
    const int count = message_count(data.size());
    check(EP_Put(data.data(), count, MPI_BYTE, rank, disp, count, MPI_BYTE, handle_));
  }
  /// Calls EP_Get with bytes; needs an access epoch. `data` must not be used until the epoch ends
  /// or a flush returns.
  void get(std::span<std::byte> data, int rank, MPI_Aint disp) const {
    const int count = message_count(data.size());
    check(EP_Get(data.data(), count, MPI_BYTE, rank, disp, count, MPI_BYTE, handle_));
  }
  /// Calls EP_Win_flush for `rank`, in a lock epoch.
  void flush(int rank) const { check(EP_Win_flush(rank, handle_)); }
  /// Calls EP_Win_flush_all, in a lock epoch.
  void flush_all() const { check(EP_Win_flush_all(handle_)); }
  /// Calls EP_Win_sync.
  void sync() const { check(EP_Win_sync(handle_)); }

 private:
  static MPI_Aint size_of(std::span<std::byte> memory) {
    return static_cast<MPI_Aint>(memory.size());
  }

  EP_Win handle_ = EP_WIN_NULL;
};

/// Holds a lock epoch for one rank, or a shared one for all ranks, during its lifetime. release()
/// ends the epoch and throws errors of the operations in it; the destructor ends it, too, but
/// ignores errors.
class WindowLock {
 public:
  /// Calls EP_Win_lock; `type` is EP_LOCK_SHARED or EP_LOCK_EXCLUSIVE. Waits for the lock.
  WindowLock(const Window& window, int type, int rank) : window_(window.get()), rank_(rank) {
    check(EP_Win_lock(type, rank, 0, window_));
  }
  /// Calls EP_Win_lock_all.
  explicit WindowLock(const Window& window) : window_(window.get()) {
    check(EP_Win_lock_all(0, window_));
  }
  WindowLock(const WindowLock&) = delete;
  WindowLock(WindowLock&&) = delete;
  WindowLock& operator=(const WindowLock&) = delete;
  WindowLock& operator=(WindowLock&&) = delete;
  ~WindowLock() { end(); }

  /// Ends the epoch: completes its operations and releases the lock. Throws their first error.
  void release() { check(end()); }

 private:
  int end() noexcept {
    const EP_Win window = std::exchange(window_, EP_WIN_NULL);
    if (window == EP_WIN_NULL) return EP_SUCCESS;
    return rank_ < 0 ? EP_Win_unlock_all(window) : EP_Win_unlock(rank_, window);
  }

  EP_Win window_;
  int rank_ = -1;
};

/// Describes what a thread waits for; the watchdog prints it.
struct WaitReason {
  const char* what = "";   ///< must outlive the wait
  int peer = -1;           ///< rank waited for, -1 when none or several
  double max_sleep_s = 0;  ///< bound of one sleep for conditions that no one rings for; 0: none
};

/// Calls EP_Wait_until with a callable `bool ready()`, which the calling thread invokes; an
/// exception from `ready` ends the wait and propagates. Local.
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

/// Calls EP_Send with bytes, which may be reused on return. Local. Throws Error, also for messages
/// that are too long (message_count()).
inline void send(const Comm& comm, std::span<const std::byte> bytes, int dest, int tag) {
  check(EP_Send(bytes.data(), message_count(bytes.size()), MPI_BYTE, dest, tag, comm.get()));
}

/// A received message and the rank of its sender.
struct Received {
  std::vector<std::byte> bytes;
  int source = EP_ANY_SOURCE;
};

/// Blocks until a message has arrived, and receives it with its own size. `source` and `tag` may be
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

/// Receives a message into `out` and returns true if one has arrived; otherwise returns false and
/// does not change `out`. Does not wait for a message.
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
