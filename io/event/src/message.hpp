#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "config/bytes.hpp"
#include "event/wire.hpp"
#include "grid/pattern.hpp"

namespace epios::io {

/// Throws Error{protocol}.
[[noreturn]] void refuse_message(const std::string& why);
/// A writer behind magic, version and kind.
config::ByteWriter begin_message(MessageKind kind);
/// A reader behind the front of a message of `kind`. Throws Error{protocol} for any other.
config::ByteReader open_message(std::span<const std::byte> bytes, MessageKind kind);
/// Throws Error{protocol} unless everything was read.
void close_message(const config::ByteReader& reader);

/// Ascending positions, as gaps and counts.
void put_runs(config::ByteWriter& writer, const std::vector<PlaceRun>& runs);
std::vector<PlaceRun> get_runs(config::ByteReader& reader);

}  // namespace epios::io
