// What a context does with fields of files that are read.
#include <fmt/format.h>

#include <chrono>
#include <string>
#include <vector>

#include "agreement.hpp"
#include "config/error.hpp"
#include "config/suggestion.hpp"
#include "context_state.hpp"

namespace epios::client {

void ContextState::connect_readers() {
  if (model_->read_fields.empty()) return;
  const ep::Comm& clients = this->clients();
  all_or_none(clients, [&] {
    const ReadLink::Setup setup{*model_,
                                opening_->parts,
                                opening_->read_placements,
                                opening_->read_pieces,
                                *number_,
                                settings_.carrier > 0
                                    ? static_cast<io::CarrierKind>(settings_.carrier)
                                    : io::CarrierKind::in_process,
                                clients.rank()};
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
                          "mode=\"read\" has it). {}",
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

template <class T>
void ContextState::receive(int read_field, std::span<T> data) {
  if (state_ != State::running || !read_link_) {
    out_of_order("a field is received outside the time loop",
                 "(it comes after epios_close_definition and before epios_context_finalize)");
  }
  if (read_field < 0 || read_field >= static_cast<int>(read_dates_.size())) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}': {} is not the number of a field that is read (there are "
                            "{}). Is the handle from epios_find_read_field of this context?",
                            id_, read_field, read_dates_.size()));
  }
  check_nothing_lent("receiving a field");
  const auto index = static_cast<std::size_t>(read_field);
  const config::ReadField& field = model_->read_fields[index];
  const std::int64_t wanted = read_link_->array_size(read_field);
  if (static_cast<std::int64_t>(data.size()) != wanted) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}': field '{}' is received into {} values (its array on "
                            "this client has {}). Are halos as data_ibegin, data_ni ... say?",
                            id_, field.id, data.size(), wanted));
  }
  const auto start = std::chrono::steady_clock::now();
  const config::ReadSchedule& dates = read_dates_[index];
  const std::int64_t record = dates.record_at(now_);
  check_record(read_field, record);
  poll_now_and_then(start);
  try {
    read_link_->receive(read_field, record, dates.is_once() ? -1 : record + 1,
                        field.attributes.default_value, data);
  } catch (const Error& error) {
    if (failure_) throw;
    throw error.within(
        fmt::format("context '{}': field '{}' at {}", id_, field.id, calendar_->text(now_)));
  }
  in_library_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template void ContextState::receive(int, std::span<double>);
template void ContextState::receive(int, std::span<float>);

}  // namespace epios::client
