#pragma once

#include <epios/epios.h>

#include <cstddef>

// For the program that plays recordings, which links the library as models do.
extern "C" {

/// Like epios_session_open(), with the configuration of a recording (RunTexts, encoded) instead of
/// files. EPIOS_SET counts.
int epios_replay_session_open(const char* code_id, int clients, const void* texts,
                              std::size_t bytes, epios_session** out);

}  // extern "C"
