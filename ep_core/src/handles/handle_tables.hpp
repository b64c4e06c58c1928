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
#include "process/extensions.hpp"
#include "process/process.hpp"
#include "progress/waiting.hpp"

namespace ep {

class StartHandles;

/// The waiters of the endpoints of a process, by the numbers of living endpoints.
struct Sleepers {
  Arena<Sleeper> memory;
  std::mutex mutex;
  std::map<int, std::weak_ptr<Sleeper>> living;
};

/// The objects behind the handles of a process.
struct HandleTables final : Extension {
  static constexpr Room room = Room::handles;

  Arena<ep_comm> endpoints;
  Arena<ep_group> groups;
  Keyvals keyvals{first_comm_keyval};
  Sleepers sleepers;
  /// Next number for a new endpoint; 0 is the process itself.
  std::atomic<int> next_id{EP_MAX_ENDPOINTS};
  /// Null before the first start of start communicators.
  std::atomic<const StartHandles*> start{nullptr};
  std::atomic<bool> restricts_calls{false};
  /// EP_APPNUM of the program that a spare process runs: the index of its command in the spawn. If
  /// it is negative, MPI's value holds.
  std::atomic<int> application{-1};
};

inline HandleTables& handle_tables() { return process().extension<HandleTables>(); }

}  // namespace ep
