#include "recording/recorded_call.hpp"

#include <fmt/format.h>

#include <cctype>
#include <filesystem>
#include <type_traits>
#include <utility>
#include <variant>

#include "config/byte_fields.hpp"
#include "config/error.hpp"

namespace epios::client {
namespace {

constexpr std::string_view of_value = "a value of a recording";

template <class Archive>
void header_fields(Archive& archive, config::Described<RecordingHeader> auto& header) {
  archive(header.component, header.code_id, header.member, header.settings, header.client,
          header.clients, header.processes, header.clients_of_process, header.servers);
  archive.bits(header.is_attached, header.has_data);
  archive(header.texts);
}

void put(config::ByteWriter& out, const config::Duration& d) {
  for (const double part : {d.year, d.month, d.day, d.hour, d.minute, d.second, d.timestep}) {
    out.put(part);
  }
}

void put_value(config::ByteWriter& out, const config::Value& value) {
  out.put(static_cast<std::uint8_t>(value.index()));
  std::visit(
      [&out]<class T>(const T& held) {
        if constexpr (std::is_same_v<T, config::Duration>) {
          put(out, held);
        } else if constexpr (std::is_same_v<T, std::string>) {
          out.put(std::string_view(held));
        } else if constexpr (std::is_same_v<T, config::value::strings>) {
          out.put(static_cast<std::uint64_t>(held.values.size()));
          for (const std::string& text : held.values) out.put(std::string_view(text));
          out.put(held.shape);
        } else if constexpr (std::is_arithmetic_v<T>) {
          out.put(held);
        } else {
          out.put(held.values);
          out.put(held.shape);
        }
      },
      value);
}

template <class T>
T get(config::ByteReader& in) {
  if constexpr (std::is_same_v<T, bool>) {
    return in.get<std::uint8_t>() != 0;
  } else if constexpr (std::is_same_v<T, config::Duration>) {
    config::Duration d;
    for (double* part : {&d.year, &d.month, &d.day, &d.hour, &d.minute, &d.second, &d.timestep}) {
      *part = in.get<double>();
    }
    return d;
  } else if constexpr (std::is_same_v<T, std::string>) {
    return in.get_string();
  } else if constexpr (std::is_same_v<T, config::value::strings>) {
    T out;
    out.values.resize(in.get_length(sizeof(std::uint64_t)));
    for (std::string& text : out.values) text = in.get_string();
    out.shape = in.get_vector<std::int64_t>();
    return out;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return in.get<T>();
  } else {
    T out;
    out.values = in.get_vector<typename decltype(out.values)::value_type>();
    out.shape = in.get_vector<std::int64_t>();
    return out;
  }
}

template <std::size_t... I>
config::Value get_alternative(config::ByteReader& in, std::size_t which,
                              std::index_sequence<I...> /*alternatives*/) {
  config::Value out;
  const bool is_known =
      ((which == I && ((out = get<std::variant_alternative_t<I, config::Value>>(in)), true)) ||
       ...);
  if (!is_known) config::refuse_bytes(of_value, fmt::format("it has type {}", which));
  return out;
}

}  // namespace

std::string recording_path(const std::string& folder, std::string_view component, int client) {
  // Each component has a name of its own, whatever letters are in it.
  std::string name;
  for (const char c : component) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '_');
    name += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return (std::filesystem::path(folder) / fmt::format("{}.{}.calls", name, client)).string();
}

std::vector<std::byte> encode(const RecordingHeader& header) {
  config::ByteWriter body;
  config::FieldWriter archive(body);
  header_fields(archive, header);
  config::ByteWriter out;
  for (const char c : recording_magic) out.put(c);
  out.put(recording_format);
  out.put(std::string_view(EPIOS_VERSION));
  out.put(body.bytes());
  return out.take();
}

RecordingHeader decode_recording_header(std::span<const std::byte> bytes) {
  RecordingHeader header;
  config::ByteReader in(bytes);
  config::FieldReader archive(in, "the header of a recording");
  header_fields(archive, header);
  return header;
}

void append_varint(std::vector<std::byte>& out, std::uint64_t number) {
  constexpr std::uint64_t more = 0x80;
  while (number >= more) {
    out.push_back(static_cast<std::byte>(number | more));
    number >>= 7U;
  }
  out.push_back(static_cast<std::byte>(number));
}

void append(std::vector<std::byte>& out, const CallView& call, std::uint64_t before_us) {
  out.push_back(static_cast<std::byte>(call.kind));
  append_varint(out, call.context);
  append_varint(out, before_us);
  append_varint(out, call.texts.size());
  for (const std::string_view text : call.texts) {
    append_varint(out, text.size());
    const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  append_varint(out, call.numbers.size());
  for (const std::int64_t number : call.numbers) append_varint(out, zigzag(number));
  if (call.value == nullptr) {
    append_varint(out, 0);
  } else {
    config::ByteWriter writer;
    put_value(writer, *call.value);
    append_varint(out, writer.bytes().size());
    out.insert(out.end(), writer.bytes().begin(), writer.bytes().end());
  }
  append_varint(out, call.data.size());
}

config::Value decode_value(std::span<const std::byte> bytes) {
  config::ByteReader in(bytes);
  const std::size_t which = in.get<std::uint8_t>();
  return get_alternative(in, which, std::make_index_sequence<std::variant_size_v<config::Value>>());
}

}  // namespace epios::client
