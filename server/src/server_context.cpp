#include "server_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "config/error.hpp"
#include "event_check.hpp"

namespace epios::server {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::vector<int> ranks_of(const std::vector<io::ClientPart>& clients) {
  std::vector<int> ranks;
  ranks.reserve(clients.size());
  for (const auto& client : clients) ranks.push_back(client.remote_rank);
  return ranks;
}

}  // namespace

ServerContext::ServerContext(const Environment& environment, std::uint32_t number, int component,
                             const io::OpenContext& request)
    : environment_(environment),
      number_(number),
      component_(component),
      id_(request.context_id),
      rank_(environment.servers->rank()),
      announcer_({environment.clients, environment.to_clients, environment.log, number,
                  request.context_id, ranks_of(request.clients)}),
      patience_(request.patience_s),
      files_(
          {rank_, number, environment.file_threads, environment.file_thread, environment.issue}) {
  try {
    build(request);
  } catch (const std::exception& error) {
    open_error_ = error.what();
  }
}

ServerContext::~ServerContext() = default;

void ServerContext::build(const io::OpenContext& request) {
  model_ = config::decode_model(request.model);
  placements_ = io::place_files(model_, environment_.servers->size(), request.shared_record_bytes);
  for (std::size_t c = 0; c < request.clients.size(); ++c) {
    all_clients_.push_back(static_cast<int>(c));
  }
  for (int s = 0; s < static_cast<int>(model_.streams.size()); ++s) {
    const int file = model_.streams[static_cast<std::size_t>(s)].file;
    shares_.push_back(share_of_stream(model_, s, placements_[static_cast<std::size_t>(file)], rank_,
                                      request.clients));
  }
  next_record_.assign(shares_.size(), 0);
  try {
    build_channels(request);
  } catch (const std::exception& error) {
    open_error_ = error.what();  // this server's alone: the others must learn of it
  }
  files_.open({model_, placements_, shares_, request.clients}, open_error_);
}

void ServerContext::build_channels(const io::OpenContext& request) {
  const std::size_t count = request.clients.size();
  const auto budget = static_cast<std::size_t>(request.buffer_bytes);
  const auto specs =
      channel_specs(shares_, request.clients, {budget, environment_.channel_bytes_taken});
  const int tag = io::first_channel_tag + 2 * static_cast<int>(number_);
  const auto force = request.carrier > 0 ? static_cast<io::CarrierKind>(request.carrier)
                                         : io::CarrierKind::in_process;
  channels_ = std::make_unique<io::ChannelGroup>(*environment_.clients, tag, specs, force);

  std::vector<io::EventQueue::Input> inputs;
  for (std::size_t c = 0; c < count; ++c)
    inputs.push_back({static_cast<int>(c), &channels_->receiver(c)});
  queue_ = std::make_unique<io::EventQueue>(
      id_, std::move(inputs),
      [this](io::EventKind kind, int stream) -> const std::vector<int>& {
        if (kind == io::EventKind::record && stream >= 0 &&
            stream < static_cast<int>(shares_.size())) {
          return shares_[static_cast<std::size_t>(stream)].expected;
        }
        return all_clients_;
      },
      [this](const io::EventHeader& header) { return event_text(model_, header); });
}

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
  switch (state_) {
    case State::opening:
      return reply_when_open();
    case State::running: {
      report_failed_files();
      const bool did = execute_next();
      if (!did) be_patient();
      return did;
    }
    case State::closing:
      return report_when_closed();
    case State::failed:
      return tell_when_idle();
    case State::leaving:
      return leave_when_idle();
    case State::closed:
      return false;
  }
  return false;
}

bool ServerContext::reply_when_open() {
  if (!files_.are_idle()) return false;
  if (open_error_.empty()) open_error_ = files_.first_error();
  if (!open_error_.empty()) {
    fail(ErrorCode::io, fmt::format("context '{}': {}", id_, open_error_));
    return true;
  }
  reply_to_all();
  state_ = State::running;
  log_opening();
  return true;
}

