// The time loop of a context. A date begins when the calendar comes to it, with what files and
// partners have for it, and ends when the calendar goes on: then what other clients and partners
// have for this one arrives, before parts of files that are over leave. In this order: opening,
// what the model asks, a date, the end.
#include "context/context_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "config/error.hpp"
#include "config/model.hpp"
#include "data/record_sink.hpp"
#include "data/step_filter.hpp"
#include "event/agreement.hpp"
#include "file/weights_file.hpp"

namespace epios::client {

using Clock = ContextProgress::Clock;

ContextRun::ContextRun(ContextGroup& group, const config::Model& model, FieldNumbers& numbers,
                       RunClock& clock, ContextAccount& account, ContextProgress& progress,
                       std::unique_ptr<Statistics> statistics, PartnerExchange* exchange)
    : group_(group),
      model_(model),
      numbers_(numbers),
      account_(account),
      progress_(progress),
      exchange_(exchange),
      clock_(clock),
      statistics_(std::move(statistics)),
      counters_(group.client().session().job().watch().page(), group.client().session().code_id(),
                group.id(), group.client().clients().rank()) {
  for (const config::ReadField& field : model_.read_fields) {
    read_dates_.push_back(model_.schedule(field));
  }
}

ContextRun::~ContextRun() {
  progress_.move(nullptr);
  if (exchange_ != nullptr) exchange_->run_with(nullptr, nullptr);
}

io::StepPlans& ContextRun::plan_steps(const io::LocalParts& parts) {
  const ep::Comm& clients = group_.clients();
  step_waits_ =
      std::make_unique<StepWaits>(group_.server_waits(), clients, group_.client().clients(),
                                  [this] { progress_.poll_for_steps(); });
  const std::unique_ptr<io::WeightsFiles> weights = io::weights_in_files();
  steps_ = std::make_unique<io::StepPlans>(model_, parts, clients, weights.get(), *step_waits_);
  std::vector<std::string> warnings;
  if (group_.leads()) warnings = steps_->remarks();
  for (std::string& text : warnings) text = fmt::format("context '{}': {}", group_.id(), text);
  group_.warn(warnings);
  return *steps_;
}

void ContextRun::connect(const ContextOpening& opening, const ServerLink::Replies& replies) {
  io::all_or_none(group_.clients(), [&] {
    link_ = opening.make_link(replies, [this] { progress_.poll(); });
    progress_.move(link_.get());
    before_records_ = std::make_unique<BeforeRecords>(model_);
    part_ends_ = std::make_unique<PartEnds>(model_);
    results_ = std::make_unique<Results>(model_, opening.parts());
    make_workflow(opening.parts());
    if (statistics_) statistics_->restore(model_, opening.parts(), *workflow_);
    numbers_.find_operands();
    received_ = std::make_unique<ReceivedFields>(
        ReceivedFields::Setup{group_, model_, opening.parts(), account_, progress_, clock_,
                              *workflow_, *results_, exchange_, read_dates_, read_link_});
    // The model knows nothing of the sources of the statistics file.
    sent_ = std::make_unique<SentFields>(SentFields::Setup{group_, model_, numbers_.sources(),
                                                           account_, progress_, clock_, *workflow_,
                                                           *link_, *before_records_});
  });
  group_.note_unshared("their servers", link_->fallback());
  connect_reader(opening);
}

void ContextRun::make_workflow(const io::LocalParts& parts) {
  workflow_ = std::make_unique<io::Workflow>(
      model_, parts,
      [this](int stream) {
        return std::make_unique<RecordSink>(
            *link_, *before_records_, clock_,
            [this](int other) { return workflow_->open_records(other); }, stream);
      },
      [this](int result) { return results_->sink(result); },
      [this](int expression) { return std::make_unique<StepFilter>(steps_->run(expression)); },
      [this](int sent) { return exchange_->fields().sink(sent); });
}

void ContextRun::connect_reader(const ContextOpening& opening) {
  if (model_.read_fields.empty()) return;
  io::all_or_none(group_.clients(), [&] {
    read_link_ = opening.make_read_link(
        received_->first_records(), read_dates_,
        [this](int field, std::int64_t record, const std::vector<std::uint8_t>& concerned,
               const std::vector<int>& asked) {
          link_->send_read(field, record, clock_.step(), concerned, asked);
        },
        [this] { progress_.poll(); });
  });
  group_.note_unshared("the servers that read for them", read_link_->fallback());
  read_link_->begin();
}

void ContextRun::begin_run() {
  counters_.show(clock_, account_, *link_, model_);
  if (exchange_ == nullptr) return workflow_->resume();
  exchange_->run_with(workflow_.get(), &clock_);
  exchange_->resume_when_linked();
}

bool ContextRun::is_active(int field, bool now) {
  sent_->check_number(field);
  return field >= 0 && (!now || sent_->is_due(field));
}

bool ContextRun::is_active(std::string_view field, bool now) {
  const int sent = numbers_.find_sent(field);
  if (sent != FieldNumbers::none) return is_active(sent, now);
  if (numbers_.unmade(field) != nullptr) return false;
  // What comes from files and from other contexts: whether it has values at this date.
  const int number = numbers_.find_received(field);
  if (number != FieldNumbers::none && received_->comes(number)) {
    return !is_stopped() && (!now || received_->is_due(number));
  }
  // What is made of others: whether the model is to send anything for it.
  const std::vector<config::SourceId>* const operands = numbers_.operands(field);
  if (operands == nullptr) return is_active(numbers_.sent(field), now);
  return std::any_of(operands->begin(), operands->end(),
                     [&](config::SourceId source) { return is_active(source, now); });
}

bool ContextRun::is_active(config::ElementHandle field, bool now) {
  const int sent = numbers_.find_sent(field);
  return sent != FieldNumbers::none ? is_active(sent, now) : is_active(numbers_.id(field), now);
}

/// An unknown id is part of a recording, too.
int ContextRun::number_of_sent(std::string_view id) const {
  try {
    return numbers_.sent(id);
  } catch (const Error&) {
    return group_.record().call(RecordedKind::send_unknown, {id}, {}, nullptr,
                                [&] { return numbers_.sent(id); });
  }
}

void ContextRun::update_calendar(std::int64_t step) {
  group_.record().call(RecordedKind::update_calendar, {step}, [&] { advance(step); });
}

void ContextRun::advance(std::int64_t step) {
  if (step < clock_.step()) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}': step {} is before the current step {} (time only goes "
                            "forward). Count steps from the start of the run?",
                            group_.id(), step, clock_.step()));
  }
  if (step == clock_.step()) return;
  if (is_stopped()) return clock_.advance(step);
  sent_->check_complete("epios_update_calendar");
  workflow_->resume();
  const double before_s = link_s();
  end_date();
  link_->end_step(clock_.step());
  clock_.advance(step);
  end_parts();
  account_.add_seconds(link_s() - before_s);
  begin_date();
  // Sends need not look at what the servers say, but throw what it brings.
  if (!link_->needs_progress()) group_.client().control().poll();
  group_.client().answer_handshakes();
  counters_.show(clock_, account_, *link_, model_);
}

