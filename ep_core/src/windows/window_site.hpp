#pragma once

#include <ep/ep.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cliques/clique.hpp"
#include "messages/process_receiver.hpp"
#include "progress/shared_pages.hpp"
#include "windows/accumulator.hpp"
#include "windows/raw_windows.hpp"
#include "windows/target_lock.hpp"

namespace ep {

struct Access;
struct Request;

/// The state of an endpoint of this process as a target, and as an origin of post and start.
struct Exposure {
  TargetLock target_lock;
  ElementLock element_lock;  ///< used unless the lock is in shared memory

  std::mutex mutex;                                 ///< guards the following members
  std::map<std::uintptr_t, std::int64_t> attached;  ///< address -> bytes, not 0
  std::multiset<std::uintptr_t> attached_empty;     ///< addresses of attachments of zero bytes
  std::map<int, int> posts;  ///< by rank: EP_Win_post calls of that target without a matching start
  std::map<int, int> completes;  ///< by rank: EP_Win_complete of that origin without a wait

  /// True if the bytes lie in attached memory.
  bool has_attached(std::uintptr_t address, std::int64_t bytes);
  /// Throws EP_ERR_RMA_ATTACH if the bytes overlap attached memory.
  void attach(std::uintptr_t address, std::int64_t bytes);
  /// Removes the attachment at `address` and returns its size. Throws EP_ERR_RMA_ATTACH if there is
  /// none.
  std::int64_t detach(std::uintptr_t address);
};

/// The facts about one endpoint that others in this process need to access its segment.
struct Target {
  std::byte* memory = nullptr;  ///< the segment if this process accesses it directly, else null
  std::int64_t size = 0;
  std::int64_t disp_unit = 1;
  Place place{};
  Exposure* exposure = nullptr;         ///< null for an endpoint of another process
  ElementLock* element_lock = nullptr;  ///< for accumulates that this process executes itself
  int raw = -1;  ///< the raw window it is the target of; by_client: that of the origin's number
  static constexpr int by_client = -2;

  /// True if this process moves the data itself.
  bool is_direct() const noexcept { return element_lock != nullptr; }
};

/// An operation in another process that will answer. If `request` is not null, it waits for as many
/// answers as its raw_left says.
struct Unanswered {
  Access* access = nullptr;
  WaitPoint* point = nullptr;  ///< where the origin waits
  Request* request = nullptr;
  bool is_lock = false;
};

/// The state of a window in one process, shared by its endpoints there.
class WindowSite final : public ProcessReceiver {
 public:
  /// Returns the site of the window whose communicator has this clique. The first endpoint creates
  /// it.
  static std::shared_ptr<WindowSite> join(Clique& clique);

  WindowSite(const Clique& clique, int slots);

  /// Performs the operation that a message requests, and answers it.
  void take_in(const std::shared_ptr<Clique>& clique, int source,
               std::span<const std::byte> message) noexcept override;

  int flavor = EP_WIN_FLAVOR_CREATE;
  bool gaps_allowed = false;  ///< true if gaps between segments of shared memory are allowed
  std::array<std::vector<Target>, 2> targets;  ///< by side and rank
  RawWindows raw;
  /// Slot in this process whose segment is in each raw window; -1 for none.
  std::vector<int> raw_slots;
  /// The memory of shared windows inside one process.
  std::shared_ptr<std::byte> block;
  /// That of several processes: the first one has made it, the others have mapped it.
  std::optional<SharedPages> own_pages;
  PeerPages peer_pages;

  Exposure& exposure(int slot) { return exposures_[static_cast<std::size_t>(slot)]; }
  /// Returns the segment of an endpoint of this process.
  std::byte*& own_segment(int slot) { return own_segments_[static_cast<std::size_t>(slot)]; }
  /// Returns the number of a client among those of its process; 0 for servers.
  int client_number(const Place& place, int side) const;
  /// The side of the servers; -1 for a window on an intracommunicator.
  int server_side = -1;

  /// Returns the number, never 0, by which an answer identifies the operation.
  std::uint32_t await_answer(const Unanswered& operation);
  /// Removes and returns the operation that waits under `number`.
  Unanswered take_unanswered(std::uint32_t number);

 private:
  const Clique& clique_;
  std::unique_ptr<Exposure[]> exposures_;
  std::vector<std::byte*> own_segments_;
  std::mutex mutex_;
  std::map<std::uint32_t, Unanswered> unanswered_;
  std::uint32_t last_number_ = 0;
};

}  // namespace ep
