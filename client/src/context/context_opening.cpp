// How a context is opened: from its definitions to its channels.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <ep/bytes.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "context/context_state.hpp"
#include "event/agreement.hpp"
#include "event/long_message.hpp"
#include "file/weights_file.hpp"
#include "grid/layout.hpp"
#include "grid/levels.hpp"
#include "grid/remark.hpp"
#include "grids/beyond_data.hpp"
#include "grids/other_coordinates.hpp"
#include "grids/point_coordinates.hpp"
#include "grids/whole_domains.hpp"
#include "session/server_levels.hpp"
#include "session/server_pools.hpp"
#include "space/steps.hpp"

namespace epios::client {
namespace {

using Clock = std::chrono::steady_clock;

/// Hands records of one stream to the link, and what the servers have to know before them.
class LinkSink final : public io::Sink {
 public:
  LinkSink(ServerLink& link, BeforeRecords& before, RecordGaps::OpenOf open_of, int stream,
           const std::int64_t& step)
      : link_(link), before_(before), open_of_(std::move(open_of)), stream_(stream), step_(step) {}
  void put(std::int64_t record, std::int64_t samples, const io::ArrayValues& values) override {
    say_before(record);
    link_.send_record(stream_, record, samples, step_, values);
  }
  bool works_out() const override { return link_.works_out(stream_); }
  void put_worked_out(std::int64_t record, std::int64_t samples, io::Calculation& values) override {
    say_before(record);
    link_.send_record(stream_, record, samples, step_, values);
  }

 private:
  void say_before(std::int64_t record) {
    if (const auto sync = before_.syncs.before(stream_, record)) {
      link_.send_sync(sync->file, sync->records, step_);
    }
    for (const RecordGaps::Gap& gap : before_.gaps.before(stream_, record, open_of_)) {
      link_.send_left_out(gap.file, gap.begin, gap.end, step_);
    }
  }

  ServerLink& link_;
  BeforeRecords& before_;
  RecordGaps::OpenOf open_of_;
  int stream_;
  const std::int64_t& step_;
};

/// A step of the workflow.
class StepFilter final : public io::SpatialFilter {
 public:
  explicit StepFilter(std::unique_ptr<io::StepRun> run) : run_(std::move(run)) {}
  void take(std::span<const std::span<const double>> values, config::Instant date) override {
    run_->take(values, date.ms);
  }
  std::span<const double> deliver() override { return run_->deliver(); }
  bool would_deliver(config::Instant date) const override { return run_->would_deliver(date.ms); }
  bool takes_all() const override { return run_->takes_all(); }

