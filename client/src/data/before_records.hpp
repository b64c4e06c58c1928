#pragma once

#include <cstdint>

#include "config/model_fwd.hpp"
#include "data/record_gaps.hpp"
#include "data/sync_points.hpp"

namespace epios::client {

/// What the servers have to know before a record comes.
struct BeforeRecords {
  explicit BeforeRecords(const config::Model& model) : syncs(model), gaps(model) {}

  SyncPoints syncs;
  RecordGaps gaps;

  /// Whether there could be anything. Changes nothing.
  bool may_come(int stream, std::int64_t record) const {
    return syncs.may_come_before(stream, record) || gaps.may_come_before(stream, record);
  }
};

}  // namespace epios::client
