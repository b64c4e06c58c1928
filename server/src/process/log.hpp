#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace spdlog {
class logger;
}

namespace epios::config {
class RunPage;
}

namespace epios::server {

/// The server's log: quiet unless something goes wrong, EPIOS_LOG asks for more
/// (docs/reference/environment.md). To stderr, and the last lines to the page of the process; any
/// thread.
class Log {
 public:
  /// `page`: of the process, which must outlive the log; null: none.
  explicit Log(int rank, config::RunPage* page = nullptr);
  /// The same log, whose lines name a component.
  Log of(std::string_view component) const;
  void error(std::string_view text) const;
  void warning(std::string_view text) const;
  void info(std::string_view text) const;

 private:
  std::shared_ptr<spdlog::logger> logger_;  // spdlog hands loggers out as shared
  std::string title_;                       // in front of each text
  std::string name_;                        // in front of each line in the page
  config::RunPage* page_;
};

}  // namespace epios::server
