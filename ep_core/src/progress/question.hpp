#pragma once

#include "progress/doorbell.hpp"

namespace ep {

/// From now on SIGUSR1 asks this process what its endpoints wait for; what handled the signal
/// before is called, too. Once in a process. `page` outlives all signals.
void take_questions(BellPage& page) noexcept;

/// Whether somebody has asked since the last call: who waits answers, within a second. When nobody
/// waits, that has been said already.
bool was_asked() noexcept;

}  // namespace ep
