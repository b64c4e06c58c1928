// What happens to an array that the model sends: it is checked, and handed to the workflow if
// anybody needs it at this step. Tiles are put together first, by whichever threads bring them; a
// borrowed array is, where possible, the memory of the channel itself. In this order: sends, tiles,
// borrowed arrays.
#include "context/sent_fields.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "context/client_lock.hpp"
#include "grid/routing.hpp"
#include "grid/tiles.hpp"
#include "grids/array_extents.hpp"

namespace epios::client {
namespace {

using Clock = ContextProgress::Clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

SentFields::SentFields(const Setup& setup)
    : to_(setup), dues_(setup.workflow, setup.clock, setup.sources) {
  for (std::size_t s = 0; s < setup.sources; ++s) {
    const int grid = nth(to_.model.sources, s).grid;
    io::Tiles tiles(to_.model, grid);
    const std::int64_t size = to_.workflow.layout(grid).size();
    has_tiles_ = has_tiles_ || tiles.count() > 0;
    tiles_.push_back(tiles.count() > 0 ? std::make_unique<TileAssembly>(std::move(tiles), size)
                                       : nullptr);
  }
}

const std::string& SentFields::id_of(int field) const {
  return to_.model.sources[config::SourceId(field)].id;
}

std::string SentFields::place_of(int field) const {
  return fmt::format("context '{}': field '{}'", to_.group.id(), id_of(field));
}

void SentFields::check_number(int field) const {
  if (field >= -1 && field < dues_.count()) return;
  throw Error(
      ErrorCode::argument,
      fmt::format("context '{}': {} is not the number of a field (it has {}). Is the handle "
                  "from epios_find_field of this context?",
                  to_.group.id(), field, dues_.count()));
}

std::vector<std::int64_t> SentFields::extents(int field) const {
  check_number(field);
  if (field < 0) return {};
  return array_extents(to_.model, to_.model.sources[config::SourceId(field)].grid);
}

bool SentFields::is_due(int field) {
  if (const auto known = dues_.known(field)) return *known;
  const std::scoped_lock lock(tiles_mutex_);
  return dues_.is_due(field);
}

void SentFields::check_complete(const char* call) const {
  check_nothing_borrowed(call);
  check_tiles();
}

template <class T>
void SentFields::send(int field, std::span<const T> data) {
  const auto flags = [&] {
    const bool is_known = field >= 0 && field < dues_.count();
    const bool is_its =
        borrowed_.is_out() && data.data() == static_cast<const void*>(borrowed_.array().data());
    return (is_known && is_due(field) ? sent_flags::is_due : 0) |
           (is_its ? sent_flags::is_borrowed : 0);
  };
  to_.group.record().send(field, data, flags, [&] { send_unrecorded(field, data); });
}

template <class T>
void SentFields::send_unrecorded(int field, std::span<const T> data) {
  check_number(field);
  check_not_by_tiles_only(field, "sent");
  // Beside threads that send tiles of others.
  const auto lock = has_tiles_ ? std::unique_lock(tiles_mutex_) : std::unique_lock<std::mutex>();
  send_whole(field, data);
}

template <class T>
void SentFields::send_whole(int field, std::span<const T> data) {
  if (borrowed_.is_out()) check_borrowed(field, data.data(), sizeof(T));
  to_.clock.note_data();
  if (field < 0) return;
  if (dues_.is_stopped()) {
    ++ignored_;
    if (borrowed_.is_out()) release();
    return;
  }
  try {
    if (!dues_.is_due(field)) {
      to_.workflow.send_idle(field, to_.clock.now(), data.size());
      to_.account.count_send();
      if (borrowed_.is_out()) release();
      return;
    }
    const auto start = Clock::now();
    to_.progress.poll_now_and_then(start);
    dues_.forget(field);
    const bool stays = borrowed_.is_out() && borrowed_.is_own();
    to_.workflow.send(field, to_.clock.now(), data,
                      stays ? io::Workflow::Array::stays : io::Workflow::Array::is_the_models);
    if (borrowed_.is_out()) release();
    to_.account.add_seconds(seconds_since(start));
    to_.account.count_send();
  } catch (const Error& error) {
    to_.account.rethrow(error, place_of(field));
  }
}

template void SentFields::send(int, std::span<const double>);
template void SentFields::send(int, std::span<const float>);

void SentFields::check_not_by_tiles_only(int field, const char* what) const {
  if (field < 0 || !nth(tiles_, field) || !nth(tiles_, field)->tiles().is_exclusive()) {
    return;
  }
  throw Error(ErrorCode::argument,
              fmt::format("context '{}': field '{}' is {} in whole (tile_only of its domain is "
                          "true). Send its tiles?",
                          to_.group.id(), id_of(field), what));
}

/// A step ends when all of its tiles have come.
void SentFields::check_tiles() const {
  for (std::size_t source = 0; source < tiles_.size(); ++source) {
    if (!tiles_[source]) continue;
    const std::string missing = tiles_[source]->missing(to_.clock.step());
    if (missing.empty()) continue;
    throw Error(
        ErrorCode::call_order,
        fmt::format("context '{}': field '{}': {} at step {} (others were). Does every "
                    "thread send its tiles before the next step?",
                    to_.group.id(), nth(to_.model.sources, source).id, missing, to_.clock.step()));
  }
}

template <class T>
void SentFields::send_tile(int field, int tile, std::span<const T> data) {
  to_.group.record().send_tile(field, tile, data, [&] { send_tile_unrecorded(field, tile, data); });
}

template <class T>
void SentFields::send_tile_unrecorded(int field, int tile, std::span<const T> data) {
  check_number(field);
  if (field < 0) return;
  TileAssembly* const assembly = nth(tiles_, field).get();
  try {
    if (assembly == nullptr) {
      throw Error(
          ErrorCode::argument,
          fmt::format("tile {} does not exist (its domain has none). Set ntiles and tile_* of "
                      "the domain?",
                      tile));
    }
    const bool is_last = assembly->take(to_.clock.step(), tile, data, [&] {
      const std::scoped_lock lock(tiles_mutex_);
      to_.clock.note_data();
      return dues_.is_due(field);
    });
    if (!is_last) return;
  } catch (const Error& error) {
    throw error.within(place_of(field));
  }
  const ClientLock client_lock(to_.group.client(), to_.group.id(), ClientLock::Kind::tile);
  const std::scoped_lock lock(tiles_mutex_);
  send_whole(field, assembly->whole<T>());
}

template void SentFields::send_tile(int, int, std::span<const double>);
template void SentFields::send_tile(int, int, std::span<const float>);

template <class T>
std::span<T> SentFields::borrow(int field) {
  return to_.group.record().call(RecordedKind::borrow, {field, sizeof(T)},
                                 [&] { return borrow_unrecorded<T>(field); });
}

template <class T>
std::span<T> SentFields::borrow_unrecorded(int field) {
  check_number(field);
  check_not_by_tiles_only(field, "borrowed");
  if (borrowed_.is_out()) {
    check_borrowed(field, borrowed_.array().data(), borrowed_.value_bytes());
  }
  if (field < 0) return {};
  const int grid = to_.model.sources[config::SourceId(field)].grid;
  const auto size = static_cast<std::size_t>(to_.workflow.layout(grid).size());
  if (borrowed_.is_out() && borrowed_.value_bytes() != sizeof(T)) release();
  if (!borrowed_.is_out()) {
    std::span<std::byte> array = borrow_from_channel(field, sizeof(T));
    const bool is_own = array.empty();
    if (is_own) {
      if (!dues_.is_stopped()) to_.workflow.let_go(field, to_.clock.now());
      array = borrowed_.own(field, size * sizeof(T));
    }
    borrowed_.acquire(field, sizeof(T), array, is_own);
  }
  return {reinterpret_cast<T*>(borrowed_.array().data()), size};
}

template std::span<double> SentFields::borrow(int);
template std::span<float> SentFields::borrow(int);

/// Returns nothing where a record would not leave as it is.
std::span<std::byte> SentFields::borrow_from_channel(int field, std::size_t value_bytes) {
  if (!dues_.is_due(field)) return {};
  const auto sole = to_.workflow.sole_record(field, to_.clock.now());
  if (!sole || to_.before_records.may_come(sole->stream, sole->record)) return {};
  if (to_.link.value_bytes(sole->stream) != static_cast<int>(value_bytes)) return {};
  to_.account.throw_if_failed();
  const double before_s = to_.link.busy_s();
  const std::span<std::byte> out = to_.link.acquire_part(sole->stream);
  to_.account.add_seconds(to_.link.busy_s() - before_s);
  return out;
}

void SentFields::give_back(int field) {
  to_.group.record().call(RecordedKind::give_back, {field}, [&] { give_back_unrecorded(field); });
}

void SentFields::give_back_unrecorded(int field) {
  if (!borrowed_.is_out() || borrowed_.field() != field) {
    throw Error(
        ErrorCode::call_order,
        fmt::format("context '{}': a field is given back that is not borrowed. Was it sent?",
                    to_.group.id()));
  }
  release();
}

void SentFields::release() {
  to_.link.release_part();
  borrowed_.release();
}

/// Only the borrowed array of the borrowed field is welcome.
void SentFields::check_borrowed(int field, const void* data, std::size_t value_bytes) const {
  const bool is_array = data == borrowed_.array().data() && value_bytes == borrowed_.value_bytes();
  if (field == borrowed_.field() && is_array) return;
  const std::string why = field == borrowed_.field() ? "another array of it is sent"
                          : field < 0                ? "another field comes"
                                      : fmt::format("field '{}' comes", id_of(field));
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': field '{}' is borrowed ({} at step {}). Send its borrowed "
                          "array, or give it back, first?",
                          to_.group.id(), id_of(borrowed_.field()), why, to_.clock.step()));
}

void SentFields::check_nothing_borrowed(const char* call) const {
  if (!borrowed_.is_out()) return;
  throw Error(ErrorCode::call_order,
              fmt::format("context '{}': field '{}' was borrowed at step {} and neither sent nor "
                          "given back ({} is called). Send its array before?",
                          to_.group.id(), id_of(borrowed_.field()), to_.clock.step(), call));
}

}  // namespace epios::client
