#include "contexts/server_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "config/error.hpp"
#include "contexts/event_check.hpp"

namespace epios::server {
ServerContext::ServerContext(const Environment& environment, std::uint32_t number, int component,
                             const io::OpenContext& request)
    : environment_(environment),
      number_(number),
      component_(component),
      id_(request.context_id),
      rank_(environment.servers->rank()),
      announcer_({environment.clients, environment.to_clients, environment.log, number,
                  request.context_id, request.clients}),
      patience_(request.patience_s, request.give_up_s),
      waiting_(environment.job->watch()),
      request_(request),
      files_({rank_, number, environment.file_threads, environment.file_thread, environment.issue,
              environment.compressors, environment.endpoints, environment.written,
              environment.job->components().at(static_cast<std::size_t>(component))}),
      readings_({environment.servers, environment.to_servers, number}, *environment.clients,
                *environment.file_thread) {
  parts_due_ = request_.parts.at(static_cast<std::size_t>(rank_));
  try {
    read_request();
  } catch (const std::exception& error) {
    open_error_ = error.what();
  }
  request_.model = {};
  if (parts_due_ == 0) build();
}

ServerContext::~ServerContext() = default;

bool ServerContext::progress() {
  try {
    return advance();
  } catch (const Error& error) {
    fail(error.code(), error.what());
  } catch (const ep::Error& error) {
    fail(ErrorCode::communication, fmt::format("context '{}': {}", id_, error.what()));
  } catch (const std::exception& error) {
    fail(ErrorCode::internal, fmt::format("context '{}': {}", id_, error.what()));
  }
  return true;
}

bool ServerContext::advance() {
  if (to_writers_) to_writers_->progress();
  switch (state_) {
    case State::collecting:
    case State::waiting:
      return false;
    case State::opening:
      return await_writers() && reply_when_open();
    case State::running: {
      report_failed_files();
      const bool did = execute_next();
      if (readings_.progress() || did) return true;
      be_patient();
      return false;
    }
    case State::closing:
      if (report_when_closed()) return true;
      if (gathers()) {
        say_servers_are_awaited("those that write to take what was passed on",
                                to_writers_->undrained());
      } else {
        say_what_is_awaited("its files to be finished");
      }
      return false;
    case State::failed:
      return tell_when_idle();
    case State::leaving:
      return leave_when_idle();
    case State::closed:
      return false;
  }
  return false;
}

bool ServerContext::execute_next() {
  if (awaited_ >= 0) return false;
  if (in_place_ != nullptr) {
    if (!in_place_->is_done_writing()) return false;
    in_place_ = nullptr;
    queue_->release();
  }
  const auto event = queue_->next();
  if (!event) return false;
  check_event(event->header, {id_, number_, gathers(), model_, shares_, files_, readings_});
  if (gathers() && event->header.kind != io::EventKind::read) return pass_on(*event);
  if (!can_execute(*event)) return false;
  say_what_is_awaited({});
  execute(*event);
  return true;
}

/// Clients without a channel to this server are told apart by their notes.
bool ServerContext::have_all_passed(const io::EventHeader& header) const {
  // Those that write for gatherers share no file, and hear all of them.
  if (rank_ != io::leader || is_behind_) return true;
  const auto others = request_.clients.size() - connected_.size();
  if (others == 0) return true;
  if (header.kind != io::EventKind::finalize && !files_.at(header.stream).is_shared()) return true;
  const auto found = passed_.find(header.event);
  return found != passed_.end() && static_cast<std::size_t>(found->second) == others;
}

bool ServerContext::can_execute(const io::EventQueue::Event& event) const {
  if (event.header.kind == io::EventKind::read) return true;
  if (event.header.kind != io::EventKind::record) return have_all_passed(event.header);
  const auto& share = shares_[static_cast<std::size_t>(event.header.stream)];
  const FileParts& file = files_.at(share.file);
  if (share.needs_buffer() && !file.is_done_writing()) return false;
  return !file.error_of(share.index_in_file, event.header.record).empty() ||
         files_.has_room(share, event.header.record);
}

void ServerContext::execute(const io::EventQueue::Event& event) {
  if (event.header.kind == io::EventKind::finalize) {
    queue_->release();
    files_.close();
    state_ = State::closing;
  } else if (event.header.kind == io::EventKind::sync) {
    execute_sync(event.header);
  } else if (event.header.kind == io::EventKind::read) {
    execute_read(event.header);
  } else if (event.header.kind == io::EventKind::part_end) {
    execute_part_end(event.header);
  } else {
    execute_record(event);
  }
}

void ServerContext::execute_record(const io::EventQueue::Event& event) {
  const auto& share = shares_[static_cast<std::size_t>(event.header.stream)];
  check_parts(id_, event, share, is_behind_ ? "gatherer" : "client");
  FileParts& file = files_.at(share.file);
  next_record_[static_cast<std::size_t>(event.header.stream)] = event.header.record + 1;
  if (!file.error_of(share.index_in_file, event.header.record).empty()) {
    file.lose(share.index_in_file, event.header.record);
    queue_->release();
    return;
  }
  files_.order_room(share, event.header.record);
  if (!share.needs_buffer()) {
    const std::span<std::byte> slab = event.parts.front().payload;
    note_infinite(event.header, fill_missing(share, slab));
    in_place_ = &file;
    file.write(share.index_in_file, event.header.record, share.box_on_file(),
               stored(event.header, slab));
    return;
  }
  const std::span<std::byte> slab = put_together(share, event);
  queue_->release();
  file.write(share.index_in_file, event.header.record, share.box_on_file(),
             stored(event.header, slab));
}

std::span<std::byte> ServerContext::put_together(const StreamShare& share,
                                                 const io::EventQueue::Event& event) {
  std::span<std::byte> slab = files_.buffer(share);
  if (!share.is_made_here()) {
    note_infinite(event.header, assemble(share, event.parts, slab));
    return slab;
  }
  steps_.work_out(share, event.parts, io::values_of<double>(slab));
  if (share.value_bytes == 4) slab = narrow(slab);
  note_infinite(event.header, fill_missing(share, slab));
  return slab;
}

std::span<std::byte> ServerContext::stored(const io::EventHeader& header,
                                           std::span<std::byte> slab) {
  const auto stream = static_cast<std::size_t>(header.stream);
  const StreamShare& share = shares_[stream];
  if (share.gathering) slab = share.gathering->gather(slab, share.value_bytes);
  if (share.form.is_plain()) return slab;
  Unfit unfit;
  slab = store(share.form, slab, unfit);
  unfit_[stream] += unfit.missing;
  note_infinite(header, unfit.infinite);
  return slab;
}

/// The client tells it at the end, for all servers. Records of a stream come in order.
void ServerContext::note_infinite(const io::EventHeader& header, std::int64_t values) {
  if (values == 0) return;
  io::InfiniteValues& known = infinite_[static_cast<std::size_t>(header.stream)];
  if (known.values == 0) known = {header.stream, 0, header.record};
  known.values += values;
}

/// Values that a file could not hold, field by field, as far as this server wrote them.
void ServerContext::warn_of_unfit_values() {
  for (std::size_t s = 0; s < unfit_.size(); ++s) {
    if (unfit_[s] == 0) continue;
    const config::Stream& stream = model_.streams[s];
    const StoredForm& form = shares_[s].form;
    environment_.log->warning(fmt::format(
        "file '{}': {} values of field '{}' are missing in it (prec=\"{}\" with scale_factor {} "
        "and "
        "add_offset {} cannot hold them). Use another scale_factor and add_offset, or more bytes?",
        model_.files[static_cast<std::size_t>(shares_[s].file)].path, unfit_[s], stream.name,
        form.file_bytes, form.scale_factor, form.add_offset));
  }
}

/// Every writer synchronises when it has executed what comes before on the timeline and nothing
/// behind. The leader says so as soon as it is there: then all clients have sent what the others
/// still wait for, so that these come to the same point.
void ServerContext::execute_sync(const io::EventHeader& header) {
  if (!files_.begins_sync(header.stream)) {
    awaited_ = header.event;
    return;
  }
  files_.sync(header.stream, header.event);
  queue_->release();
}

/// As a sync point: nothing of these parts comes behind it.
void ServerContext::execute_part_end(const io::EventHeader& header) {
  if (!files_.ends_parts(header.stream)) {
    awaited_ = header.event;
    return;
  }
  files_.end_parts(header.stream, header.record, header.event);
  queue_->release();
}

void ServerContext::execute_read(const io::EventHeader& header) {
  readings_.request(header);
  queue_->release();
}

void ServerContext::add_answer_channel(const io::AnswerChannel& channel) {
  if (state_ != State::running && state_ != State::opening) return;
  try {
    if (channel.client < 0 || channel.client >= static_cast<int>(request_.clients.size())) {
      throw Error(ErrorCode::protocol, fmt::format("client {} does not exist. Is this a bug of "
                                                   "EPIOS?",
                                                   channel.client));
    }
    readings_.connect(channel, request_.clients[static_cast<std::size_t>(channel.client)]);
  } catch (const std::exception& error) {
    fail(ErrorCode::communication, fmt::format("context '{}': {}", id_, error.what()));
  }
}

io::ContextReport ServerContext::account() const {
  io::ContextReport report;
  report.context = number_;
  report.files = files_.account();
  return report;
}

bool ServerContext::is_opening() const {
  return state_ == State::collecting || state_ == State::waiting || state_ == State::opening;
}

bool ServerContext::report_when_closed() {
  readings_.progress();
  if (!files_.are_idle() || !files_.are_closed() || !readings_.is_finished()) return false;
  if (to_writers_ && !to_writers_->undrained().empty()) return false;
  // Gatherers wait to be drained.
  if (queue_ && !queue_->is_told()) return false;
  readings_.close();
  if (!readings_.is_idle()) return false;
  for (const auto& warning : files_.warnings()) environment_.log->warning(warning);
  warn_of_unfit_values();
  io::ContextReport report = account();
  report.closed = true;
  report.load = environment_.load();
  std::copy_if(infinite_.begin(), infinite_.end(), std::back_inserter(report.infinite),
               [](const io::InfiniteValues& infinite) { return infinite.values > 0; });
  for (const auto& file : report.files) clean_ = clean_ && file.error.empty();
  files_.note_written();
  announcer_.report(report);
  state_ = State::closed;
  waiting_.end();
  std::int64_t written = 0;
  for (const auto& file : report.files) written += file.records_written();
  environment_.log->info(
      gathers() ? fmt::format("context '{}' closed: all records passed on", id_)
                : fmt::format("context '{}' closed: {} records written", id_, written));
  return true;
}

void ServerContext::report_failed_files() {
  for (auto& failed : files_.newly_failed()) {
    clean_ = false;
    environment_.log->error(failed.error);
    io::ContextReport report;
    report.context = number_;
    report.files.push_back(std::move(failed));
    announcer_.report(report);
  }
}

void ServerContext::fail(ErrorCode code, const std::string& text) {
  say_what_is_awaited({});
  environment_.log->error(text);
  clean_ = false;
  if (!failure_) failure_ = Error(code, text);
  readings_.abandon();
  files_.fail(text);
  if (state_ == State::running && to_writers_) {
    discard();  // what has come is not passed on, which those that write account for
    tell_writers(code, text);
  }
  if (is_opening()) {
    if (open_error_.empty()) open_error_ = text;
    reply_to_all();
    told_ = true;
    // No client opens a channel when one server could not open the context.
    queue_.reset();
    channels_.reset();
    channel_bytes_ = {};
  }
  if (state_ != State::leaving) state_ = State::failed;
}

/// Makes room for what clients still send, so that none waits for a context that is over.
void ServerContext::discard() {
  if (in_place_ != nullptr && !in_place_->is_done_writing()) return;
  in_place_ = nullptr;
  if (queue_) queue_->discard([this](const io::EventHeader& header) { count_discarded(header); });
}

// Parts of one record come one by one; the first counts for all.
void ServerContext::count_discarded(const io::EventHeader& header) {
  if (header.kind != io::EventKind::record || header.context != number_ || header.stream < 0 ||
      header.stream >= static_cast<int>(shares_.size())) {
    return;
  }
  const auto stream = static_cast<std::size_t>(header.stream);
  const auto& share = shares_[stream];
  if (!share.is_concerned() || header.record < next_record_[stream]) return;
  next_record_[stream] = header.record + 1;
  if (gathers()) {
    unpassed_[stream].add(header.record);
    return;
  }
  files_.at(share.file).lose(share.index_in_file, header.record);
}

bool ServerContext::tell_when_idle() {
  discard();
  if (told_ || in_place_ != nullptr || !files_.are_idle() || !readings_.is_idle()) return false;
  tell_failure();
  return true;
}

void ServerContext::tell_failure() {
  if (told_) return;
  told_ = true;
  // Before the clients hear of it: they may end the job at once.
  announcer_.log_unfinished(account());
  log_unpassed();
  // Clients hear of it from those that write, when these have said what became of their files.
  if (has_told_writers_ && state_ == State::failed) return;
  io::ContextReport report = account();
  report.failed = true;
  report.error_code = static_cast<int>(failure_->code());
  report.error = failure_->what();
  announcer_.report(report);
}

bool ServerContext::leave_when_idle() {
  discard();
  readings_.close();
  if (in_place_ != nullptr || !files_.are_idle() || !readings_.is_idle()) return false;
  tell_failure();
  announcer_.log_unfinished(account());  // what has been lost since
  log_unpassed();
  state_ = State::closed;
  return true;
}

void ServerContext::give_up(const std::string& why) {
  fail(ErrorCode::call_order, fmt::format("context '{}': {}", id_, why));
}

bool ServerContext::can_obey(const Order& order) const {
  if (order.kind == Order::Kind::make_files) return state_ != State::collecting;
  // A failed context executes no more events, but takes part in what is collective.
  if (state_ != State::running) return true;
  const bool is_seal = order.kind == Order::Kind::seal;
  if (!is_seal && order.kind != Order::Kind::sync) return true;
  if (order.event < 0) return !is_seal;  // at the end: after this server's own last event
  return order.event == awaited_;
}

void ServerContext::obey(const Order& order) {
  if (order.kind == Order::Kind::context_opened) {
    if (channels_) channels_->unlink();
    return;
  }
  if (order.kind == Order::Kind::make_files) {
    if (state_ == State::waiting) make_files();
    return;
  }
  files_.obey(order);
  const bool is_awaited = order.event >= 0 && order.last;
  if (is_awaited && std::exchange(awaited_, -1) >= 0 && queue_) queue_->release();
}

void ServerContext::abandon(const std::string& why) {
  if (state_ == State::closed) return;
  say_what_is_awaited({});
  if (channels_) channels_->unlink();
  clean_ = false;
  if (!failure_) failure_ = Error(ErrorCode::call_order, why);
  if (is_opening()) {
    open_error_ = why;
    reply_to_all();
    told_ = true;
  }
  readings_.abandon();
  files_.abandon(why);
  if (to_writers_) to_writers_->cancel();
  state_ = State::leaving;
}

void ServerContext::last_word(const std::string& why) {
  if (state_ == State::closed) return;
  abandon(why);
  tell_failure();
}

}  // namespace epios::server
