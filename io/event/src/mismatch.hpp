/// @file
/// Texts about events that clients did not agree on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "event/event.hpp"

namespace epios::io {

/// The call that one client, or gatherer, made where it was to make the same call as the others.
struct SeenCall {
  int client = 0;
  EventHeader header;
};

using DescribeStream = std::function<std::string(const EventHeader&)>;

/// "sent field 'tos' of file 'daily', record 3, step 12", "synchronised file 'daily' after 3
/// records, step 12" or "ended the context, step 12".
std::string call_text(const EventHeader& header, const DescribeStream& describe);

/// Returns who they are: "ranks 0 and 2", "gatherer 1 for clients 2 and 3".
using NameSenders = std::function<std::string(const std::vector<int>& senders)>;

/// The whole message: every version of the call with those who made it.
std::string mismatch_text(const std::string& context_id, std::int64_t event,
                          const std::vector<SeenCall>& calls, const DescribeStream& describe,
                          const NameSenders& names);

}  // namespace epios::io
