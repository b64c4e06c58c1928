#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "datatypes/datatype.hpp"
#include "handles/attributes.hpp"

namespace ep {

class WindowSite;
struct Target;

/// Bytes of an access that are not contiguous at the origin. The raw window uses them until the
/// next flush, after which the bytes of a get are copied to `view`.
struct StagedBytes {
  std::vector<std::byte> bytes;
  MappedView view;
};

/// The accesses of an endpoint to one target, by any of its threads.
struct Access {
  enum class Lock { none, shared, exclusive, unchecked };

  std::atomic<Lock> lock{Lock::none};  ///< lock that the current epoch holds
  std::mutex locking;                  ///< held by the thread that requests the lock by an access
  std::atomic<bool> granted{false};    ///< true once the requested lock is granted
  std::mutex raw_mutex;                ///< guards the following two
  bool raw_pending = false;         ///< true if the raw window has operations since the last flush
  std::vector<StagedBytes> staged;  ///< staged bytes of these operations
  std::atomic<int> unanswered{0};  ///< number of messages to the target's process without an answer
  // The first error that the target's process reported; written before `unanswered` falls.
  std::atomic<int> error{EP_SUCCESS};
  std::mutex error_mutex;  ///< guards the text
  std::string error_text;
};

/// The access epoch of an endpoint.
enum class Epoch { none, fence, start, lock, lock_all };

/// The accesses of an endpoint by target. Any thread.
class Accesses {
 public:
  /// Returns the accesses to target `rank`, which are created at first use.
  Access& of(int rank);
  /// Returns null if there was no access to the target.
  Access* find(int rank) const;
  /// Returns the first target of a rank greater than `rank` that had accesses since the window was
  /// made, and null behind the last one. Other threads may add more.
  std::pair<int, Access*> after(int rank) const;
  /// Sets `epoch` to Epoch::lock if a target is locked, else to Epoch::none.
  void decide(std::atomic<Epoch>& epoch) const;
  void clear() noexcept;

 private:
  mutable std::mutex mutex_;
  std::map<int, std::unique_ptr<Access>> accesses_;
};

/// The object behind an EP_Win: the window of one endpoint.
struct EndpointWindow {
  std::atomic<std::uint32_t> alive{0};
  EP_Comm comm = EP_COMM_NULL;  ///< the endpoint in a communicator of the window's own
  std::shared_ptr<WindowSite> site;
  const std::vector<Target>* targets = nullptr;  ///< by rank of the group that it may access
  int client_number = 0;              ///< number of a client among the clients of its process
  std::shared_ptr<std::byte> memory;  ///< memory of EP_Win_allocate, for windows inside a process

  std::atomic<Epoch> epoch{Epoch::none};
  std::atomic<bool> used{false};  ///< true after an access since the last fence
  bool unchecked = false;         ///< true in EP_Win_lock_all with EP_MODE_NOCHECK
  std::vector<int> started;       ///< sorted ranks of EP_Win_start
  bool is_posted = false;
  std::vector<int> posted;  ///< ranks of EP_Win_post
  Accesses accesses;

  // Values of the predefined attributes.
  void* base = nullptr;
  MPI_Aint size = 0;
  int disp_unit = 1;  ///< EP_UNDEFINED if the value exceeds an int
  int flavor = EP_WIN_FLAVOR_CREATE;
  int model = EP_WIN_UNIFIED;

  bool no_locks = false;
  WindowAttributes attributes;
  std::map<std::string, std::string> hints;
};

constexpr std::uint32_t window_alive = 0x45505749;

bool is_window(EP_Win win) noexcept;
/// Returns the object behind a handle. Throws EP_ERR_WIN if it is null, freed or foreign.
EndpointWindow& window_of(EP_Win win);
/// Returns the raw window through which `window` reaches `target` in another process.
int raw_window_of(const EndpointWindow& window, const Target& target);

}  // namespace ep

// The handle of the C interface points to this.
struct ep_win : ep::EndpointWindow {};
