#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/model_fwd.hpp"
#include "event/event.hpp"
#include "event/event_queue.hpp"
#include "files/context_files.hpp"
#include "reading/readings.hpp"
#include "records/stream_assignment.hpp"

namespace epios::server {

/// Returns in the user's words what an event is about.
std::string event_text(const config::Model& model, const io::EventHeader& header);

/// The knowledge of a server about a context whose events arrive.
struct EventContext {
  const std::string& id;
  std::uint32_t number;
  bool gathers;  ///< this server passes on whatever the model has
  const config::Model& model;
  const std::vector<StreamAssignment>& shares;  ///< per stream
  const ContextFiles& files;
  const Readings& readings;
};

/// Throws Error{protocol} for an event that no client of this context can have meant for this
/// server.
void check_event(const io::EventHeader& header, const EventContext& context);

/// Throws Error{protocol} for parts of a record of context `id` that are not of the size of this
/// server's share. `sender`: what those who send are called.
void check_parts(const std::string& id, const io::EventQueue::Event& event,
                 const StreamAssignment& share, std::string_view sender);

}  // namespace epios::server
