#pragma once

#include <mutex>

#include "cliques/errhandler.hpp"
#include "process/arena.hpp"
#include "process/extensions.hpp"
#include "process/process.hpp"

namespace ep {

/// State that all cliques of a process share.
struct CliqueTables final : Extension {
  static constexpr Room room = Room::cliques;
  /// Checks types as EP_CHECK_TYPES says.
  CliqueTables();

  Arena<ep_errhandler> errhandlers;
  std::mutex errhandler_mutex;  ///< guards which endpoint has which error handler
  /// True if all communicators compare the type signatures of senders and receivers.
  bool checks_types = false;
};

inline CliqueTables& clique_tables() { return process().extension<CliqueTables>(); }

}  // namespace ep
