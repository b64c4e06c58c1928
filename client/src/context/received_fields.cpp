// What the model receives, by where it comes from. Fields of files and of other contexts come at
// dates; those that the workflow uses, too, enter it before the model sends anything (begin_date),
// others are fetched when the model asks for them. In this order: what is known of fields, the
// beginning of a date, receiving.
#include "context/received_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <type_traits>
#include <utility>

#include "config/data_graph.hpp"
#include "config/error.hpp"
#include "config/fed_schedules.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "grids/array_extents.hpp"

namespace epios::client {
namespace {

using Clock = ContextProgress::Clock;

double seconds_since_begin(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

ReceivedFields::ReceivedFields(const Setup& setup)
    : from_(setup), sources_(setup.model, setup.parts, setup.dates, setup.workflow) {
  const config::Model& model = from_.model;
  if (model.results.empty()) return;
  const config::DataGraph graph = config::data_graph(model);
  const std::vector<config::Schedule> dates = config::fed_schedules_of_results(model);
  const auto coupled = config::coupled_fields(model, config::ElementKind::coupler_in);
  const auto is_of_partner = [&](config::SourceId source) {
    return std::any_of(coupled.begin(), coupled.end(),
                       [source](const auto* field) { return field->source == source; });
  };
  for (const config::ResultId r : model.results.ids()) {
    const std::vector<config::SourceId> sources = graph.sources_of(graph.of_result[r]);
    const bool is_of_model = std::any_of(sources.begin(), sources.end(), [&](auto source) {
      return config::is_sent_by_model(model, source);
    });
    if (is_of_model) continue;
    const bool is_of_partners = std::all_of(sources.begin(), sources.end(), is_of_partner);
    results_that_come_.emplace(r, ResultThatComes{nth(dates, r), is_of_partners});
  }
}

int ReceivedFields::first_coupled() const {
  return files() + static_cast<int>(from_.model.results.size());
}

int ReceivedFields::count() const {
  return first_coupled() + (from_.exchange != nullptr ? from_.exchange->fields().received() : 0);
}

std::string ReceivedFields::name(int field) const {
  if (field < files()) return nth(from_.model.read_fields, field).id;
  if (field < first_coupled()) return nth(from_.model.results, field - files()).id;
  return from_.exchange->fields().id(field - first_coupled());
}

std::size_t ReceivedFields::array_size(int field) const { return from_.link->array_size(field); }

std::vector<std::int64_t> ReceivedFields::extents(int field) const {
  check_number(field);
  const config::Model& model = from_.model;
  if (field < files()) return array_extents(model, nth(model.read_fields, field).grid);
  if (field >= first_coupled()) {
    return array_extents(model, from_.exchange->fields().field(field - first_coupled()).grid);
  }
  const int grid = nth(model.results, field - files()).grid;
  return from_.results.has_cells_only(field - files()) ? cell_extents(model, grid)
                                                       : array_extents(model, grid);
}

std::vector<std::int64_t> ReceivedFields::first_records() const {
  std::vector<std::int64_t> out;
  for (int f = 0; f < files(); ++f) {
    const config::ReadField& field = nth(from_.model.read_fields, f);
    const bool is_needed = field.attributes.read_access.value_or(false) || field.source >= 0;
    const std::int64_t first = from_.model.first_record(field);
    out.push_back(is_needed ? sources_.next_record(f, first) : -1);
  }
  return out;
}

bool ReceivedFields::comes(int field) const {
  return field < files() || field >= first_coupled() ||
         results_that_come_.contains(field - files());
}

/// Once per date: whoever asks later, on any thread, changes nothing.
void ReceivedFields::look_for_results() {
  for (auto& [result, made] : results_that_come_) {
    made.is_due = made.dates.has_data(from_.clock.model_step());
  }
}

bool ReceivedFields::is_due(int field) const {
  const config::Instant now = from_.clock.now();
  if (const auto made = results_that_come_.find(field - files()); made != results_that_come_.end())
    return made->second.is_due;
  if (field < files()) return nth(from_.dates, field).record_at(now) >= 0;
  return from_.exchange->fields().is_due(field - first_coupled(), now);
}

/// All clients have the same to say: the first one does, strict or not.
void ReceivedFields::warn_of_passed() {
  std::vector<std::string> texts = sources_.take_warnings();
  if (from_.exchange != nullptr) {
    for (std::string& text : from_.exchange->fields().take_warnings()) {
      texts.push_back(std::move(text));
    }
  }
  if (texts.empty()) return;
  if (!from_.group.leads()) texts.clear();
  from_.group.warn(texts);
}

void ReceivedFields::begin_date() {
  const config::Instant now = from_.clock.now();
  look_for_results();
  if (from_.exchange != nullptr && from_.exchange->fields().begin_date(now, from_.workflow)) {
    from_.clock.note_data();
  }
  if (!from_.link) return warn_of_passed();
  const auto start = Clock::now();
  try {
    from_.link->begin_date(now);
    if (!sources_.is_empty()) from_.progress.poll();
    if (sources_.begin(now, *from_.link)) from_.clock.note_data();
    if (const std::exception_ptr problem = sources_.take_problem()) {
      std::rethrow_exception(problem);
    }
  } catch (const Error& error) {
    warn_of_passed();
    from_.account.rethrow(error,
                          fmt::format("context '{}' at {}", from_.group.id(), from_.clock.text()));
  }
  warn_of_passed();
  from_.account.add_seconds(seconds_since_begin(start));
}

void ReceivedFields::check_number(int field) const {
  if (field >= 0 && field < count()) return;
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': {} is not the number of a field that is read (there are "
                          "{}). Is the handle from epios_find_read_field of this context?",
                          from_.group.id(), field, count()));
}

template <class T>
void ReceivedFields::receive(int field, std::span<T> data) {
  const auto start = Clock::now();
  if (field < files()) {
    receive_from_file(field, data);
  } else if (field < first_coupled()) {
    receive_result(field - files(), data);
  } else {
    receive_coupled(field - first_coupled(), data);
  }
  if constexpr (std::is_same_v<T, float>) note_infinite(field, data);
  from_.account.add_seconds(seconds_since_begin(start));
}

template void ReceivedFields::receive(int, std::span<double>);
template void ReceivedFields::receive(int, std::span<float>);

/// Numbers that single precision does not hold.
void ReceivedFields::note_infinite(int field, std::span<const float> data) {
  const auto values =
      std::count_if(data.begin(), data.end(), [](float value) { return std::isinf(value); });
  if (values == 0) return;
  infinite_.resize(static_cast<std::size_t>(count()));
  InfiniteReceived& of = nth(infinite_, field);
  if (of.values == 0) of.first_step = from_.clock.model_step();
  of.values += values;
}

std::vector<InfiniteReceived> ReceivedFields::infinite() const {
  std::vector<InfiniteReceived> out = infinite_;
  out.resize(static_cast<std::size_t>(count()));
  return out;
}

std::string ReceivedFields::place_of(const std::string& id) const {
  return fmt::format("context '{}': field '{}' at {}", from_.group.id(), id, from_.clock.text());
}

void ReceivedFields::check_size(const std::string& field, std::int64_t wanted,
                                std::size_t got) const {
  if (static_cast<std::int64_t>(got) == wanted) return;
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': field '{}' is received into {} values (its array on "
                          "this client has {}). Are halos as data_ibegin, data_ni ... say?",
                          from_.group.id(), field, got, wanted));
}

