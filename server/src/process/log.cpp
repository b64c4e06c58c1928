#include "process/log.hpp"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <cstdlib>
#include <string_view>

namespace epios::server {

Log::Log(int rank)
    : logger_(std::make_shared<spdlog::logger>(fmt::format("epios server {}", rank),
                                               std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
  logger_->set_pattern("%n: %l: %v");
  const char* wish = std::getenv("EPIOS_LOG");
  const auto level = wish == nullptr ? spdlog::level::warn : spdlog::level::from_str(wish);
  // What it does not know, it takes for "off".
  const bool is_known = level != spdlog::level::off || std::string_view(wish) == "off";
  logger_->set_level(is_known ? level : spdlog::level::warn);
  logger_->flush_on(spdlog::level::trace);
  if (!is_known && rank == 0) {
    warning(
        fmt::format("EPIOS_LOG is '{}' (no level of the log). Use error, warning, info, debug or "
                    "trace?",
                    wish));
  }
}

Log Log::of(std::string_view component) const {
  Log out = *this;
  out.title_ = fmt::format("component '{}': ", component);
  return out;
}

void Log::error(std::string_view text) const { logger_->error("{}{}", title_, text); }
void Log::warning(std::string_view text) const { logger_->warn("{}{}", title_, text); }
void Log::info(std::string_view text) const { logger_->info("{}{}", title_, text); }

}  // namespace epios::server
