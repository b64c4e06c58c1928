/// @file
/// Codes of findings: short, and the same in all versions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace epios::config {

/// `none` stands for findings outside of a check. codes.def has the others.
enum class Code : int {
  none = 0,
#define CODE(number, name, title, explanation) name = 1##number - 10000,
#include "config/codes.def"
#undef CODE
};

struct CodeInfo {
  Code code = Code::none;
  std::string_view title;
  std::string_view explanation;
};

/// Returns all codes but `none`, in order of their numbers.
std::span<const CodeInfo> all_codes();
/// Returns the row of a code; that of `none` has no title.
const CodeInfo& info_of(Code code);
/// Returns "E0301", or "" for none.
std::string text_of(Code code);
/// Reads "E0301", "e0301" or "301". Returns nothing for any other text.
std::optional<Code> code_named(std::string_view text);
/// Returns the table as a page in Markdown.
std::string code_page();

}  // namespace epios::config
