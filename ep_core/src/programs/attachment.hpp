#pragma once

#include <ep/ep.h>
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "handles/start_handles.hpp"

namespace ep {

/// The four communicators that EP_Init_thread and EP_Init_endpoint create, and which thread is
/// attached to which endpoint of this process. Endpoints are numbered as in EP_COMM_CLIQUE.
class StartCommunicators final : public StartHandles {
 public:
  /// Creates the communicators of `world`, which it takes over: one endpoint per process of those
  /// that start together. Attaches the calling thread to endpoint 0. `level` is the thread level
  /// per endpoint. Collective over `world`.
  void create(EP_Comm world, int endpoints, int level);
  /// Deletes all attributes of the communicators, first those of EP_COMM_SELF (MPI-3.1, 8.7.1).
  /// Throws what the program's functions return, after all have been called.
  void delete_attributes() const;
  void free() noexcept;
  bool exist() const noexcept { return exist_.load(std::memory_order_acquire); }

  int level() const noexcept { return level_; }
  int size() const noexcept;
  /// Returns the rank of endpoint 0 in EP_COMM_ENDPOINTS.
  int rank_of_first() const noexcept;

  EP_Comm resolve(EP_Comm predefined) const override;
  int attached() const noexcept override;
  std::atomic<std::uint64_t>* begin_call(EP_Comm comm) const override;
  std::optional<int> universe_size() const override;
  /// Attaches the calling thread to the endpoint with this rank in `comm`. On failure throws
  /// EP_ERR_ENDPOINTS and leaves the thread where it is.
  void attach(int rank, EP_Comm comm);
  /// Sets the intercommunicator with the spawners of this process: the handle of one endpoint.
  void set_parent(int endpoint, EP_Comm parent) { home(endpoint).parent = parent; }
  EP_Comm parent_of(int endpoint) const { return home(endpoint).parent; }
  /// True if all endpoints had a parent and have freed it.
  bool are_orphans() const noexcept;
  /// Returns the communicator of the first endpoint of each process.
  EP_Comm world() const noexcept { return world_; }

  /// Attaches the calling thread as a child of a thread at `endpoint` (EP_UNDEFINED: detaches).
  void inherit(int endpoint);

 private:
  struct Home {
    EP_Comm in_endpoints = EP_COMM_NULL;
    EP_Comm in_clique = EP_COMM_NULL;
    EP_Comm self = EP_COMM_NULL;
    std::atomic<EP_Comm> parent{EP_COMM_NULL};
    /// The thread that is allowed to call (MPI_THREAD_FUNNELED), or that is in a call
    /// (MPI_THREAD_SERIALIZED); 0 if there is none.
    std::atomic<std::uint64_t> caller{0};
  };
  friend struct ThreadAttachment;

  Home* home_of(EP_Comm comm) const noexcept;
  Home& home(int endpoint) const { return homes_[static_cast<std::size_t>(endpoint)]; }
  EP_Comm behind(EP_Comm predefined, int endpoint) const;
  void introduce(EP_Comm comm, EP_Comm predefined, const char* name) const;
  int named(int rank, EP_Comm comm) const;
  void claim(int endpoint);
  void move_to(int endpoint) const;
  bool ran_at_start() const noexcept;

  /// Orders the end of the start communicators against the ends of their threads.
  mutable std::mutex end_mutex_;
  std::atomic<bool> exist_{false};
  /// Number of the current start; attachments of earlier starts are invalid.
  std::uint64_t generation_ = 0;
  int level_ = 0;
  int count_ = 0;
  EP_Comm world_ = EP_COMM_NULL;
  std::unique_ptr<Home[]> homes_;
  std::vector<pid_t> threads_at_start_;
};

}  // namespace ep
