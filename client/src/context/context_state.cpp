// The life of a context: its definition is closed, which opens it, then the time loop runs, then it
// ends. The steps of each are done by the classes that it is made of; here is their order, which is
// that of collective calls. In this order: opening, what is refused outside the time loop, dates,
// the end.
#include "context/context_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "config/stations.hpp"
#include "context/context_opening.hpp"
#include "data/infinite_data.hpp"
#include "data/statistics.hpp"
#include "data/written_files.hpp"
#include "event/agreement.hpp"
#include "event/stop_signals.hpp"
#include "session/log.hpp"
#include "space/steps.hpp"

namespace epios::client {
namespace {

using Clock = std::chrono::steady_clock;

/// Nobody knows whether what the model receives is a restart.
void note_what_begins_anew(const config::Model& model, const std::string& context) {
  for (const config::ReadField& field : model.read_fields) {
    const config::ReadFile& file = model.read_files[config::ReadFileId(field.file)];
    const bool has_dates = file.attributes.time_from_file.value_or(false);
    if (field.source >= 0 || field.reading.is_once || has_dates) continue;
    log_note(fmt::format(
        "context '{}': field '{}' of file '{}' is read from its first record again (the model "
        "alone receives it, in a run that goes on from another one). Set time_from_file=\"true\" "
        "if records have dates to go on from?",
        context, field.id, file.path));
  }
}

/// Servers hear of them with the model.
void note_station_distances(const io::StepPlans& steps, config::Model& model) {
  for (const auto& [domain, km] : steps.station_distances()) {
    for (config::Transformation& how : nth(model.domains, domain).transformations) {
      if (how.kind == config::ElementKind::stations) config::note_distances(how, km);
    }
  }
}

}  // namespace

ContextState::ContextState(ClientState& client, std::string id, ep::Comm among)
    : group_(client, std::move(id), std::move(among)),
      definition_(group_),
      account_(group_.id()),
      progress_(client, account_) {}

ContextState::~ContextState() { group_.client().control().forget(account_); }

void ContextState::close_definition() {
  group_.record().call(RecordedKind::close_definition, {}, [this] { close_unrecorded(); });
}

void ContextState::close_unrecorded() {
  if (state_ == State::running || state_ == State::finalized) {
    out_of_order("epios_close_definition called again",
                 "(it is closed once). Remove the second call?");
  }
  const auto start = Clock::now();
  if (state_ == State::failed_definition) client().session().note_unclosed(-1);
  state_ = State::defining;
  // What an attempt that failed has left refers to the Model that a new one replaces.
  stops_.reset();
  run_.reset();
  exchange_.reset();
  try {
    open();
    definition_.close();
    numbers_->number_elements();
    account_.set_opening_s(std::chrono::duration<double>(Clock::now() - start).count());
  } catch (const std::exception& error) {
    state_ = State::failed_definition;
    client().session().note_unclosed(1);
    if (exchange_) exchange_->couplings().fail(error.what());
    throw;
  }
  begin_time_loop();
}

/// The context runs, and has to be finalized, whatever its first date brings.
void ContextState::begin_time_loop() {
  state_ = State::running;
  account_.open();
  try {
    run_->begin_date();
  } catch (const std::exception& error) {
    client().session().lose_data();
    if (exchange_) exchange_->couplings().fail(error.what());
    throw;
  }
}

void ContextState::open() {
  group_.enter(definition_.settings(), definition_.known().is_strict());
  definition_.complete_grids(progress_);
  definition_.agree_on_model();
  const config::Model& model = definition_.model();
  numbers_.emplace(id(), definition_.known(), model);
  std::unique_ptr<Statistics> statistics = find_statistics();
  clock_.emplace(model);
  account_.watch_files(model, [this] { return clock_->now(); });
  std::vector<std::string> warnings;
  if (group_.leads()) {
    warnings = compare_written_files(client().session(), client().handshake(), id(), model);
  }
  group_.warn(warnings);
  connect(std::move(statistics));
  meet_partners();
  watch_signals();
  run_->begin_run();
}

/// Null: no state outlives the run. The Model becomes that of a run that goes on.
std::unique_ptr<Statistics> ContextState::find_statistics() {
  config::Model& model = definition_.model();
  if (model.statistics.path.empty()) return nullptr;
  auto out = std::make_unique<Statistics>(model, group_.clients());
  if (out->goes_on() && group_.leads()) note_what_begins_anew(model, id());
  return out;
}

/// From the Model to the channels: ContextOpening asks the servers.
void ContextState::connect(std::unique_ptr<Statistics> statistics) {
  const ep::Comm& clients = group_.clients();
  config::Model& model = definition_.model();
  ContextOpening opening(group_, model, definition_.known(), asked_);
  std::vector<int> in_component;
  if (!model.couplers.empty()) in_component = group_.ranks_in_component();
  std::vector<std::string> warnings;
  io::all_or_none(clients, [&] {
    warnings = opening.place();
    if (model.couplers.empty()) return;
    exchange_ =
        std::make_unique<PartnerExchange>(group_, model, account_, progress_, opening.parts(),
                                          std::move(in_component), opening.number());
  });
  group_.warn(warnings);
  opening.compare_parts();
  run_ = std::make_unique<ContextRun>(group_, model, *numbers_, *clock_, account_, progress_,
                                      std::move(statistics), exchange_.get());
  io::StepPlans& steps = run_->plan_steps(opening.parts());
  note_station_distances(steps, model);
  opening.ask(steps);
  asked_ = static_cast<std::int64_t>(opening.number());
  ServerLink::Replies replies;
  // One may give up while others have got theirs.
  io::all_or_none(clients, [&] { replies = opening.wait_for_replies(); });
  opening.accept(replies);
  client().control().report_to(group_.number().value(), account_);
  run_->connect(opening, replies);
  opening.confirm();
}

void ContextState::meet_partners() {
  io::all_or_none(group_.clients(), [&] { client().refuse_vain_waits(id(), couplings()); });
  if (exchange_) exchange_->couplings().meet();
}

void ContextState::out_of_order(const char* call, const char* why) const {
  throw Error(ErrorCode::call_order, fmt::format("context '{}': {} {}", id(), call, why));
}

void ContextState::refuse_send(std::string_view what) const {
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': {} sent {}", id(), what,
                          state_ != State::finalized
                              ? "before the definition was closed (no file is open yet). Call "
                                "epios_close_definition first?"
                              : "after the context was finalized (its files are closed). Send "
                                "before epios_context_finalize?"));
}

