#include "config/split_rule.hpp"

namespace epios::config {

SplitRule split_rule(const FileAttributes& file, const Calendar& calendar) {
  SplitRule rule;
  rule.freq = file.split_freq.value_or(Duration{});
  rule.format = file.split_freq_format.value_or("");
  rule.start_offset = file.split_start_offset.value_or(rule.start_offset);
  rule.end_offset = file.split_end_offset.value_or(rule.end_offset);
  if (file.split_last_date) rule.last_date = calendar.parse(*file.split_last_date);
  return rule;
}

}  // namespace epios::config
