#include "log.hpp"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <cstdlib>

namespace epios::server {

Log::Log(int rank)
    : logger_(std::make_shared<spdlog::logger>(fmt::format("epios server {}", rank),
                                               std::make_shared<spdlog::sinks::stderr_sink_mt>())) {
  logger_->set_pattern("%n: %l: %v");
  const char* level = std::getenv("EPIOS_LOG");
  logger_->set_level(level != nullptr ? spdlog::level::from_str(level) : spdlog::level::warn);
  logger_->flush_on(spdlog::level::trace);
}

void Log::error(std::string_view text) const { logger_->error("{}", text); }
void Log::warning(std::string_view text) const { logger_->warn("{}", text); }
void Log::info(std::string_view text) const { logger_->info("{}", text); }

}  // namespace epios::server
