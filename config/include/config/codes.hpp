/// @file
/// Codes of findings: short, and the same in all versions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace epios::config {

/// `none` is that of findings that are no part of a check. The others are in codes.def.
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

/// All but `none`, by number.
std::span<const CodeInfo> all_codes();
/// Of `none`: without title.
const CodeInfo& info_of(Code code);
/// "E0301"; "" for none.
std::string text_of(Code code);
/// From "E0301", "e0301" or "301"; none for another text.
std::optional<Code> code_named(std::string_view text);
/// The table as a page in Markdown.
std::string code_page();

}  // namespace epios::config
