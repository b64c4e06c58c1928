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
  /// The same log, whose lines name a component.
  Log of(std::string_view component) const;
  void error(std::string_view text) const;
  void warning(std::string_view text) const;
  void info(std::string_view text) const;

 private:
  std::shared_ptr<spdlog::logger> logger_;  // spdlog hands loggers out as shared
  std::string title_;                       // in front of each text
};

}  // namespace epios::server
