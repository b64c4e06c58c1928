/// @file
/// The text of an event in a trace of the protocol.
#pragma once

#include <string>

#include "event/event_queue.hpp"

namespace epios::io {

/// Returns an event as a trace has it: its numbers, its kind, and who sent its parts.
std::string traced(const EventQueue::Event& event);

}  // namespace epios::io