/// Waiting, for other clients, too, and packing so far: where clocks are read already.
double ContextRun::link_s() const {
  return link_->busy_s() + step_waits_->waited_s() +
         (exchange_ != nullptr ? exchange_->couplings().waited_s() : 0);
}

/// What other clients have for this one arrives with the date that it has.
void ContextRun::end_date() {
  if (exchange_ != nullptr) exchange_->end_date();
  deliver();
  if (exchange_ != nullptr) exchange_->report_missing();
}

void ContextRun::deliver() {
  try {
    workflow_->deliver();
  } catch (const Error& error) {
    account_.rethrow(error, fmt::format("context '{}'", group_.id()));
  }
}

/// Parts of files that end before this date get their last records and are complete.
void ContextRun::end_parts() {
  for (auto end = part_ends_->next(clock_.now()); end; end = part_ends_->next(clock_.now())) {
    progress_.poll();
    const config::File& file = nth(model_.files, end->file);
    for (const int stream : file.streams) workflow_->pass(stream, clock_.now());
    link_->send_part_end(end->file, end->part, clock_.step());
  }
}

void ContextRun::finish_sending() {
  const auto start = Clock::now();
  workflow_->resume();
  if (exchange_ != nullptr && clock_.has_data()) exchange_->end_date();
  workflow_->finish(clock_.end());
  if (exchange_ != nullptr) exchange_->couplings().end({});
  if (read_link_) read_link_->drain();
  if (statistics_) save_statistics();
  link_->send_finalize(clock_.step());
  link_->end_step(clock_.step());
  account_.add_seconds(std::chrono::duration<double>(Clock::now() - start).count());
  counters_.show_end(clock_, account_, *link_, model_);
}