void ServerContext::log_opening() {
  std::map<std::string_view, int> carriers;
  for (std::size_t c = 0; c < channels_->size(); ++c) {
    ++carriers[io::name(channels_->receiver(c).carrier())];
  }
  std::vector<std::string> channels;
  channels.reserve(carriers.size());
  for (const auto& [carrier, count] : carriers) {
    channels.push_back(fmt::format("{} by {}", count, carrier));
  }
  std::set<std::string_view> files;
  for (const auto& share : shares_) {
    if (share.concerned) files.insert(model_.files[static_cast<std::size_t>(share.file)].id);
  }
  environment_.log->info(
      fmt::format("context '{}' opened: {} clients ({}), {} bytes of channels, writes {}", id_,
                  announcer_.clients(), fmt::join(channels, ", "), channels_->memory_bytes(),
                  files.empty() ? "nothing" : fmt::format("{}", fmt::join(files, ", "))));
}

void ServerContext::reply_to_all() {
  std::vector<std::vector<std::byte>> replies;
  for (std::size_t c = 0; c < announcer_.clients(); ++c) {
    io::OpenReply reply;
    reply.context = number_;
    reply.error = open_error_;
    if (open_error_.empty()) {
      reply.offer = channels_->offer(c);
      for (const auto& share : shares_) {
        reply.concerned.push_back(share.concerned ? 1 : 0);
        reply.expected.push_back(std::find(share.expected.begin(), share.expected.end(),
                                           static_cast<int>(c)) != share.expected.end()
                                     ? 1
                                     : 0);
      }
    }
    replies.push_back(io::encode(reply));
  }
  for (std::size_t c = 0; c < announcer_.clients(); ++c) {
    announcer_.send(c, std::move(replies[c]));
  }
}

bool ServerContext::execute_next() {
  if (awaited_sync_ >= 0) return false;
  if (in_place_ != nullptr) {
    if (!in_place_->is_idle()) return false;
    in_place_ = nullptr;
    queue_->release();
  }
  const auto event = queue_->next();
  if (!event) return false;
  check_event(event->header, {id_, number_, shares_, files_});
  if (!can_execute(*event)) return false;
  execute(*event);
  return true;
}

bool ServerContext::can_execute(const io::EventQueue::Event& event) const {
  if (event.header.kind != io::EventKind::record) return true;
  const auto& share = shares_[static_cast<std::size_t>(event.header.stream)];
  const ServerFile& file = files_.at(share.file);
  if (!share.in_place && !file.is_idle()) return false;
  return !file.error().empty() || files_.has_room(share.file, event.header.record);
}

void ServerContext::execute(const io::EventQueue::Event& event) {
  if (event.header.kind == io::EventKind::finalize) {
    queue_->release();
    files_.close();
    state_ = State::closing;
  } else if (event.header.kind == io::EventKind::sync) {
    execute_sync(event.header);
  } else {
    execute_record(event);
  }
}

void ServerContext::execute_record(const io::EventQueue::Event& event) {
  const auto& share = shares_[static_cast<std::size_t>(event.header.stream)];
  check_parts(id_, event, share);
  ServerFile& file = files_.at(share.file);
  next_record_[static_cast<std::size_t>(event.header.stream)] = event.header.record + 1;
  if (!file.error().empty()) {
    file.lose(share.index_in_file, event.header.record);
    queue_->release();
    return;
  }
  files_.order_room(share, event.header.record);
  if (share.in_place) {
    const std::span<std::byte> slab = event.parts.front().payload;
    fill_missing(share, slab);
    in_place_ = &file;
    file.write(share.index_in_file, event.header.record, share.slab, slab);
    return;
  }
  const std::span<std::byte> slab = files_.buffer(share);
  assemble(share, event.parts, slab);
  queue_->release();
  file.write(share.index_in_file, event.header.record, share.slab, slab);
}

/// Every writer synchronises when it has executed what comes before on the timeline and nothing
/// behind. The leader says so as soon as it is there: then all clients have sent what the others
/// still wait for, so that these come to the same point.
void ServerContext::execute_sync(const io::EventHeader& header) {
  if (!files_.begins_sync(header.stream)) {
    awaited_sync_ = header.event;
    return;
  }
  files_.sync(header.stream, header.event);
  queue_->release();
}

