#include "context/loan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "config/error.hpp"
#include "config/model.hpp"
#include "context/context_state.hpp"

namespace epios::client {

void Loan::begin(int field, std::size_t value_bytes, std::span<std::byte> array, bool is_buffer) {
  field_ = field;
  value_bytes_ = value_bytes;
  array_ = array;
  is_buffer_ = is_buffer;
}

std::span<std::byte> Loan::buffer(int field, std::size_t bytes) {
  const auto at = static_cast<std::size_t>(field);
  if (buffers_.size() <= at) buffers_.resize(at + 1);
  std::vector<double>& values = buffers_[at];
  // A client without points has an address, too: only what nobody needs has none.
  const std::size_t needed =
      std::max<std::size_t>(1, (bytes + sizeof(double) - 1) / sizeof(double));
  if (values.size() < needed) values.resize(needed);
  return std::as_writable_bytes(std::span(values)).first(bytes);
}

template <class T>
std::span<T> ContextState::borrow(int field) {
  if (state_ != State::running) refuse_send("a borrowed field");
  check_number(field);
  check_no_tiles_only(field, "borrowed");
  if (loan_.is_out()) check_loan(field, loan_.array().data(), loan_.value_bytes());
  if (field < 0) return {};
  const int grid = model_->sources[static_cast<std::size_t>(field)].grid;
  const auto size = static_cast<std::size_t>(workflow_->layout(grid).size());
  if (loan_.is_out() && loan_.value_bytes() != sizeof(T)) end_loan();
  if (!loan_.is_out()) {
    std::span<std::byte> array = lend_channel(field, sizeof(T));
    const bool is_buffer = array.empty();
    if (is_buffer) {
      workflow_->let_go(field, now_);
      array = loan_.buffer(field, size * sizeof(T));
    }
    loan_.begin(field, sizeof(T), array, is_buffer);
  }
  return {reinterpret_cast<T*>(loan_.array().data()), size};
}

template std::span<double> ContextState::borrow(int);
template std::span<float> ContextState::borrow(int);

/// Empty where a record would not leave as it is.
std::span<std::byte> ContextState::lend_channel(int field, std::size_t value_bytes) {
  if (!is_due(field)) return {};
  const auto sole = workflow_->sole_record(field, now_);
  if (!sole || before_records_->may_come(sole->stream, sole->record)) return {};
  const auto& stream = model_->streams[static_cast<std::size_t>(sole->stream)];
  if (io::wire_value_bytes(*model_, stream) != static_cast<int>(value_bytes)) return {};
  throw_if_failed();
  const double before_s = link_s();
  const std::span<std::byte> out = link_->lend(sole->stream);
  in_library_s_ += link_s() - before_s;
  return out;
}

void ContextState::give_back(int field) {
  if (!loan_.is_out() || loan_.field() != field) {
    throw Error(
        ErrorCode::call_order,
        fmt::format("context '{}': a field is given back that is not borrowed. Was it sent?", id_));
  }
  end_loan();
}

void ContextState::end_loan() {
  link_->take_back();
  loan_.end();
}

/// Only the borrowed array of the borrowed field is welcome.
void ContextState::check_loan(int field, const void* data, std::size_t value_bytes) const {
  const bool is_array = data == loan_.array().data() && value_bytes == loan_.value_bytes();
  if (field == loan_.field() && is_array) return;
  const std::string& lent = model_->sources[static_cast<std::size_t>(loan_.field())].id;
  const std::string why =
      field == loan_.field() ? "another array of it is sent"
      : field < 0
          ? "another field comes"
          : fmt::format("field '{}' comes", model_->sources[static_cast<std::size_t>(field)].id);
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': field '{}' is borrowed ({} at step {}). Send its borrowed "
                          "array, or give it back, first?",
                          id_, lent, why, step_));
}

void ContextState::check_nothing_lent(const char* call) const {
  if (!loan_.is_out()) return;
  throw Error(
      ErrorCode::call_order,
      fmt::format("context '{}': field '{}' was borrowed at step {} and neither sent nor "
                  "given back ({} is called). Send its array before?",
                  id_, model_->sources[static_cast<std::size_t>(loan_.field())].id, step_, call));
}

}  // namespace epios::client