void ContextState::refuse(RunCall call, std::string_view id) const {
  group_.record().call(RecordedKind::out_of_order, {id}, {static_cast<std::int64_t>(call)}, nullptr,
                       [&] { refuse_unrecorded(call, id); });
  std::abort();  // it has thrown
}

void ContextState::refuse_unrecorded(RunCall call, std::string_view id) const {
  switch (call) {
    case RunCall::update_calendar:
      out_of_order("epios_update_calendar called outside the time loop",
                   "(it comes after epios_close_definition and before epios_context_finalize)");
    case RunCall::send:
      refuse_send("a field");
    case RunCall::send_by_id:
      refuse_send(fmt::format("field '{}'", id));
    case RunCall::send_tile:
      refuse_send("a tile");
    case RunCall::borrow:
      refuse_send("a borrowed field");
    case RunCall::give_back:
      out_of_order("a field is given back that is not borrowed.", "Was it sent?");
    case RunCall::find_field:
      out_of_order("it is not known yet which fields are needed",
                   "(the definition is not closed, or the context is over). Ask in the time loop?");
    case RunCall::find_read_field:
      out_of_order("nothing can be received",
                   "(the definition is not closed, or the context is over). Receive in the time "
                   "loop?");
    case RunCall::receive:
      out_of_order("a field is received outside the time loop",
                   "(it comes after epios_close_definition and before epios_context_finalize)");
    case RunCall::ask_active:
      break;
  }
  if (state_ == State::finalized) {
    out_of_order("no field is active any more",
                 "(the context was finalized). Ask before epios_context_finalize?");
  }
  out_of_order("it is not known yet which fields are active",
               "(the definition is not closed). Ask after epios_close_definition?");
}

std::string ContextState::current_date() const {
  if (!clock_) {
    out_of_order("there is no date yet",
                 "(the definition is not closed). Ask after epios_close_definition?");
  }
  return clock_->text();
}

config::Date ContextState::date() const {
  if (clock_) return clock_->calendar().date(clock_->now());
  const auto [calendar, start_date, time_origin] = definition_.known().calendar(id());
  return calendar.date(start_date);
}

epios_statistics ContextState::statistics() const {
  if (state_ == State::defining || state_ == State::failed_definition) return {};
  return account_.statistics(run_ ? run_->link().account() : account_.sent());
}

void ContextState::leave(std::string_view why) {
  if (exchange_ && state_ != State::finalized) exchange_->couplings().end(std::string(why));
  if (state_ == State::defining) group_.leave(why);
}

void ContextState::report_unfinished() {
  // Those that read coordinates are no contexts of the model's.
  // One that was stopped is in it already.
  if (definition_.is_reader() || !run_ || run_->is_stopped()) return;
  CostReport(group_, definition_.model(), account_, *run_, exchange_.get(), {}).add_unfinished();
}

void ContextState::finalize() {
  group_.record().call(RecordedKind::finalize, {}, [this] { finalize_unrecorded(); });
}

void ContextState::finalize_unrecorded() {
  if (state_ != State::running) {
    out_of_order("epios_context_finalize called", state_ != State::finalized
                                                      ? "before the definition was closed"
                                                      : "again (a context ends once)");
  }
  if (run_->is_stopped()) return end_stopped();
  const Ending ending = end_run("epios_context_finalize", State::finalized, {});
  run_.reset();  // closed on all sides: channels and buffers are not needed any more
  end(ending.unsent, warn_at_end(ending));
}

