#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "arena.hpp"
#include "attachment.hpp"
#include "attributes.hpp"
#include "clique.hpp"
#include "doorbell.hpp"
#include "engine.hpp"
#include "errhandler.hpp"
#include "error_codes.hpp"
#include "file.hpp"
#include "group.hpp"
#include "program.hpp"
#include "request.hpp"
#include "send_buffer.hpp"
#include "spares.hpp"
#include "topology.hpp"
#include "waiting.hpp"
#include "window.hpp"

namespace ep {

class Teams;

/// An endpoint's place in a communicator: what communication needs to know of it.
struct Member {
  std::shared_ptr<Clique> clique;
  int slot = 0;
  int side = 0;
  int rank = 0;

  Slot& place() const { return clique->slot(slot); }
  const RankTable& local_group() const { return clique->local_group(side); }
  const RankTable& remote_group() const { return clique->remote_group(side); }
};

/// What one endpoint's handle leads to.
struct Endpoint : Member {
  std::atomic<std::uint32_t> alive{0};
  std::uint64_t operations = 0;  ///< collective operations begun; the endpoint's own thread only
  std::shared_ptr<const Topology> topology;  ///< null without one
  Attributes attributes;                     ///< by keyval
  std::map<std::string, std::string> hints;  ///< of EP_Comm_set_info
  std::uint64_t duplications = 0;            ///< EP_Comm_idup calls begun
  std::shared_ptr<Sleeper> sleeper;          ///< what its waits count in
  bool of_start = false;                     ///< of a start communicator, or of one made from it
};

/// EP_COMM_MAX_ENDPOINTS: what slot numbers are tested for.
constexpr int most_endpoints = 32768;

constexpr std::uint32_t endpoint_alive = 0x4550434f;

}  // namespace ep

// The handle of the C interface points to this.
struct ep_comm : ep::Endpoint {};

namespace ep {

/// The state of the library in one operating-system process: the one object the handle table of the
/// C interface needs. Made at first use, never destroyed (handles may be used until exit).
class Process {
 public:
  Process();
  Process(const Process&) = delete;
  Process(Process&&) = delete;
  Process& operator=(const Process&) = delete;
  Process& operator=(Process&&) = delete;
  ~Process();

  /// Initialises MPI if nobody did and counts. Returns the level MPI grants.
  int enter(int* argc, char*** argv, int required);
  void leave();
  bool is_entered() const noexcept { return entries_.load() > 0; }
  bool is_left() const noexcept { return was_entered_.load() && entries_.load() == 0; }

  int world_rank() const noexcept { return engine_.world_rank(); }
  int thread_level() const noexcept { return thread_level_; }
  /// Unique over all processes of the job.
  std::uint64_t next_uid() noexcept;
  /// The first of `count` numbers of new endpoints of this process.
  int draw_ids(int count) noexcept { return next_id_.fetch_add(count); }
  /// What the endpoint of this process with that number waits as, in all its communicators.
  std::shared_ptr<Sleeper> sleeper(int id);

  Doorbell& doorbell() noexcept { return doorbell_; }
  Engine& engine() noexcept { return engine_; }
  WaitRegistry& registry() noexcept { return registry_; }
  StartCommunicators& start() noexcept { return start_; }
  Spares& spares() noexcept { return spares_; }
  Program& program() noexcept { return program_; }

  Arena<ep_comm>& endpoints() noexcept { return endpoints_; }
  Arena<ep_request>& requests() noexcept { return requests_; }
  Arena<ep_message>& messages() noexcept { return messages_; }
  Arena<Arrival>& arrivals() noexcept { return arrivals_; }
  Arena<ep_errhandler>& errhandlers() noexcept { return errhandlers_; }
  Arena<ep_group>& groups() noexcept { return groups_; }
  Arena<ep_win>& windows() noexcept { return windows_; }
  Teams& teams() noexcept { return *teams_; }
  Arena<ep_file>& files() noexcept { return files_; }
  /// Of errors that belong to no open file, and what files begin with.
  ErrorHandling& file_errors() noexcept { return file_errors_; }
  Representations& representations() noexcept { return representations_; }
  Keyvals& keyvals() noexcept { return keyvals_; }
  WindowKeyvals& window_keyvals() noexcept { return window_keyvals_; }
  /// Guards which endpoint has which error handler.
  std::mutex& errhandler_mutex() noexcept { return errhandler_mutex_; }
  ErrorCodes& error_codes() noexcept { return error_codes_; }
  AttachedBuffers& send_buffers() noexcept { return send_buffers_; }
  /// Where threads wait for generalized requests, which belong to no endpoint.
  WaitPoint& generalized_point() noexcept { return generalized_point_; }
  /// Whether all communicators compare the type signatures of senders and receivers.
  bool checks_types() const noexcept { return checks_types_; }

