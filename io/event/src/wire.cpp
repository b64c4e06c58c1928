// The messages of the handshake and of control, each described once: `fields` lists its members in
// their order on the wire (docs/wire_format.md), encode and decode walk it. Whatever is read of a
// message is looked at before it is believed. In order: parts of messages, messages, encode and
// decode of each.
#include "event/wire.hpp"

#include <algorithm>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/model.hpp"
#include "event/opening.hpp"
#include "message.hpp"

namespace epios::io {

using config::Described;

template <class Archive>
void fields(Archive& archive, Described<RequestedPoints> auto& asked) {
  archive.one_of(asked.points, RequestedPoints::Points::none, RequestedPoints::Points::all,
                 "it asks for points of kind");
  archive(asked.positions);
}

template <class Archive>
void fields(Archive& archive, Described<Remark> auto& remark) {
  archive(remark.file, remark.what, remark.points, remark.examples, remark.advice);
}

namespace {

/// CoordinateForms on the wire: the numbers of all forms, then the lengths of the three lists.
struct PackedForms {
  std::vector<std::int32_t> numbers;
  std::uint64_t scalars = 0;
  std::uint64_t axes = 0;
  std::uint64_t domains = 0;
};

template <class Archive>
void fields(Archive& archive, Described<PackedForms> auto& packed) {
  archive(packed.numbers, packed.scalars, packed.axes, packed.domains);
}

PackedForms pack_forms(const CoordinateForms& forms) {
  return {numbers_of(forms), forms.scalars.size(), forms.axes.size(), forms.domains.size()};
}

CoordinateForms unpack_forms(const PackedForms& packed) {
  CoordinateForms forms;
  const auto resize = [&packed](auto& list, std::uint64_t length) {
    if (length > packed.numbers.size()) refuse_message("forms and numbers do not match");
    list.resize(static_cast<std::size_t>(length));
  };
  resize(forms.scalars, packed.scalars);
  resize(forms.axes, packed.axes);
  resize(forms.domains, packed.domains);
  if (packed.numbers.size() != numbers_of(forms).size()) {
    refuse_message("forms and numbers do not match");
  }
  set_from_numbers(forms, packed.numbers);
  return forms;
}

RecordSet records_of(const std::vector<RecordSet::Run>& runs) {
  RecordSet records(runs);
  const bool is_in_order = records.runs() == runs && (runs.empty() || runs.front().begin >= 0);
  if (!is_in_order) refuse_message("its runs of records are not in order");
  return records;
}

}  // namespace

template <class Archive>
void fields(Archive& archive, Described<CoordinateForms> auto& forms) {
  archive.as(forms, pack_forms, unpack_forms);
}

template <class Archive>
void fields(Archive& archive, Described<RecordSet::Run> auto& run) {
  archive(run.begin, run.end);
}

template <class Archive>
void fields(Archive& archive, Described<RecordSet> auto& records) {
  archive.as(
      records, [](const RecordSet& set) -> const auto& { return set.runs(); }, records_of);
}

template <class Archive>
void fields(Archive& archive, Described<FieldAccount> auto& account) {
  archive(account.field, account.written, account.lost);
}

template <class Archive>
void fields(Archive& archive, Described<FileReport> auto& report) {
  archive(report.file, report.path, report.bytes, report.error, report.fields, report.writing_s);
}

template <class Archive>
void fields(Archive& archive, Described<InfiniteValues> auto& infinite) {
  archive(infinite.stream, infinite.values, infinite.record);
  archive.check(infinite.stream >= 0 && infinite.values >= 1 && infinite.record >= 0,
                "its infinite values are of no record");
}

template <class Archive>
void fields(Archive& archive, Described<ServerLoad> auto& load) {
  archive(load.server, load.open_s, load.busy_s, load.writing_s);
}

template <class Archive>
void fields(Archive& archive, Described<FileServers> auto& servers) {
  archive(servers.choices, servers.of_file);
  archive.check(std::all_of(servers.of_file.begin(), servers.of_file.end(),
                            [&](std::int32_t choice) {
                              return choice >= 0 && std::cmp_less(choice, servers.choices.size());
                            }),
                "a file has a choice of servers that is not there");
}

template <class Archive>
void fields(Archive& archive, Described<ServerChoice> auto& choice) {
  archive(choice.writers, choice.readers, choice.gatherers);
}

template <class Archive>
void fields(Archive& archive, Described<OpenContext> auto& message) {
  archive(message.opening, message.context_id, message.model, message.forms, message.clients,
          message.parts, message.shared_record_bytes, message.choice, message.buffer_bytes,
          message.carrier, message.patience_s, message.give_up_s, message.metrics_file,
          message.stop_on_signal, message.repeated);
}

template <class Archive>
void fields(Archive& archive, Described<OpenReply> auto& message) {
  archive(message.context, message.error, message.offer, message.asked, message.remarks);
}

template <class Archive>
void fields(Archive& archive, Described<ContextOpened> auto& message) {
  archive(message.context);
}

template <class Archive>
void fields(Archive& archive, Described<ContextReport> auto& message) {
  archive(message.context, message.closed, message.failed, message.error_code, message.error,
          message.files, message.load, message.infinite, message.stop_signal);
}

template <class Archive>
void fields(Archive& archive, Described<Goodbye> auto& message) {
  archive(message.aborted, message.reason);
}

template <class Archive>
void fields(Archive& archive, Described<Passed> auto& message) {
  archive(message.context, message.event);
}

template <class Archive>
void fields(Archive& archive, Described<AnswerChannel> auto& message) {
  archive(message.context, message.client, message.offer);
}

template <class Archive>
void fields(Archive& archive, Described<Inspect> auto& message) {
  archive.as(
      message.files, [](const auto& files) { return config::encode(files); },
      [](const std::vector<std::byte>& bytes) { return config::decode_questions(bytes); });
}

template <class Archive>
void fields(Archive& archive, Described<Inspected> auto& message) {
  archive.as(
      message.files, [](const auto& files) { return config::encode(files); },
      [](const std::vector<std::byte>& bytes) { return config::decode_facts(bytes); });
}

template <class Archive>
void fields(Archive& archive, Described<InPieces> auto& message) {
  archive(message.bytes);
}

std::vector<std::byte> encode(const OpenContext& message) {
  return encode_message(MessageKind::open_context, message);
}

std::vector<std::byte> encode(const OpenReply& message) {
  return encode_message(MessageKind::open_reply, message);
}

std::vector<std::byte> encode(const ContextOpened& message) {
  return encode_message(MessageKind::context_opened, message);
}

std::vector<std::byte> encode(const ContextReport& message) {
  return encode_message(MessageKind::context_report, message);
}

std::vector<std::byte> encode(const Goodbye& message) {
  return encode_message(MessageKind::goodbye, message);
}

std::vector<std::byte> encode(const Passed& message) {
  return encode_message(MessageKind::passed, message);
}

std::vector<std::byte> encode(const AnswerChannel& message) {
  return encode_message(MessageKind::answer_channel, message);
}

std::vector<std::byte> encode(const Inspect& message) {
  return encode_message(MessageKind::inspect, message);
}

std::vector<std::byte> encode(const Inspected& message) {
  return encode_message(MessageKind::inspected, message);
}

std::vector<std::byte> encode(const InPieces& message) {
  return encode_message(MessageKind::in_pieces, message);
}

OpenContext decode_open_context(std::span<const std::byte> bytes) {
  return decode_message<OpenContext>(MessageKind::open_context, bytes);
}

OpenReply decode_open_reply(std::span<const std::byte> bytes) {
  return decode_message<OpenReply>(MessageKind::open_reply, bytes);
}

ContextOpened decode_context_opened(std::span<const std::byte> bytes) {
  return decode_message<ContextOpened>(MessageKind::context_opened, bytes);
}

ContextReport decode_context_report(std::span<const std::byte> bytes) {
  return decode_message<ContextReport>(MessageKind::context_report, bytes);
}

Goodbye decode_goodbye(std::span<const std::byte> bytes) {
  return decode_message<Goodbye>(MessageKind::goodbye, bytes);
}

Passed decode_passed(std::span<const std::byte> bytes) {
  return decode_message<Passed>(MessageKind::passed, bytes);
}

AnswerChannel decode_answer_channel(std::span<const std::byte> bytes) {
  return decode_message<AnswerChannel>(MessageKind::answer_channel, bytes);
}

Inspect decode_inspect(std::span<const std::byte> bytes) {
  return decode_message<Inspect>(MessageKind::inspect, bytes);
}

Inspected decode_inspected(std::span<const std::byte> bytes) {
  return decode_message<Inspected>(MessageKind::inspected, bytes);
}

InPieces decode_in_pieces(std::span<const std::byte> bytes) {
  const auto message = decode_message<InPieces>(MessageKind::in_pieces, bytes);
  if (message.bytes == 0) refuse_message("it has pieces without a byte");
  return message;
}

}  // namespace epios::io
