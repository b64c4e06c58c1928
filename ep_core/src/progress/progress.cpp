#include "progress/progress.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <thread>

#include "process/error.hpp"
#include "progress/diagnostic_signal.hpp"

namespace ep {

namespace {

/// Parses the value of EP_WATCHDOG_S. Returns nothing, after a warning, if it is not a number of
/// seconds.
std::optional<double> watchdog_seconds(const char* text) {
  char* end = nullptr;
  const double seconds = std::strtod(text, &end);
  if (end != text && *end == '\0' && std::isfinite(seconds) && seconds >= 0) return seconds;
  std::fprintf(stderr,
               "ep: warning: EP_WATCHDOG_S is '%s' (expected seconds, 0 for never). The default of "
               "60 s holds.\n",
               text);
  return std::nullopt;
}

}  // namespace

Progress::Progress() : registry(doorbell, engine) {
  install_diagnostic_handler(doorbell.page());
  if (const char* seconds = std::getenv("EP_WATCHDOG_S"); seconds != nullptr) {
    if (const auto value = watchdog_seconds(seconds)) registry.set_watchdog(*value);
  }
}

void wait_for_mpi(MPI_Request& raw, const char* reason) {
  const WaitSpec spec{reason, -1, 0, true};
  const auto wait = [&] {
    registry().wait(std::span<WaitPoint* const>(), spec, [&raw] {
      int flag = 0;
      check_mpi(MPI_Test(&raw, &flag, MPI_STATUS_IGNORE), "MPI_Test");
      return flag != 0;
    });
  };
  // The buffers of a raw operation are mostly its caller's: an error of other traffic does not end
  // the wait unless it is for good.
  constexpr int most_errors = 1000;
  for (int errors = 1;; ++errors) {
    const int code = guarded(wait);
    if (code == EP_SUCCESS) return;
    if (raw == MPI_REQUEST_NULL || errors == most_errors) throw Error(code, last_error());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace ep
