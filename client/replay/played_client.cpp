// A recorded call is made through the interface in C, as the model made it. What fails must have
// failed in the recorded run, in the same words, and the other way round.
#include "played_client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <numeric>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <variant>

#include "config/element_kind.hpp"
#include "config/error.hpp"
#include "recorded_definitions.hpp"

namespace epios::replay {
namespace {

using client::RecordedCall;
using client::RecordedKind;
namespace flags = client::sent_flags;

const char* text(const RecordedCall& call, std::size_t i) { return call.texts.at(i).c_str(); }

epios_duration c_duration(const config::Duration& d) {
  return {d.year, d.month, d.day, d.hour, d.minute, d.second, d.timestep};
}

/// Calls one of the functions that set an attribute, by the type of the value. `set` has them all.
template <class Set>
int set_value(const config::Value& value, const Set& set) {
  return std::visit(
      [&]<class T>(const T& held) {
        if constexpr (requires { held.shape; }) {
          return set(held.values, static_cast<int>(held.shape.size()), held.shape.data());
        } else {
          return set(held);
        }
      },
      value);
}

struct SetById {
  epios_context* context;
  const char *element, *id, *attribute;

  int operator()(bool v) const {
    return epios_set_bool(context, element, id, attribute, v ? 1 : 0);
  }
  int operator()(std::int64_t v) const { return epios_set_int(context, element, id, attribute, v); }
  int operator()(double v) const { return epios_set_double(context, element, id, attribute, v); }
  int operator()(const std::string& v) const {
    return epios_set_text(context, element, id, attribute, v.c_str());
  }
  int operator()(const config::Duration& v) const { return (*this)(v.text()); }
  int operator()(const std::vector<std::uint8_t>& v, int rank, const std::int64_t* shape) const {
    return epios_set_bools(context, element, id, attribute, v.data(), rank, shape);
  }
  int operator()(const std::vector<std::int64_t>& v, int rank, const std::int64_t* shape) const {
    return epios_set_ints(context, element, id, attribute, v.data(), rank, shape);
  }
  int operator()(const std::vector<double>& v, int rank, const std::int64_t* shape) const {
    return epios_set_doubles(context, element, id, attribute, v.data(), rank, shape);
  }
  int operator()(const std::vector<std::string>& /*v*/, int /*rank*/,
                 const std::int64_t* /*shape*/) const {
    return EPIOS_ERR_INTERNAL;  // no function sets texts by id
  }
};

struct SetElement {
  epios_element element;
  const char* attribute;

