#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "config/bytes.hpp"
#include "config/coupled_contexts.hpp"
#include "config/error.hpp"
#include "config/model.hpp"

namespace epios::config {
namespace {

constexpr std::uint32_t facts_magic = 0x47435045;  // "EPCG" as bytes

void put(ByteWriter& writer, const Duration& d) {
  for (const double part : {d.year, d.month, d.day, d.hour, d.minute, d.second, d.timestep}) {
    writer.put(part);
  }
}

Duration get_duration(ByteReader& reader) {
  Duration d;
  for (double* part : {&d.year, &d.month, &d.day, &d.hour, &d.minute, &d.second, &d.timestep}) {
    *part = reader.get<double>();
  }
  return d;
}

void put(ByteWriter& writer, const std::vector<CoupledFieldFacts>& fields) {
  writer.put(static_cast<std::uint64_t>(fields.size()));
  for (const CoupledFieldFacts& field : fields) {
    writer.put(std::string_view(field.id));
    writer.put(std::string_view(field.where));
    put(writer, field.period);
    writer.put(std::string_view(field.period_text));
    writer.put(static_cast<std::uint8_t>(field.is_once ? 1 : 0));
    writer.put(field.first);
    writer.put(std::string_view(field.grid));
    writer.put(static_cast<std::uint64_t>(field.shapes.size()));
    for (const auto& shape : field.shapes) writer.put(shape);
  }
}

std::vector<CoupledFieldFacts> get_fields(ByteReader& reader) {
  std::vector<CoupledFieldFacts> out(reader.get_length(12 * sizeof(std::uint64_t)));
  for (CoupledFieldFacts& field : out) {
    field.id = reader.get_string();
    field.where = reader.get_string();
    field.period = get_duration(reader);
    field.period_text = reader.get_string();
    field.is_once = reader.get<std::uint8_t>() != 0;
    field.first = reader.get<std::int64_t>();
    field.grid = reader.get_string();
    field.shapes.resize(reader.get_length(sizeof(std::uint64_t)));
    for (auto& shape : field.shapes) shape = reader.get_vector<std::int64_t>();
  }
  return out;
}

void put(ByteWriter& writer, const UserCalendar& user) {
  writer.put(user.day_length_s);
  writer.put(user.month_lengths);
  writer.put(user.year_length_s);
  writer.put(user.leap_month);
  writer.put(user.leap_drift);
  writer.put(user.leap_drift_offset);
  writer.put(user.origin_year);
}

UserCalendar get_user_calendar(ByteReader& reader) {
  UserCalendar out;
  out.day_length_s = reader.get<std::int64_t>();
  out.month_lengths = reader.get_vector<std::int64_t>();
  out.year_length_s = reader.get<std::int64_t>();
  out.leap_month = reader.get<std::int64_t>();
  out.leap_drift = reader.get<double>();
  out.leap_drift_offset = reader.get<double>();
  out.origin_year = reader.get<std::int64_t>();
  return out;
}

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorCode::protocol,
              fmt::format("what a context says of its coupling cannot be understood ({}). Are all "
                          "programs of this job linked with the same EPIOS?",
                          why));
}

}  // namespace

std::vector<std::byte> encode(const CoupledContext& context) {
  ByteWriter writer;
  writer.put(facts_magic);
  writer.put(std::string_view(context.code));
  writer.put(std::string_view(context.context));
  writer.put(static_cast<std::uint8_t>(context.calendar_type));
  put(writer, context.user_calendar);
  writer.put(context.start.ms);
  writer.put(context.clients);
  put(writer, context.sent);
  put(writer, context.received);
  return writer.take();
}

CoupledContext decode_coupled_context(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  if (reader.get<std::uint32_t>() != facts_magic) refuse("it begins otherwise");
  CoupledContext out;
  out.code = reader.get_string();
  out.context = reader.get_string();
  const auto type = reader.get<std::uint8_t>();
  if (type > static_cast<std::uint8_t>(CalendarType::user_defined)) {
    refuse(fmt::format("calendar {}", type));
  }
  out.calendar_type = static_cast<CalendarType>(type);
  out.user_calendar = get_user_calendar(reader);
  out.start.ms = reader.get<std::int64_t>();
  out.clients = reader.get_vector<int>();
  out.sent = get_fields(reader);
  out.received = get_fields(reader);
  if (!reader.at_end()) refuse("it is too long");
  return out;
}

}  // namespace epios::config
