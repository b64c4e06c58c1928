// How a context ends: what is left to send, the servers' last word, what was not sent.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "context/context_state.hpp"
#include "data/infinite_data.hpp"

namespace epios::client {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

void ContextState::finish_sending() {
  const auto start = Clock::now();
  resume();
  if (couplings_ && sent_now_) end_coupled_date();
  workflow_->finish(end_of_run());
  if (couplings_) couplings_->end({});
  if (read_link_) read_link_->drain();
  if (statistics_) save_statistics();
  link_->send_finalize(step_);
  in_library_s_ += std::chrono::duration<double>(Clock::now() - start).count();
}

/// Returns what ends a strict run.
std::vector<std::string> ContextState::say_what_was_amiss(
    const UnsentData& unsent, const std::vector<std::string>& left_over) const {
  std::vector<std::string> warnings = unsent.warnings();
  for (std::string& warning : infinity_warnings(*model_, infinite_.written)) {
    warnings.push_back(std::move(warning));
  }
  print_warnings(warnings, unsent);
  for (const std::string& text : infinite_.said) {
    // Known to those that say it: the others have received none, or are not the first.
    if (definitions_.is_strict()) {
      warnings.push_back(text);
    } else {
      fmt::print(stderr, "epios: warning: {}\n", text);
    }
  }
  if (clients().rank() == io::leader) {
    for (const std::string& text : left_over) {
      fmt::print(stderr, "epios: warning: context '{}': {}\n", id_, text);
    }
  }
  return warnings;
}

void ContextState::finalize() {
  if (state_ != State::running) {
    out_of_order("epios_context_finalize called", state_ == State::defining
                                                      ? "before the definition was closed"
                                                      : "again (a context ends once)");
  }
  poll();
  check_nothing_lent("epios_context_finalize");
  check_tiles();
  finish_sending();
  const auto start = Clock::now();
  const ServerWaits waits = server_waits();
  const std::string what = fmt::format("the end of the files of {}", waits.context);
  const int servers = client_.servers().remote_size();
  io::Waiting waiting(client_.session().job().watch());
  std::size_t told = 0;
  const auto unfinished = [&] {
    told = loads_.size();
    return waits.servers(servers, [&](int rank) {
      return std::none_of(loads_.begin(), loads_.end(),
                          [&](const io::ServerLoad& load) { return load.server == rank; });
    });
  };
  waiting.set(waits.client, what, unfinished(), waits.limits);
  ep::wait_until(client_.servers(), {"the servers to finish the files of a context"}, [&] {
    client_.poll();
    client_.progress_couplings();
    if (read_link_) read_link_->tell_servers();
    if (failure_) throw Error(*failure_);
    if (told != loads_.size()) waiting.set_whom(unfinished());
    // Some may have come before: a server to which this client has no channel does not wait for it.
    if (reports_ == servers) return true;
    waiting.check();
    return false;
  });
  state_ = State::finalized;
  const UnsentData unsent(
      *model_, [this](int stream) -> const auto& { return workflow_->account(stream); },
      [this](int source) { return workflow_->repeated_sends(source); },
      [this](int file) { return before_records_->gaps.records(file); });
  add_unsent(unsent);
  const std::vector<std::string> left_over =
      steps_ ? steps_->left_over() : std::vector<std::string>();
  report_cost(Clock::now() - start);
  let_go();
  const std::vector<std::string> warnings = say_what_was_amiss(unsent, left_over);
  std::string errors;
  for (const auto& [report, losses, unsent_in_file] : outcomes_) {
    if (report.error.empty()) continue;
    if (!errors.empty()) errors += '\n';
    errors += fmt::format("{} [{} records written, {} lost{}; see '{}.part']", report.error,
                          report.records_written(), report.records_lost(),
                          losses.empty() ? "" : fmt::format(" ({})", losses), report.path);
  }
  if (!errors.empty()) {
    client_.session().lose_data();
    throw Error(ErrorCode::io, fmt::format("context '{}': {}", id_, errors));
  }
  if (!definitions_.is_strict() || warnings.empty()) return;
  client_.session().lose_data();
  throw Error(unsent.warnings().empty() ? ErrorCode::io : ErrorCode::call_order,
              fmt::format("{}", fmt::join(warnings, "\n")));
}

/// A step in which nothing has been sent has only been announced.
config::Instant ContextState::end_of_run() const { return sent_now_ ? now_ : before_now_; }

void ContextState::save_statistics() {
  const std::int64_t before = model_->steps_before;
  statistics_->save(*model_, *workflow_,
                    {end_of_run(), before + (sent_now_ ? step_ : before_step_), before + step_});
}

void ContextState::add_unsent(const UnsentData& unsent) {
  std::set<std::int32_t> told;  // of a file in parts with the first one
  for (FileOutcome& outcome : outcomes_) {
    const std::int32_t file = outcome.report.file;
    if (told.insert(file).second) outcome.unsent = unsent.of_file(file);
  }
}

void ContextState::print_warnings(const std::vector<std::string>& warnings,
                                  const UnsentData& unsent) const {
  if (clients().rank() != io::leader) return;
  for (const auto& note : unsent.notes()) fmt::print(stderr, "epios: note: {}\n", note);
  if (couplings_) {
    for (const auto& remark : couplings_->remarks(dropped_)) {
      fmt::print(stderr, "epios: note: context '{}': {}\n", id_, remark);
    }
  }
  if (definitions_.is_strict()) return;  // they become an error
  for (const auto& warning : warnings) {
    fmt::print(stderr, "epios: warning: {}\n", warning);
  }
}

}  // namespace epios::client
