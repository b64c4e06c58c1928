/// @file
/// Account of the records of a file, from one of its writers or merged from all.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace epios::io {

/// A set of record numbers, kept as runs, because the records of a file come in order.
class RecordSet {
 public:
  /// Records [begin, end).
  struct Run {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    bool operator==(const Run&) const = default;
  };
  RecordSet() = default;
  /// Takes runs in any order. Drops empty ones.
  explicit RecordSet(std::vector<Run> runs);

  /// Adds a record, in O(1) if it is behind all others.
  void add(std::int64_t record);
  std::int64_t size() const;
  const std::vector<Run>& runs() const { return runs_; }
  bool operator==(const RecordSet&) const = default;

 private:
  std::vector<Run> runs_;  // ascending, disjoint, not adjacent
};

RecordSet unite(const RecordSet& a, const RecordSet& b);
/// Returns the records of `a` that are not in `b`.
RecordSet subtract(const RecordSet& a, const RecordSet& b);

/// Records of one field. A record counts as written when all writers of the field have written
/// their part of it.
struct FieldAccount {
  std::string field;
  RecordSet written;
  RecordSet lost;
};

/// Values of a stream that are infinite in its file, because single precision cannot hold them or
/// because the model has sent them so.
struct InfiniteValues {
  std::int32_t stream = -1;  ///< index into Model::streams
  std::int64_t values = 0;
  std::int64_t record = 0;  ///< the first record with such a value
  bool operator==(const InfiniteValues&) const = default;
};
/// Adds the values that another writer reports.
void merge(std::vector<InfiniteValues>& into, const std::vector<InfiniteValues>& other);

/// Account of one file.
struct FileReport {
  std::string path;
  std::int64_t bytes = 0;            ///< size of the finished file
  std::string error;                 ///< empty if the file has its final name
  std::vector<FieldAccount> fields;  ///< fields of which the reporting server writes a part
  double writing_s = 0;              ///< seconds of the file thread of the reporting server
  std::int32_t file = -1;  ///< index into Model::files; the parts of a split file share it

  /// The following functions sum over all fields.
  std::int64_t records_written() const;
  std::int64_t records_lost() const;
};
/// Returns the fields that lost records, and how many: "tos 3, sos 1". Empty if none did.
std::string losses_text(const FileReport& report);

/// Adds the report of another writer of the same file. Each record counts once. It counts as lost
/// if one of the writers of its field has lost it, or has not had it although others have. Keeps
/// the first error, and the seconds of the writer with most.
void merge(FileReport& into, const FileReport& other);

}  // namespace epios::io
