#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/value.hpp"

namespace epios::client {

/// Calls of a model that a recording keeps, each with what `RecordedCall` has of it, in order.
enum class RecordedKind : std::uint8_t {
  open_context = 1,   ///< texts: id; value: ranks of its clients, none: all
  add,                ///< texts: element, id, element and id of the parent
  set,                ///< texts: element, id, attribute; value
  set_text,           ///< texts: element, id, attribute, text
  child,              ///< texts: tag, id; numbers: node
  set_element,        ///< texts: attribute; numbers: node; value
  set_element_text,   ///< texts: attribute, text; numbers: node
  solve_inheritance,  ///< -
  set_variable,       ///< texts: id, text
  close_definition,   ///< -
  update_calendar,    ///< numbers: step
  send,               ///< numbers: field, bytes of a value, values, SentFlags; data
  send_tile,          ///< the same, then the tile
  send_unknown,       ///< texts: id
  borrow,             ///< numbers: field, bytes of a value
  give_back,          ///< numbers: field
  receive,            ///< numbers: field, bytes of a value, values
  out_of_order,       ///< numbers: RunCall; texts: id
  finalize,           ///< -
  close_client,       ///< -
  failure,            ///< texts: what the call before said
  abandon             ///< texts: why
};
constexpr RecordedKind last_recorded_kind = RecordedKind::abandon;

/// What is known of an array that was sent.
namespace sent_flags {
constexpr std::int64_t is_due = 1;       ///< something needed it at that step
constexpr std::int64_t is_borrowed = 2;  ///< it was the borrowed array
constexpr std::int64_t has_values = 4;   ///< the data are all of its values
constexpr std::int64_t has_sample = 8;   ///< the data are some of its values, at equal distances
}  // namespace sent_flags

/// The most values of an array that a recording without data keeps.
constexpr std::size_t sampled_values = 64;

/// One call as it is read from a recording.
struct RecordedCall {
  RecordedKind kind{};
  std::uint32_t context = 0;    ///< number of the context among those that the client opened
  std::uint64_t before_us = 0;  ///< between the end of the call before and the begin of this one
  std::vector<std::string> texts;
  std::vector<std::int64_t> numbers;
  std::optional<config::Value> value;
  std::vector<std::byte> data;
};

/// One call as it is written: views of what the model gave.
struct CallView {
  RecordedKind kind{};
  std::uint32_t context = 0;
  std::span<const std::string_view> texts{};
  std::span<const std::int64_t> numbers{};
  const config::Value* value = nullptr;
  std::span<const std::byte> data{};
};

/// What a recording says of its run, in each of its files.
struct RecordingHeader {
  std::string component;  ///< with the member
  std::string code_id;    ///< as the model gave it
  std::string member;     ///< EPIOS_MEMBER
  std::string settings;   ///< EPIOS_SET
  std::int32_t client = 0;
  std::int32_t clients = 0;
  std::int32_t processes = 0;
  std::int32_t clients_of_process = 0;
  std::int32_t servers = 0;
  bool is_attached = false;
  bool has_data = false;
  std::vector<std::byte> texts;  ///< the XML, in the file of client 0
};

constexpr std::string_view recording_magic = "EPIOSREC";
/// Counts changes of what follows the version of EPIOS in a file.
constexpr std::uint32_t recording_format = 1;

/// Returns the path of the file of a client.
std::string recording_path(const std::string& folder, std::string_view component, int client);
/// Returns the begin of a file: the magic word, the format, the version of EPIOS, the header.
std::vector<std::byte> encode(const RecordingHeader& header);
/// Reads a header from the bytes behind format and version. Throws Error{protocol}.
RecordingHeader decode_recording_header(std::span<const std::byte> bytes);

/// Appends a call without its data, but with their length.
void append(std::vector<std::byte>& out, const CallView& call, std::uint64_t before_us);
void append_varint(std::vector<std::byte>& out, std::uint64_t number);
/// A recorded number as a size.
constexpr std::size_t size_of(std::int64_t number) { return static_cast<std::uint64_t>(number); }
/// Signed numbers as unsigned ones, small ones stay small.
constexpr std::uint64_t zigzag(std::int64_t number) {
  return (static_cast<std::uint64_t>(number) << 1U) ^ static_cast<std::uint64_t>(number >> 63);
}
constexpr std::int64_t from_zigzag(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1U) ^ -static_cast<std::int64_t>(number & 1U);
}
/// Throws Error{protocol}.
config::Value decode_value(std::span<const std::byte> bytes);

}  // namespace epios::client
