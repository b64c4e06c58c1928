#include "server_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "config/error.hpp"
#include "event_check.hpp"

namespace epios::server {
namespace {

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
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
                  request.context_id, request.clients}),
      patience_(request.patience_s),
      request_(request),
      files_({rank_, number, environment.file_threads, environment.file_thread, environment.issue,
              environment.compressors}),
      readings_(rank_, *environment.clients, *environment.file_thread) {
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

void ServerContext::read_request() {
  model_ = config::decode_model(request_.model);
  if (request_.forms.scalars.size() != model_.scalars.size() ||
      request_.forms.axes.size() != model_.axes.size() ||
      request_.forms.domains.size() != model_.domains.size()) {
    throw Error(ErrorCode::protocol,
                fmt::format("context '{}': coordinates and elements do not match. Is this a bug of "
                            "EPIOS?",
                            id_));
  }
  const int servers = environment_.servers->size();
  placements_ = io::place_files(model_, servers, request_.shared_record_bytes);
  const auto rank = static_cast<std::size_t>(rank_);
  pieces_ = std::move(io::pieces_of(model_, placements_, servers)[rank]);
  read_placements_ = io::place_read_files(model_, servers, request_.shared_record_bytes);
  read_pieces_ = std::move(io::read_pieces_of(model_, read_placements_, servers)[rank]);
}

void ServerContext::add_part(std::span<const std::byte> message) {
  if (state_ != State::collecting) return;  // of a context that is over already
  io::OpeningPart part = io::decode_opening_part(message);
  try {
    if (open_error_.empty()) {
      io::check_opening_part(model_, pieces_, part);
      io::check_read_windows(read_pieces_, part);
    }
  } catch (const std::exception& error) {
    open_error_ = error.what();
  }
  parts_.push_back(std::move(part));
  if (--parts_due_ == 0) build();
}

void ServerContext::build() {
  std::sort(parts_.begin(), parts_.end(),
            [](const auto& a, const auto& b) { return a.client < b.client; });
  for (const auto& part : parts_) connected_.push_back(part.client);
  try {
    if (open_error_.empty()) {
      piece_shares_ = share_pieces(pieces_, parts_);
      shares_ = share_streams(model_, pieces_, piece_shares_, parts_);
      readings_.share(model_, read_placements_, std::move(read_pieces_), parts_);
      next_record_.assign(shares_.size(), 0);
      unfit_.assign(shares_.size(), 0);
      build_channels();
      note_missing();
    }
  } catch (const std::exception& error) {
    open_error_ = error.what();  // this server's alone: the others must learn of it
  }
  state_ = State::waiting;
  if (rank_ != io::leader) return;
  Order order;
  order.kind = Order::Kind::make_files;
  order.context = number_;
  environment_.issue(order);
  make_files();
}

void ServerContext::make_files() {
  state_ = State::opening;
  try {
    if (open_error_.empty()) {
      coordinates_ = io::assemble_coordinates(model_, pieces_, request_.forms, parts_);
    }
  } catch (const std::exception& error) {
    open_error_ = error.what();
  }
  note_disagreements();
  if (open_error_.empty()) readings_.open();
  try {
    files_.open({model_, placements_, pieces_, shares_, request_.forms, coordinates_.slabs},
                open_error_);
  } catch (const Error& error) {  // this server's alone: the others must learn of it
    if (open_error_.empty()) open_error_ = error.what();
  }
  for (const io::Remark& remark : files_.remarks()) remarks_.push_back(remark);
  // What the parts hold is in channels, files and patterns now.
  for (io::OpeningPart& part : parts_) {
    part.windows = {};
    part.held = {};
    part.masks = {};
    part.coordinates = {};
    part.read_windows = {};
  }
}

void ServerContext::build_channels() {
  const auto budget = static_cast<std::size_t>(request_.buffer_bytes);
  const auto specs = channel_specs(shares_, parts_, {budget, environment_.channel_bytes_taken});
  const int tag = io::channel_tag(number_);
  const auto force = request_.carrier > 0 ? static_cast<io::CarrierKind>(request_.carrier)
                                          : io::CarrierKind::in_process;
  try {
    channels_ = std::make_unique<io::ChannelGroup>(*environment_.clients, tag, specs, force);
  } catch (const ep::Error& error) {
    throw Error(ErrorCode::resource,
                fmt::format("{} Set 'buffer_bytes' or 'carrier' of context 'xios'?", error.what()));
  }
  note_fallback();

  std::vector<io::EventQueue::Input> inputs;
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    inputs.push_back({connected_[c], &channels_->receiver(c)});
  }
  queue_ = std::make_unique<io::EventQueue>(
      id_, std::move(inputs),
      [this](io::EventKind kind, int stream) -> const std::vector<int>& {
        if (kind == io::EventKind::record && stream >= 0 &&
            stream < static_cast<int>(shares_.size())) {
          const StreamShare& share = shares_[static_cast<std::size_t>(stream)];
          if (share.is_concerned()) return share.piece->senders;
        }
        if (kind == io::EventKind::read && readings_.reads(stream)) return readings_.askers(stream);
        return connected_;
      },
      [this](const io::EventHeader& header) { return event_text(model_, header); });
}

