// The states of a context on a server, and what leads from one to the next. What is done in a state
// is done by the context's parts; this file says when, and tells all of them when the context
// fails. In order: opening, running, closing, failing, the leader's commands.
#include "contexts/server_context.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ep/ep.hpp>
#include <set>
#include <string_view>
#include <utility>

#include "config/failure_text.hpp"
#include "config/index.hpp"
#include "contexts/event_check.hpp"
#include "event/stop_signals.hpp"
#include "event/traced_event.hpp"
#include "grid/levels.hpp"

namespace epios::server {
namespace {

ContextPlan plan_of(const ServerContext::Environment& environment, std::uint32_t number,
                    int component, const io::OpenContext& request) {
  ContextPlan out;
  out.number = number;
  out.component = component;
  out.id = request.context_id;
  out.rank = environment.servers->rank();
  out.servers = environment.servers->size();
  out.request = request;
  return out;
}

}  // namespace

ServerContext::ServerContext(const Environment& environment, std::uint32_t number, int component,
                             const io::OpenContext& request)
    : environment_(environment),
      plan_(plan_of(environment, number, component, request)),
      trace_(trace_of(*environment.job, environment.job->own_server(component, number), number)),
      reporter_({environment.clients, environment.to_clients, environment.log, number,
                 request.context_id, request.clients}),
      opening_(plan_, *environment.log),
      waits_(*environment.job, plan_),
      intake_({environment.servers, environment.clients, environment.window,
               &environment.job->channel_memory(), trace_},
              plan_, readings_),
      files_({plan_.rank, number, environment.file_threads, environment.file_thread,
              environment.broadcast, environment.compressors, environment.endpoints,
              environment.written,
              environment.job->components().at(static_cast<std::size_t>(component)),
              &environment.job->watch().page(), request.repeated >= 0,
              trace_of(*environment.job, environment.job->own_server(component, number), number,
                       "files"),
              &maps_}),
      readings_({environment.servers, environment.to_servers, number}, *environment.clients,
                *environment.file_thread, trace_),
      executor_(plan_, intake_, files_, maps_, readings_, *environment.log) {
  if (!trace_) return;
  trace_.add(fmt::format("collect component={} opening={} parts={} gathers={} downstream={}",
                         nth(environment_.job->components(), plan_.component),
                         plan_.request.opening, nth(plan_.request.parts, plan_.rank),
                         plan_.gatherer, plan_.is_downstream ? 1 : 0));
}

bool ServerContext::progress() {
  try {
    return advance();
  } catch (const Error& error) {
    fail(error.code(), error.what());
  } catch (const ep::Error& error) {
    fail(ErrorCode::communication, fmt::format("context '{}': {}", plan_.id, error.what()));
  } catch (const std::exception& error) {
    fail(failure_code(error), fmt::format("context '{}': {}", plan_.id, failure_text(error)));
  }
  return true;
}

bool ServerContext::advance() {
  if (forwarder_) forwarder_->progress();
  switch (state_) {
    case State::collecting:
    case State::waiting:
    case State::closed:
      return false;
    case State::opening:
      return await_writers() && reply_when_open();
    case State::refusing:
      return reply_when_given_up();
    case State::running:
      return run();
    case State::closing:
      return close_when_idle();
    case State::failed:
      return report_failure_when_idle();
    case State::leaving:
      return leave_when_idle();
  }
  return false;
}

bool ServerContext::is_opening() const {
  return state_ == State::collecting || state_ == State::waiting || state_ == State::opening ||
         state_ == State::refusing;
}

void ServerContext::add_part(std::span<const std::byte> message) {
  if (state_ != State::collecting) return;  // the context is over already
  const int sender = opening_.add_part(message);
  if (trace_) trace_.add(fmt::format("part sender={}", sender));
  if (opening_.has_all_parts()) build();
}

void ServerContext::build() {
  opening_.attempt([this] {
    opening_.assign();
    executor_.prepare(opening_.parts());
    ContextOpening::Reading reading = opening_.take_reading();
    readings_.share(plan_.model, std::move(reading.readers), std::move(reading.pieces),
                    opening_.parts());
    const int read_ahead = io::read_ahead(plan_.model, plan_.request.buffer_bytes);
    intake_.open(opening_.parts(),
                 {readings_.answer_bytes(read_ahead),
                  plan_.model.read_fields.empty() ? 0 : read_ahead, executor_.step_bytes()});
    opening_.note_fallback(intake_.fallback());
    if (!plan_.is_downstream) opening_.note_missing();  // gatherers have noted it
  });
  if (plan_.gathers()) {
    forwarder_ = std::make_unique<EventForwarder>(
        EventForwarder::Environment{environment_.servers, environment_.to_servers}, plan_, intake_);
    forwarder_->ask(opening_);
  }
  state_ = State::waiting;
  if (!plan_.is_leader()) return;
  Command command;
  command.kind = Command::Kind::make_files;
  command.context = plan_.number;
  environment_.broadcast(command);
  make_files();
}

/// A context that is over before its files are made here says no to what its writers do together.
void ServerContext::make_files() {
  if (state_ == State::waiting) state_ = State::opening;
  has_made_files_ = true;
  if (trace_) trace_.add("make");
  if (!plan_.gathers()) {
    opening_.attempt([this] { opening_.assemble_coordinates(); });
  }
  if (opening_.error().empty()) readings_.open();
  try {
    files_.open({plan_.model, plan_.placements, plan_.pieces, plan_.streams, plan_.request.forms,
                 opening_.coordinates()},
                opening_.error());
  } catch (const std::exception& error) {  // this server's alone: the others must learn of it
    opening_.refuse(failure_text(error));
  }
  opening_.add_remarks(files_.remarks());
  opening_.forget_offers();
}

/// Returns true when all that write for this server have answered, or none need to.
bool ServerContext::await_writers() {
  if (!forwarder_ || forwarder_->is_connected()) return true;
  const std::vector<int> awaited = forwarder_->unanswered();
  if (!awaited.empty()) {
    waits_.wait_for_servers("the files and channels of those that write", awaited);
    return false;
  }
  waits_.clear();
  forwarder_->connect(opening_);
  log_unshared("the servers that write", forwarder_->fallback());
  return true;
}

bool ServerContext::reply_when_open() {
  if (!files_.are_idle() || !readings_.is_idle()) return false;
  opening_.refuse(readings_.open_error());
  if (!files_.are_split()) opening_.drop_coordinates();  // in the files now
  opening_.refuse(files_.first_error());
  if (!opening_.error().empty()) {
    fail(ErrorCode::io, fmt::format("context '{}': {}", plan_.id, opening_.error()));
    return true;
  }
  reply_to_all();
  state_ = State::running;
  log_opening();
  if (trace_) trace_.add("open");
  return true;
}

void ServerContext::reply_to_all() {
  if (trace_) trace_.add(fmt::format("reply error={}", opening_.error().empty() ? 0 : 1));
  opening_.reply_to_all(
      [this](std::size_t part) { return intake_.offer(part); },
      [this](const io::OpeningPart& part, const io::OpenReply& reply) {
        if (!plan_.is_downstream) {
          return reporter_.send(static_cast<std::size_t>(part.client), io::encode(reply));
        }
        environment_.to_servers->send(*environment_.servers, part.remote_rank,
                                      static_cast<int>(io::ControlTag::inter_level),
                                      io::encode(reply));
      });
}

void ServerContext::log_unshared(std::string_view whom, const std::string& why) const {
  if (why.empty()) return;
  environment_.log->warning(
      fmt::format("context '{}': this server shares no memory with {} ({}) "
                  "Their data go as messages, which takes longer.",
                  plan_.id, whom, why));
}

void ServerContext::log_opening() const {
  std::set<std::string_view> files;
  for (const auto& share : plan_.streams) {
    if (!share.is_concerned()) continue;
    files.insert(nth(plan_.model.files, share.file).id);
  }
  const std::string does =
      forwarder_      ? fmt::format("gathers for {}",
                                    io::ranks_text(forwarder_->servers(), "server", "servers"))
      : files.empty() ? "writes nothing"
                      : fmt::format("writes {}", fmt::join(files, ", "));
  environment_.log->info(
      fmt::format("context '{}' opened: {}, {}", plan_.id, intake_.text(), does));
}

void ServerContext::add_reply(int server, io::OpenReply reply) {
  if (forwarder_) forwarder_->add_reply(server, std::move(reply));
}

void ServerContext::add_answer_channel(const io::AnswerChannel& channel) {
  if (state_ != State::running && state_ != State::opening) return;
  const std::vector<int>& clients = plan_.request.clients;
  try {
    if (channel.client < 0 || channel.client >= static_cast<int>(clients.size())) {
      throw Error(ErrorCode::protocol, fmt::format("client {} does not exist. Is this a bug of "
                                                   "EPIOS?",
                                                   channel.client));
    }
    const bool is_said = !readings_.fallback().empty();
    readings_.connect(channel, nth(clients, channel.client));
    if (!is_said) log_unshared("clients that read", readings_.fallback());
  } catch (const std::exception& error) {
    fail(ErrorCode::communication, fmt::format("context '{}': {}", plan_.id, failure_text(error)));
  }
}

bool ServerContext::run() {
  stop_when_told();
  reporter_.report_failed_files(files_.newly_failed());
  const bool did = execute_next();
  if (readings_.progress() || did) return true;
  note_wait();
  return false;
}

/// The clients agree on the date, and end the context there as they always do.
void ServerContext::stop_when_told() {
  // Before all clients have opened the context they do not know its number.
  if (plan_.request.stop_on_signal.empty() || !is_confirmed_) return;
  const int signal = io::stop_signal();
  if (signal != 0) reporter_.report_stop(signal);
}

bool ServerContext::execute_next() {
  if (!executor_.is_ready()) return false;
  const auto event = intake_.next();
  if (!event) return false;
  const io::EventKind kind = event->header.kind;
  check_event(event->header, {plan_.id, plan_.number, plan_.gathers(), plan_.model, plan_.streams,
                              files_, readings_});
  if (forwarder_ && kind != io::EventKind::read) {
    if (!forwarder_->forward(*event, trace_)) return false;
    waits_.clear();
    if (kind == io::EventKind::finalize) files_.close();
  } else {
    if (!executor_.can_execute(*event)) return false;
    waits_.clear();
    if (trace_) trace_.add("execute " + io::traced(*event));
    executor_.execute(*event);
    if (trace_ && executor_.awaited_event() >= 0) trace_.add("await");
  }
  if (kind == io::EventKind::finalize) state_ = State::closing;
  return true;
}

void ServerContext::note_wait() {
  if (waits_.check_stall(intake_)) return;
  const bool is_writing = executor_.is_writing_in_place() || intake_.queue().is_ready();
  if (forwarder_ && is_writing && !forwarder_->full().empty()) {
    return waits_.wait_for_servers("room on the way to those that write", forwarder_->full());
  }
  waits_.wait_for(is_writing ? "its file thread, which writes what came before"
                  : readings_.awaits_status()
                      ? "the word of servers that read parts of the same record"
                      : "",
                  intake_);
}

bool ServerContext::close_when_idle() {
  readings_.progress();
  const auto is_idle = [this] {
    if (!files_.are_idle() || !files_.are_closed() || !readings_.is_finished()) return false;
    if (forwarder_ && !forwarder_->undrained().empty()) return false;
    if (!intake_.is_drained()) return false;  // gatherers wait for that
    readings_.close();
    return readings_.is_idle();
  };
  if (!is_idle()) {
    if (forwarder_) {
      waits_.wait_for_servers("those that write to take what was passed on",
                              forwarder_->undrained());
    } else {
      waits_.wait_for("its files to be finished", intake_);
    }
    return false;
  }
  for (const auto& warning : files_.warnings()) environment_.log->warning(warning);
  for (const auto& warning : executor_.warnings()) environment_.log->warning(warning);
  files_.note_written();
  if (trace_) trace_.add("closed");
  reporter_.report_closed(
      {files_.account(), environment_.load(), executor_.infinite_values(), plan_.gathers()});
  state_ = State::closed;
  waits_.end();
  return true;
}

void ServerContext::fail(ErrorCode code, const std::string& text) {
  waits_.clear();
  if (trace_) trace_.add("failed");
  environment_.log->error(text);
  reporter_.keep_failure(code, text);
  readings_.abandon();
  if (is_opening()) {
    opening_.refuse(text);
    files_.discard(text);
    state_ = State::refusing;
    return;
  }
  files_.fail(text);
  if (state_ == State::running && forwarder_) {
    discard();  // what has come is not forwarded, which those that write account for
    forwarder_->notify_failure(code, text);
  }
  if (state_ != State::leaving) state_ = State::failed;
}

bool ServerContext::reply_when_given_up() {
  if (!files_.are_idle() || !readings_.is_idle()) return false;
  reply_to_all();
  reporter_.set_failure_reported();
  intake_.close();  // no client opens a channel when one server could not open the context
  state_ = State::failed;
  return true;
}

bool ServerContext::is_repeated_by(int component, const io::OpenContext& request) const {
  return request.repeated >= 0 && component == plan_.component &&
         static_cast<std::uint64_t>(request.repeated) == plan_.request.opening;
}

void ServerContext::give_way() {
  has_given_way_ = true;
  if (state_ != State::running) return;
  readings_.abandon();
  files_.discard("its clients could not open the context");
  intake_.close();
  reporter_.set_failure_reported();
  state_ = State::failed;
}

/// Makes room for what clients still send, so that none waits for a context that is over.
void ServerContext::discard() {
  if (!executor_.end_in_place()) return;
  intake_.discard([this](const io::EventHeader& header) {
    if (forwarder_) return forwarder_->lose(header);
    executor_.lose(header);
  });
}

bool ServerContext::report_failure_when_idle() {
  discard();
  if (reporter_.is_failure_reported() || executor_.is_writing_in_place() || !files_.are_idle() ||
      !readings_.is_idle()) {
    return false;
  }
  report_failure();
  return true;
}

void ServerContext::report_failure() {
  if (reporter_.is_failure_reported()) return;
  reporter_.set_failure_reported();
  // Before the clients hear of it: they may end the job at once.
  reporter_.log_unfinished(files_.account());
  if (forwarder_) forwarder_->log_lost(*environment_.log);
  // Clients hear of it from those that write, when these have said what became of their files.
  const bool others_report = forwarder_ && forwarder_->has_notified();
  if (others_report && state_ == State::failed) return;
  reporter_.report_failure(files_.account());
}

void ServerContext::on_gatherer_failure(int server, const io::ContextReport& report) {
  if (state_ == State::running) fail(static_cast<ErrorCode>(report.error_code), report.error);
  // A context that failed as it was opened has no files.
  if (state_ != State::failed || !intake_.is_open()) return;
  const int gatherer = io::gatherer_number(plan_.request.choice, server);
  for (const io::FileReport& file : report.files) executor_.lose_unforwarded(file, gatherer);
}

bool ServerContext::leave_when_idle() {
  discard();
  readings_.close();
  if (executor_.is_writing_in_place() || !files_.are_idle() || !readings_.is_idle()) return false;
  report_failure();
  if (!has_given_way_) reporter_.log_unfinished(files_.account());  // what has been lost since
  if (forwarder_) forwarder_->log_lost(*environment_.log);
  state_ = State::closed;
  return true;
}

void ServerContext::fail_as_clients_left(const std::string& why) {
  fail(ErrorCode::call_order, fmt::format("context '{}': {}", plan_.id, why));
}

void ServerContext::abandon(const std::string& why) {
  if (state_ == State::closed) return;
  waits_.clear();
  if (trace_) trace_.add("failed");
  intake_.unlink();
  reporter_.keep_failure(ErrorCode::call_order, why);
  if (is_opening()) {
    opening_.refuse_at_last(why);
    reply_to_all();
    reporter_.set_failure_reported();
  }
  readings_.abandon();
  files_.abandon(why);
  if (forwarder_) forwarder_->cancel();
  state_ = State::leaving;
}

void ServerContext::fail_now(const std::string& why) {
  if (state_ == State::closed) return;
  abandon(why);
  report_failure();
}

bool ServerContext::can_apply(const Command& command) const {
  if (command.kind == Command::Kind::make_files) return state_ != State::collecting;
  // A failed context executes no more events, but takes part in what is collective.
  if (state_ != State::running) return true;
  const bool is_seal = command.kind == Command::Kind::seal;
  if (!is_seal && command.kind != Command::Kind::sync) return true;
  if (command.event < 0) return !is_seal;  // at the end: after this server's own last event
  return command.event == executor_.awaited_event();
}

void ServerContext::apply(const Command& command) {
  if (command.kind == Command::Kind::context_opened) {
    is_confirmed_ = true;
    if (!intake_.settle()) return;
    return environment_.log->info(
        fmt::format("context '{}' has what its clients could open: {}", plan_.id, intake_.text()));
  }
  if (command.kind == Command::Kind::make_files) {
    if (!has_made_files_) make_files();
    return;
  }
  files_.apply(command);
  if (command.event >= 0 && command.last) executor_.end_awaited();
}

}  // namespace epios::server
