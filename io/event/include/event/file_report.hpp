/// @file
/// What became of the records of a file, on one of its writers and put together from all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace epios::io {

/// A set of record numbers, kept as runs: a file's records come in order.
class RecordSet {
 public:
  /// Records [begin, end).
  struct Run {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool operator==(const Run&) const = default;
  };
  RecordSet() = default;
  /// Runs in any order; empty ones are dropped.
  explicit RecordSet(std::vector<Run> runs);

  /// O(1) for a record behind all others.
  void add(std::int64_t record);
  std::int64_t size() const;
  const std::vector<Run>& runs() const { return runs_; }
  bool operator==(const RecordSet&) const = default;

 private:
  std::vector<Run> runs_;  // ascending, disjoint, not adjacent
};

RecordSet unite(const RecordSet& a, const RecordSet& b);
/// Records of `a` that are not in `b`.
RecordSet subtract(const RecordSet& a, const RecordSet& b);

/// Records of one field: a record is written when all writers of the field wrote their part of it.
struct FieldAccount {
  std::string field;
  RecordSet written;
  RecordSet lost;
};

/// Values of a stream that are infinite in its file: single precision cannot hold them, unless the
/// model has sent them so.
struct InfiniteValues {
  std::int32_t stream = -1;  ///< into Model::streams
  std::int64_t values = 0;
  std::int64_t record = 0;  ///< the first one with any
  bool operator==(const InfiniteValues&) const = default;
};
/// Adds what another writer says.
void merge(std::vector<InfiniteValues>& into, const std::vector<InfiniteValues>& other);

/// What became of one file.
struct FileReport {
  std::string path;
  std::int64_t bytes = 0;            ///< size of the finished file
  std::string error;                 ///< empty: published under its final name
  std::vector<FieldAccount> fields;  ///< those that the reporting server writes a part of
  double writing_s = 0;              ///< of the file thread of the reporting server
  std::int32_t file = -1;  ///< index into Model::files; the parts of a split file share it

  /// Over all fields.
  std::int64_t records_written() const;
  std::int64_t records_lost() const;
};
/// "tos 3, sos 1": the fields that lost records, and how many; empty without any.
std::string losses_text(const FileReport& report);

/// Adds what another writer of the same file says: each record counts once, as lost when one of the
/// writers of its field has lost it, or has not had it while others have. The first error stays,
/// and of the seconds those of the writer with most.
void merge(FileReport& into, const FileReport& other);

}  // namespace epios::io