  /// The clique that the endpoints of both sides of a new intercommunicator share in this process:
  /// the first to come makes it, the last of `pickups` removes the entry. If making fails, it fails
  /// for all.
  std::shared_ptr<Clique> meet(std::uint64_t key, int pickups,
                               const std::function<std::shared_ptr<Clique>()>& make);

 private:
  struct Rendezvous {
    std::shared_ptr<Clique> clique;
    int code = EP_SUCCESS;  ///< of a failure, the same for all
    std::string text;
    int pickups_left = 0;
    std::mutex making;
  };

  std::mutex mutex_;
  std::atomic<int> entries_{0};
  std::atomic<bool> was_entered_{false};
  bool initialised_mpi_ = false;
  int thread_level_ = MPI_THREAD_SINGLE;
  std::atomic<std::uint32_t> next_uid_{0};
  std::atomic<int> next_id_{EP_MAX_ENDPOINTS};  // 0 is the process itself
  Doorbell doorbell_;
  Engine engine_;
  WaitRegistry registry_;
  StartCommunicators start_;
  Program program_;
  Spares spares_;
  Arena<ep_comm> endpoints_;
  Arena<ep_request> requests_;
  Arena<ep_message> messages_;
  Arena<Arrival> arrivals_;
  Arena<ep_errhandler> errhandlers_;
  Arena<ep_group> groups_;
  Arena<ep_win> windows_;
  std::unique_ptr<Teams> teams_;
  Arena<ep_file> files_;
  Representations representations_;
  ErrorHandling file_errors_{ErrorHandling::OfFiles{}};
  Arena<Sleeper> sleepers_;
  std::mutex sleeper_mutex_;
  std::map<int, std::weak_ptr<Sleeper>> sleeper_of_;  ///< by endpoint, of those that live
  Keyvals keyvals_;
  WindowKeyvals window_keyvals_;
  std::mutex errhandler_mutex_;
  ErrorCodes error_codes_;
  AttachedBuffers send_buffers_;
  WaitPoint generalized_point_;
  bool checks_types_ = false;
  std::map<std::uint64_t, std::shared_ptr<Rendezvous>> rendezvous_;
};

Process& process();

bool mpi_is_finalized() noexcept;

/// Waits for a raw non-blocking operation by testing it. Registers the wait.
void wait_for_mpi(MPI_Request& raw, const char* reason);

/// Whether `comm` is a living handle.
bool is_endpoint(EP_Comm comm) noexcept;
/// What the handle leads to in the calling thread, predefined ones included; EP_COMM_NULL if
/// nothing.
EP_Comm endpoint_or_null(EP_Comm comm) noexcept;
/// The objects behind handles. Throw when the handle is null, freed or foreign.
Endpoint& endpoint_of(EP_Comm comm);
Endpoint& intra_endpoint_of(EP_Comm comm, const char* operation);

/// A new handle for `slot` of an active clique, with the error handler of `parent` if there is one.
EP_Comm make_endpoint(const Endpoint* parent, std::shared_ptr<Clique> clique, int slot, int side,
                      int rank);
/// A handle for the same endpoint and rank as `parent` in a clique that need not be active yet.
EP_Comm make_early_endpoint(const Endpoint& parent, std::shared_ptr<Clique> clique, int size);
/// Deletes its attributes first.
void free_endpoint(EP_Comm comm);

}  // namespace ep
