#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/file_series.hpp"
#include "config/model_fwd.hpp"

namespace epios::client {

/// When parts of files with split_freq are complete: as soon as the calendar is past their end, and
/// past the dates that their records are due at (freq_offset).
/// Depends on dates alone, which are the same on all clients.
class PartEnds {
 public:
  /// `model` is not kept.
  explicit PartEnds(const config::Model& model);

  struct End {
    int file = 0;
    std::int64_t part = 0;  ///< the parts before it are complete
  };
  /// To be called at a new date until it says none: a file with parts that end before `now`.
  std::optional<End> next(config::Instant now);

 private:
  struct SplitFile {
    int file = 0;
    config::FileSeries series;
    std::int64_t part = 0;
    std::vector<config::Schedule> schedules;  // of streams with records due after their ends
    config::Instant end;                      // of that part
    config::Instant end_of(std::int64_t its) const;
  };
  std::vector<SplitFile> files_;
};

}  // namespace epios::client
