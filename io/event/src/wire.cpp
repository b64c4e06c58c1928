#include "event/wire.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <type_traits>

#include "config/bytes.hpp"
#include "config/error.hpp"
#include "config/model.hpp"
#include "event/opening.hpp"
#include "message.hpp"

namespace epios::io {

namespace {

using config::ByteReader;
using config::ByteWriter;

bool get_flag(ByteReader& reader) {
  const auto byte = reader.get<std::uint8_t>();
  if (byte > 1) refuse_message(fmt::format("a flag has the value {}", byte));
  return byte != 0;
}

// One put and one get per type that is part of messages, side by side.

void put(ByteWriter& writer, const RecordSet::Run& run);
void put(ByteWriter& writer, const FieldAccount& account);
void put(ByteWriter& writer, const FileReport& report);
void put(ByteWriter& writer, const InfiniteValues& infinite);
void put(ByteWriter& writer, const std::vector<PlaceRun>& runs);
void put(ByteWriter& writer, const Asked& asked);
void put(ByteWriter& writer, const Remark& remark);
void put(ByteWriter& writer, const std::string& text) { writer.put(std::string_view(text)); }

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
constexpr std::size_t min_asked_bytes = 1 + word;
constexpr std::size_t min_remark_bytes = 5 * word;
constexpr std::size_t min_file_bytes = 4 * word;
constexpr std::size_t min_field_bytes = 3 * word;
constexpr std::size_t min_run_bytes = 2 * word;
constexpr std::size_t min_infinite_bytes = 2 * word;

void put(ByteWriter& writer, const std::vector<PlaceRun>& runs) { put_runs(writer, runs); }

void put(ByteWriter& writer, const Asked& asked) {
  writer.put(asked.points);
  put_all(writer, asked.positions);
}

Asked get_asked(ByteReader& reader) {
  Asked asked;
  const auto points = reader.get<std::uint8_t>();
  if (points > static_cast<std::uint8_t>(Asked::Points::all)) {
    refuse_message(fmt::format("it asks for points of kind {}", points));
  }
  asked.points = static_cast<Asked::Points>(points);
  asked.positions = get_all(reader, word, get_runs);
  return asked;
}

void put(ByteWriter& writer, const Remark& remark) {
  put(writer, remark.file);
  put(writer, remark.what);
  writer.put(remark.points);
  put_all(writer, remark.examples);
  put(writer, remark.advice);
}

Remark get_remark(ByteReader& reader) {
  Remark remark;
  remark.file = reader.get_string();
  remark.what = reader.get_string();
  remark.points = reader.get<std::int64_t>();
  remark.examples = get_all(reader, word, [](ByteReader& r) { return r.get_string(); });
  remark.advice = reader.get_string();
  return remark;
}

/// The numbers of all forms, then the lengths of the three lists.
void put(ByteWriter& writer, const CoordinateForms& forms) {
  writer.put(numbers_of(forms));
  for (const auto* list : {&forms.scalars, &forms.axes, &forms.domains}) {
    writer.put(static_cast<std::uint64_t>(list->size()));
  }
}

CoordinateForms get_forms(ByteReader& reader) {
  const auto numbers = reader.get_vector<std::int32_t>();
  CoordinateForms forms;
  for (auto* list : {&forms.scalars, &forms.axes, &forms.domains}) {
    const auto length = reader.get<std::uint64_t>();
    if (length > numbers.size()) refuse_message("forms and numbers do not match");
    list->resize(static_cast<std::size_t>(length));
  }
  if (numbers.size() != numbers_of(forms).size()) refuse_message("forms and numbers do not match");
  set_from_numbers(forms, numbers);
  return forms;
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
  if (!is_in_order) refuse_message("its runs of records are not in order");
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
  writer.put(report.file);
  writer.put(std::string_view(report.path));
  writer.put(report.bytes);
  writer.put(std::string_view(report.error));
  put_all(writer, report.fields);
  writer.put(report.writing_s);
}

void put(ByteWriter& writer, const InfiniteValues& infinite) {
  writer.put(infinite.stream);
  writer.put(infinite.values);
  writer.put(infinite.record);
}

InfiniteValues get_infinite(ByteReader& reader) {
  InfiniteValues infinite;
  infinite.stream = reader.get<std::int32_t>();
  infinite.values = reader.get<std::int64_t>();
  infinite.record = reader.get<std::int64_t>();
  if (infinite.stream < 0 || infinite.values < 1 || infinite.record < 0) {
    refuse_message("its infinite values are of no record");
  }
  return infinite;
}

void put(ByteWriter& writer, const ServerLoad& load) {
  writer.put(load.server);
  writer.put(load.open_s);
  writer.put(load.busy_s);
  writer.put(load.writing_s);
}

ServerLoad get_load(ByteReader& reader) {
  ServerLoad load;
  load.server = reader.get<std::int32_t>();
  load.open_s = reader.get<double>();
  load.busy_s = reader.get<double>();
  load.writing_s = reader.get<double>();
  return load;
}

FileReport get_file(ByteReader& reader) {
  FileReport report;
  report.file = reader.get<std::int32_t>();
  report.path = reader.get_string();
  report.bytes = reader.get<std::int64_t>();
  report.error = reader.get_string();
  report.fields = get_all(reader, min_field_bytes, get_field);
  report.writing_s = reader.get<double>();
  return report;
}

}  // namespace

namespace {

void put(ByteWriter& writer, const ServerChoice& choice) {
  writer.put(static_cast<std::uint64_t>(choice.writers.size()));
  for (const ServerGroups& groups : choice.writers) {
    writer.put(static_cast<std::uint64_t>(groups.size()));
    for (const std::vector<int>& group : groups) writer.put(group);
  }
  writer.put(static_cast<std::uint64_t>(choice.readers.size()));
  for (const std::vector<int>& group : choice.readers) writer.put(group);
  writer.put(choice.gatherers);
}

ServerChoice get_choice(ByteReader& reader) {
  ServerChoice out;
  out.writers.resize(reader.get_length(sizeof(std::uint64_t)));
  for (ServerGroups& groups : out.writers) {
    groups.resize(reader.get_length(sizeof(std::uint64_t)));
    for (std::vector<int>& group : groups) group = reader.get_vector<int>();
  }
  out.readers.resize(reader.get_length(sizeof(std::uint64_t)));
  for (std::vector<int>& group : out.readers) group = reader.get_vector<int>();
  out.gatherers = reader.get_vector<int>();
  return out;
}

}  // namespace

std::vector<std::byte> encode(const OpenContext& message) {
  ByteWriter writer = begin_message(MessageKind::open_context);
  writer.put(message.opening);
  writer.put(std::string_view(message.context_id));
  writer.put(message.model);
  put(writer, message.forms);
  writer.put(message.clients);
  writer.put(message.parts);
  writer.put(message.shared_record_bytes);
  put(writer, message.choice);
  writer.put(message.buffer_bytes);
  writer.put(message.carrier);
  writer.put(message.patience_s);
  writer.put(message.give_up_s);
  return writer.take();
}

std::vector<std::byte> encode(const OpenReply& message) {
  ByteWriter writer = begin_message(MessageKind::open_reply);
  writer.put(message.context);
  writer.put(std::string_view(message.error));
  writer.put(message.offer);
  put_all(writer, message.asked);
  put_all(writer, message.remarks);
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
  put(writer, message.load);
  put_all(writer, message.infinite);
  return writer.take();
}

std::vector<std::byte> encode(const Goodbye& message) {
  ByteWriter writer = begin_message(MessageKind::goodbye);
  writer.put(message.aborted);
  writer.put(std::string_view(message.reason));
  return writer.take();
}

std::vector<std::byte> encode(const Passed& message) {
  ByteWriter writer = begin_message(MessageKind::passed);
  writer.put(message.context);
  writer.put(message.event);
  return writer.take();
}

std::vector<std::byte> encode(const AnswerChannel& message) {
  ByteWriter writer = begin_message(MessageKind::answer_channel);
  writer.put(message.context);
  writer.put(message.client);
  writer.put(message.offer);
  return writer.take();
}

std::vector<std::byte> encode(const Inspect& message) {
  ByteWriter writer = begin_message(MessageKind::inspect);
  writer.put(config::encode(message.files));
  return writer.take();
}

std::vector<std::byte> encode(const Inspected& message) {
  ByteWriter writer = begin_message(MessageKind::inspected);
  writer.put(config::encode(message.files));
  return writer.take();
}

std::vector<std::byte> encode(const InPieces& message) {
  ByteWriter writer = begin_message(MessageKind::in_pieces);
  writer.put(message.bytes);
  return writer.take();
}

OpenContext decode_open_context(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::open_context);
  OpenContext message;
  message.opening = reader.get<std::uint64_t>();
  message.context_id = reader.get_string();
  message.model = reader.get_vector<std::byte>();
  message.forms = get_forms(reader);
  message.clients = reader.get_vector<int>();
  message.parts = reader.get_vector<int>();
  message.shared_record_bytes = reader.get<std::int64_t>();
  message.choice = get_choice(reader);
  message.buffer_bytes = reader.get<std::int64_t>();
  message.carrier = reader.get<int>();
  message.patience_s = reader.get<double>();
  message.give_up_s = reader.get<double>();
  close_message(reader);
  return message;
}

