#include "context/context_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "config/suggestion.hpp"
#include "context/turn.hpp"
#include "event/agreement.hpp"
#include "grids/resolved_layout.hpp"

namespace epios::client {
namespace {

using Clock = std::chrono::steady_clock;

/// Of elements that are no field, or one that is looked for by id.
constexpr int number_unknown = -2;

/// A look for reports takes a microsecond, as long as a small field: fields that follow each other
/// closely share one.
constexpr std::chrono::microseconds polls_apart{20};

}  // namespace

ContextState::ContextState(ClientState& client, std::string id, ep::Comm among)
    : client_(client),
      id_(std::move(id)),
      among_(std::move(among)),
      attendance_(
          among_ ? std::make_unique<Attendance>(among_, client.session().job(), client.clients())
                 : nullptr),
      definitions_(client.session().definitions()) {
  io::tell_once(clients(), [this] { definitions_.open_context(id_); });
}

ContextState::~ContextState() = default;

void ContextState::out_of_order(const char* call, const char* why) const {
  throw Error(ErrorCode::call_order, fmt::format("context '{}': {} {}", id_, call, why));
}

config::Definitions& ContextState::definitions() {
  if (state_ != State::defining) {
    out_of_order("definitions cannot change any more",
                 "(the definition is closed). Move the call before epios_close_definition?");
  }
  return definitions_;
}

std::optional<config::Value> ContextState::value(config::ElementHandle element,
                                                 std::string_view attribute) const {
  auto given = definitions_.get(id_, element, attribute);
  if (!model_ || state_ == State::defining) return given;
  const std::string& id = definitions_.id(id_, element);
  // What an element inherits says nothing of what a transformation has made of it.
  for (const std::string_view tag : {"domain", "axis"}) {
    if (definitions_.find(id_, tag, id) != element) continue;
    const auto resolved = resolved_layout(*model_, tag, id, attribute);
    return resolved ? resolved : given;
  }
  if (!given && definitions_.find(id_, "compute_connectivity_domain", id) == element) {
    return computed_value(*model_, id, attribute);
  }
  return given;
}

std::optional<std::string> ContextState::variable(std::string_view id) const {
  return definitions_.variable(id_, id);
}

bool ContextState::set_variable(std::string_view id, std::string_view text) {
  return definitions_.set_variable(id_, id, text);
}

void ContextState::close_definition() {
  if (state_ != State::defining) {
    out_of_order("epios_close_definition called again",
                 "(it is closed once). Remove the second call?");
  }
  const auto start = Clock::now();
  definition_failed_ = false;
  try {
    enter_run();
    definitions_.solve_inheritance(id_);
    number_elements();
    opening_s_ = std::chrono::duration<double>(Clock::now() - start).count();
  } catch (const std::exception& error) {
    definition_failed_ = true;
    client_.session().lose_data();
    if (couplings_) couplings_->fail(error.what());
    throw;
  }
}

void ContextState::number_elements() {
  // Of what nobody needs, too: sending it costs one search.
  for (const std::string& id : model_->unwritten.known) {
    if (!operands_.contains(id)) sources_.emplace(id, -1);
  }
  const auto number_element = [&](std::string_view id, int number) {
    const auto element = definitions_.find(id_, "field", id);
    if (!element) return;
    const auto at = static_cast<std::size_t>(element->node);
    if (at >= by_node_.size()) by_node_.resize(at + 1, number_unknown);
    by_node_[at] = number;
  };
  for (const auto& [id, source] : sources_) number_element(id, source);
}

/// What fields are made of that take their data from others: results of expressions, and those that
/// only hand on.
void ContextState::find_operands() {
  const config::DataGraph graph = config::data_graph(*model_);
  const auto add = [&](const std::string& id, int node) {
    if (sources_.contains(id)) return;
    std::vector<int> sent = graph.sources_of(node);
    std::erase_if(sent, [&](int source) { return !config::is_sent_by_model(*model_, source); });
    operands_.try_emplace(id, std::move(sent));
  };
  const auto add_all = [&](const std::vector<std::string>& via, int source, int expression) {
    if (source < 0 && expression < 0) return;
    const int node = source >= 0 ? graph.of_source[static_cast<std::size_t>(source)]
                                 : graph.of_expression[static_cast<std::size_t>(expression)];
    for (const std::string& id : via) add(id, node);
  };
  for (std::size_t e = 0; e < model_->expressions.size(); ++e) {
    const config::FieldExpression& expression = model_->expressions[e];
    add(expression.id, graph.of_expression[e]);
    for (const config::FieldExpressionNode& node : expression.nodes) {
      add_all(node.via, node.source, node.expression);
    }
  }
  for (std::size_t r = 0; r < model_->results.size(); ++r) {
    add(model_->results[r].id, graph.of_result[r]);
  }
  for (const config::Stream& stream : model_->streams) {
    add_all(stream.via, stream.source, stream.expression);
  }
}

Attendance& ContextState::attendance() { return attendance_ ? *attendance_ : client_.attendance(); }

void ContextState::leave(std::string_view why) {
  if (couplings_ && state_ != State::finalized) couplings_->end(std::string(why));
  if (attendance_ && is_being_defined()) attendance_->leave(std::string(why));
}

void ContextState::update_calendar(std::int64_t step) {
  if (state_ != State::running) {
    out_of_order("epios_update_calendar called outside the time loop",
                 "(it comes after epios_close_definition and before epios_context_finalize)");
  }
  if (step < step_) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}': step {} is before the current step {} (time only goes "
                            "forward). Count steps from the start of the run?",
                            id_, step, step_));
  }
  if (step == step_) return;
  check_nothing_lent("epios_update_calendar");
  check_tiles();
  resume();
  const double before_s = link_s();
  end_date();
  before_step_ = std::exchange(step_, step);
  before_now_ =
      std::exchange(now_, calendar_->at_step(model_->start_date, model_->steps_before + step));
  sent_now_ = false;
  end_parts();
  in_library_s_ += link_s() - before_s;
  begin_date();
  if (!link_->needs_progress()) client_.poll();  // sends need not; what it brings they throw
  client_.answer_letters();
}

