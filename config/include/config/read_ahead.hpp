/// @file
/// How many records of files servers read ahead of the model, and what memory that takes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace epios::config {

/// Returns how many requests of a client to a server may be unanswered at a time. It is as many
/// records as fit into some tens of MB, and at most a share of the budget of channel memory; with
/// many small fields it is the next record of each. `largest_record_bytes` is that of the fields
/// that a context reads.
constexpr int records_read_ahead(std::int64_t largest_record_bytes, std::int64_t fields,
                                 std::int64_t buffer_bytes) {
  constexpr std::int64_t some_bytes = 64'000'000;
  constexpr std::int64_t most = 1024;
  constexpr std::int64_t few = 32;
  const std::int64_t wanted = std::clamp(2 * fields, few, most);
  const std::int64_t fitting =
      std::min(some_bytes, buffer_bytes / 4) / std::max<std::int64_t>(largest_record_bytes, 1);
  return static_cast<int>(std::clamp<std::int64_t>(fitting, 2, wanted));
}

}  // namespace epios::config
