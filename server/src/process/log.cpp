#include "process/log.hpp"

#include <fmt/format.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <array>
#include <cstdlib>
#include <string_view>

#include "config/index.hpp"
#include "config/run_page.hpp"

namespace epios::server {

namespace {

using Severity = config::LineSlot::Severity;

/// Puts a line into the page if the log takes it, too.
void show(config::RunPage* page, const spdlog::logger& logger, Severity severity,
          const std::string& name, std::string_view text) {
  constexpr std::array levels{spdlog::level::info, spdlog::level::warn, spdlog::level::err};
  if (page == nullptr || !logger.should_log(nth(levels, static_cast<int>(severity)))) return;
  page->add_line(severity, name, text);
}

}  // namespace

Log::Log(int rank, config::RunPage* page)
    : logger_(std::make_shared<spdlog::logger>(fmt::format("epios server {}", rank),
                                               std::make_shared<spdlog::sinks::stderr_sink_mt>())),
      name_(fmt::format("server {}: ", rank)),
      page_(page) {
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
  out.name_ += out.title_;
  return out;
}

void Log::error(std::string_view text) const {
  logger_->error("{}{}", title_, text);
  show(page_, *logger_, Severity::error, name_, text);
}

void Log::warning(std::string_view text) const {
  logger_->warn("{}{}", title_, text);
  show(page_, *logger_, Severity::warning, name_, text);
}

void Log::info(std::string_view text) const {
  logger_->info("{}{}", title_, text);
  show(page_, *logger_, Severity::info, name_, text);
}

}  // namespace epios::server
