#include "event/file_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace epios::io {

RecordSet::RecordSet(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.begin < b.begin; });
  for (const Run& run : runs) {
    if (run.begin >= run.end) continue;
    if (!runs_.empty() && run.begin <= runs_.back().end) {
      runs_.back().end = std::max(runs_.back().end, run.end);
    } else {
      runs_.push_back(run);
    }
  }
}

void RecordSet::add(std::int64_t record) {
  if (runs_.empty() || record > runs_.back().end) {
    runs_.push_back({record, record + 1});
  } else if (record == runs_.back().end) {
    ++runs_.back().end;
  } else {
    *this = unite(*this, RecordSet({{record, record + 1}}));
  }
}

std::int64_t RecordSet::size() const {
  return std::accumulate(
      runs_.begin(), runs_.end(), std::int64_t{0},
      [](std::int64_t sum, const Run& run) { return sum + run.end - run.begin; });
}

RecordSet unite(const RecordSet& a, const RecordSet& b) {
  std::vector<RecordSet::Run> runs = a.runs();
  runs.insert(runs.end(), b.runs().begin(), b.runs().end());
  return RecordSet(std::move(runs));
}

RecordSet subtract(const RecordSet& a, const RecordSet& b) {
  std::vector<RecordSet::Run> left;
  auto taken = b.runs().begin();
  for (RecordSet::Run run : a.runs()) {
    while (taken != b.runs().end() && taken->end <= run.begin) ++taken;
    for (auto next = taken; next != b.runs().end() && next->begin < run.end; ++next) {
      left.push_back({run.begin, next->begin});
      run.begin = next->end;
    }
    left.push_back(run);
  }
  return RecordSet(std::move(left));
}

void merge(std::vector<InfiniteValues>& into, const std::vector<InfiniteValues>& other) {
  for (const InfiniteValues& theirs : other) {
    const auto ours = std::find_if(into.begin(), into.end(), [&](const InfiniteValues& values) {
      return values.stream == theirs.stream;
    });
    if (ours == into.end()) {
      into.push_back(theirs);
      continue;
    }
    ours->values += theirs.values;
    ours->record = std::min(ours->record, theirs.record);
  }
}

std::int64_t FileReport::records_written() const {
  std::int64_t sum = 0;
  for (const FieldAccount& account : fields) sum += account.written.size();
  return sum;
}

std::int64_t FileReport::records_lost() const {
  std::int64_t sum = 0;
  for (const FieldAccount& account : fields) sum += account.lost.size();
  return sum;
}

std::string losses_text(const FileReport& report) {
  std::string text;
  for (const FieldAccount& account : report.fields) {
    const std::int64_t lost = account.lost.size();
    if (lost == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", account.field, lost);
  }
  return text;
}

void merge(FileReport& into, const FileReport& other) {
  into.bytes = std::max(into.bytes, other.bytes);
  into.writing_s = std::max(into.writing_s, other.writing_s);
  if (into.error.empty()) into.error = other.error;
  for (const FieldAccount& theirs : other.fields) {
    const auto ours =
        std::find_if(into.fields.begin(), into.fields.end(),
                     [&](const FieldAccount& account) { return account.field == theirs.field; });
    if (ours == into.fields.end()) {
      into.fields.push_back(theirs);
      continue;
    }
    const RecordSet only_ours = subtract(ours->written, theirs.written);
    const RecordSet only_theirs = subtract(theirs.written, ours->written);
    ours->lost = unite(unite(ours->lost, theirs.lost), unite(only_ours, only_theirs));
    ours->written = subtract(ours->written, only_ours);
  }
}

}  // namespace epios::io
