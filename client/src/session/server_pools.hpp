/// @file
/// What pools and services of context xios place.
#pragma once

#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/server_plan.hpp"
#include "event/waits.hpp"
#include "grid/routing.hpp"

namespace epios::client {

/// What is said of pools as a run starts: which servers they and their services have, a table; or
/// why they place nothing. Throws Error{configuration} when they take more servers than there are,
/// by places in the XML.
std::vector<std::string> notes_on_pools(const config::ServerPlan& plan,
                                        const io::ProcessTable& process_table);

/// What is said of files that name gatherers in a context that has none.
std::vector<std::string> notes_on_servers(const config::Model& model);

/// How many servers a job has.
int servers_of(const io::ProcessTable& process_table);
/// The servers of the gatherers that files of a context name; where none does, of all services that
/// gather. Ascending. Throws Error{configuration} for a name that no pool or service has.
std::vector<int> gatherers_in_pools(const config::ServerPlan& plan, const config::Model& model,
                                    const io::ProcessTable& process_table);

/// The servers of each file of a context: those of the service that its attributes name, or the
/// context's defaults; of a pool without a service that of its services of the kind, or of all of
/// it. Where nothing is named, and without servers of their own, all. The same on all clients.
/// Throws Error{configuration} for a name that no pool or service has.
io::ServerChoice choose_servers(const config::ServerPlan& plan, const config::Model& model,
                                const io::ProcessTable& process_table);

}  // namespace epios::client
