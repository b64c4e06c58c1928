#include "contract/record_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace epios::io {

RecordLedger::RecordLedger(const std::vector<Account>& accounts) {
  for (const Account& account : accounts) {
    columns_.push_back({account.points, 0, {}, account.is_once});
  }
}

void RecordLedger::note(std::size_t variable, std::int64_t record, std::int64_t points) {
  Column& column = columns_[variable];
  if (record < column.first) return;
  const auto position = static_cast<std::size_t>(record - column.first);
  if (position >= column.written.size()) column.written.resize(position + 1, 0);
  column.written[position] += points;
}

std::vector<RecordLedger::Gap> RecordLedger::settle(const Agreement& agreement,
                                                    std::int64_t limit) {
  std::vector<std::int64_t> sums;
  for (const Column& column : columns_) {
    for (std::int64_t record = column.first; record < column.end(limit); ++record) {
      const auto position = static_cast<std::size_t>(record - column.first);
      sums.push_back(position < column.written.size() ? column.written[position] : 0);
    }
  }
  agreement.sum(sums);
  std::vector<Gap> gaps;
  auto sum = sums.begin();
  for (std::size_t v = 0; v < columns_.size(); ++v) {
    Column& column = columns_[v];
    bool all_complete = true;
    std::size_t not_passed = gaps.size();
    for (std::int64_t record = column.first; record < column.end(limit); ++record, ++sum) {
      if (*sum == column.points) {
        for (; not_passed < gaps.size(); ++not_passed) gaps[not_passed].is_passed = true;
        if (!all_complete) continue;
        ++column.first;
        if (!column.written.empty()) column.written.pop_front();
      } else {
        all_complete = false;
        gaps.push_back({v, record, *sum, column.points});
      }
    }
  }
  return gaps;
}

std::int64_t RecordLedger::least_complete() const {
  std::optional<std::int64_t> least;
  for (const Column& column : columns_) {
    if (!column.is_once) least = std::min(least.value_or(column.first), column.first);
  }
  return least.value_or(0);
}

std::string journal_text(const std::vector<std::string>& names, const RecordLedger& ledger) {
  std::string text = "epios records 1\n";
  for (std::size_t v = 0; v < names.size(); ++v) {
    text += fmt::format("{} {}\n", ledger.complete(v), names[v]);
  }
  return text;
}

}  // namespace epios::io