void ContextRun::stop(std::string text) {
  sent_->stop(std::move(text));
  progress_.move(nullptr);  // the servers have closed the channels
}

void ContextRun::refuse_receive(int field) const {
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': field '{}' cannot be received (the context was stopped by "
                          "{}, and its files are closed). Does the model ask in time whether it "
                          "should end?",
                          group_.id(), received_->name(field), stopped()));
}

void ContextRun::save_statistics() {
  statistics_->save(model_, *workflow_,
                    {clock_.end(), clock_.end_model_step(), clock_.model_step()});
}

void ContextRun::wait_for_servers() {
  const ClientState& client = group_.client();
  const ServerWaits waits = group_.server_waits();
  const std::string what = fmt::format("the end of the files of {}", waits.context);
  const int servers = client.servers().remote_size();
  const std::vector<io::ServerLoad>& loads = account_.loads();
  io::Waiting waiting(client.session().job().watch());
  std::size_t told = 0;
  const auto unfinished = [&] {
    told = loads.size();
    return waits.servers(servers, [&](int rank) {
      return std::none_of(loads.begin(), loads.end(),
                          [&](const io::ServerLoad& load) { return load.server == rank; });
    });
  };
  waiting.set(waits.client, what, unfinished(), waits.limits);
  ep::wait_until(client.servers(), {"the servers to finish the files of a context"}, [&] {
    group_.client().control().poll();
    group_.client().progress_couplings();
    if (read_link_) read_link_->tell_servers();
    if (account_.failure()) throw Error(*account_.failure());
    if (told != loads.size()) waiting.set_whom(unfinished());
    // Some may have come before: a server to which this client has no channel does not wait for it.
    if (account_.servers_done() == servers) return true;
    waiting.check();
    return false;
  });
  link_->note_end();
}

UnsentData ContextRun::unsent() const {
  const auto account = [this](int stream) -> const io::StreamAccount& {
    return workflow_->account(stream);
  };
  return {model_, account, [this](int source) { return workflow_->repeated_sends(source); },
          [this](int file) { return before_records_->gaps.records(file); }};
}

ClientCost ContextRun::cost() const {
  ClientCost own;
  own.sends = static_cast<double>(account_.sends());
  own.bytes = static_cast<double>(link_->account().bytes);
  own.in_library_s = account_.in_library_s();
  own.blocked_s = link_->account().blocked_s;
  own.packing_s = link_->account().packing_s;
  own.waited_s = read_link_ ? read_link_->waited_s() : 0;
  own.coupled_s = exchange_ != nullptr ? exchange_->couplings().waited_s() : 0;
  own.exchanged_s = step_waits_->waited_s();
  own.exchanged_messages = static_cast<double>(steps_->traffic().messages);
  own.exchanged_bytes = static_cast<double>(steps_->traffic().bytes);
  own.opening_s = account_.opening_s();
  own.fullest_channel = link_->fullest_channel();
  return own;
}

}  // namespace epios::client
