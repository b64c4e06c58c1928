/// @file
/// The windows of the carrier one_sided between a component and its servers.
#pragma once

#include <ep/fwd.hpp>
#include <memory>

#include "transport/channel.hpp"

namespace epios::io {

/// By each client, right after Job::connect_client(): the window to the servers, or null where
/// nobody wants one. What the first client wants counts; all of them should want the same.
/// Collective over the clients and, by window_to_clients(), the servers. Costs one number where
/// there is none.
std::unique_ptr<ChannelWindow> window_to_servers(const ep::Comm& servers, bool is_wanted);
/// The other side, right after Job::connect_server().
std::unique_ptr<ChannelWindow> window_to_clients(const ep::Comm& clients);

}  // namespace epios::io
