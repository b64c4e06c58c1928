#include "config/codes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "text/text.hpp"

namespace epios::config {

namespace {

constexpr std::array table{
#define CODE(number, name, title, explanation) CodeInfo{Code::name, title, explanation},
#include "config/codes.def"
#undef CODE
};

static_assert(std::is_sorted(table.begin(), table.end(),
                             [](const CodeInfo& a, const CodeInfo& b) { return a.code < b.code; }));

}  // namespace

std::span<const CodeInfo> all_codes() { return table; }

const CodeInfo& info_of(Code code) {
  static constexpr CodeInfo no_info{};
  const auto found = std::find_if(table.begin(), table.end(),
                                  [code](const CodeInfo& info) { return info.code == code; });
  return found == table.end() ? no_info : *found;
}

std::string text_of(Code code) {
  return code == Code::none ? std::string() : fmt::format("E{:04d}", static_cast<int>(code));
}

std::optional<Code> code_named(std::string_view text) {
  if (text.starts_with('E') || text.starts_with('e')) text.remove_prefix(1);
  const std::optional<std::int64_t> number = parse_integer(text);
  for (const CodeInfo& info : table) {
    if (number == static_cast<int>(info.code)) return info.code;
  }
  return std::nullopt;
}

std::string code_page() {
  std::string page =
      "# Codes of findings\n\nPrinted by `epios explain-code --page`. What `epios check` and a run "
      "say "
      "ends in a code; it stays the same in all versions, while sentences may change.\n\n"
      "| code | what it means |\n| --- | --- |\n";
  for (const CodeInfo& info : table) {
    page += fmt::format("| {} | **{}** {} |\n", text_of(info.code), info.title, info.explanation);
  }
  return page;
}

}  // namespace epios::config