  int operator()(bool v) const { return epios_element_set_bool(element, attribute, v ? 1 : 0); }
  int operator()(std::int64_t v) const { return epios_element_set_int(element, attribute, v); }
  int operator()(double v) const { return epios_element_set_double(element, attribute, v); }
  int operator()(const std::string& v) const {
    return epios_element_set_text(element, attribute, v.c_str());
  }
  int operator()(const config::Duration& v) const {
    return epios_element_set_duration(element, attribute, c_duration(v));
  }
  int operator()(const std::vector<std::uint8_t>& v, int rank, const std::int64_t* shape) const {
    return epios_element_set_bools(element, attribute, v.data(), rank, shape);
  }
  int operator()(const std::vector<std::int64_t>& v, int rank, const std::int64_t* shape) const {
    return epios_element_set_ints(element, attribute, v.data(), rank, shape);
  }
  int operator()(const std::vector<double>& v, int rank, const std::int64_t* shape) const {
    return epios_element_set_doubles(element, attribute, v.data(), rank, shape);
  }
  int operator()(const std::vector<std::string>& v, int /*rank*/,
                 const std::int64_t* /*shape*/) const {
    std::vector<const char*> pointers;
    for (const std::string& item : v) pointers.push_back(item.c_str());
    return epios_element_set_texts(element, attribute, pointers.data(), std::ssize(v));
  }
};

/// Values between those of a sample, which lie at equal distances.
template <class T>
void spread(std::span<const std::byte> sample, std::span<std::byte> out) {
  const std::size_t known = sample.size() / sizeof(T);
  const std::size_t count = out.size() / sizeof(T);
  std::vector<T> values(known);
  if (known > 0) std::memcpy(values.data(), sample.data(), known * sizeof(T));
  for (std::size_t i = 0; i < count; ++i) {
    T value{};
    if (known > 0) {
      const double at = count > 1 ? static_cast<double>(i) * static_cast<double>(known - 1) /
                                        static_cast<double>(count - 1)
                                  : 0.0;
      const auto left = std::min(client::size_of(static_cast<std::int64_t>(at)), known - 1);
      const auto right = std::min(left + 1, known - 1);
      const T part = static_cast<T>(at - static_cast<double>(left));
      value = values[left] + part * (values[right] - values[left]);
    }
    std::memcpy(out.data() + i * sizeof(T), &value, sizeof(T));
  }
}

std::string name_of(RecordedKind kind) {
  switch (kind) {
    case RecordedKind::open_context:
      return "epios_context_open";
    case RecordedKind::close_definition:
      return "epios_close_definition";
    case RecordedKind::update_calendar:
      return "epios_update_calendar";
    case RecordedKind::send:
    case RecordedKind::send_tile:
    case RecordedKind::send_unknown:
      return "a send";
    case RecordedKind::receive:
      return "a receive";
    case RecordedKind::finalize:
      return "epios_context_finalize";
    case RecordedKind::close_client:
      return "epios_client_close";
    default:
      return "a call of the definitions";
  }
}

}  // namespace

PlayedClient::PlayedClient(const std::string& folder, const client::RecordingHeader& recorded,
                           epios_client* client, const Share& share, Pace pace)
    : dealing_(share.clients == recorded.clients
                   ? nullptr
                   : std::make_unique<Dealing>(folder, recorded, share)),
      recorded_rank_(dealing_ ? 0 : share.rank),
      reader_(client::recording_path(folder, recorded.component, recorded_rank_)),
      client_(client),
      pace_(pace) {}

std::string PlayedClient::play() {
  while (const auto call = reader_.next()) {
    if (call->kind == RecordedKind::abandon) {
      return dealing_ && !last_failure_.empty() ? last_failure_ : call->texts.at(0);
    }
    if (skips(*call)) continue;
    if (call->kind == RecordedKind::failure) continue;  // of a call that is not played
    if (pace_ == Pace::recorded) wait(*call);
    const int code = make(*call);
    ended_ = Clock::now();
    std::string problem = difference(code, *call);
    if (!problem.empty()) return problem;
    if (is_closed_) return {};
  }
  is_over_early_ = true;
  return fmt::format(
      "the recording of client {} ends {}at step {} (the recorded process was killed, or could not "
      "write any more)",
      recorded_rank_, reader_.is_cut() ? "within a call " : "", step_);
}

/// Compares the outcome of a call with that of the recorded run.
std::string PlayedClient::difference(int code, const RecordedCall& call) {
  const std::string own = code == EPIOS_SUCCESS ? "" : epios_last_error();
  std::string recorded;
  if (reader_.peek_kind() == RecordedKind::failure) {
    const auto failure = reader_.next();
    if (failure) recorded = failure->texts.at(0);
  }
  if (!own.empty()) last_failure_ = own;
  // Other clients have other ranks and sizes to tell of.
  const bool is_alike = dealing_ && !own.empty() && !recorded.empty();
  if (own == recorded || is_alike) return {};
  if (recorded.empty()) {
    return fmt::format("{} (at step {}; in the recorded run {} succeeded)", own, step_,
                       name_of(call.kind));
  }
  if (own.empty()) {
    return fmt::format("{} succeeds at step {}; in the recorded run it failed: {}",
                       name_of(call.kind), step_, recorded);
  }
  return fmt::format("{} (at step {}; in the recorded run it was: {})", own, step_, recorded);
}

void PlayedClient::wait(const RecordedCall& call) {
  std::this_thread::sleep_until(ended_ + std::chrono::microseconds(call.before_us));
}

/// What a recorded client says of its part is replaced, and what became of it does not matter.
bool PlayedClient::skips(const RecordedCall& call) {
  return dealing_ && is_definition(call.kind) && dealing_->drops_next(call.context);
}

epios_context* PlayedClient::context(const RecordedCall& call) const {
  return call.context < contexts_.size() ? contexts_[call.context] : nullptr;
}

int PlayedClient::make(const RecordedCall& call) {
  epios_context* const in = context(call);
  switch (call.kind) {
    case RecordedKind::open_context:
      return open_context(call);
    case RecordedKind::add:
      return epios_add(in, text(call, 0), text(call, 1), text(call, 2), text(call, 3));
    case RecordedKind::set:
      return set(call);
    case RecordedKind::set_text:
      return epios_set_text(in, text(call, 0), text(call, 1), text(call, 2), text(call, 3));
    case RecordedKind::child: {
      epios_element out;
      const epios_element parent{in, static_cast<std::int32_t>(call.numbers.at(0))};
      return epios_child(parent, text(call, 0), text(call, 1), &out);
    }
    case RecordedKind::set_element:
    case RecordedKind::set_element_text:
      return set_element(call);
    case RecordedKind::solve_inheritance:
      return epios_solve_inheritance(in);
    case RecordedKind::set_variable:
      return epios_set_variable(in, text(call, 0), text(call, 1));
    case RecordedKind::close_definition:
      return close_definition(call);
    case RecordedKind::update_calendar:
      step_ = call.numbers.at(0);
      if (dealing_ && in != nullptr) dealing_->go_to(call.context, step_);
      return epios_update_calendar(in, step_);
    case RecordedKind::send:
    case RecordedKind::send_tile:
      return send(call);
    case RecordedKind::send_unknown:
      return epios_send_double(in, text(call, 0), nullptr, 0);
    case RecordedKind::borrow:
      return borrow(call);
    case RecordedKind::give_back:
      borrowed_ = nullptr;
      return epios_field_give_back({in, static_cast<std::int32_t>(call.numbers.at(0))});
    case RecordedKind::receive:
      return receive(call);
    case RecordedKind::out_of_order:
      return call_out_of_order(call);
    case RecordedKind::finalize:
      return epios_context_finalize(in);
    case RecordedKind::close_client:
      is_closed_ = true;
      return epios_client_close(client_);
    case RecordedKind::failure:
    case RecordedKind::abandon:
      break;
  }
  return EPIOS_SUCCESS;
}

int PlayedClient::open_context(const RecordedCall& call) {
  contexts_.resize(std::max(contexts_.size(), std::size_t{call.context} + 1));
  epios_context*& out = contexts_[call.context];
  if (dealing_) dealing_->open(call);
  if (!call.value || dealing_) return epios_context_open(client_, text(call, 0), &out);
  std::vector<int> ranks;
  for (const std::int64_t rank : std::get<config::value::integers>(*call.value).values) {
    ranks.push_back(static_cast<int>(rank));
  }
  return epios_context_open_among(client_, text(call, 0), ranks.data(),
                                  static_cast<int>(ranks.size()), &out);
}

int PlayedClient::set_dealt(epios_context* in, const DealtAttribute& attribute) const {
  const std::string element(config::name(attribute.kind));
  const char* const id = attribute.id.c_str();
  const char* const name = attribute.name.c_str();
  const auto* const labels = std::get_if<config::value::strings>(&attribute.value);
  if (labels == nullptr) return set_value(attribute.value, SetById{in, element.c_str(), id, name});
  epios_element found;
  const int code = epios_at(in, element.c_str(), id, &found);
  return code != EPIOS_SUCCESS ? code : SetElement{found, name}(labels->values, 1, nullptr);
}

/// Again for a definition that is closed again: the same values.
int PlayedClient::close_definition(const RecordedCall& call) {
  epios_context* const in = context(call);
  if (dealing_) {
    for (const DealtAttribute& attribute : dealing_->attributes(call.context)) {
      const int code = set_dealt(in, attribute);
      if (code != EPIOS_SUCCESS) return code;
    }
  }
  return epios_close_definition(in);
}

int PlayedClient::set(const RecordedCall& call) {
  return set_value(call.value.value(),
                   SetById{context(call), text(call, 0), text(call, 1), text(call, 2)});
}

int PlayedClient::set_element(const RecordedCall& call) {
  const epios_element element{context(call), static_cast<std::int32_t>(call.numbers.at(0))};
  if (call.kind == RecordedKind::set_element_text) {
    return epios_element_set_text(element, text(call, 0), text(call, 1));
  }
  return set_value(call.value.value(), SetElement{element, text(call, 0)});
}

std::int64_t PlayedClient::count_of(const RecordedCall& call) const {
  return dealing_ ? dealing_->size(call) : call.numbers.at(2);
}

/// The array that was sent, or one like it.
std::byte* PlayedClient::values_of(const RecordedCall& call) {
  const auto value_bytes = client::size_of(call.numbers.at(1));
  const auto bytes = value_bytes * client::size_of(count_of(call));
  const std::int64_t known = call.numbers.at(3);
  const bool is_borrowed = (known & flags::is_borrowed) != 0 && borrowed_ != nullptr;
  if (!is_borrowed) array_.resize(bytes);
  const std::span<std::byte> out(is_borrowed ? static_cast<std::byte*>(borrowed_) : array_.data(),
                                 bytes);
  if ((known & flags::has_values) != 0 && dealing_) {
    dealing_->fill(call, out);
  } else if ((known & flags::has_values) != 0) {
    std::copy_n(call.data.begin(), std::min(bytes, call.data.size()), out.begin());
  } else if (value_bytes == sizeof(float)) {
    spread<float>(call.data, out);
  } else {
    spread<double>(call.data, out);
  }
  if (is_borrowed) borrowed_ = nullptr;
  return out.data();
}

int PlayedClient::send(const RecordedCall& call) {
  const epios_field field{context(call), static_cast<std::int32_t>(call.numbers.at(0))};
  const bool is_single = call.numbers.at(1) == sizeof(float);
  if (dealing_ && call.kind == RecordedKind::send_tile) {
    throw Error(ErrorCode::argument,
                "a field is sent in tiles (such runs are played with the recorded number of "
                "clients). Leave out --clients?");
  }
  const std::int64_t count = count_of(call);
  const std::byte* const data = values_of(call);
  const auto* const singles = reinterpret_cast<const float*>(data);
  const auto* const doubles = reinterpret_cast<const double*>(data);
  if (call.kind == RecordedKind::send_tile) {
    const auto tile = static_cast<int>(call.numbers.at(4));
    return is_single ? epios_field_send_tile_float(field, tile, singles, count)
                     : epios_field_send_tile_double(field, tile, doubles, count);
  }
  return is_single ? epios_field_send_float(field, singles, count)
                   : epios_field_send_double(field, doubles, count);
}

int PlayedClient::borrow(const RecordedCall& call) {
  const epios_field field{context(call), static_cast<std::int32_t>(call.numbers.at(0))};
  std::int64_t count = 0;
  float* singles = nullptr;
  double* doubles = nullptr;
  const bool is_single = call.numbers.at(1) == sizeof(float);
  const int code = is_single ? epios_field_borrow_float(field, &singles, &count)
                             : epios_field_borrow_double(field, &doubles, &count);
  borrowed_ = is_single ? static_cast<void*>(singles) : doubles;
  return code;
}

/// As many values as this client receives.
int PlayedClient::count_received(const epios_read_field& field, std::int64_t& count) const {
  if (!dealing_) return EPIOS_SUCCESS;
  constexpr int most = 16;
  int rank = 0;
  std::array<std::int64_t, most> extents{};
  const int code = epios_read_field_extents(field, &rank, extents.data(), most);
  if (code != EPIOS_SUCCESS) return code;
  count = std::accumulate(extents.begin(), extents.begin() + rank, std::int64_t{1},
                          std::multiplies<>());
  return EPIOS_SUCCESS;
}

int PlayedClient::receive(const RecordedCall& call) {
  const epios_read_field field{context(call), static_cast<std::int32_t>(call.numbers.at(0))};
  std::int64_t count = call.numbers.at(2);
  if (const int code = count_received(field, count); code != EPIOS_SUCCESS) return code;
  const bool is_single = call.numbers.at(1) == sizeof(float);
  array_.resize(client::size_of(count) * sizeof(double));
  return is_single
             ? epios_field_recv_float(field, reinterpret_cast<float*>(array_.data()), count)
             : epios_field_recv_double(field, reinterpret_cast<double*>(array_.data()), count);
}

/// A call that was refused for its time, by the number of its RunCall.
int PlayedClient::call_out_of_order(const RecordedCall& call) {
  epios_context* const in = context(call);
  const double value = 0;
  double* address = nullptr;
  std::int64_t count = 0;
  int active = 0;
  epios_field field{in, 0};
  epios_read_field read_field{in, 0};
  switch (call.numbers.at(0)) {
    case 0:
      return epios_update_calendar(in, 0);
    case 1:
      return epios_field_send_double(field, &value, 1);
    case 2:
      return epios_send_double(in, text(call, 0), &value, 1);
    case 3:
      return epios_field_send_tile_double(field, 0, &value, 1);
    case 4:
      return epios_field_borrow_double(field, &address, &count);
    case 5:
      return epios_field_give_back(field);
    case 6:
      return epios_find_field(in, text(call, 0), &field);
    case 7:
      return epios_find_read_field(in, text(call, 0), &read_field);
    case 8:
      return epios_field_recv_double(read_field, nullptr, 0);
    default:
      return epios_field_ask_active(field, 0, &active);
  }
}

}  // namespace epios::replay
