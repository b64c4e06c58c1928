// How a context is opened: from its Model to its channels. Clients first compare among themselves
// what must be the same, or is told once; then each server hears directly from each client that has
// points of its slabs, the leader of the servers from the first client; the links are made of their
// answers.
#include "context/context_opening.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "event/agreement.hpp"
#include "event/long_message.hpp"
#include "grid/layout.hpp"
#include "grid/levels.hpp"
#include "grid/remark.hpp"
#include "grids/beyond_data.hpp"
#include "grids/other_coordinates.hpp"
#include "grids/whole_domains.hpp"
#include "session/server_levels.hpp"
#include "session/server_pools.hpp"

namespace epios::client {

ContextOpening::ContextOpening(ContextGroup& group, const config::Model& model,
                               const config::Definitions& definitions, std::int64_t repeated)
    : group_(group),
      model_(model),
      definitions_(definitions),
      repeated_(repeated),
      number_(group.client().next_opening()) {
  ep::check(EP_Bcast(&number_, 1, MPI_UINT64_T, io::leader, group.clients().get()));
}

std::vector<std::string> ContextOpening::place() {
  const int servers = group_.client().servers().remote_size();
  const std::int64_t shared_record_bytes = group_.settings().shared_record_bytes;
  io::check_masks(model_);
  parts_ = std::make_unique<io::LocalParts>(model_);
  std::vector<std::string> warnings = place_files(servers);
  read_placements_ = io::place_read_files(model_, servers, shared_record_bytes, choice_);
  read_pieces_ = io::read_pieces_of(model_, read_placements_, servers);
  return warnings;
}

/// Which servers hear of which files; returns what is to be warned of.
std::vector<std::string> ContextOpening::place_files(int servers) {
  const config::ServerPlan plan = definitions_.servers();
  SessionState& session = group_.client().session();
  const io::ProcessTable& process_table = session.job().watch().process_table();
  const RunSettings& settings = group_.settings();
  ServerLevels levels = with_gatherers(plan, model_, process_table, settings,
                                       choose_servers(plan, model_, process_table));
  choice_ = std::move(levels.choice);
  if (io::has_levels(choice_)) {
    placements_ = io::gathered_files(model_, choice_);
    pieces_ = io::gathered_pieces(model_, choice_, servers);
  } else {
    placements_ = io::place_files(model_, servers, settings.shared_record_bytes, choice_);
    pieces_ = io::pieces_of(model_, placements_, servers);
  }
  if (!group_.leads()) return {};
  session.say_once(levels.notes);
  return std::move(levels.warnings);
}

void ContextOpening::compare_parts() {
  const ep::Comm& clients = group_.clients();
  std::vector<std::string> warnings = whole_domains(model_, *parts_, clients);
  if (!group_.leads()) warnings.clear();
  for (std::string& text : data_beyond(model_, clients)) warnings.push_back(std::move(text));
  group_.warn(warnings);
  const auto unite = [&](auto& own, MPI_Op op) {
    const std::vector<std::int32_t> mine = io::numbers_of(own);
    std::vector<std::int32_t> all(mine.size());
    ep::check(EP_Allreduce(mine.data(), all.data(), ep::message_count(mine.size()), MPI_INT32_T, op,
                           clients.get()));
    io::set_from_numbers(own, all);
  };
  forms_ = io::local_forms(model_);
  unite(forms_, MPI_MAX);
  holders_ = io::local_holders(model_, *parts_, forms_, clients.rank());
  const io::Holders own = holders_;
  unite(holders_, MPI_MIN);
  const auto digests = io::coordinate_digests(model_, *parts_, own);
  if (const auto differing = other_coordinates(digests, io::numbers_of(holders_), clients);
      !differing.empty()) {
    // What one of those who differ offers is compared with what is written, and warned of.
    std::vector<std::int32_t> numbers = io::numbers_of(holders_);
    for (const std::size_t i : differing) numbers[i] = io::Holders::none;
    io::set_from_numbers(holders_, numbers);
  }
  share_out_sides();
}

/// Who tells which columns and rows of rectilinear domains.
void ContextOpening::share_out_sides() {
  const ep::Comm& clients = group_.clients();
  const std::vector<std::uint64_t> own = io::side_votes(model_, forms_, holders_, clients.rank());
  std::vector<std::uint64_t> least(own.size());
  if (own.empty()) return;
  ep::check(EP_Allreduce(own.data(), least.data(), ep::message_count(own.size()), MPI_UINT64_T,
                         MPI_MIN, clients.get()));
  io::set_sides(holders_, model_, forms_, own, least);
}

/// What each server must know of this client, encoded; empty where it need not know anything. The
/// first client speaks to all servers but those that gatherers speak to, so that each has somebody
/// who says when records are due.
std::vector<std::vector<std::byte>> ContextOpening::make_parts(const io::StepPlans& steps) {
  std::vector<std::vector<std::byte>> out;
  std::vector<std::vector<std::vector<io::PlaceRun>>> windows;
  for (const io::Pieces& pieces : read_pieces_) {
    windows.push_back(io::read_windows(model_, *parts_, pieces));
  }
  const auto heard = io::notified_pieces(read_pieces_, windows);
  for (std::size_t s = 0; s < pieces_.size(); ++s) {
    const io::Pieces& pieces = pieces_[s];
    io::OpeningPart part =
        io::opening_part(model_, *parts_, pieces, holders_, group_.clients().rank());
    part.read_windows = std::move(windows[s]);
    part.is_notified_of = heard[s];
    for (const io::StepPiece& step : pieces.steps) part.rows.push_back(steps.rows(step.expression));
    part.remote_rank = group_.client().rank();
    part.opening = number_;
    const bool is_behind = io::is_downstream(choice_, static_cast<int>(s));
    const bool speaks = !is_behind && (part.client == io::leader || !part.is_empty());
    asks_.push_back(speaks ? 1 : 0);
    out.push_back(speaks ? io::encode(part) : std::vector<std::byte>());
  }
  return out;
}

/// What the leader of the servers hears from the first client; elsewhere it has only parts.
io::OpenContext ContextOpening::make_request() const {
  const ClientState& client = group_.client();
  const ep::Comm& clients = group_.clients();
  const int servers = client.servers().remote_size();
  io::OpenContext request;
  const std::vector<int> asks(asks_.begin(), asks_.end());
  request.parts.resize(asks.size());
  ep::check(
      EP_Allreduce(asks.data(), request.parts.data(), servers, MPI_INT, MPI_SUM, clients.get()));
  for (int s = 0; s < servers; ++s) {
    if (!io::is_downstream(choice_, s)) continue;
    nth(request.parts, s) = static_cast<int>(choice_.gatherers.size());
  }
  const int rank = client.rank();
  request.clients.resize(group_.leads() ? static_cast<std::size_t>(clients.size()) : 0);
  ep::check(
      EP_Gather(&rank, 1, MPI_INT, request.clients.data(), 1, MPI_INT, io::leader, clients.get()));
  if (!group_.leads()) return request;
  const RunSettings& settings = group_.settings();
  request.opening = number_;
  request.context_id = group_.id();
  request.model = config::encode(model_);
  request.forms = forms_;
  request.shared_record_bytes = settings.shared_record_bytes;
  request.choice = choice_;
  request.buffer_bytes = settings.buffer_bytes;
  request.carrier = settings.carrier;
  request.patience_s = settings.patience_s;
  request.give_up_s = settings.give_up_s;
  request.metrics_file = settings.metrics_file;
  // A replay writes in its own folder.
  if (group_.client().session().recorded_run().is_played) {
    request.metrics_file = std::filesystem::path(settings.metrics_file).filename().string();
  }
  request.stop_on_signal = settings.stop_on_signal;
  request.repeated = repeated_;
  return request;
}

void ContextOpening::ask(io::StepPlans& steps) {
  ClientState& client = group_.client();
  std::vector<std::vector<std::byte>> parts;
  io::all_or_none(group_.clients(), [&] { parts = make_parts(steps); });
  steps.forget_rows();
  const io::OpenContext request = make_request();
  note_asked();
  if (group_.leads()) client.control().send_to_leader(io::encode(request));
  for (std::size_t s = 0; s < parts.size(); ++s) {
    if (parts[s].empty()) continue;
    sent_bytes_ += std::ssize(parts[s]);
    io::send_long(client.servers(), parts[s], static_cast<int>(s),
                  static_cast<int>(io::ControlTag::to_server));
    parts[s] = {};
  }
}

/// Traces which servers hear of this client.
void ContextOpening::note_asked() const {
  const ServerWaits waits = group_.server_waits();
  const io::ActorTrace trace = trace_of(waits.job, waits.client, -1);
  if (!trace) return;
  std::vector<int> asked;
  for (std::size_t s = 0; s < asks_.size(); ++s) {
    if (asks_[s] != 0) asked.push_back(static_cast<int>(s));
  }
  trace.add(fmt::format("ask opening={} as={} servers={}", number_, group_.clients().rank(),
                        fmt::join(asked, ",")));
}

ServerLink::Replies ContextOpening::wait_for_replies() {
  ClientState& client = group_.client();
  ServerLink::Replies replies(asks_.size());
  auto missing = std::count(asks_.begin(), asks_.end(), 1);
  const ServerWaits waits = group_.server_waits();
  io::Waiting waiting(client.session().job().watch());
  const auto missing_servers = [&] {
    return waits.servers(static_cast<int>(replies.size()), [&](int rank) {
      const auto s = static_cast<std::size_t>(rank);
      return asks_[s] != 0 && !replies[s];
    });
  };
  const std::string what = fmt::format("the files and channels of {}", waits.context);
  waiting.set(waits.client, what, missing_servers(), waits.limits);
  ep::wait_until(client.servers(), {"a server's answer to a new context"}, [&] {
    client.control().poll();
    io::OpenReply reply;
    int server = 0;
    while (client.control().take_reply(reply, server)) {
      nth(replies, server) = std::move(reply);
      --missing;
      waiting.set_whom(missing_servers());
    }
    if (missing == 0) return true;
    waiting.check();
    return false;
  });
  return replies;
}

/// The first client hears all servers, and so can say what several of them see once.
void ContextOpening::warn_of_remarks(const ServerLink::Replies& replies) const {
  std::vector<std::string> warnings;
  if (group_.leads()) {
    std::vector<io::Remark> remarks;
    for (const auto& reply : replies) {
      if (!reply) continue;  // of a server that gatherers speak to
      remarks.insert(remarks.end(), reply->remarks.begin(), reply->remarks.end());
    }
    for (const std::string& text : io::sentences(remarks)) {
      warnings.push_back(fmt::format("context '{}': {}", group_.id(), text));
    }
  }
  group_.warn(warnings);
}

void ContextOpening::accept(const ServerLink::Replies& replies) {
  warn_of_remarks(replies);
  const ep::Comm& clients = group_.clients();
  io::all_or_none(clients, [&] {
    for (const auto& reply : replies) {
      if (!reply || reply->error.empty()) continue;
      throw Error(ErrorCode::io, fmt::format("context '{}': {}", group_.id(), reply->error));
    }
  });
  // The first client has heard all that clients speak to; one without points has heard none.
  const auto reply =
      std::find_if(replies.begin(), replies.end(), [](const auto& its) { return its.has_value(); });
  std::uint32_t number = reply != replies.end() ? (*reply)->context : 0;
  ep::check(EP_Bcast(&number, 1, MPI_UINT32_T, io::leader, clients.get()));
  group_.set_number(number);
}

std::unique_ptr<ServerLink> ContextOpening::make_link(const ServerLink::Replies& replies,
                                                      std::function<void()> check) const {
  const ClientState& client = group_.client();
  return std::make_unique<ServerLink>(
      client.servers(),
      ServerLink::Setup{model_, *parts_, placements_, pieces_, group_.number().value(),
                        group_.server_waits(), client.control().window(), choice_.gatherers,
                        group_.clients().rank(), sent_bytes_},
      replies, std::move(check));
}

std::unique_ptr<ReadLink> ContextOpening::make_read_link(
    std::vector<std::int64_t> first_records, const std::vector<config::ReadSchedule>& dates,
    ReadLink::Ask ask, std::function<void()> check) const {
  const RunSettings& settings = group_.settings();
  const int carrier = settings.carrier_of_answers();
  const ReadLink::Setup setup{
      model_,
      *parts_,
      read_placements_,
      read_pieces_,
      group_.number().value(),
      carrier > 0 ? static_cast<io::CarrierKind>(carrier) : io::CarrierKind::in_process,
      group_.clients().rank(),
      group_.server_waits(),
      io::read_ahead(model_, settings.buffer_bytes),
      std::move(first_records),
      dates};
  return std::make_unique<ReadLink>(group_.client().servers(), setup, std::move(ask),
                                    std::move(check));
}

void ContextOpening::confirm() const {
  if (!group_.leads()) return;
  group_.client().control().send_to_leader(io::encode(io::ContextOpened{group_.number().value()}));
}

}  // namespace epios::client