/// Which memory is missing is each server's; that it is, is one thing to know.
void ServerContext::note_fallback() {
  if (channels_->fallback().empty()) return;
  environment_.log->info(fmt::format("context '{}': {}", id_, channels_->fallback()));
  remarks_.push_back({{},
                      "not all servers have the shared memory that their clients' data need (is "
                      "/dev/shm small, or full?)",
                      0,
                      {},
                      "The data go as messages, which takes longer. Set 'buffer_bytes' of context "
                      "'xios' to less, or 'carrier' to 'messages'?"});
}

/// Points of written grids without a value anywhere: of each grid in its first stream, so that no
/// two servers count a point. That a client describes them and has masked them is no news.
void ServerContext::note_missing() {
  std::map<int, int> streams;  // per grid: how many streams it has
  for (const config::Stream& stream : model_.streams) ++streams[stream.grid];
  for (std::size_t s = 0; s < model_.streams.size(); ++s) {
    const config::Stream& stream = model_.streams[s];
    const int count = std::exchange(streams[stream.grid], 0);
    if (count == 0 || !shares_[s].is_concerned()) continue;
    const PieceShare& share = *shares_[s].piece;
    const std::string fields =
        count == 1 ? fmt::format("field '{}'", stream.name)
                   : fmt::format("field '{}' and {} more on its grid", stream.name, count - 1);
    const auto examples = [&](const std::vector<std::int64_t>& positions) {
      std::vector<std::string> out;
      out.reserve(positions.size());
      for (const std::int64_t p : positions) out.push_back(io::point_text(share.slab, p));
      return out;
    };
    if (share.unheld > 0) {
      remarks_.push_back({{},
                          fmt::format("no client has {}", fields),
                          share.unheld,
                          examples(share.first_unheld),
                          "They are written as missing values. Do the parts of all clients "
                          "together make the whole grid?"});
    }
    if (share.missing == share.unheld) continue;
    environment_.log->info(fmt::format(
        "context '{}': {} points of {} have no value on any client (they are masked, or outside "
        "of the data) and are written as missing values (indices from 0, first dimension first: "
        "{}{})",
        id_, share.missing - share.unheld, fields, fmt::join(examples(share.first_missing), ", "),
        std::cmp_greater(share.missing, share.first_missing.size()) ? ", ..." : ""));
  }
}

/// What clients say of the same coordinates, for each file that has them.
void ServerContext::note_disagreements() {
  if (coordinates_.disagreements.empty()) return;
  for (const io::CoordinatePiece& piece : pieces_.coordinates) {
    for (io::Remark remark : coordinates_.disagreements[static_cast<std::size_t>(piece.window)]) {
      remark.file = model_.files[static_cast<std::size_t>(piece.file)].path;
      remarks_.push_back(std::move(remark));
    }
  }
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
    case State::collecting:
    case State::waiting:
      return false;
    case State::opening:
      return reply_when_open();
    case State::running: {
      report_failed_files();
      const bool did = execute_next();
      if (readings_.progress() || did) return true;
      be_patient();
      return false;
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
  if (!files_.are_idle() || !readings_.is_idle()) return false;
  if (open_error_.empty()) open_error_ = readings_.open_error();
  if (!files_.are_split()) coordinates_ = {};  // in the files now
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
    if (share.is_concerned()) files.insert(model_.files[static_cast<std::size_t>(share.file)].id);
  }
  environment_.log->info(
      fmt::format("context '{}' opened: {} clients ({}), {} bytes of channels, writes {}", id_,
                  channels_->size(), fmt::join(channels, ", "), channels_->memory_bytes(),
                  files.empty() ? "nothing" : fmt::format("{}", fmt::join(files, ", "))));
}

