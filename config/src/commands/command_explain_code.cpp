#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "commands/commands.hpp"
#include "config/codes.hpp"
#include "config/error.hpp"
#include "config/suggestion.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

[[noreturn]] void refuse(const std::string& text) {
  std::vector<std::string> codes;
  for (const CodeInfo& info : all_codes()) codes.push_back(text_of(info.code));
  std::string suggestion = did_you_mean(text, {codes.begin(), codes.end()});
  if (suggestion.empty()) suggestion = "epios explain-code lists all.";
  throw Error(ErrorCode::argument, fmt::format("there is no code '{}'. {}", text, suggestion));
}

}  // namespace

int run_explain_code(const ExplainCodeOptions& options) {
  if (options.page) {
    fmt::print("{}", code_page());
    return 0;
  }
  if (options.code.empty()) {
    for (const CodeInfo& info : all_codes()) {
      fmt::print("{}  {}\n", text_of(info.code), info.title);
    }
    return 0;
  }
  const std::optional<Code> code = code_named(options.code);
  if (!code) refuse(shortened(options.code));
  const CodeInfo& info = info_of(*code);
  fmt::print("{}: {}\n\n{}\n", text_of(*code), info.title, wrapped(info.explanation, 100));
  return 0;
}

}  // namespace epios::config