void ReceivedFields::check_record(int field, std::int64_t record) const {
  if (record >= 0) return;
  const config::ReadField& read = nth(from_.model.read_fields, field);
  const config::ReadSchedule& dates = nth(from_.dates, field);
  const config::Calendar& calendar = from_.clock.calendar();
  const std::int64_t before = dates.latest(from_.clock.now());
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': field '{}' has no record at {} ({}the next one is that of "
                          "{}; records come every {}). Receive it at these dates?",
                          from_.group.id(), read.id, from_.clock.text(),
                          before < 0 ? std::string()
                                     : fmt::format("the last one is that of {}, ",
                                                   calendar.text(dates.date_of(before))),
                          calendar.text(dates.date_of(before + 1)), read.reading.period.text()));
}

template <class T>
void ReceivedFields::receive_from_file(int field, std::span<T> data) {
  const config::ReadField& read = nth(from_.model.read_fields, field);
  check_size(read.id, static_cast<std::int64_t>(array_size(field)), data.size());
  const std::int64_t record = nth(from_.dates, field).record_at(from_.clock.now());
  check_record(field, record);
  if (sources_.has(field, record)) return sources_.copy(field, data);
  from_.progress.poll_now_and_then(Clock::now());
  try {
    from_.link->receive(field, record, sources_.next_record(field, record + 1),
                        read.attributes.default_value, data);
  } catch (const Error& error) {
    from_.account.rethrow(error, place_of(read.id));
  }
}

/// What the workflow has for the result at this date arrives.
void ReceivedFields::fetch_result(int result) {
  if (from_.exchange != nullptr) from_.exchange->fetch_for_result(result);
  try {
    from_.workflow.deliver();
  } catch (const Error& error) {
    from_.account.rethrow(error, fmt::format("context '{}'", from_.group.id()));
  }
}

template <class T>
void ReceivedFields::receive_result(int result, std::span<T> data) {
  const std::string& id = nth(from_.model.results, result).id;
  check_size(id, static_cast<std::int64_t>(from_.results.array_size(result)), data.size());
  if (from_.results.step(result) != from_.clock.model_step()) fetch_result(result);
  const std::int64_t step = from_.results.step(result);
  if (step == from_.clock.model_step()) {
    const auto made = results_that_come_.find(result);
    const bool is_of_partners = made != results_that_come_.end() && made->second.is_of_partners;
    return from_.results.copy(result, is_of_partners, data);
  }
  const std::string last =
      step < 0 ? "it has not been worked out yet"
               : fmt::format("it was worked out last at {}",
                             from_.clock.calendar().text(from_.clock.date_of(step)));
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': field '{}' has no values at {} ({}). Receive it at the "
                          "dates of its data, when all that it is made of has been sent?",
                          from_.group.id(), id, from_.clock.text(), last));
}

template <class T>
void ReceivedFields::receive_coupled(int coupled, std::span<T> data) {
  const CoupledFields& fields = from_.exchange->fields();
  const std::string& id = fields.id(coupled);
  check_size(id, fields.array_size(coupled), data.size());
  const config::Instant now = from_.clock.now();
  if (!fields.is_due(coupled, now)) {
    const config::ReadSchedule& dates = fields.dates(coupled);
    throw Error(
        ErrorCode::call_order,
        fmt::format("context '{}': field '{}' does not come at {} (the next time at {}, then "
                    "every {}). Receive it at these dates?",
                    from_.group.id(), id, from_.clock.text(),
                    from_.clock.calendar().text(dates.date_of(dates.latest(now) + 1)),
                    fields.field(coupled).sampling.output_freq.text()));
  }
  from_.clock.note_data();
  from_.exchange->fetch(coupled);
  fields.copy(coupled, data);
}

}  // namespace epios::client
