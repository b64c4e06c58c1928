#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstdint>

#include "cliques/errhandler.hpp"
#include "progress/waiting.hpp"

namespace ep {

/// The object behind an EP_Session.
struct Session {
  std::atomic<std::uint32_t> alive{0};
  int level = 0;  ///< granted thread level
  ErrorHandling errors;
  WaitPoint place;  ///< the wait point that the message of a fatal error describes
};

constexpr std::uint32_t session_alive = 0x45505353;

}  // namespace ep

// The handle of the C interface points to this.
struct ep_session : ep::Session {};
