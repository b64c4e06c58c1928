#include "contexts/context_waits.hpp"

#include <fmt/format.h>

#include <chrono>

#include "config/error.hpp"

namespace epios::server {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Gatherers give up first, and name the clients: who writes for them never does.
io::StallTimeout stall_timeout_of(const ContextPlan& plan) {
  return plan.is_downstream ? io::StallTimeout(plan.request.patience_s)
                            : io::StallTimeout(plan.request.patience_s, plan.request.give_up_s);
}

}  // namespace

ContextWaits::ContextWaits(const io::Job& job, const ContextPlan& plan)
    : job_(job), plan_(plan), stall_timeout_(stall_timeout_of(plan)), waiting_(job.watch()) {}

bool ContextWaits::check_stall(const ContextIntake& intake) {
  const io::EventQueue& queue = intake.queue();
  const auto lacks = queue.lacks();
  stall_timeout_.look(lacks ? std::optional(lacks->first) : std::nullopt, now_s());
  if (stall_timeout_.has_expired()) {
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}': {} (for as long as give_up_s of context xios says: {} "
                            "s). Did they end, or wait for others, before this call?",
                            plan_.id, queue.waiting_for(), plan_.request.give_up_s));
  }
  // The same event that lacks as many as before has the same text.
  if (lacks && lacks != lacks_) wait_for(queue.waiting_for(), intake);
  lacks_ = lacks;
  return lacks.has_value();
}

void ContextWaits::wait_for(std::string_view what, const ContextIntake& intake) {
  if (what != what_) set(what, actors_of(intake.missing_senders()));
}

/// Some of the servers may come before others: the text alone does not say for whom it is.
void ContextWaits::wait_for_servers(std::string_view what, const std::vector<int>& ranks) {
  if (what == what_ && ranks == servers_) return;
  servers_ = ranks;
  std::vector<io::Actor> whom;
  whom.reserve(ranks.size());
  for (const int rank : ranks) {
    // Two levels are of servers that serve all components.
    whom.push_back({io::Actor::Kind::server, -1, rank, plan_.number});
  }
  set(what, std::move(whom));
}

void ContextWaits::clear() {
  if (!what_.empty()) set({}, {});
}

void ContextWaits::set(std::string_view what, std::vector<io::Actor> whom) {
  what_ = what;
  if (what.empty()) return waiting_.end();
  waiting_.set(job_.own_server(plan_.component, plan_.number),
               fmt::format("context '{}': {}", plan_.id, what), std::move(whom),
               {plan_.request.patience_s, 0});
}

std::vector<io::Actor> ContextWaits::actors_of(const std::vector<int>& senders) const {
  std::vector<io::Actor> out;
  out.reserve(senders.size());
  for (const int sender : senders) {
    const auto number = static_cast<std::size_t>(sender);
    if (plan_.is_downstream) {
      out.push_back(
          {io::Actor::Kind::server, -1, plan_.request.choice.gatherers[number], plan_.number});
    } else {
      out.push_back(job_.client_of(plan_.component, plan_.request.clients[number]));
    }
  }
  return out;
}

}  // namespace epios::server