/// Waiting, for other clients, too, and packing so far: where clocks are read already.
double ContextState::link_s() const {
  return link_->account().blocked_s + link_->account().packing_s + step_waits_->waited_s() +
         (couplings_ ? couplings_->waited_s() : 0);
}

/// What other clients have for this one arrives with the date that it has.
void ContextState::end_date() {
  if (couplings_) end_coupled_date();
  deliver();
  if (couplings_) tell_missing_records();
}

void ContextState::deliver() {
  try {
    workflow_->deliver();
  } catch (const Error& error) {
    if (failure_) throw;
    throw error.within(fmt::format("context '{}'", id_));
  }
}

/// Parts of files that end before the new date get their last records and are complete.
void ContextState::end_parts() {
  for (auto end = part_ends_->next(now_); end; end = part_ends_->next(now_)) {
    poll();
    const config::File& file = model_->files[static_cast<std::size_t>(end->file)];
    for (const int stream : file.streams) workflow_->pass(stream, now_);
    link_->send_part_end(end->file, end->part, step_);
  }
}

std::string ContextState::current_date() const {
  if (!calendar_) {
    out_of_order("there is no date yet",
                 "(the definition is not closed). Ask after epios_close_definition?");
  }
  return calendar_->text(now_);
}

config::Date ContextState::date() const {
  if (calendar_) return calendar_->date(now_);
  const auto [calendar, start_date, time_origin] = definitions_.calendar(id_);
  return calendar.date(start_date);
}

const config::Unmade* ContextState::find_unmade(std::string_view field) const {
  const auto found = std::find_if(model_->unwritten.unmade.begin(), model_->unwritten.unmade.end(),
                                  [&](const config::Unmade& u) { return u.source == field; });
  return found == model_->unwritten.unmade.end() ? nullptr : &*found;
}