OpenReply decode_open_reply(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::open_reply);
  OpenReply message;
  message.context = reader.get<std::uint32_t>();
  message.error = reader.get_string();
  message.offer = reader.get_vector<std::byte>();
  message.asked = get_all(reader, min_asked_bytes, get_asked);
  message.remarks = get_all(reader, min_remark_bytes, get_remark);
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
  message.load = get_load(reader);
  message.infinite = get_all(reader, min_infinite_bytes, get_infinite);
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

Passed decode_passed(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::passed);
  Passed message;
  message.context = reader.get<std::uint32_t>();
  message.event = reader.get<std::int64_t>();
  close_message(reader);
  return message;
}

AnswerChannel decode_answer_channel(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::answer_channel);
  AnswerChannel message;
  message.context = reader.get<std::uint32_t>();
  message.client = reader.get<int>();
  message.offer = reader.get_vector<std::byte>();
  close_message(reader);
  return message;
}

Inspect decode_inspect(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::inspect);
  Inspect message{config::decode_questions(reader.get_vector<std::byte>())};
  close_message(reader);
  return message;
}

Inspected decode_inspected(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::inspected);
  Inspected message{config::decode_facts(reader.get_vector<std::byte>())};
  close_message(reader);
  return message;
}

InPieces decode_in_pieces(std::span<const std::byte> bytes) {
  ByteReader reader = open_message(bytes, MessageKind::in_pieces);
  const InPieces message{reader.get<std::uint64_t>()};
  close_message(reader);
  if (message.bytes == 0) refuse_message("it has pieces without a byte");
  return message;
}

}  // namespace epios::io
