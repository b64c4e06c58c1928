#pragma once

#include "messages/request.hpp"
#include "messages/send_buffer.hpp"
#include "process/arena.hpp"
#include "process/extensions.hpp"
#include "process/process.hpp"
#include "progress/waiting.hpp"

namespace ep {

/// The messages and requests of a process.
struct MessageTables final : Extension {
  static constexpr Room room = Room::messages;

  Arena<ep_request> requests;
  Arena<ep_message> messages;
  Arena<Arrival> arrivals;
  AttachedBuffers send_buffers;
  WaitPoint generalized_point;
};

inline MessageTables& message_tables() { return process().extension<MessageTables>(); }

inline Arena<ep_request>& request_arena() { return message_tables().requests; }
inline Arena<ep_message>& message_arena() { return message_tables().messages; }
inline Arena<Arrival>& arrival_arena() { return message_tables().arrivals; }
inline AttachedBuffers& send_buffers() { return message_tables().send_buffers; }
/// Returns where threads wait for generalized requests, which belong to no endpoint.
inline WaitPoint& generalized_point() { return message_tables().generalized_point; }

}  // namespace ep
