// For whom a context waits on a server, and for how long.
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <string_view>
#include <utility>

#include "config/error.hpp"
#include "contexts/server_context.hpp"

namespace epios::server {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

double ServerContext::patience_s() const { return patience_.wait_s(); }

/// Says now and then what an event waits for that some clients have sent and others have not.
void ServerContext::be_patient() {
  const auto lacks = queue_->lacks();
  patience_.look(lacks ? std::optional(lacks->first) : std::nullopt, now_s());
  if (patience_.is_at_end()) {
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}': {} (for as long as give_up_s of context xios says: {} "
                            "s). Did they end, or wait for others, before this call?",
                            id_, queue_->waiting_for(), request_.give_up_s));
  }
  if (lacks) {
    if (lacks != said_lacks_) say_what_is_awaited(queue_->waiting_for());
  } else {
    const bool is_writing = in_place_ != nullptr || queue_->is_ready();
    if (gathers() && is_writing && !to_writers_->full().empty()) {
      say_servers_are_awaited("room on the way to those that write", to_writers_->full());
      said_lacks_.reset();
      return;
    }
    say_what_is_awaited(is_writing ? "its file thread, which writes what came before"
                        : readings_.awaits_word()
                            ? "the word of servers that read parts of the same record"
                            : "");
  }
  said_lacks_ = lacks;
}

/// For who asks who waits for whom in the job, which is asked when this has lasted.
void ServerContext::say_what_is_awaited(std::string_view missing) {
  if (missing != awaited_text_) tell_awaited(missing, missing_senders());
}

/// Some of them may come before others: the text alone does not say for whom it is.
void ServerContext::say_servers_are_awaited(std::string_view missing,
                                            const std::vector<int>& ranks) {
  if (missing == awaited_text_ && ranks == awaited_servers_) return;
  awaited_servers_ = ranks;
  tell_awaited(missing, servers_named(ranks));
}

void ServerContext::tell_awaited(std::string_view missing, std::vector<io::Actor> whom) {
  awaited_text_ = missing;
  if (missing.empty()) return waiting_.end();
  waiting_.set(environment_.job->own_server(component_, number_),
               fmt::format("context '{}': {}", id_, missing), std::move(whom),
               {request_.patience_s, 0});
}

std::vector<io::Actor> ServerContext::servers_named(const std::vector<int>& ranks) const {
  std::vector<io::Actor> out;
  out.reserve(ranks.size());
  for (const int rank : ranks) {
    // Two levels are of servers that serve all components.
    out.push_back({io::Actor::Kind::server, -1, rank, number_});
  }
  return out;
}

/// Whose parts of the next event are missing.
std::vector<io::Actor> ServerContext::missing_senders() const {
  std::vector<io::Actor> out;
  for (const int sender : queue_ ? queue_->missing_clients() : std::vector<int>()) {
    const auto number = static_cast<std::size_t>(sender);
    if (is_behind_) {
      out.push_back({io::Actor::Kind::server, -1, request_.choice.gatherers[number], number_});
    } else {
      out.push_back(environment_.job->client_of(component_, request_.clients[number]));
    }
  }
  return out;
}

}  // namespace epios::server
