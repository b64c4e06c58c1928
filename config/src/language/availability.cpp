#include "language/availability.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "language/value_text.hpp"
#include "text/text.hpp"

namespace epios::config {

namespace {

/// The value as one of the words of its row.
std::string word_of(const AttributeInfo& row, const Value& value) {
  if (row.type == ValueType::word) return std::get<std::string>(value);
  if (row.type == ValueType::integer) return fmt::format("{}", std::get<std::int64_t>(value));
  return {};
}

bool is_default(const AttributeInfo& row, const Value& value) {
  return !row.default_text.empty() && parse_value(row, row.default_text).value == value;
}

}  // namespace

void check_available(const Node& node, const Resolved& resolved, Findings& findings) {
  for (std::size_t i = 0; i < resolved.size(); ++i) {
    const Setting* setting = resolved.at(i);
    if (setting == nullptr || !setting->value) continue;
    const AttributeInfo& row = *setting->row;
    if (row.name == "expr") continue;  // said where its data are made, once for all who use them
    if (row.since == "later" && !is_default(row, *setting->value)) {
      findings.not_yet(setting->origin,
                       fmt::format("attribute '{}' of <{}>", row.name, name(node.kind)));
      continue;
    }
    const std::string word = word_of(row, *setting->value);
    if (word.empty() || is_available(row.words, word)) continue;
    findings.not_yet(setting->origin,
                     fmt::format("{}=\"{}\" of <{}>", row.name, word, name(node.kind)));
  }
}

}  // namespace epios::config