int ContextState::find_source(std::string_view field) const {
  if (const config::Unmade* unmade = find_unmade(field)) {
    throw Error(ErrorCode::configuration,
                fmt::format("context '{}': field '{}' cannot be sent ({}). {}", id_, field,
                            unmade->why, unmade->suggestion));
  }
  const auto found = sources_.find(field);
  if (found != sources_.end()) return found->second;
  if (const auto read = read_fields_.find(field);
      read != read_fields_.end() && !operands_.contains(field)) {
    const bool is_coupled = couplings_ && couplings_->find(field) >= 0;
    throw Error(ErrorCode::argument,
                fmt::format("context '{}': field '{}' cannot be sent ({}). Receive it?", id_, field,
                            is_coupled ? "it comes from another context, by a coupler_in"
                                       : "a file that is read has it"));
  }
  if (operands_.contains(field)) {
    throw Error(
        ErrorCode::argument,
        fmt::format("context '{}': field '{}' cannot be sent (it is made of other fields, by "
                    "field_ref or an expression). Send those, or use 'this' in its "
                    "expression?",
                    id_, field));
  }
  // One that would be made of others, if a file needed it.
  if (definitions_.find(id_, "field", field)) return -1;
  std::vector<std::string_view> candidates;
  for (const auto& [id, index] : sources_) candidates.push_back(id);
  const std::string guess = config::did_you_mean(field, candidates);
  throw Error(
      ErrorCode::argument,
      fmt::format("context '{}': field '{}' does not exist (neither XML nor the model defines "
                  "it). {}",
                  id_, field, guess.empty() ? "Is its id spelt as in the XML?" : guess));
}

void ContextState::refuse_send(std::string_view field) const {
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': {} sent {}", id_, field,
                          state_ == State::defining
                              ? "before the definition was closed (no file is open yet). Call "
                                "epios_close_definition first?"
                              : "after the context was finalized (its files are closed). Send "
                                "before epios_context_finalize?"));
}

int ContextState::field(std::string_view id) const {
  if (!workflow_) {
    out_of_order("it is not known yet which fields are needed",
                 "(the definition is not closed, or the context is over). Ask in the time loop?");
  }
  return find_source(id);
}

int ContextState::field(config::ElementHandle element) const {
  const auto at = static_cast<std::size_t>(element.node);  // beyond the end when it is none
  const int number = workflow_ && at < by_node_.size() ? by_node_[at] : number_unknown;
  return number != number_unknown ? number : field(definitions_.id(id_, element));
}

void ContextState::check_number(int field) const {
  if (field >= -1 && field < static_cast<int>(dues_.size())) return;
  throw Error(
      ErrorCode::argument,
      fmt::format("context '{}': {} is not the number of a field (it has {}). Is the handle "
                  "from epios_find_field of this context?",
                  id_, field, dues_.size()));
}

/// Valid until data of the source are sent or the step ends.
bool ContextState::is_due(int source) {
  auto& due = dues_[static_cast<std::size_t>(source)];
  const std::int64_t known = due.load(std::memory_order_relaxed);
  if (known >> 1 == step_) return (known & 1) != 0;
  const bool is_due = workflow_->is_active(source, now_);
  due.store(2 * step_ + (is_due ? 1 : 0), std::memory_order_relaxed);
  return is_due;
}

/// As is_due(), beside threads that send tiles.
bool ContextState::is_wanted_now(int source) {
  const std::int64_t known =
      dues_[static_cast<std::size_t>(source)].load(std::memory_order_relaxed);
  if (known >> 1 == step_) return (known & 1) != 0;
  const std::scoped_lock lock(tiles_mutex_);
  return is_due(source);
}

template <class T>
void ContextState::send(std::string_view field, std::span<const T> data) {
  if (state_ != State::running) refuse_send(fmt::format("field '{}'", field));
  send(find_source(field), data);
}

template <class T>
void ContextState::send(int field, std::span<const T> data) {
  if (state_ != State::running) refuse_send("a field");
  check_number(field);
  check_no_tiles_only(field, "sent");
  // Beside threads that send tiles of others.
  const auto lock = has_tiles_ ? std::unique_lock(tiles_mutex_) : std::unique_lock<std::mutex>();
  send_whole(field, data);
}

void ContextState::check_no_tiles_only(int field, const char* what) const {
  if (field < 0 || !tiles_[static_cast<std::size_t>(field)] ||
      !tiles_[static_cast<std::size_t>(field)]->tiles().is_exclusive()) {
    return;
  }
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': field '{}' is {} in whole (tile_only of its domain is "
                          "true). Send its tiles?",
                          id_, model_->sources[static_cast<std::size_t>(field)].id, what));
}

