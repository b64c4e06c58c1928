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
  int level = 0;  ///< of threads, granted
  ErrorHandling errors;
  WaitPoint place;  ///< whose errors they are, for the message of a fatal one
};

constexpr std::uint32_t session_alive = 0x45505353;

}  // namespace ep

// The handle of the C interface points to this.
struct ep_session : ep::Session {};
