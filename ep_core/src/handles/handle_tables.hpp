#pragma once

#include <ep/ep.h>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

#include "handles/attributes.hpp"
#include "handles/endpoint.hpp"
#include "handles/group.hpp"
#include "process/arena.hpp"
#include "process/parts.hpp"
#include "process/process.hpp"
#include "progress/waiting.hpp"

namespace ep {

class StartHandles;

/// What the endpoints of a process wait as, by their numbers, of those that live.
struct Sleepers {
  Arena<Sleeper> memory;
  std::mutex mutex;
  std::map<int, std::weak_ptr<Sleeper>> living;
};

/// What handles of a process lead to.
struct HandleTables final : Part {
  static constexpr Room room = Room::handles;

  Arena<ep_comm> endpoints;
  Arena<ep_group> groups;
  Keyvals keyvals{first_comm_keyval};
  Sleepers sleepers;
  std::atomic<int> next_id{EP_MAX_ENDPOINTS};  ///< of new endpoints; 0 is the process itself
  /// Null before the first start of start communicators.
  std::atomic<const StartHandles*> start{nullptr};
  std::atomic<bool> restricts_calls{false};
  /// EP_APPNUM of what a spare runs: which command of the spawn it is. Below 0: MPI knows.
  std::atomic<int> application{-1};
};

inline HandleTables& handle_tables() { return process().part<HandleTables>(); }

}  // namespace ep
