#pragma once

#include "progress/doorbell.hpp"

namespace ep {

/// Installs the handler of SIGUSR1, which requests a report of what the endpoints of this process
/// wait for. The handler calls the previous one, too. Call it once per process; `page` must outlive
/// all signals.
void install_diagnostic_handler(BellPage& page) noexcept;

/// Returns true once if a report has been requested since the last call; a waiting thread then
/// writes it within a second. If no thread waits, the handler itself has printed that.
bool diagnostics_requested() noexcept;

}  // namespace ep
