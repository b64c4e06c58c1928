// What a context does on a server when there are two levels: as a gatherer, or behind gatherers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

#include "config/error.hpp"
#include "contexts/event_check.hpp"
#include "contexts/server_context.hpp"
#include "event/gathered.hpp"
#include "grid/levels.hpp"

namespace epios::server {

void ServerContext::read_levels() {
  const int servers = environment_.servers->size();
  for (const int gatherer : request_.choice.gatherers) {
    if (gatherer >= 0 && gatherer < servers) continue;
    throw Error(ErrorCode::protocol,
                fmt::format("context '{}': server {} is to gather (there are {}). Is this a bug of "
                            "EPIOS?",
                            id_, gatherer, servers));
  }
  gatherer_ = io::gatherer_number(request_.choice, rank_);
  is_behind_ = io::is_behind_gatherers(request_.choice, rank_);
  if (gathers()) speakers_ = {io::leader};
  // Gatherers give up first, and name the clients.
  if (is_behind_) patience_ = io::Patience(request_.patience_s);
}

/// As a client asks its servers, also when nothing can come of it: they wait for a word.
void ServerContext::ask_writers() {
  to_writers_ = std::make_unique<ToWriters>(ToWriters::Environment{
      environment_.servers, environment_.to_servers, number_, &model_, &request_.choice});
  try {
    if (open_error_.empty()) {
      if (gatherer_ > 0) io::leave_columns_to_first(model_, pieces_, parts_);
      coordinates_ = io::assemble_coordinates(model_, pieces_, request_.forms, parts_);
      note_disagreements();
      to_writers_->ask(placements_, pieces_, parts_, coordinates_.slabs);
      coordinates_ = {};
      return;
    }
  } catch (const std::exception& error) {
    open_error_ = error.what();
  }
  to_writers_->refuse(open_error_);
}

void ServerContext::add_reply(int server, io::OpenReply reply) {
  if (to_writers_) to_writers_->add_reply(server, std::move(reply));
}

/// Whether all that write for this server have said how they fare.
bool ServerContext::await_writers() {
  if (!gathers() || writers_have_answered_) return true;
  const std::vector<int> awaited = to_writers_->unanswered();
  if (!awaited.empty()) {
    say_servers_are_awaited("the files and channels of those that write", awaited);
    return false;
  }
  say_what_is_awaited({});
  if (open_error_.empty()) open_error_ = to_writers_->refusal();
  for (io::Remark& remark : to_writers_->take_remarks()) remarks_.push_back(std::move(remark));
  if (open_error_.empty()) to_writers_->connect(shares_);
  writers_have_answered_ = true;
  return true;
}

/// To the client, or the gatherer, whose opening part that is.
void ServerContext::answer(std::size_t part, const io::OpenReply& reply) {
  if (!is_behind_) {
    return announcer_.send(static_cast<std::size_t>(parts_[part].client), io::encode(reply));
  }
  environment_.to_servers->send(*environment_.servers, parts_[part].remote_rank,
                                static_cast<int>(io::ControlTag::between_levels),
                                io::encode(reply));
}

/// Waits while some channel to those that write is full: what comes before it in the context's
/// order stays where it is, and so does all that comes behind it.
bool ServerContext::pass_on(const io::EventQueue::Event& event) {
  const io::EventHeader header = event.header;
  if (header.kind == io::EventKind::finalize && !have_all_passed(header)) return false;
  if (header.kind == io::EventKind::record) {
    const StreamShare& share = shares_[static_cast<std::size_t>(header.stream)];
    if (share.is_concerned()) check_parts(id_, event, share, "client");
  }
  if (!to_writers_->pass(event)) return false;
  say_what_is_awaited({});
  if (header.kind == io::EventKind::record) {
    next_record_[static_cast<std::size_t>(header.stream)] = header.record + 1;
  }
  queue_->release();
  if (header.kind == io::EventKind::finalize) {
    files_.close();
    state_ = State::closing;
  }
  return true;
}

/// Those that write give account of what they have, and of what they will not get of it.
void ServerContext::tell_writers(ErrorCode code, const std::string& text) {
  if (!to_writers_) return;
  has_told_writers_ = true;
  to_writers_->cancel();
  io::ContextReport report;
  report.context = number_;
  report.failed = true;
  report.error_code = static_cast<int>(code);
  report.error = text;
  report.files = unpassed_account();
  for (const int server : to_writers_->servers()) {
    environment_.to_servers->send(*environment_.servers, server,
                                  static_cast<int>(io::ControlTag::between_levels),
                                  io::encode(report));
  }
}

/// Those that write cannot count what they have not seen.
std::vector<io::FileReport> ServerContext::unpassed_account() const {
  std::vector<io::FileReport> out;
  for (std::size_t f = 0; f < model_.files.size(); ++f) {
    io::FileReport file;
    file.file = static_cast<std::int32_t>(f);
    for (const int s : model_.files[f].streams) {
      const auto stream = static_cast<std::size_t>(s);
      if (unpassed_[stream].size() == 0) continue;
      file.fields.push_back({model_.streams[stream].name, {}, unpassed_[stream]});
    }
    if (!file.fields.empty()) out.push_back(std::move(file));
  }
  return out;
}

/// What a gatherer has not passed on is lost where its part was expected.
void ServerContext::lose_unpassed(const io::FileReport& unpassed, int gatherer) {
  if (unpassed.file < 0 || unpassed.file >= static_cast<int>(model_.files.size())) return;
  for (const int s : model_.files[static_cast<std::size_t>(unpassed.file)].streams) {
    const StreamShare& share = shares_[static_cast<std::size_t>(s)];
    if (!share.is_concerned()) continue;
    const std::vector<int>& senders = share.piece->senders;
    if (!std::binary_search(senders.begin(), senders.end(), gatherer)) continue;
    const std::string& name = model_.streams[static_cast<std::size_t>(s)].name;
    for (const io::FieldAccount& field : unpassed.fields) {
      if (field.field != name) continue;
      for (const auto& [begin, end] : field.lost.runs()) {
        for (std::int64_t record = begin; record < end; ++record) {
          files_.at(share.file).lose(share.index_in_file, record);
        }
      }
    }
  }
}

void ServerContext::hear_failure(int server, const io::ContextReport& report) {
  if (state_ == State::running) fail(static_cast<ErrorCode>(report.error_code), report.error);
  if (state_ != State::failed || queue_ == nullptr) return;  // failed as it was opened: no files
  const int gatherer = io::gatherer_number(request_.choice, server);
  for (const io::FileReport& file : report.files) lose_unpassed(file, gatherer);
}

/// Of a context that has failed.
void ServerContext::log_unpassed() {
  std::vector<std::string> fields;
  for (std::size_t s = 0; s < unpassed_.size(); ++s) {
    const std::int64_t records = std::exchange(unpassed_[s], {}).size();
    if (records == 0) continue;
    io::EventHeader header;
    header.stream = static_cast<std::int32_t>(s);
    fields.push_back(fmt::format("{} of {}", records, event_text(model_, header)));
  }
  if (fields.empty()) return;
  environment_.log->error(
      fmt::format("context '{}': records that were not passed on to those that write: {}", id_,
                  fmt::join(fields, ", ")));
}

}  // namespace epios::server
