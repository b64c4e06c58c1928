#include "earlier_runs/journal.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

namespace epios::io {

namespace {

/// Returns the text up to the end of the line, and takes it from `rest`.
std::string_view take_line(std::string_view& rest) {
  const std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(line.size() < rest.size() ? line.size() + 1 : line.size());
  return line;
}

}  // namespace

Journal parse_journal(std::string_view text) {
  Journal out;
  if (take_line(text) != "epios records 1") {
    out.problem = "is of another kind";
    out.suggestion = "Was it written by this version of EPIOS?";
    return out;
  }
  constexpr std::size_t most_digits = 18;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const std::size_t blank = line.find(' ');
    std::int64_t records = -1;
    const bool is_number = blank != std::string_view::npos && blank > 0 && blank <= most_digits &&
                           line.find_first_not_of("0123456789") == blank;
    if (is_number) std::from_chars(line.data(), line.data() + blank, records);
    const bool is_good =
        records >= 0 &&
        out.records.try_emplace(std::string(line.substr(blank + 1)), records).second;
    if (is_good) continue;
    out.problem = fmt::format("has the line '{}'", line);
    out.suggestion = "Is the journal whole?";
    return out;
  }
  return out;
}

}  // namespace epios::io
