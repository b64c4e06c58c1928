/// @file
/// Which records are complete, and the journal that says so beside a .part file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "contract/agreement.hpp"

namespace epios::io {

/// Counts the points that this writer wrote of each record of each record variable. Points are
/// written once, so a record is complete when the writers together wrote as many points as it has.
class RecordLedger {
 public:
  /// A record variable: the points of a record, and whether it has only one.
  struct Account {
    std::int64_t points = 0;
    bool is_once = false;
  };
  explicit RecordLedger(const std::vector<Account>& accounts);

  void note(std::size_t variable, std::int64_t record, std::int64_t points);

  /// Records of one variable that are not complete.
  struct Gap {
    std::size_t variable = 0;
    std::int64_t record = 0;
    std::int64_t written = 0;  ///< points, over all writers
    std::int64_t points = 0;
    bool is_passed = false;  ///< a later record of the variable is complete
  };
  /// Sums up all writers for records below `limit` (of what is written once: for its record)
  /// (collective, equal limits) and forgets the
  /// records that are complete from the start of the file on.
  std::vector<Gap> settle(const Agreement& agreement, std::int64_t limit);
  /// Records complete from the start on, as of the last settle(); the same on all writers.
  std::int64_t complete(std::size_t variable) const { return columns_[variable].first; }

 private:
  struct Column {
    std::int64_t points = 0;
    std::int64_t first = 0;            // records before are complete
    std::deque<std::int64_t> written;  // by this writer, from `first` on
    bool is_once = false;
    std::int64_t end(std::int64_t limit) const { return is_once ? 1 : limit; }
  };
  std::vector<Column> columns_;
};

/// Text of the journal: for each variable how many records are durable.
std::string journal_text(const std::vector<std::string>& names, const RecordLedger& ledger);

}  // namespace epios::io
