// What a context does with fields of files that are read.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <string>
#include <type_traits>
#include <vector>

#include "config/error.hpp"
#include "config/model.hpp"
#include "config/suggestion.hpp"
#include "context/context_state.hpp"
#include "event/agreement.hpp"

namespace epios::client {

void ContextState::connect_readers() {
  if (model_->read_fields.empty()) return;
  const ep::Comm& clients = this->clients();
  io::all_or_none(clients, [&] {
    const int carrier = settings_.carrier_of_answers();
    const ReadLink::Setup setup{
        *model_,
        opening_->parts,
        opening_->read_placements,
        opening_->read_pieces,
        *number_,
        carrier > 0 ? static_cast<io::CarrierKind>(carrier) : io::CarrierKind::in_process,
        clients.rank(),
        server_waits(),
        io::read_ahead(*model_, settings_.buffer_bytes),
        first_records(),
        read_dates_};
    read_link_ = std::make_unique<ReadLink>(
        client_.servers(), setup,
        [this](int field, std::int64_t record, const std::vector<std::uint8_t>& concerned,
               const std::vector<int>& asked) {
          link_->send_read(field, record, step_, concerned, asked);
        },
        [this] { poll(); });
  });
  read_link_->begin();
}

int ContextState::read_field(std::string_view id) const {
  if (!link_) {
    out_of_order("nothing can be received",
                 "(the definition is not closed, or the context is over). Receive in the time "
                 "loop?");
  }
  const auto found = read_fields_.find(id);
  if (found != read_fields_.end()) return found->second;
  std::vector<std::string_view> candidates;
  for (const auto& [known, number] : read_fields_) candidates.push_back(known);
  const std::string guess = config::did_you_mean(id, candidates);
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': field '{}' cannot be received (no enabled file with "
                          "mode=\"read\" has it, nor has it read_access=\"true\"). {}",
                          id_, id, guess.empty() ? "Is its id spelt as in the XML?" : guess));
}

void ContextState::check_record(int read_field, std::int64_t record) const {
  if (record >= 0) return;
  const auto index = static_cast<std::size_t>(read_field);
  const config::ReadField& field = model_->read_fields[index];
  const config::ReadSchedule& dates = read_dates_[index];
  const std::int64_t before = dates.latest(now_);
  throw Error(
      ErrorCode::call_order,
      fmt::format("context '{}': field '{}' has no record at {} ({}the next one is that of {}; "
                  "records come every {}). Receive it at these dates?",
                  id_, field.id, calendar_->text(now_),
                  before < 0 ? std::string()
                             : fmt::format("the last one is that of {}, ",
                                           calendar_->text(dates.date_of(before))),
                  calendar_->text(dates.date_of(before + 1)), field.reading.period.text()));
}

std::vector<std::int64_t> ContextState::first_records() const {
  std::vector<std::int64_t> out;
  for (std::size_t i = 0; i < model_->read_fields.size(); ++i) {
    const config::ReadField& field = model_->read_fields[i];
    const bool is_needed = field.attributes.read_access.value_or(false) || field.source >= 0;
    const std::int64_t first = model_->first_record(field);
    out.push_back(is_needed ? read_sources_->next_record(static_cast<int>(i), first) : -1);
  }
  return out;
}

/// All clients have the same to say: the first one does, strict or not.
void ContextState::tell_what_was_passed() const {
  std::vector<std::string> doubts = read_sources_->take_doubts();
  if (doubts.empty()) return;
  if (clients().rank() != io::leader) doubts.clear();
  warn(doubts);
}

