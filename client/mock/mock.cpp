#include "mock.hpp"

#include <epios/mock.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "config/document.hpp"
#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::mock {

config::Definitions& Context::changeable() {
  if (state == State::defining) return definitions;
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': definitions cannot change any more (the definition is "
                          "closed). Move the call before epios_close_definition?",
                          id));
}

void Context::close_definition() {
  if (state != State::defining) {
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}': epios_close_definition called again (it is closed "
                            "once). Remove the second call?",
                            id));
  }
  definitions.solve_inheritance(id);
  for (const auto& value : Mock::instance().in_files()) {
    const auto element = definitions.find(id, value.tag, value.id);
    if (!element || definitions.get(id, *element, value.attribute)) continue;
    definitions.set_text(id, *element, value.attribute, value.text, "file '(of the test)'");
  }
  definitions.resolve(id);
  definitions.solve_inheritance(id);
  state = State::running;
}

void Context::check_running(std::string_view what) const {
  if (state == State::running) return;
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': {} outside the time loop (it comes after "
                          "epios_close_definition and before epios_context_finalize)",
                          id, what));
}

void Context::update_calendar(std::int64_t to) {
  check_running("epios_update_calendar called");
  if (to < step) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}': step {} is before the current step {} (time only goes "
                            "forward). Count steps from the start of the run?",
                            id, to, step));
  }
  step = to;
}

config::Date Context::date() const {
  const auto its = definitions.calendar(id);
  return its.calendar.date(step == 0 ? its.start_date : its.calendar.at_step(its.start_date, step));
}

std::string Context::date_text() const {
  check_running("a date asked for");
  const auto its = definitions.calendar(id);
  return its.calendar.text(its.calendar.at_step(its.start_date, step));
}

void Context::finalize() {
  check_running("epios_context_finalize called");
  state = State::finalized;
}

Mock& Mock::instance() {
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): C keeps it nowhere else
  static Mock mock;
  return mock;
}

void Mock::reset() {
  calls_.clear();
  failure_.reset();
  close_session();
  contexts_.clear();
  sent_.clear();
  answers_.clear();
  active_.clear();
  in_files_.clear();
}

void Mock::record(std::string text) {
  calls_.push_back(std::move(text));
  if (!failure_ || --failure_->calls > 0) return;
  const Failure failure = std::move(*failure_);
  failure_.reset();
  throw Error(failure.code, failure.text);
}

void Mock::fail_at(int calls, ErrorCode code, std::string text) {
  failure_ = Failure{calls, code, std::move(text)};
}

void Mock::open_session(const std::string& iodef, MPI_Comm comm, int clients) {
  if (session_ || clients < 1) {
    throw Error(session_ ? ErrorCode::call_order : ErrorCode::argument,
                "a session is opened once, with at least one client. Call epios_mock_reset between "
                "tests?");
  }
  const char* const named = std::getenv("EPIOS_IODEF");
  const std::string path = !iodef.empty() ? iodef : named != nullptr ? named : "iodef.xml";
  definitions_ = {};
  if (!iodef.empty() || named != nullptr || std::filesystem::exists(path)) {
    definitions_ = config::Definitions(config::Document(config::read_sources(path)));
  }
  comm_ = comm;
  session_ = true;
}

void Mock::close_session() {
  session_ = false;
  current_ = nullptr;
}

Context& Mock::open_context(const std::string& id) {
  if (!session_) {
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}' opened before the run. Open a session first?", id));
  }
  if (find_context(id) != nullptr) {
    throw Error(ErrorCode::call_order,
                fmt::format("context '{}' is open already (its id is free again after its end). "
                            "Keep its handle?",
                            id));
  }
  contexts_.push_back(std::make_unique<Context>(Context{id, definitions_}));
  contexts_.back()->definitions.open_context(id);
  return *contexts_.back();
}

Context& Mock::context(const void* handle) const {
  for (const auto& context : contexts_) {
    if (context.get() == handle) return *context;
  }
  throw Error(ErrorCode::argument,
              "not a handle of an open context (null, closed, or of another kind). Is it what "
              "epios_context_open returned?");
}

Context* Mock::find_context(std::string_view id) const {
  for (const auto& context : contexts_) {
    if (context->id == id && context->state != Context::State::finalized) return context.get();
  }
  return nullptr;
}