void ServerContext::reply_to_all() {
  std::vector<io::OpenReply> replies(parts_.size());
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    replies[c].context = number_;
    replies[c].error = open_error_;
    if (!open_error_.empty()) continue;
    replies[c].offer = channels_->offer(c);
    replies[c].asked.resize(pieces_.grids.size());
  }
  for (std::size_t g = 0; g < piece_shares_.size() && open_error_.empty(); ++g) {
    PieceShare& share = piece_shares_[g];
    std::size_t c = 0;
    for (std::size_t i = 0; i < share.senders.size(); ++i) {
      while (connected_[c] != share.senders[i]) ++c;
      replies[c].asked[g] = std::move(share.asked[i]);
    }
    share.asked = {};
  }
  // The first client is connected to every server: it tells the user.
  if (!parts_.empty() && parts_.front().client == io::leader) {
    replies.front().remarks = std::exchange(remarks_, {});
  }
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    announcer_.send(static_cast<std::size_t>(connected_[c]), io::encode(replies[c]));
  }
  parts_ = {};
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
  check_event(event->header, {id_, number_, shares_, files_, readings_});
  if (!can_execute(*event)) return false;
  execute(*event);
  return true;
}

/// Clients without a channel to this server are told apart by their notes.
bool ServerContext::have_all_passed(const io::EventHeader& header) const {
  const auto others = request_.clients.size() - connected_.size();
  if (rank_ != io::leader || others == 0) return true;
  if (header.kind != io::EventKind::finalize && !files_.at(header.stream).is_shared()) return true;
  const auto found = passed_.find(header.event);
  return found != passed_.end() && static_cast<std::size_t>(found->second) == others;
}

bool ServerContext::can_execute(const io::EventQueue::Event& event) const {
  if (event.header.kind == io::EventKind::read) return true;
  if (event.header.kind != io::EventKind::record) return have_all_passed(event.header);
  const auto& share = shares_[static_cast<std::size_t>(event.header.stream)];
  const FileParts& file = files_.at(share.file);
  if (!share.piece->in_place && !file.is_done_writing()) return false;
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
  check_parts(id_, event, share);
  FileParts& file = files_.at(share.file);
  next_record_[static_cast<std::size_t>(event.header.stream)] = event.header.record + 1;
  if (!file.error_of(share.index_in_file, event.header.record).empty()) {
    file.lose(share.index_in_file, event.header.record);
    queue_->release();
    return;
  }
  files_.order_room(share, event.header.record);
  if (share.piece->in_place) {
    const std::span<std::byte> slab = event.parts.front().payload;
    fill_missing(share, slab);
    in_place_ = &file;
    file.write(share.index_in_file, event.header.record, share.box_on_file(),
               stored(event.header.stream, slab));
    return;
  }
  const std::span<std::byte> slab = files_.buffer(share);
  assemble(share, event.parts, slab);
  queue_->release();
  file.write(share.index_in_file, event.header.record, share.box_on_file(),
             stored(event.header.stream, slab));
}

std::span<std::byte> ServerContext::stored(int stream, std::span<std::byte> slab) {
  const StreamShare& share = shares_[static_cast<std::size_t>(stream)];
  if (share.gathering) slab = share.gathering->gather(slab, share.value_bytes);
  const StoredForm& form = share.form;
  if (form.is_plain()) return slab;
  return store(form, slab, unfit_[static_cast<std::size_t>(stream)]);
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
  readings_.close();
  if (!readings_.is_idle()) return false;
  for (const auto& warning : files_.warnings()) environment_.log->warning(warning);
  warn_of_unfit_values();
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
  readings_.abandon();
  files_.fail(text);
  if (is_opening()) {
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