/// What files have at this date enters the workflow.
void ContextState::begin_date() {
  if (couplings_ && couplings_->begin_date(now_, *workflow_)) sent_now_ = true;
  if (!read_link_) return;
  const auto start = std::chrono::steady_clock::now();
  try {
    read_link_->begin_date(now_);
    if (!read_sources_->is_empty()) poll();
    if (read_sources_->begin(now_, *read_link_)) sent_now_ = true;
    if (const std::exception_ptr problem = read_sources_->take_problem()) {
      std::rethrow_exception(problem);
    }
  } catch (const Error& error) {
    tell_what_was_passed();
    if (failure_) throw;
    throw error.within(fmt::format("context '{}' at {}", id_, calendar_->text(now_)));
  }
  tell_what_was_passed();
  in_library_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class T>
void ContextState::receive(int read_field, std::span<T> data) {
  if (state_ != State::running || (read_dates_.empty() && model_->results.empty() && !couplings_)) {
    out_of_order("a field is received outside the time loop",
                 "(it comes after epios_close_definition and before epios_context_finalize)");
  }
  const auto files = static_cast<int>(read_dates_.size());
  const int known = received_fields();
  if (read_field < 0 || read_field >= known) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}': {} is not the number of a field that is read (there are "
                            "{}). Is the handle from epios_find_read_field of this context?",
                            id_, read_field, known));
  }
  check_nothing_lent("receiving a field");
  const auto start = std::chrono::steady_clock::now();
  if (read_field < files) {
    receive_from_file(read_field, data);
  } else if (read_field < first_received()) {
    receive_result(read_field - files, data);
  } else {
    receive_coupled(read_field - first_received(), data);
  }
  if constexpr (std::is_same_v<T, float>) note_infinite(read_field, data);
  in_library_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int ContextState::received_fields() const {
  return first_received() + (couplings_ ? couplings_->received() : 0);
}

/// Numbers that single precision does not hold.
void ContextState::note_infinite(int read_field, std::span<const float> data) {
  const auto values =
      std::count_if(data.begin(), data.end(), [](float value) { return std::isinf(value); });
  if (values == 0) return;
  infinite_.received.resize(static_cast<std::size_t>(received_fields()));
  InfiniteData::Received& of = infinite_.received[static_cast<std::size_t>(read_field)];
  if (of.values == 0) of.first_step = model_->steps_before + step_;
  of.values += values;
}

std::string ContextState::name_of_received(int read_field) const {
  const auto files = static_cast<int>(read_dates_.size());
  if (read_field < files) return model_->read_fields[static_cast<std::size_t>(read_field)].id;
  if (read_field >= first_received()) return couplings_->id(read_field - first_received());
  return model_->results[static_cast<std::size_t>(read_field - files)].id;
}

template void ContextState::receive(int, std::span<double>);
template void ContextState::receive(int, std::span<float>);

void ContextState::check_received_size(const std::string& field, std::int64_t wanted,
                                       std::size_t got) const {
  if (static_cast<std::int64_t>(got) == wanted) return;
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': field '{}' is received into {} values (its array on "
                          "this client has {}). Are halos as data_ibegin, data_ni ... say?",
                          id_, field, got, wanted));
}

template <class T>
void ContextState::receive_from_file(int read_field, std::span<T> data) {
  const auto index = static_cast<std::size_t>(read_field);
  const config::ReadField& field = model_->read_fields[index];
  check_received_size(field.id, read_link_->array_size(read_field), data.size());
  const std::int64_t record = read_dates_[index].record_at(now_);
  check_record(read_field, record);
  if (read_sources_->has(read_field, record)) return read_sources_->copy(read_field, data);
  poll_now_and_then(std::chrono::steady_clock::now());
  try {
    read_link_->receive(read_field, record, read_sources_->next_record(read_field, record + 1),
                        field.attributes.default_value, data);
  } catch (const Error& error) {
    if (failure_) throw;
    throw error.within(
        fmt::format("context '{}': field '{}' at {}", id_, field.id, calendar_->text(now_)));
  }
}

template <class T>
void ContextState::receive_result(int result, std::span<T> data) {
  const std::string& id = model_->results[static_cast<std::size_t>(result)].id;
  check_received_size(id, static_cast<std::int64_t>(results_->array_size(result)), data.size());
  if (results_->step(result) != model_->steps_before + step_) {
    if (couplings_) fetch_for_result(result);
    deliver();
  }
  const std::int64_t step = results_->step(result);
  if (step == model_->steps_before + step_) return results_->copy(result, data);
  const std::string last =
      step < 0 ? "it has not been worked out yet"
               : fmt::format("it was worked out last at {}",
                             calendar_->text(calendar_->at_step(model_->start_date, step)));
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': field '{}' has no values at {} ({}). Receive it at the "
                          "dates of its data, when all that it is made of has been sent?",
                          id_, id, calendar_->text(now_), last));
}

}  // namespace epios::client
