#include <fmt/format.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "config/byte_fields.hpp"
#include "config/coupled_contexts.hpp"
#include "config/model.hpp"

namespace epios::config {
namespace {

constexpr Magic facts_magic{0x47435045};  // "EPCG" as bytes

constexpr std::string_view what_is_told = "what a context says of its coupling";

std::uint8_t calendar_code(CalendarType type) { return static_cast<std::uint8_t>(type); }

CalendarType calendar_of(std::uint8_t code) {
  if (code > calendar_code(CalendarType::user_defined)) {
    refuse_bytes(what_is_told, fmt::format("calendar {}", code));
  }
  return static_cast<CalendarType>(code);
}

}  // namespace

template <class Archive>
void fields(Archive& archive, Described<Duration> auto& d) {
  archive(d.year, d.month, d.day, d.hour, d.minute, d.second, d.timestep);
}

template <class Archive>
void fields(Archive& archive, Described<CoupledFieldFacts> auto& field) {
  archive(field.id, field.where, field.period, field.period_text, field.is_once, field.first,
          field.grid, field.shapes, field.orders);
}

template <class Archive>
void fields(Archive& archive, Described<UserCalendar> auto& user) {
  archive(user.day_length_s, user.month_lengths, user.year_length_s, user.leap_month,
          user.leap_drift, user.leap_drift_offset, user.origin_year);
}

template <class Archive>
void fields(Archive& archive, Described<CoupledContext> auto& context) {
  archive(context.code, context.context);
  archive.as(context.calendar_type, calendar_code, calendar_of);
  archive(context.user_calendar, context.start.ms, context.clients, context.sent, context.received);
}

std::vector<std::byte> encode(const CoupledContext& context) {
  return encode_fields(facts_magic, context);
}

CoupledContext decode_coupled_context(std::span<const std::byte> bytes) {
  CoupledContext out;
  decode_fields(bytes, what_is_told, facts_magic, out);
  return out;
}

}  // namespace epios::config
