#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "datatypes/datatype.hpp"
#include "handles/attributes.hpp"

namespace ep {

class WindowSite;
struct Target;

/// Bytes of an access that are not one block at the origin: the raw window uses them until the next
/// flush. `view` is where the bytes of a get go then.
struct StagedBytes {
  std::vector<std::byte> bytes;
  MappedView view;
};

/// The accesses of an endpoint to one target.
struct Access {
  enum class Lock { none, shared, exclusive, unchecked };

  Lock lock = Lock::none;            ///< of the current epoch
  std::atomic<bool> granted{false};  ///< the lock that was asked for
  bool raw_pending = false;          ///< operations on the raw window since the last flush
  std::vector<StagedBytes> staged;   ///< theirs
  std::atomic<int> unanswered{0};    ///< messages to the target's process
  // The first error that the target's process reported; written before `unanswered` falls.
  std::atomic<int> error{EP_SUCCESS};
  std::string error_text;
};

/// The access epoch of an endpoint.
enum class Epoch { none, fence, start, lock, lock_all };

/// The object behind an EP_Win: the window of one endpoint.
struct EndpointWindow {
  std::atomic<std::uint32_t> alive{0};
  EP_Comm comm = EP_COMM_NULL;  ///< the endpoint in a communicator of the window's own
  std::shared_ptr<WindowSite> site;
  const std::vector<Target>* targets = nullptr;  ///< by rank of the group that it accesses
  int client_number = 0;                         ///< of a client, among those of its process
  std::shared_ptr<std::byte> memory;             ///< of EP_Win_allocate inside a process

  Epoch epoch = Epoch::none;
  bool used = false;         ///< an access since the last fence
  bool unchecked = false;    ///< EP_Win_lock_all with EP_MODE_NOCHECK
  std::vector<int> started;  ///< ranks of EP_Win_start, sorted
  bool is_posted = false;
  std::vector<int> posted;  ///< ranks of EP_Win_post
  std::map<int, std::unique_ptr<Access>> accesses;

  // The predefined attributes.
  void* base = nullptr;
  MPI_Aint size = 0;
  int disp_unit = 1;  ///< EP_UNDEFINED for one that no int holds
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