/// Closes the files, and adds what is known of them to the account. By all clients.
ContextState::Ending ContextState::end_run(const char* call, State after,
                                           const std::string& stopped) {
  progress_.poll();
  run_->sent().check_complete(call);
  run_->finish_sending();
  if (stops_ && after == State::finalized) stops_->finish();
  const auto start = Clock::now();
  run_->wait_for_servers();
  state_ = after;
  Ending out{run_->unsent(), run_->left_over(), {}};
  account_.add_unsent(out.unsent);
  if (!definition_.is_reader()) {
    const std::chrono::duration<double> closing = Clock::now() - start;
    out.sums = CostReport(group_, definition_.model(), account_, *run_, exchange_.get(), stopped)
                   .add(closing.count());
  }
  account_.close(run_->link().account());
  return out;
}

/// Of contexts that exchange nothing: partners would have to end at the same date.
void ContextState::watch_signals() {
  stops_.reset();
  if (group_.settings().stop_on_signal.empty() || definition_.is_reader()) return;
  if (exchange_) {
    if (!group_.leads()) return;
    return log_warning(
        fmt::format("context '{}': stop_on_signal has no effect (it exchanges fields with other "
                    "contexts, which would have to end at the same date)",
                    id()));
  }
  stops_ = std::make_unique<StopAgreement>(group_.server_waits(), group_.clients(),
                                           group_.settings().stop_on_signal,
                                           [this] { progress_.poll_for_steps(); });
}

void ContextState::update_calendar(std::int64_t step) {
  ContextRun& run = this->run(RunCall::update_calendar);
  if (stops_ && !run.is_stopped() && step > clock_->step()) {
    const int signal = stops_->at_end_of(clock_->step(), account_.stop_signal());
    if (signal != 0) stop(signal);
  }
  run.update_calendar(step);
}

/// The context ends here as if the model had finalized it, and the model goes on.
void ContextState::stop(int signal) {
  const std::string text = fmt::format("{} at {}", io::name_of_signal(signal), clock_->text());
  const Ending ending = end_run("epios_update_calendar", State::running, text);
  run_->stop(text);
  client().session().report_so_far();
  if (group_.leads()) {
    log_warning(
        fmt::format("context '{}' was stopped by {} (stop_on_signal): its files are closed with "
                    "what was sent until then. What the model sends from now on is not written",
                    id(), text));
  }
  static_cast<void>(warn_at_end(ending));
  if (account_.errors().empty()) return;
  client().session().lose_data();
  throw Error(ErrorCode::io, fmt::format("context '{}': {}", id(), account_.errors()));
}

/// Whoever looks at the status of the job learns that its files end too early.
void ContextState::end_stopped() {
  const std::string stopped = run_->stopped();
  const std::int64_t ignored = run_->sent().ignored();
  state_ = State::finalized;
  run_.reset();
  if (ignored == 0) return;
  client().session().lose_data();
  throw Error(ErrorCode::io,
              fmt::format("context '{}' was stopped by {}: {} fields that were sent after that are "
                          "not in its files (which are whole). Start the model again from there?",
                          id(), stopped, ignored));
}

/// Returns what ends a strict run.
std::vector<std::string> ContextState::warn_at_end(const Ending& ending) const {
  const auto& [unsent, left_over, sums] = ending;
  std::vector<std::string> warnings = unsent.warnings();
  for (std::string& text : infinity_warnings(definition_.model(), account_.infinite())) {
    warnings.push_back(std::move(text));
  }
  // Known to those that say it: the others have received none, or are not the first.
  if (group_.is_strict()) {
    warnings.insert(warnings.end(), sums.infinite.begin(), sums.infinite.end());
  }
  if (!group_.leads()) return warnings;
  for (const std::string& note : unsent.notes()) log_note(note);
  if (exchange_) {
    for (const std::string& remark : exchange_->fields().remarks(sums.dropped)) {
      log_note(fmt::format("context '{}': {}", id(), remark));
    }
  }
  if (!group_.is_strict()) {  // else they become an error
    for (const std::string& text : warnings) log_warning(text);
    for (const std::string& text : sums.infinite) log_warning(text);
  }
  for (const std::string& text : left_over) {
    log_warning(fmt::format("context '{}': {}", id(), text));
  }
  return warnings;
}

/// Throws when data are lost, or when a strict run has warnings.
void ContextState::end(const UnsentData& unsent, const std::vector<std::string>& warnings) {
  const std::string errors = account_.errors();
  if (!errors.empty()) {
    client().session().lose_data();
    throw Error(ErrorCode::io, fmt::format("context '{}': {}", id(), errors));
  }
  if (!group_.is_strict() || warnings.empty()) return;
  client().session().lose_data();
  throw Error(unsent.warnings().empty() ? ErrorCode::io : ErrorCode::call_order,
              fmt::format("{}", fmt::join(warnings, "\n")));
}

}  // namespace epios::client
