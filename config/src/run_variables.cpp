#include "config/run_variables.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace epios::config {

std::span<const RunVariable> run_variables() {
  static constexpr std::array<RunVariable, 4> rows = {{
      {"shared_record_bytes", "integer", "", "268435456", "0.1",
       "a file whose largest record has at least so many bytes is written by all servers"},
      {"buffer_bytes", "integer", "", "2147483648", "0.1",
       "channel memory of one server process, for all contexts that are open at a time"},
      {"carrier", "word", "auto|shared_memory|messages", "auto", "0.1",
       "how data reaches the servers; auto: by where they are"},
      {"patience_s", "real", "", "30", "0.1",
       "seconds until a server's log says which clients an event waits for"},
  }};
  return rows;
}

const RunVariable& run_variable(std::string_view id) {
  const auto rows = run_variables();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [id](const RunVariable& row) { return row.id == id; });
  if (found == rows.end()) throw std::logic_error(std::string(id) + " is no run variable");
  return *found;
}

}  // namespace epios::config
