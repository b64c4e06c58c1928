#include "event/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "config/bytes.hpp"
#include "config/error.hpp"

namespace epios::io {

namespace {

using config::ByteReader;
using config::ByteWriter;

constexpr std::uint32_t message_magic = 0x4D504945;  // "EIPM" as bytes

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorCode::protocol,
              fmt::format("received a message that cannot be understood ({}). Are all programs of "
                          "this job linked with the same EPIOS?",
                          why));
}

ByteWriter begin_message(MessageKind kind) {
  ByteWriter writer;
  writer.put(message_magic);
  writer.put(wire_version);
  writer.put(kind);
  return writer;
}

/// Reads magic and version; the kind remains to be compared.
MessageKind read_kind(ByteReader& reader) {
  const auto magic = reader.get<std::uint32_t>();
  if (magic != message_magic) refuse(fmt::format("it begins with {:#010x}", magic));
  const auto version = reader.get<std::uint32_t>();
  if (version != wire_version) {
    refuse(fmt::format("its version is {}, understood is {}", version, wire_version));
  }
  const auto kind = reader.get<std::uint8_t>();
  if (kind < static_cast<std::uint8_t>(MessageKind::client_part) ||
      kind > static_cast<std::uint8_t>(MessageKind::goodbye)) {
    refuse(fmt::format("its kind is {}", kind));
  }
  return static_cast<MessageKind>(kind);
}

/// A reader behind the front of a message of `kind`.
ByteReader open_message(std::span<const std::byte> bytes, MessageKind kind) {
  ByteReader reader(bytes);
  const MessageKind found = read_kind(reader);
  if (found != kind) {
    refuse(fmt::format("its kind is {}, expected was {}", static_cast<int>(found),
                       static_cast<int>(kind)));
  }
  return reader;
}

void close_message(const ByteReader& reader) {
  if (!reader.at_end()) refuse("it is longer than its content");
}

bool get_flag(ByteReader& reader) {
  const auto byte = reader.get<std::uint8_t>();
  if (byte > 1) refuse(fmt::format("a flag has the value {}", byte));
  return byte != 0;
}

// One put and one get per type that is part of messages, side by side.

void put(ByteWriter& writer, const ClientPart& part);
void put(ByteWriter& writer, const RecordSet::Run& run);
void put(ByteWriter& writer, const FieldAccount& account);
void put(ByteWriter& writer, const FileReport& report);

void put(ByteWriter& writer, const Box& box) {
  writer.put(box.begin);
  writer.put(box.size);
}

Box get_box(ByteReader& reader) {
  Box box{reader.get_vector<std::int64_t>(), reader.get_vector<std::int64_t>()};
  if (box.begin.size() != box.size.size()) refuse("a box has two ranks");
  std::int64_t points = 1;
  for (std::size_t d = 0; d < box.rank(); ++d) {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (box.begin[d] < 0 || box.size[d] < 0 || box.begin[d] > most - box.size[d] ||
        (box.size[d] > 0 && points > most / box.size[d])) {
      refuse("a box has no meaning");
    }
    points *= std::max<std::int64_t>(box.size[d], 1);
  }
  return box;
}

void put(ByteWriter& writer, const CoordinatePart& part) {
  writer.put(part.begin);
  writer.put(part.values);
  writer.put(part.bounds);
}

CoordinatePart get_coordinate(ByteReader& reader) {
  CoordinatePart part;
  part.begin = reader.get<std::int64_t>();
  part.values = reader.get_vector<double>();
  part.bounds = reader.get_vector<double>();
  return part;
}

template <class T>
void put_all(ByteWriter& writer, const std::vector<T>& items) {
  writer.put(static_cast<std::uint64_t>(items.size()));
  for (const T& item : items) put(writer, item);
}

/// `min_bytes`: the least that one item takes, so that a damaged count is refused before
/// allocating.
template <class Get>
auto get_all(ByteReader& reader, std::size_t min_bytes, Get&& get) {
  std::vector<std::invoke_result_t<Get, ByteReader&>> items(reader.get_length(min_bytes));
  for (auto& item : items) item = get(reader);
  return items;
}

constexpr std::size_t word = sizeof(std::uint64_t);  // of a number, or of a count
constexpr std::size_t min_box_bytes = 2 * word;
constexpr std::size_t min_coordinate_bytes = 3 * word;
constexpr std::size_t min_client_bytes = sizeof(int) + 4 * word;
constexpr std::size_t min_file_bytes = 4 * word;
constexpr std::size_t min_field_bytes = 3 * word;
constexpr std::size_t min_run_bytes = 2 * word;

void put(ByteWriter& writer, const ClientPart& part) {
  writer.put(part.remote_rank);
  put_all(writer, part.boxes);
  put_all(writer, part.axes);
  put_all(writer, part.lon);
  put_all(writer, part.lat);
}

ClientPart get_client(ByteReader& reader) {
  ClientPart part;
  part.remote_rank = reader.get<int>();
  part.boxes = get_all(reader, min_box_bytes, get_box);
  part.axes = get_all(reader, min_coordinate_bytes, get_coordinate);
  part.lon = get_all(reader, min_coordinate_bytes, get_coordinate);
  part.lat = get_all(reader, min_coordinate_bytes, get_coordinate);
  return part;
}