io::ContextReport ServerContext::account() const {
  io::ContextReport report;
  report.context = number_;
  report.files = files_.account();
  return report;
}

bool ServerContext::report_when_closed() {
  if (!files_.are_idle() || !files_.are_closed()) return false;
  for (const auto& warning : files_.warnings()) environment_.log->warning(warning);
  io::ContextReport report = account();
  report.closed = true;
  for (const auto& file : report.files) clean_ = clean_ && file.error.empty();
  announcer_.report(report);
  state_ = State::closed;
  std::int64_t written = 0;
  for (const auto& file : report.files) written += file.records_written();
  environment_.log->info(fmt::format("context '{}' closed: {} records written", id_, written));
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
  environment_.log->error(text);
  clean_ = false;
  if (!failure_) failure_ = Error(code, text);
  files_.fail(text);
  if (state_ == State::opening) {
    if (open_error_.empty()) open_error_ = text;
    reply_to_all();
    told_ = true;
    // No client opens a channel when one server could not open the context.
    queue_.reset();
    channels_.reset();
  }
  if (state_ != State::leaving) state_ = State::failed;
}

/// Makes room for what clients still send, so that none waits for a context that is over.
void ServerContext::discard() {
  if (in_place_ != nullptr && !in_place_->is_idle()) return;
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
  if (!share.concerned || header.record < next_record_[stream]) return;
  next_record_[stream] = header.record + 1;
  files_.at(share.file).lose(share.index_in_file, header.record);
}

bool ServerContext::tell_when_idle() {
  discard();
  if (told_ || in_place_ != nullptr || !files_.are_idle()) return false;
  tell_failure();
  return true;
}

void ServerContext::tell_failure() {
  if (told_) return;
  told_ = true;
  // Before the clients hear of it: they may end the job at once.
  announcer_.log_unfinished(account());
  io::ContextReport report = account();
  report.failed = true;
  report.error_code = static_cast<int>(failure_->code());
  report.error = failure_->what();
  announcer_.report(report);
}

bool ServerContext::leave_when_idle() {
  discard();
  if (in_place_ != nullptr || !files_.are_idle()) return false;
  tell_failure();
  announcer_.log_unfinished(account());  // what has been lost since
  state_ = State::closed;
  return true;
}

void ServerContext::give_up(const std::string& why) { fail(ErrorCode::call_order, why); }

bool ServerContext::can_obey(const Order& order) const {
  // A failed context executes no more events, but takes part in what is collective.
  if (state_ != State::running) return true;
  if (order.kind == Order::Kind::seal) return false;  // comes after this server's own last event
  return order.kind != Order::Kind::sync || order.event < 0 || order.event == awaited_sync_;
}

void ServerContext::obey(const Order& order) {
  if (order.kind == Order::Kind::context_opened) {
    if (channels_) channels_->unlink();
    return;
  }
  files_.obey(order);
  const bool is_awaited = order.kind == Order::Kind::sync && order.event >= 0;
  if (is_awaited && std::exchange(awaited_sync_, -1) >= 0 && queue_) queue_->release();
}

void ServerContext::abandon(const std::string& why) {
  if (state_ == State::closed) return;
  if (channels_) channels_->unlink();
  clean_ = false;
  if (!failure_) failure_ = Error(ErrorCode::call_order, why);
  if (state_ == State::opening) {
    open_error_ = why;
    reply_to_all();
    told_ = true;
  }
  files_.abandon(why);
  state_ = State::leaving;
}

void ServerContext::last_word(const std::string& why) {
  if (state_ == State::closed) return;
  abandon(why);
  tell_failure();
}

double ServerContext::patience_s() const { return patience_.wait_s(); }

/// Says now and then what an event waits for that some clients have sent and others have not.
void ServerContext::be_patient() {
  const std::string missing = queue_->waiting_for();
  const auto waited_s = patience_.look(missing, now_s());
  if (!waited_s) return;
  environment_.log->warning(
      fmt::format("context '{}': {} (for {:.1f} s)", id_, missing, *waited_s));
}

}  // namespace epios::server
