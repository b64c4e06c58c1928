#include <string>
#include <string_view>

#include "text/findings.hpp"

namespace epios::config {

Origin origin_of_text(const std::string& where) {
  constexpr std::string_view call = "API call ";
  if (where.starts_with(call)) return {{}, where.substr(call.size())};
  const std::size_t column = where.rfind(':');
  const std::size_t line = column == std::string::npos ? column : where.rfind(':', column - 1);
  if (line == std::string::npos) return {{where, 0, 0}, {}};
  return {{where.substr(0, line), std::stoi(where.substr(line + 1)),
           std::stoi(where.substr(column + 1))},
          {}};
}

}  // namespace epios::config