void put(ByteWriter& writer, const RecordSet::Run& run) {
  writer.put(run.begin);
  writer.put(run.end);
}

RecordSet::Run get_run(ByteReader& reader) {
  RecordSet::Run run;
  run.begin = reader.get<std::int64_t>();
  run.end = reader.get<std::int64_t>();
  return run;
}

RecordSet get_records(ByteReader& reader) {
  const std::vector<RecordSet::Run> runs = get_all(reader, min_run_bytes, get_run);
  RecordSet records(runs);
  const bool is_in_order = records.runs() == runs && (runs.empty() || runs.front().begin >= 0);
  if (!is_in_order) refuse("its runs of records are not in order");
  return records;
}

void put(ByteWriter& writer, const FieldAccount& account) {
  writer.put(std::string_view(account.field));
  put_all(writer, account.written.runs());
  put_all(writer, account.lost.runs());
}

FieldAccount get_field(ByteReader& reader) {
  FieldAccount account;
  account.field = reader.get_string();
  account.written = get_records(reader);
  account.lost = get_records(reader);
  return account;
}

void put(ByteWriter& writer, const FileReport& report) {
  writer.put(std::string_view(report.path));
  writer.put(report.bytes);
  writer.put(std::string_view(report.error));
  put_all(writer, report.fields);
}

FileReport get_file(ByteReader& reader) {
  FileReport report;
  report.path = reader.get_string();
  report.bytes = reader.get<std::int64_t>();
  report.error = reader.get_string();
  report.fields = get_all(reader, min_field_bytes, get_field);
  return report;
}

}  // namespace

std::vector<std::byte> encode(const ClientPart& part) {
  ByteWriter writer = begin_message(MessageKind::client_part);
  put(writer, part);
  return writer.take();
}

std::vector<std::byte> encode(const OpenContext& message) {
  ByteWriter writer = begin_message(MessageKind::open_context);
  writer.put(std::string_view(message.context_id));
  writer.put(message.model);
  put_all(writer, message.clients);
  writer.put(message.shared_record_bytes);
  writer.put(message.buffer_bytes);
  writer.put(message.carrier);
  writer.put(message.patience_s);
  return writer.take();
}

std::vector<std::byte> encode(const OpenReply& message) {
  ByteWriter writer = begin_message(MessageKind::open_reply);
  writer.put(message.context);
  writer.put(std::string_view(message.error));
  writer.put(message.offer);
  writer.put(message.concerned);
  writer.put(message.expected);
  return writer.take();
}

std::vector<std::byte> encode(const ContextOpened& message) {
  ByteWriter writer = begin_message(MessageKind::context_opened);
  writer.put(message.context);
  return writer.take();
}

std::vector<std::byte> encode(const ContextReport& message) {
  ByteWriter writer = begin_message(MessageKind::context_report);
  writer.put(message.context);
  writer.put(message.closed);
  writer.put(message.failed);
  writer.put(message.error_code);
  writer.put(std::string_view(message.error));
  put_all(writer, message.files);
  return writer.take();
}

std::vector<std::byte> encode(const Goodbye& message) {
  ByteWriter writer = begin_message(MessageKind::goodbye);
  writer.put(message.aborted);
  writer.put(std::string_view(message.reason));
  return writer.take();
}

MessageKind message_kind(std::span<const std::byte> bytes) {
  ByteReader reader(bytes);
  return read_kind(reader);
}

ClientPart decode_client_part(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::client_part);
  ClientPart part = get_client(reader);
  close_message(reader);
  return part;
}

OpenContext decode_open_context(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::open_context);
  OpenContext message;
  message.context_id = reader.get_string();
  message.model = reader.get_vector<std::byte>();
  message.clients = get_all(reader, min_client_bytes, get_client);
  message.shared_record_bytes = reader.get<std::int64_t>();
  message.buffer_bytes = reader.get<std::int64_t>();
  message.carrier = reader.get<int>();
  message.patience_s = reader.get<double>();
  close_message(reader);
  return message;
}

OpenReply decode_open_reply(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::open_reply);
  OpenReply message;
  message.context = reader.get<std::uint32_t>();
  message.error = reader.get_string();
  message.offer = reader.get_vector<std::byte>();
  message.concerned = reader.get_vector<std::uint8_t>();
  message.expected = reader.get_vector<std::uint8_t>();
  close_message(reader);
  return message;
}

ContextOpened decode_context_opened(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::context_opened);
  const ContextOpened message{reader.get<std::uint32_t>()};
  close_message(reader);
  return message;
}

ContextReport decode_context_report(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::context_report);
  ContextReport message;
  message.context = reader.get<std::uint32_t>();
  message.closed = get_flag(reader);
  message.failed = get_flag(reader);
  message.error_code = reader.get<int>();
  message.error = reader.get_string();
  message.files = get_all(reader, min_file_bytes, get_file);
  close_message(reader);
  return message;
}

Goodbye decode_goodbye(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::goodbye);
  Goodbye message;
  message.aborted = get_flag(reader);
  message.reason = reader.get_string();
  close_message(reader);
  return message;
}

}  // namespace epios::io
