/// @file
/// Which servers gather what clients send, for those that write.
#pragma once

#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/server_plan.hpp"
#include "event/waits.hpp"
#include "grid/routing.hpp"
#include "session/run_settings.hpp"

namespace epios::client {

/// The servers of a context's files, and what is to be said of that.
struct ServerLevels {
  io::ServerChoice choice;
  std::vector<std::string> notes{};     ///< lines, for one client to print
  std::vector<std::string> warnings{};  ///< of the context
};

/// Puts gatherers before the servers that choose_servers() has chosen, when any file of the context
/// wants them: `using_server2` of the file or the context, else of the run. Without pools
/// `second_level_percent` of the servers write, the last ones, in `second_level_groups`; with pools
/// those gather that files or contexts name, else the services that do, else who writes nothing.
/// Files are read by servers that clients speak to. Where gatherers cannot be had there is one
/// level, and a warning. The same on all clients. Throws Error{configuration} for a name that no
/// pool or service has.
ServerLevels with_gatherers(const config::ServerPlan& plan, const config::Model& model,
                            const io::ProcessTable& process_table, const RunSettings& settings,
                            io::ServerChoice choice);

}  // namespace epios::client