template <class T>
void ContextState::send_whole(int field, std::span<const T> data) {
  if (loan_.is_out()) check_loan(field, data.data(), sizeof(T));
  sent_now_ = true;
  if (field < 0) return;
  try {
    if (!is_due(field)) {
      workflow_->send_idle(field, now_, data.size());
      ++sends_;
      if (loan_.is_out()) end_loan();
      return;
    }
    const auto start = Clock::now();
    poll_now_and_then(start);
    dues_[static_cast<std::size_t>(field)].store(unknown_due, std::memory_order_relaxed);
    const bool stays = loan_.is_out() && loan_.is_buffer();
    workflow_->send(field, now_, data,
                    stays ? io::Workflow::Array::stays : io::Workflow::Array::is_the_models);
    if (loan_.is_out()) end_loan();
    in_library_s_ += std::chrono::duration<double>(Clock::now() - start).count();
    ++sends_;
  } catch (const Error& error) {
    if (failure_) throw;
    const std::string& id = model_->sources[static_cast<std::size_t>(field)].id;
    throw error.within(fmt::format("context '{}': field '{}'", id_, id));
  }
}

void ContextState::make_tiles() {
  for (std::size_t s = 0; s < sent_sources_; ++s) {
    io::Tiles tiles(*model_, model_->sources[s].grid);
    const std::int64_t size = workflow_->layout(model_->sources[s].grid).size();
    has_tiles_ = has_tiles_ || tiles.count() > 0;
    tiles_.push_back(tiles.count() > 0 ? std::make_unique<TileAssembly>(std::move(tiles), size)
                                       : nullptr);
  }
}

/// A step ends when all of its tiles have come.
void ContextState::check_tiles() const {
  for (std::size_t source = 0; source < tiles_.size(); ++source) {
    if (!tiles_[source]) continue;
    const std::string missing = tiles_[source]->missing(step_);
    if (missing.empty()) continue;
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}': field '{}': {} at step {} (others were). Does every "
                            "thread send its tiles before the next step?",
                            id_, model_->sources[source].id, missing, step_));
  }
}

template <class T>
void ContextState::send_tile(int field, int tile, std::span<const T> data) {
  if (state_ != State::running) refuse_send("a tile");
  check_number(field);
  if (field < 0) return;
  TileAssembly* const assembly = tiles_[static_cast<std::size_t>(field)].get();
  try {
    if (assembly == nullptr) {
      throw Error(
          ErrorCode::argument,
          fmt::format("tile {} does not exist (its domain has none). Set ntiles and tile_* of "
                      "the domain?",
                      tile));
    }
    const bool is_last = assembly->take(step_, tile, data, [&] {
      const std::scoped_lock lock(tiles_mutex_);
      sent_now_ = true;
      return is_due(field);
    });
    if (!is_last) return;
  } catch (const Error& error) {
    const std::string& id = model_->sources[static_cast<std::size_t>(field)].id;
    throw error.within(fmt::format("context '{}': field '{}'", id_, id));
  }
  const Turn turn(client_, id_, Turn::Kind::tile);
  const std::scoped_lock lock(tiles_mutex_);
  send_whole(field, assembly->whole<T>());
}

template void ContextState::send_tile(int, int, std::span<const double>);
template void ContextState::send_tile(int, int, std::span<const float>);
template void ContextState::send(std::string_view, std::span<const double>);
template void ContextState::send(std::string_view, std::span<const float>);
template void ContextState::send(int, std::span<const double>);
template void ContextState::send(int, std::span<const float>);

bool ContextState::is_active(std::string_view field, bool now) {
  if (state_ != State::running) return is_active(-1, now);
  const auto found = sources_.find(field);
  if (found != sources_.end()) return is_active(found->second, now);
  if (find_unmade(field) != nullptr) return false;
  // Of what a file has: whether a record has this date.
  const auto read = read_fields_.find(field);
  if (read != read_fields_.end() && read->second < static_cast<int>(read_dates_.size())) {
    return !now || read_dates_[static_cast<std::size_t>(read->second)].record_at(now_) >= 0;
  }
  // Of what comes from another context: the same.
  if (read != read_fields_.end() && read->second >= first_received()) {
    return !now || couplings_->is_due(read->second - first_received(), now_);
  }
  // Of what is worked out: whether the model is to send anything for it.
  const auto worked_out = operands_.find(field);
  if (worked_out == operands_.end()) return is_active(find_source(field), now);
  const std::vector<int>& operands = worked_out->second;
  return std::any_of(operands.begin(), operands.end(),
                     [&](int source) { return is_active(source, now); });
}

