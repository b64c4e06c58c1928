#include "context/context_group.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "config/error.hpp"
#include "event/agreement.hpp"
#include "session/log.hpp"

namespace epios::client {

ContextGroup::ContextGroup(ClientState& client, std::string id, ep::Comm among)
    : client_(client),
      id_(std::move(id)),
      record_(client.recorder()),
      among_(std::move(among)),
      liveness_(among_ ? std::make_unique<LivenessBarrier>(among_, client.session().job(),
                                                           client.clients())
                       : nullptr) {}

std::vector<int> ContextGroup::ranks_in_component() const {
  const int own = client_.rank();
  std::vector<int> out(static_cast<std::size_t>(clients().size()));
  ep::check(EP_Allgather(&own, 1, MPI_INT, out.data(), 1, MPI_INT, clients().get()));
  return out;
}

LivenessBarrier& ContextGroup::liveness() { return liveness_ ? *liveness_ : client_.liveness(); }

void ContextGroup::enter(const RunSettings& settings, bool is_strict) {
  settings_ = settings;
  is_strict_ = is_strict;
  client_.session().job().watch().know_thread(client_.actor(), {settings_.patience_s, 0});
  liveness().wait_all(fmt::format("context '{}'", id_),
                      {settings_.patience_s, settings_.give_up_s});
}

void ContextGroup::leave(std::string_view why) {
  if (liveness_) liveness_->leave(std::string(why));
}

ServerWaits ContextGroup::server_waits() const {
  return {client_.session().job(), client_.actor(),
          ServerWaits::limits_of(settings_.patience_s, settings_.give_up_s),
          fmt::format("context '{}'", id_),
          number_ ? static_cast<std::int64_t>(*number_) : std::int64_t{-1}};
}

void ContextGroup::note_unshared(std::string_view whom, const std::string& why) const {
  const int is_one = why.empty() ? 0 : 1;
  int count = 0;
  ep::check(EP_Allreduce(&is_one, &count, 1, MPI_INT, MPI_SUM, clients().get()));
  if (count == 0) return;
  const int rank = is_one != 0 ? clients().rank() : clients().size();
  int first = 0;
  ep::check(EP_Allreduce(&rank, &first, 1, MPI_INT, MPI_MIN, clients().get()));
  if (rank != first) return;
  log_note(
      fmt::format("context '{}': {} of {} clients share no memory with {} (client {}: {}) "
                  "Their data go through MPI, which takes longer.",
                  id_, count, clients().size(), whom, rank, why));
}

void ContextGroup::warn(const std::vector<std::string>& texts) const {
  if (is_strict_) {
    return io::all_or_none(clients(), [&] {
      if (texts.empty()) return;
      throw Error(ErrorCode::configuration,
                  fmt::format("{} (strict=\"true\": warnings are errors)", fmt::join(texts, "\n")));
    });
  }
  for (const std::string& text : texts) log_warning(text);
}

}  // namespace epios::client
