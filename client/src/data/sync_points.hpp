#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "config/calendar.hpp"
#include "config/model_fwd.hpp"

namespace epios::client {

/// When files with sync_freq are synchronised: between two records, so that a sync point holds
/// whole records of all fields. Depends on the records alone, which are the same on all clients, so
/// that all put it at the same place of the timeline.
class SyncPoints {
 public:
  /// `model` must outlive this.
  explicit SyncPoints(const config::Model& model);

  struct Sync {
    int file = 0;
    std::int64_t records = 0;  ///< of the file that are complete
  };
  /// To be called before every record that is sent, in order: the sync point that lies before it,
  /// if one does. Several periods that passed since the last one are one sync point.
  std::optional<Sync> before(int stream, std::int64_t record);
  /// Whether before() could give one. Changes nothing.
  bool may_come_before(int stream, std::int64_t record) const;

 private:
  struct FileState {
    std::int64_t records = 0;  // highest record begun + 1
    std::int64_t periods = 0;  // of sync_freq that have passed
  };
  bool is_due(const config::Stream& sent);

  const config::Model& model_;
  config::Calendar calendar_;
  std::vector<FileState> files_;
};

}  // namespace epios::client