bool ContextState::is_active(config::ElementHandle element, bool now) {
  const auto at = static_cast<std::size_t>(element.node);
  const int number = at < by_node_.size() ? by_node_[at] : number_unknown;
  if (number != number_unknown) return is_active(number, now);
  return is_active(definitions_.id(id_, element), now);
}

bool ContextState::is_active(int field, bool now) {
  if (state_ == State::finalized) {
    out_of_order("no field is active any more",
                 "(the context was finalized). Ask before epios_context_finalize?");
  }
  if (!workflow_) {
    out_of_order("it is not known yet which fields are active",
                 "(the definition is not closed). Ask after epios_close_definition?");
  }
  check_number(field);
  return field >= 0 && (!now || is_wanted_now(field));
}

void ContextState::receive(const io::ContextReport& report) {
  if (report.failed && !failure_) {
    failure_ = Error(static_cast<ErrorCode>(report.error_code), report.error);
  }
  if (report.closed) {
    ++reports_;
    loads_.push_back(report.load);
    io::merge(infinite_.written, report.infinite);
  }
  if (report.closed || report.failed) return add_outcomes(report);
  for (const auto& file : report.files) {
    lost_files_.insert(file.file);
    if (!lost_paths_.insert(file.path).second) continue;
    if (!lost_text_.empty()) lost_text_ += '\n';
    lost_text_ += file.error;
  }
}

void ContextState::add_outcomes(const io::ContextReport& report) {
  for (const auto& file : report.files) {
    const auto known = std::find_if(outcomes_.begin(), outcomes_.end(), [&](const auto& outcome) {
      return outcome.report.path == file.path;
    });
    if (known == outcomes_.end()) {
      outcomes_.push_back({file, io::losses_text(file), {}});
    } else {  // of another of its writers
      io::merge(known->report, file);
      known->losses = io::losses_text(known->report);
    }
  }
  std::stable_sort(outcomes_.begin(), outcomes_.end(),
                   [](const auto& a, const auto& b) { return a.report.path < b.report.path; });
}

/// Closed on all sides: channels and buffers are not needed any more.
void ContextState::let_go() {
  account_ = link_->account();
  read_sources_.reset();
  workflow_.reset();
  steps_.reset();
  step_waits_.reset();
  results_.reset();
  part_ends_.reset();
  read_link_.reset();
  link_.reset();
}

void ContextState::poll() {
  client_.poll();
  client_.progress_couplings();  // others may wait for room in those of other contexts here
  throw_if_failed();
}

void ContextState::poll_now_and_then(Clock::time_point now) {
  // Channels in memory need nobody to move them: then once a step is enough.
  if (!link_->needs_progress() || now - polled_ < polls_apart) return throw_if_failed();
  poll();
  polled_ = now;
}

/// Of the files with data.
bool ContextState::are_all_lost() const {
  for (int f = 0; f < static_cast<int>(model_->files.size()); ++f) {
    if (f != model_->statistics_file && !lost_files_.contains(f)) return false;
  }
  return true;
}

void ContextState::throw_if_failed() {
  // Other files go on when one fails; without any file left, going on would be for nothing.
  if (!failure_ && model_ && !lost_files_.empty() && are_all_lost()) {
    failure_ = Error(ErrorCode::io,
                     fmt::format("context '{}': no file is left to write to: {}", id_, lost_text_));
  }
  if (failure_) throw Error(*failure_);
}

epios_statistics ContextState::statistics() const {
  epios_statistics out{};
  if (state_ == State::defining) return out;
  const auto account = link_ ? link_->account() : account_;
  out.open_s = std::chrono::duration<double>(Clock::now() - opened_).count();
  out.in_library_s = in_library_s_;
  out.blocked_s = account.blocked_s;
  out.sends = sends_;
  out.records_sent = account.records;
  out.bytes_sent = account.bytes;
  return out;
}

}  // namespace epios::client