 private:
  std::unique_ptr<io::StepRun> run_;
};

/// First line in which two texts differ: "ours" against "theirs".
std::string first_difference(const std::string& ours, const std::string& theirs) {
  std::istringstream a(ours);
  std::istringstream b(theirs);
  std::string line_a;
  std::string line_b;
  while (true) {
    const bool more_a = static_cast<bool>(std::getline(a, line_a));
    const bool more_b = static_cast<bool>(std::getline(b, line_b));
    if (!more_a && !more_b) return "no visible difference";
    if (more_a != more_b || line_a != line_b) {
      return fmt::format("here '{}', on client 0 '{}'", more_a ? line_a : "", more_b ? line_b : "");
    }
  }
}

/// The leader's text on every client. Collective.
std::string broadcast_text(const ep::Comm& clients, std::string_view text) {
  const auto own = std::as_bytes(std::span(text));
  const auto bytes = ep::broadcast_bytes(clients, io::leader, {own.begin(), own.end()});
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

/// Findings of what the model has set name the call; which context it was for is added here, since
/// a model may have several with elements of the same ids.
Error ContextState::with_context(const Error& error) const {
  constexpr std::string_view call = "API call ";
  std::istringstream in(error.what());
  std::string text;
  for (std::string line; std::getline(in, line);) {
    if (!text.empty()) text += '\n';
    if (line.starts_with(call)) text += fmt::format("context '{}': ", id_);
    text += line;
  }
  return Error(error.code(), text);
}

config::Model ContextState::resolved(std::vector<config::Diagnostic>* warnings) const {
  try {
    return definitions_.resolve(id_, config::Purpose::run, warnings);
  } catch (const Error& error) {
    throw with_context(error);
  }
}

ServerWaits ContextState::server_waits() const {
  return {client_.session().job(), client_.actor(),
          ServerWaits::limits_of(settings_.patience_s, settings_.give_up_s),
          fmt::format("context '{}'", id_),
          number_ ? static_cast<std::int64_t>(*number_) : std::int64_t{-1}};
}

void ContextState::enter_run() {
  settings_ = read_run_settings(*settings_of_);
  client_.session().job().watch().know_thread(client_.actor(), {settings_.patience_s, 0});
  attendance().enter(fmt::format("context '{}'", id_), {settings_.patience_s, settings_.give_up_s});
  const std::unique_ptr<PartnerGrids> taken = take_grids_of_partners();
  complete_grids();
  if (taken) set_taken_coordinates(*taken);
  agree_on_model();
  warn(compare_files());
  ask_servers();
  ServerLink::Replies replies;
  // One may give up while others have got theirs.
  io::all_or_none(clients(), [&] { replies = wait_for_replies(); });
  print_remarks(replies);
  connect(replies);
  meet_partners();
  if (!couplings_) resume();
  state_ = State::running;
  opened_ = Clock::now();
  begin_date();
}

/// Results of the run before go where they are wanted: to partners when time begins, since the
/// definitions of those in this process may be closed after this one.
void ContextState::resume() {
  if (statistics_ && statistics_->is_first_resume()) workflow_->resume();
}

void ContextState::agree_on_model() {
  resolve_model();
  const ep::Comm& clients = this->clients();
  if (!model_->statistics_path.empty()) {
    statistics_ = std::make_unique<Statistics>(*model_, clients);
    if (statistics_->goes_on() && clients.rank() == io::leader) note_what_begins_anew();
  }
  now_ = before_now_ = calendar_->at_step(model_->start_date, model_->steps_before);
  for (const config::ReadField& field : model_->read_fields) {
    read_dates_.push_back(model_->schedule(field));
  }
}

/// Of what the model receives nobody knows whether it is a restart.
void ContextState::note_what_begins_anew() const {
  for (const config::ReadField& field : model_->read_fields) {
    const config::ReadFile& file = model_->read_files[static_cast<std::size_t>(field.file)];
    const bool has_dates = file.attributes.time_from_file.value_or(false);
    if (field.source >= 0 || field.reading.is_once || has_dates) continue;
    fmt::print(stderr,
               "epios: note: context '{}': field '{}' of file '{}' is read from its first record "
               "again (the model alone receives it, in a run that goes on from another one). Set "
               "time_from_file=\"true\" if records have dates to go on from?\n",
               id_, field.id, file.path);
  }
}

namespace {

/// Throws on all clients: models differ from that of the first one.
void refuse_other_model(const config::Model& model, const ep::Comm& clients, const std::string& id,
                        std::uint64_t hash) {
  std::uint64_t leaders = hash;
  ep::check(EP_Bcast(&leaders, 1, MPI_UINT64_T, io::leader, clients.get()));
  const std::string reference = broadcast_text(
      clients, clients.rank() == io::leader ? config::to_json(model) : std::string());
  std::vector<std::string> compared;
  for (const config::Grid& grid : model.grids) {
    compared.insert(compared.end(), grid.compared_by_clients.begin(),
                    grid.compared_by_clients.end());
  }
  const auto own_doubts = fmt::format("{}", fmt::join(compared, ", "));
  std::string doubts = broadcast_text(clients, own_doubts);
  if (doubts.empty()) doubts = own_doubts;
  io::all_or_none(clients, [&] {
    if (hash == leaders) return;
    const std::string difference = first_difference(config::to_json(model), reference);
    throw Error(
        ErrorCode::mismatch,
        doubts.empty()
            ? fmt::format("context '{}': global definitions differ between clients ({}). Do all "
                          "processes read the same XML and set the same global attributes?",
                          id, difference)
            : fmt::format("context '{}': clients give {} other values, so that these are equal on "
                          "some clients only and grids are made in other ways ({}). Give one of "
                          "them a global attribute of its own, such as long_name, or make both of "
                          "one by its reference?",
                          id, doubts, difference));
  });
}

/// Returns sources of which only such fields were to be made as cannot be made.
std::set<int> sources_of_nothing(const config::Model& model) {
  std::set<int> out;
  for (const config::Unmade& unmade : model.unwritten.unmade) {
    for (std::size_t i = 0; i < model.sources.size(); ++i) {
      if (model.sources[i].id == unmade.source) out.insert(static_cast<int>(i));
    }
  }
  if (out.empty()) return out;
  const config::DataGraph graph = config::data_graph(model);
  for (const auto* nodes : {&graph.of_stream, &graph.of_sent, &graph.of_result}) {
    for (const int node : *nodes) {
      for (const int source : graph.sources_of(node)) out.erase(source);
    }
  }
  return out;
}

}  // namespace

/// The same on all clients.
void ContextState::resolve_model() {
  const ep::Comm& clients = this->clients();
  std::vector<config::Diagnostic> warnings;
  std::uint64_t hash = 0;
  io::all_or_none(clients, [&] {
    if (ahead_) {
      model_ = std::move(ahead_->model);
      warnings = std::move(ahead_->warnings);
      hash = ahead_->hash;
      ahead_.reset();
    } else {
      model_ = std::make_unique<config::Model>(resolved(&warnings));
      hash = config::global_hash(*model_);
    }
    sent_sources_ = model_->sources.size();
    const std::set<int> unused = sources_of_nothing(*model_);
    for (std::size_t i = 0; i < sent_sources_; ++i) {
      const config::Source& source = model_->sources[i];
      if (unused.contains(static_cast<int>(i))) continue;
      if (config::is_sent_by_model(*model_, static_cast<int>(i))) {
        sources_.emplace(source.id, static_cast<int>(i));
      }
    }
    calendar_ = model_->calendar();
    for (std::size_t i = 0; i < model_->read_fields.size(); ++i) {
      const config::ReadField& field = model_->read_fields[i];
      read_fields_.emplace(field.id, static_cast<int>(i));
      for (const std::string& alias : field.aliases) {
        read_fields_.emplace(alias, static_cast<int>(i));
      }
    }
    const auto received = config::coupled_fields(*model_, config::ElementKind::coupler_in);
    const std::size_t first_received = model_->read_fields.size() + model_->results.size();
    for (std::size_t i = 0; i < received.size(); ++i) {
      read_fields_.emplace(received[i]->id, static_cast<int>(first_received + i));
    }
    for (std::size_t i = 0; i < model_->results.size(); ++i) {
      read_fields_.emplace(model_->results[i].id, static_cast<int>(model_->read_fields.size() + i));
    }
  });
  if (clients.rank() == io::leader) client_.session().say_once(config::finding_lines(warnings));
  const std::array<std::uint64_t, 2> own{hash, ~hash};
  std::array<std::uint64_t, 2> least{};
  ep::check(EP_Allreduce(own.data(), least.data(), 2, MPI_UINT64_T, MPI_MIN, clients.get()));
  if (least[0] == ~least[1]) {  // the smallest is the largest
    io::shape_elements(*model_, clients);
    share_point_coordinates(*model_, clients);
    return;
  }
  refuse_other_model(*model_, clients, id_, hash);
}

/// Which coordinates any client gives, and what some client, or every one, has in whole.
void ContextState::compare_parts() {
  const ep::Comm& clients = this->clients();
  std::vector<std::string> doubts = whole_domains(*model_, opening_->parts, clients);
  if (clients.rank() != io::leader) doubts.clear();
  for (std::string& doubt : data_beyond(*model_, clients)) doubts.push_back(std::move(doubt));
  warn(doubts);
  const auto unite = [&](auto& own, MPI_Op op) {
    const std::vector<std::int32_t> mine = io::numbers_of(own);
    std::vector<std::int32_t> all(mine.size());
    ep::check(EP_Allreduce(mine.data(), all.data(), ep::message_count(mine.size()), MPI_INT32_T, op,
                           clients.get()));
    io::set_from_numbers(own, all);
  };
  opening_->forms = io::local_forms(*model_);
  unite(opening_->forms, MPI_MAX);
  opening_->holders = io::local_holders(*model_, opening_->parts, opening_->forms, clients.rank());
  const io::Holders own = opening_->holders;
  unite(opening_->holders, MPI_MIN);
  const auto digests = io::coordinate_digests(*model_, opening_->parts, own);
  if (const auto differing = other_coordinates(digests, io::numbers_of(opening_->holders), clients);
      !differing.empty()) {
    // What one of those who differ offers is compared with what is written, and warned of.
    std::vector<std::int32_t> numbers = io::numbers_of(opening_->holders);
    for (const std::size_t i : differing) numbers[i] = io::Holders::none;
    io::set_from_numbers(opening_->holders, numbers);
  }
  share_out_sides();
}

/// Who has what whom needs. Before servers are asked: what is refused here leaves no files behind.
void ContextState::plan_steps() {
  const ep::Comm& clients = this->clients();
  step_waits_ = std::make_unique<StepWaits>(server_waits(), clients, client_.clients(), [this] {
    poll();
    link_->progress();  // others may wait for what is on its way to servers
  });
  const std::unique_ptr<io::WeightsFiles> weights = io::weights_in_files();
  steps_ = std::make_unique<io::StepPlans>(*model_, opening_->parts, clients, weights.get(),
                                           *step_waits_);
  std::vector<std::string> doubts;
  if (clients.rank() == io::leader) doubts = steps_->remarks();
  for (std::string& doubt : doubts) doubt = fmt::format("context '{}': {}", id_, doubt);
  warn(doubts);
}

/// Who tells which columns and rows of rectilinear domains.
void ContextState::share_out_sides() {
  const ep::Comm& clients = this->clients();
  const std::vector<std::uint64_t> own =
      io::side_votes(*model_, opening_->forms, opening_->holders, clients.rank());
  std::vector<std::uint64_t> least(own.size());
  if (own.empty()) return;
  ep::check(EP_Allreduce(own.data(), least.data(), ep::message_count(own.size()), MPI_UINT64_T,
                         MPI_MIN, clients.get()));
  io::set_sides(opening_->holders, *model_, opening_->forms, own, least);
}

/// What each server must know of this client, encoded; empty where it need not know anything. The
/// first client speaks to all servers but those that gatherers speak to, so that each has somebody
/// who says when records are due.
std::vector<std::vector<std::byte>> ContextState::make_parts() {
  std::vector<std::vector<std::byte>> out;
  std::vector<std::vector<std::vector<io::PlaceRun>>> windows;
  for (const io::Pieces& pieces : opening_->read_pieces) {
    windows.push_back(io::read_windows(*model_, opening_->parts, pieces));
  }
  const auto heard = io::heard_pieces(opening_->read_pieces, windows);
  for (std::size_t s = 0; s < opening_->pieces.size(); ++s) {
    const io::Pieces& pieces = opening_->pieces[s];
    io::OpeningPart part =
        io::opening_part(*model_, opening_->parts, pieces, opening_->holders, clients().rank());
    part.read_windows = std::move(windows[s]);
    part.hears_of = heard[s];
    for (const io::StepPiece& step : pieces.steps) {
      part.rows.push_back(steps_->rows(step.expression));
    }
    part.remote_rank = client_.rank();
    part.opening = opening_number_;
    const bool is_behind = io::is_behind_gatherers(opening_->choice, static_cast<int>(s));
    const bool speaks = !is_behind && (part.client == io::leader || !part.is_empty());
    opening_->asks.push_back(speaks ? 1 : 0);
    out.push_back(speaks ? io::encode(part) : std::vector<std::byte>());
  }
  return out;
}

/// Which servers hear of which files; what is to be warned of.
std::vector<std::string> ContextState::place_files(int servers) {
  const config::ServerPlan plan = definitions_.servers();
  const io::Roster& roster = client_.session().job().watch().roster();
  ServerLevels levels =
      with_gatherers(plan, *model_, roster, settings_, choose_servers(plan, *model_, roster));
  opening_->choice = std::move(levels.choice);
  const io::ServerChoice& choice = opening_->choice;
  if (io::has_levels(choice)) {
    opening_->placements = io::gathered_files(*model_, choice);
    opening_->pieces = io::gathered_pieces(*model_, choice, servers);
  } else {
    opening_->placements = io::place_files(*model_, servers, settings_.shared_record_bytes, choice);
    opening_->pieces = io::pieces_of(*model_, opening_->placements, servers);
  }
  if (clients().rank() != io::leader) return {};
  client_.session().say_once(levels.notes);
  return std::move(levels.warnings);
}

void ContextState::ask_servers() {
  const ep::Comm& clients = this->clients();
  const int servers = client_.servers().remote_size();
  opening_number_ = client_.next_opening();
  ep::check(EP_Bcast(&opening_number_, 1, MPI_UINT64_T, io::leader, clients.get()));
  std::vector<std::vector<std::byte>> parts;
  std::vector<std::string> doubts;
  std::vector<int> in_component;
  if (!model_->couplers.empty()) in_component = ranks_in_component();
  io::all_or_none(clients, [&] {
    io::check_masks(*model_);
    opening_ =
        std::make_unique<Opening>(Opening{io::LocalParts(*model_), {}, {}, {}, {}, {}, {}, {}, {}});
    doubts = place_files(servers);
    opening_->read_placements =
        io::place_read_files(*model_, servers, settings_.shared_record_bytes, opening_->choice);
    opening_->read_pieces = io::read_pieces_of(*model_, opening_->read_placements, servers);
    find_partners(std::move(in_component));
  });
  warn(doubts);
  compare_parts();
  plan_steps();
  io::all_or_none(clients, [&] { parts = make_parts(); });
  steps_->forget_rows();
  io::OpenContext request;
  const std::vector<int> asks(opening_->asks.begin(), opening_->asks.end());
  request.parts.resize(asks.size());
  ep::check(
      EP_Allreduce(asks.data(), request.parts.data(), servers, MPI_INT, MPI_SUM, clients.get()));
  for (int s = 0; s < servers; ++s) {
    if (!io::is_behind_gatherers(opening_->choice, s)) continue;
    request.parts[static_cast<std::size_t>(s)] =
        static_cast<int>(opening_->choice.gatherers.size());
  }
  const int rank = client_.rank();
  request.clients.resize(clients.rank() == io::leader ? static_cast<std::size_t>(clients.size())
                                                      : 0);
  ep::check(
      EP_Gather(&rank, 1, MPI_INT, request.clients.data(), 1, MPI_INT, io::leader, clients.get()));
  if (clients.rank() == io::leader) {
    request.opening = opening_number_;
    request.context_id = id_;
    request.model = config::encode(*model_);
    request.forms = opening_->forms;
    request.shared_record_bytes = settings_.shared_record_bytes;
    request.choice = opening_->choice;
    request.buffer_bytes = settings_.buffer_bytes;
    request.carrier = settings_.carrier;
    request.patience_s = settings_.patience_s;
    request.give_up_s = settings_.give_up_s;
    client_.send_to_leader(io::encode(request));
  }
  for (int s = 0; s < servers; ++s) {
    std::vector<std::byte>& part = parts[static_cast<std::size_t>(s)];
    if (part.empty()) continue;
    io::send_long(client_.servers(), part, s, static_cast<int>(io::ControlTag::to_server));
    part = {};
  }
}

ServerLink::Replies ContextState::wait_for_replies() {
  const ep::Comm& servers = client_.servers();
  ServerLink::Replies replies(opening_->asks.size());
  auto missing = std::count(opening_->asks.begin(), opening_->asks.end(), 1);
  const ServerWaits waits = server_waits();
  io::Waiting waiting(client_.session().job().watch());
  const auto missing_servers = [&] {
    return waits.servers(static_cast<int>(replies.size()), [&](int rank) {
      const auto s = static_cast<std::size_t>(rank);
      return opening_->asks[s] != 0 && !replies[s];
    });
  };
  const std::string what = fmt::format("the files and channels of {}", waits.context);
  waiting.set(waits.client, what, missing_servers(), waits.limits);
  ep::wait_until(servers, {"a server's answer to a new context"}, [&] {
    client_.poll();
    io::OpenReply reply;
    int server = 0;
    while (client_.take_reply(reply, server)) {
      replies[static_cast<std::size_t>(server)] = std::move(reply);
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
void ContextState::print_remarks(const ServerLink::Replies& replies) const {
  std::vector<std::string> doubts;
  if (clients().rank() == io::leader) {
    std::vector<io::Remark> remarks;
    for (const auto& reply : replies) {
      if (!reply) continue;  // of a server that gatherers speak to
      remarks.insert(remarks.end(), reply->remarks.begin(), reply->remarks.end());
    }
    for (const std::string& text : io::sentences(remarks)) {
      doubts.push_back(fmt::format("context '{}': {}", id_, text));
    }
  }
  warn(doubts);
}

/// Each client says its own. With strict="true" any is an error on all.
void ContextState::warn(const std::vector<std::string>& doubts) const {
  if (definitions_.is_strict()) {
    return io::all_or_none(clients(), [&] {
      if (doubts.empty()) return;
      throw Error(ErrorCode::configuration, fmt::format("{} (strict=\"true\": warnings are errors)",
                                                        fmt::join(doubts, "\n")));
    });
  }
  for (const std::string& doubt : doubts) fmt::print(stderr, "epios: warning: {}\n", doubt);
}

void ContextState::connect(const ServerLink::Replies& replies) {
  const ep::Comm& clients = this->clients();
  io::all_or_none(clients, [&] {
    for (const auto& reply : replies) {
      if (!reply || reply->error.empty()) continue;
      throw Error(ErrorCode::io, fmt::format("context '{}': {}", id_, reply->error));
    }
  });
  // The first client has heard all that clients speak to; one without points has heard none.
  const auto reply =
      std::find_if(replies.begin(), replies.end(), [](const auto& its) { return its.has_value(); });
  std::uint32_t number = reply != replies.end() ? (*reply)->context : 0;
  ep::check(EP_Bcast(&number, 1, MPI_UINT32_T, io::leader, clients.get()));
  number_ = number;
  io::all_or_none(clients, [&] {
    link_ = std::make_unique<ServerLink>(
        client_.servers(),
        ServerLink::Setup{*model_, opening_->parts, opening_->placements, opening_->pieces, number,
                          server_waits(), client_.window(), opening_->choice.gatherers,
                          clients.rank()},
        replies, [this] { poll(); });
    before_records_ = std::make_unique<BeforeRecords>(*model_);
    part_ends_ = std::make_unique<PartEnds>(*model_);
    results_ = std::make_unique<Results>(*model_, opening_->parts);
    workflow_ = std::make_unique<io::Workflow>(
        *model_, opening_->parts,
        [this](int stream) {
          return std::make_unique<LinkSink>(
              *link_, *before_records_,
              [this](int other) { return workflow_->open_records(other); }, stream, step_);
        },
        [this](int result) { return results_->sink(result); },
        [this](int expression) { return std::make_unique<StepFilter>(steps_->run(expression)); },
        [this](int sent) { return couplings_->sink(sent); });
    // The model knows nothing of the sources of the statistics file.
    dues_ = std::vector<std::atomic<std::int64_t>>(sent_sources_);
    for (auto& due : dues_) due = unknown_due;
    if (statistics_) statistics_->restore(*model_, opening_->parts, *workflow_);
    find_operands();
    read_sources_ =
        std::make_unique<ReadSources>(*model_, opening_->parts, read_dates_, *workflow_);
    make_tiles();
  });
  connect_readers();
  opening_.reset();
  if (clients.rank() == io::leader) client_.send_to_leader(io::encode(io::ContextOpened{*number_}));
}

}  // namespace epios::client
