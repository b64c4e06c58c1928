#include "contexts/context_reporter.hpp"

#include <fmt/format.h>

#include <ep/ep.hpp>
#include <utility>

namespace epios::server {

ContextReporter::ContextReporter(Setup setup) : setup_(std::move(setup)) {}

void ContextReporter::send(std::size_t client, std::vector<std::byte> message) {
  const int rank = setup_.ranks[client];
  try {
    setup_.to_clients->send(*setup_.clients, rank, static_cast<int>(io::ControlTag::to_client),
                            std::move(message));
  } catch (const ep::Error& error) {
    has_reached_all_ = false;
    setup_.log->error(
        fmt::format("context '{}': client {} cannot be told: {}", setup_.id, rank, error.what()));
  }
}

io::ContextReport ContextReporter::new_report() const {
  io::ContextReport out;
  out.context = setup_.context;
  return out;
}

void ContextReporter::report(const io::ContextReport& report) {
  for (std::size_t c = 0; c < clients(); ++c) send(c, io::encode(report));
}

void ContextReporter::report_failed_files(std::vector<io::FileReport> files) {
  for (io::FileReport& failed : files) {
    is_clean_ = false;
    setup_.log->error(failed.error);
    io::ContextReport message = new_report();
    message.files.push_back(std::move(failed));
    report(message);
  }
}

void ContextReporter::report_stop(int signal) {
  if (std::exchange(is_stop_reported_, true) || clients() == 0) return;
  io::ContextReport message = new_report();
  message.stop_signal = signal;
  send(0, io::encode(message));
}

void ContextReporter::keep_failure(ErrorCode code, const std::string& why) {
  is_clean_ = false;
  if (!failure_) failure_ = Error(code, why);
}

void ContextReporter::log_unfinished(const std::vector<io::FileReport>& files) {
  std::int64_t lost = 0;
  for (const auto& file : files) lost += file.records_lost();
  if (std::exchange(lost_logged_, lost) == lost) return;
  for (const auto& file : files) {
    if (file.error.empty()) continue;
    const std::string losses = losses_text(file);
    setup_.log->error(fmt::format(
        "context '{}': file '{}' is not finished: {} records written, {} lost{} (see '{}.part')",
        setup_.id, file.path, file.records_written(), file.records_lost(),
        losses.empty() ? "" : fmt::format(": {}", losses), file.path));
  }
}

void ContextReporter::report_failure(std::vector<io::FileReport> files) {
  io::ContextReport message = new_report();
  message.files = std::move(files);
  message.failed = true;
  message.error_code = static_cast<int>(failure_->code());
  message.error = failure_->what();
  report(message);
}

void ContextReporter::report_closed(Outcome outcome) {
  std::int64_t written = 0;
  for (const auto& file : outcome.files) {
    is_clean_ = is_clean_ && file.error.empty();
    written += file.records_written();
  }
  io::ContextReport message = new_report();
  message.closed = true;
  message.files = std::move(outcome.files);
  message.load = outcome.load;
  message.infinite = std::move(outcome.infinite);
  report(message);
  setup_.log->info(
      outcome.is_forwarded
          ? fmt::format("context '{}' closed: all records passed on", setup_.id)
          : fmt::format("context '{}' closed: {} records written", setup_.id, written));
}

}  // namespace epios::server
