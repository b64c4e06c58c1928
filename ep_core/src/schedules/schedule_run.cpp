#include <algorithm>
#include <utility>

#include "cliques/clique.hpp"
#include "messages/message_tables.hpp"
#include "messages/p2p.hpp"
#include "process/error.hpp"
#include "schedules/schedule.hpp"

namespace ep {

void ScheduleRun::begin(int tag, const char* what) noexcept {
  tag_ = tag;
  what_ = what;
  position_ = 0;
  started_ = false;
  error_ = EP_SUCCESS;
  loss_ = EP_SUCCESS;
}

bool ScheduleRun::advance(const Schedule& schedule, const std::shared_ptr<Clique>& clique) {
  const std::span<const Schedule::Step> steps = schedule.steps();
  while (position_ < steps.size()) {
    if (!started_) start_round(steps, clique);
    if (!round_is_complete()) return false;
    end_round();
    position_ = round_end_ + 1;
  }
  return true;
}

void ScheduleRun::start_round(std::span<const Schedule::Step> steps,
                              const std::shared_ptr<Clique>& clique) {
  using Kind = Schedule::Step::Kind;
  ++rounds_begun_;
  started_ = true;
  round_end_ = position_;
  while (round_end_ < steps.size() && steps[round_end_].kind != Kind::round) ++round_end_;
  const auto round = steps.subspan(position_, round_end_ - position_);
  // Receives are posted first, so that messages that arrive meanwhile go directly to their
  // destination.
  for (const Kind kind : {Kind::receive, Kind::send}) {
    for (const Schedule::Step& step : round) {
      if (step.kind == kind) start(step, clique);
    }
  }
}

void ScheduleRun::start(const Schedule::Step& step, const std::shared_ptr<Clique>& clique) {
  MappedView view = mapped_bytes(nullptr, 0);
  const int code = guarded([&] { view = mapped(step.view); });
  if (code != EP_SUCCESS && error_ == EP_SUCCESS) {
    error_ = loss_ = code;
    error_text_ = last_error();
  }
  ep_request* const request = request_arena().take();
  in_flight_.push_back(request);
  // No endpoint is notified, since the thread that completes a transfer drives the operation next.
  prepare(*request, clique, nullptr, std::move(view), what_);
  if (step.kind == Schedule::Step::Kind::receive) {
    start_process_receive(step.process, tag_, *request);
  } else if (loss_ != EP_SUCCESS) {
    start_lost_process_send(step.process, tag_, *request, loss_);
  } else {
    start_process_send(step.process, tag_, *request);
  }
}

bool ScheduleRun::round_is_complete() noexcept {
  while (done_ < in_flight_.size() && is_done(*in_flight_[done_])) ++done_;
  return done_ == in_flight_.size();
}

std::vector<int> ScheduleRun::awaited_processes() const {
  std::vector<int> processes;
  for (const ep_request* const request : in_flight_) {
    if (!is_done(*request)) processes.push_back(request->peer);
  }
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  return processes;
}

void ScheduleRun::end_round() {
  for (ep_request* const request : in_flight_) {
    if (error_ == EP_SUCCESS) note(*request);
    retire(*request);
  }
  in_flight_.clear();
  done_ = 0;
  started_ = false;
}

void ScheduleRun::withdraw() {
  for (ep_request* const request : in_flight_) {
    cancel(*request);
    abandon(*request);
  }
  in_flight_.clear();
  done_ = 0;
  started_ = false;
}

void ScheduleRun::note(const ep_request& request) {
  error_ = guarded([&] {
    if (request.is_receive && request.label.lost != EP_SUCCESS) {
      fail(request.label.lost, what_, ": process ", request.peer,
           " failed in it and has nothing to send. Its own error says why.");
    }
    check_outcome(request);
    if (!request.is_receive || request.status.ep_bytes == request.capacity) return;
    fail(EP_ERR_COUNT, what_, ": ", request.status.ep_bytes, " bytes come from process ",
         request.peer, " (", request.capacity, " expected). Different counts?");
  });
  if (error_ == EP_SUCCESS) return;
  loss_ = error_;
  error_text_ = last_error();
}

}  // namespace ep
