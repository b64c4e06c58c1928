/// @file
/// How many records of files servers read before the model asks: what memory that takes.
#pragma once

#include <algorithm>
#include <cstdint>

namespace epios::config {

/// Requests of a client to a server that may be unanswered at a time: as many records as fit some
/// tens of MB, and not more than a part of the budget of channel memory; of many small fields the
/// next record of each. `largest_record_bytes`: of the fields that a context reads.
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
