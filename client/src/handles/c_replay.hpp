#pragma once

#include <epios/epios.h>

#include <cstddef>
#include <span>

namespace epios::client {

/// For the program that plays recordings: as epios_session_open(), with the configuration of a
/// recording (RunTexts, encoded) instead of files. EPIOS_SET counts.
int open_replayed_session(const char* code_id, int clients, std::span<const std::byte> texts,
                          epios_session** out);

}  // namespace epios::client