Context& Mock::current_or_throw() const {
  if (current_ != nullptr) return *current_;
  throw Error(ErrorCode::call_order,
              "there is no current context (none was initialised, or the last one has ended). Call "
              "xios_context_initialize or xios_set_current_context first?");
}

void Mock::meet(int threads) {
  std::unique_lock lock(meeting_);
  const int round = rounds_;
  if (++came_ >= threads) {
    came_ = 0;
    ++rounds_;
    all_came_.notify_all();
    return;
  }
  all_came_.wait(lock, [&] { return rounds_ != round; });
}

void Mock::keep_sent(const std::string& field, std::span<const double> values) {
  sent_[field].emplace_back(values.begin(), values.end());
}

void Mock::keep_sent(const std::string& field, std::span<const float> values) {
  sent_[field].emplace_back(values.begin(), values.end());
}

const std::vector<std::vector<double>>* Mock::sent(std::string_view field) const {
  const auto found = sent_.find(field);
  return found == sent_.end() ? nullptr : &found->second;
}

void Mock::answer(const std::string& field, std::vector<double> values) {
  answers_[field].push_back(std::move(values));
}

std::vector<double> Mock::take_answer(const std::string& field, std::size_t size) {
  auto& answers = answers_[field];
  if (answers.empty() || answers.front().size() != size) {
    throw Error(ErrorCode::argument,
                fmt::format("field '{}' is received into {} values ({}). Call epios_mock_answer "
                            "first?",
                            field, size,
                            answers.empty()
                                ? std::string("the test has no answer left")
                                : fmt::format("the next answer has {}", answers.front().size())));
  }
  std::vector<double> values = std::move(answers.front());
  answers.pop_front();
  return values;
}

bool Mock::is_active(std::string_view field) const {
  const auto found = active_.find(field);
  return found == active_.end() || found->second;
}

std::string shown(const char* text) { return text == nullptr ? "NULL" : fmt::format("'{}'", text); }

std::string shown(const epios_context* context) {
  return fmt::format("'{}'", Mock::instance().context(context).id);
}

std::string shown(const epios_element& element) {
  const Context& context = Mock::instance().context(element.context);
  return context.definitions.title(context.id, {element.node});
}

std::string shown(const epios_field& field) {
  const Context& context = Mock::instance().context(field.context);
  const auto at = static_cast<std::size_t>(field.number);
  return at < context.fields.size() ? fmt::format("'{}'", context.fields[at]) : "no field";
}

}  // namespace epios::mock

extern "C" {

using epios::mock::Mock;

void epios_mock_reset(void) {
  const std::scoped_lock lock(Mock::instance().mutex());
  Mock::instance().reset();
}

int epios_mock_call_count(void) {
  const std::scoped_lock lock(Mock::instance().mutex());
  return static_cast<int>(Mock::instance().calls().size());
}

const char* epios_mock_call(int index) {
  const std::scoped_lock lock(Mock::instance().mutex());
  const auto& calls = Mock::instance().calls();
  const auto at = static_cast<std::size_t>(index);
  return index >= 0 && at < calls.size() ? calls[at].c_str() : nullptr;
}

int64_t epios_mock_sent(const char* field, int index, double* values, int64_t capacity) {
  const std::scoped_lock lock(Mock::instance().mutex());
  const auto* arrays = Mock::instance().sent(field);
  const auto at = static_cast<std::size_t>(index);
  if (arrays == nullptr || index < 0 || at >= arrays->size()) return -1;
  const auto& array = (*arrays)[at];
  const auto count = std::min(capacity, static_cast<int64_t>(array.size()));
  std::copy_n(array.begin(), std::max<int64_t>(count, 0), values);
  return static_cast<int64_t>(array.size());
}

void epios_mock_answer(const char* field, const double* values, int64_t count) {
  const std::scoped_lock lock(Mock::instance().mutex());
  Mock::instance().answer(field, {values, values + count});
}

void epios_mock_fail(int calls, int code, const char* text) {
  const std::scoped_lock lock(Mock::instance().mutex());
  Mock::instance().fail_at(calls, static_cast<epios::ErrorCode>(code), text);
}

void epios_mock_set_active(const char* field, int active) {
  const std::scoped_lock lock(Mock::instance().mutex());
  Mock::instance().set_active(field, active != 0);
}

void epios_mock_set_in_file(const char* tag, const char* id, const char* attribute,
                            const char* text) {
  const std::scoped_lock lock(Mock::instance().mutex());
  Mock::instance().set_in_file({tag, id, attribute, text});
}

}  // extern "C"
