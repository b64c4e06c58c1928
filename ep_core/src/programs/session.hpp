#pragma once

#include <ep/ep.h>

#include <atomic>
#include <cstdint>
#include <string>

#include "cliques/errhandler.hpp"
#include "process/error.hpp"
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

/// Raises the last error for an object that does not exist, by a handler given for it. Returns the
/// code for the program, which is another one if the handler itself is wrong.
inline int raise_with(ErrorHandling& errors, EP_Errhandler given, int code) {
  const std::string text = last_error();
  const int bad = guarded([&] { errors.set_handler(given); });
  if (bad != EP_SUCCESS) return bad;
  set_last_error(text);
  return errors.raise(code, WaitPoint{});
}

}  // namespace ep

// The handle of the C interface points to this.
struct ep_session : ep::Session {};
