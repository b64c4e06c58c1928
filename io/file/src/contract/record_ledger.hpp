/// @file
/// Account of complete records, and the journal beside a .part file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "contract/agreement.hpp"

namespace epios::io {

/// Counts the points that this writer has written of each record of each record variable. Points
/// are written once, so a record is complete when the writers together have written all of its
/// points.
class RecordLedger {
 public:
  /// A record variable: number of points of a record, and whether it has only one record.
  struct Account {
    std::int64_t points = 0;
    bool is_once = false;
  };
  explicit RecordLedger(const std::vector<Account>& accounts);

  void note(std::size_t variable, std::int64_t record, std::int64_t points);

  /// Incomplete records of one variable.
  struct Gap {
    std::size_t variable = 0;
    std::int64_t record = 0;
    std::int64_t written = 0;  ///< number of points, over all writers
    std::int64_t points = 0;
    bool is_passed = false;  ///< a later record of the variable is complete
  };
  /// Sums over all writers for records below `limit` (for a variable that is written once: for its
  /// record) (collective, equal limits). Forgets records that are complete from the start of the
  /// file on.
  std::vector<Gap> settle(const Agreement& agreement, std::int64_t limit);
  /// Returns the number of complete records from the start on, at the last settle(); the same on
  /// all writers.
  std::int64_t complete(std::size_t variable) const { return columns_[variable].first; }
  /// Returns the same of that variable, of those with many records, which has the fewest; 0 if
  /// there is none.
  std::int64_t least_complete() const;

 private:
  struct Column {
    std::int64_t points = 0;
    std::int64_t first = 0;            // earlier records are complete
    std::deque<std::int64_t> written;  // points written by this writer, from record `first` on
    bool is_once = false;
    std::int64_t end(std::int64_t limit) const { return is_once ? 1 : limit; }
  };
  std::vector<Column> columns_;
};

/// Returns the text of the journal: the number of durable records of each variable.
std::string journal_text(const std::vector<std::string>& names, const RecordLedger& ledger);

}  // namespace epios::io
