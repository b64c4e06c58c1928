/// @file
/// The windows of the carrier one_sided between a component and its servers.
#pragma once

#include <ep/fwd.hpp>
#include <memory>

#include "transport/channel.hpp"

namespace epios::io {

/// Returns the window of a client to the servers, or null if no window is wanted. Each client calls
/// it right after Job::connect_client(). The first client decides; all should want the same.
/// Collective over the clients and, through window_to_clients(), the servers. Costs one number if
/// there is no window.
std::unique_ptr<ChannelWindow> window_to_servers(const ep::Comm& servers, bool is_wanted);
/// Returns the window of a server. Each server calls it right after Job::connect_server().
std::unique_ptr<ChannelWindow> window_to_clients(const ep::Comm& clients);

}  // namespace epios::io
