#include "orders/announcer.hpp"

#include <fmt/format.h>

#include <ep/ep.hpp>
#include <utility>

namespace epios::server {

Announcer::Announcer(Setup setup) : setup_(std::move(setup)) {}

void Announcer::send(std::size_t client, std::vector<std::byte> message) {
  const int rank = setup_.ranks[client];
  try {
    setup_.to_clients->send(*setup_.clients, rank, static_cast<int>(io::ControlTag::to_client),
                            std::move(message));
  } catch (const ep::Error& error) {
    reached_all_ = false;
    setup_.log->error(
        fmt::format("context '{}': client {} cannot be told: {}", setup_.id, rank, error.what()));
  }
}

void Announcer::report(const io::ContextReport& report) {
  for (std::size_t c = 0; c < clients(); ++c) send(c, io::encode(report));
}

void Announcer::log_unfinished(const io::ContextReport& account) {
  std::int64_t lost = 0;
  for (const auto& file : account.files) lost += file.records_lost();
  if (std::exchange(lost_logged_, lost) == lost) return;
  for (const auto& file : account.files) {
    if (file.error.empty()) continue;
    const std::string losses = losses_text(file);
    setup_.log->error(fmt::format(
        "context '{}': file '{}' is not finished: {} records written, {} lost{} (see '{}.part')",
        setup_.id, file.path, file.records_written(), file.records_lost(),
        losses.empty() ? "" : fmt::format(": {}", losses), file.path));
  }
}

}  // namespace epios::server
