#pragma once

#include <string>
#include <vector>

#include "config/model_fwd.hpp"
#include "coupling/coupling_handshake.hpp"
#include "session/session_state.hpp"

namespace epios::client {

/// Returns warnings of files of a context that another component of a job without dedicated servers
/// writes, too, and tells the other components which ones it writes. By the first client of the
/// context, for all.
std::vector<std::string> compare_written_files(const SessionState& session,
                                               io::CouplingHandshake& handshake,
                                               const std::string& context,
                                               const config::Model& model);

}  // namespace epios::client
