#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace spdlog {
class logger;
}

namespace epios::server {

/// The server's log: quiet unless something goes wrong, EPIOS_LOG asks for more
/// (docs/reference/environment.md). To stderr; any thread.
class Log {
 public:
  explicit Log(int rank);
  void error(std::string_view text) const;
  void warning(std::string_view text) const;
  void info(std::string_view text) const;

 private:
  std::shared_ptr<spdlog::logger> logger_;  // spdlog hands loggers out as shared
};

}  // namespace epios::server
