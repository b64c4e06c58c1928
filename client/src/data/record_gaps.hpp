#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "config/index.hpp"
#include "config/model.hpp"
#include "workflow/workflow.hpp"

namespace epios::client {

/// Records that no field of a file has: they are left out of it. Known when a later record leaves,
/// from the records alone, which are the same on all clients.
class RecordGaps {
 public:
  /// `model` is not kept.
  explicit RecordGaps(const config::Model& model);

  struct Gap {
    int file = 0;
    std::int64_t begin = 0;  ///< record of the run
    std::int64_t end = 0;
  };
  /// The records that a stream may still put.
  using OpenOf = std::function<io::OpenRecords(int stream)>;
  /// To be called before every record that is sent, in order: the records before it that are left
  /// out from now on. What other streams of the file may still bring keeps its place.
  std::vector<Gap> before(int stream, std::int64_t record, const OpenOf& open_of);
  /// Whether before() could give one. Changes nothing.
  bool may_come_before(int stream, std::int64_t record) const;
  /// Records that a file has so far.
  std::int64_t records(int file) const { return nth(files_, file).records; }

 private:
  struct FileState {
    std::vector<int> streams;                // whose records have dates
    std::vector<config::RecordTimes> times;  // of streams whose dates of output leave records out
    std::int64_t next = 0;                   // record, of which nothing is known
    std::int64_t records = 0;
  };
  static bool is_left_out(const FileState& state, std::int64_t record);
  static std::vector<std::int64_t> open_within(const FileState& state, std::int64_t end,
                                               const OpenOf& open_of);

  std::vector<int> file_of_;  // per stream; -1: its records have no dates
  std::vector<FileState> files_;
};

}  // namespace epios::client
