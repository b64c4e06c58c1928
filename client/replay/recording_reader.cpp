#include "recording_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include "config/error.hpp"

namespace epios::replay {
namespace {

using client::RecordedCall;
using client::RecordedKind;
namespace fs = std::filesystem;

/// What a call has at least.
struct Contents {
  std::size_t texts = 0, numbers = 0;
  bool has_value = false;
};

Contents contents_of(RecordedKind kind) {
  switch (kind) {
    case RecordedKind::add:
    case RecordedKind::set_text:
      return {4, 0};
    case RecordedKind::set:
      return {3, 0, true};
    case RecordedKind::child:
    case RecordedKind::set_element_text:
      return {2, 1};
    case RecordedKind::set_element:
      return {1, 1, true};
    case RecordedKind::set_variable:
      return {2, 0};
    case RecordedKind::send:
      return {0, 4};
    case RecordedKind::send_tile:
      return {0, 5};
    case RecordedKind::receive:
      return {0, 3};
    case RecordedKind::borrow:
      return {0, 2};
    case RecordedKind::update_calendar:
    case RecordedKind::give_back:
      return {0, 1};
    case RecordedKind::out_of_order:
      return {1, 1};
    case RecordedKind::open_context:
    case RecordedKind::send_unknown:
    case RecordedKind::failure:
    case RecordedKind::abandon:
      return {1, 0};
    default:
      return {};
  }
}

bool has_array(RecordedKind kind) {
  return kind == RecordedKind::send || kind == RecordedKind::send_tile ||
         kind == RecordedKind::receive;
}

}  // namespace

RecordingReader::RecordingReader(const std::string& path)
    : path_(path), file_(path, std::ios::binary) {
  if (!file_) {
    throw Error(ErrorCode::io,
                fmt::format("recording '{}' cannot be opened ({}). Is the folder complete?", path,
                            std::strerror(errno)));
  }
  size_ = fs::file_size(path);
  try {
    read_header();
  } catch (const Cut&) {
    refuse("it is too short");
  }
}

void RecordingReader::refuse(const std::string& problem) const {
  throw Error(ErrorCode::protocol,
              fmt::format("'{}' cannot be played ({}). Is it a whole file of a recording?", path_,
                          problem));
}

void RecordingReader::read_header() {
  std::array<char, client::recording_magic.size()> magic{};
  read(magic.data(), magic.size());
  if (std::string_view(magic.data(), magic.size()) != client::recording_magic) {
    refuse("it is no recording");
  }
  std::uint32_t format = 0;
  read(&format, sizeof format);
  const auto text = [&] {
    std::uint64_t length = 0;
    read(&length, sizeof length);
    if (length > size_) throw Cut();
    std::string out(length, '\0');
    read(out.data(), length);
    return out;
  };
  const std::string version = text();
  if (version != EPIOS_VERSION || format != client::recording_format) {
    throw Error(
        ErrorCode::protocol,
        fmt::format("recording '{}' was made by EPIOS {} in format {} (this is EPIOS {}, "
                    "which plays format {} of its own version). Play it with EPIOS {}?",
                    path_, version, format, EPIOS_VERSION, client::recording_format, version));
  }
  const std::string bytes = text();
  header_ = client::decode_recording_header(std::as_bytes(std::span(bytes.data(), bytes.size())));
  const bool is_whole = header_.clients > 0 && header_.clients_of_process > 0 &&
                        header_.client >= 0 && header_.client < header_.clients;
  if (!is_whole) refuse("it is of no client");
}

/// Bytes of a call that a process was writing as it was killed are zeros.
void RecordingReader::check(const RecordedCall& call) const {
  const Contents least = contents_of(call.kind);
  if (call.texts.size() < least.texts || call.numbers.size() < least.numbers ||
      (least.has_value && !call.value)) {
    throw Cut();
  }
  if (!has_array(call.kind)) return;
  const std::int64_t value_bytes = call.numbers.at(1);
  const std::int64_t values = call.numbers.at(2);
  const bool is_number = value_bytes == sizeof(float) || value_bytes == sizeof(double);
  if (!is_number || values < 0 || values > std::numeric_limits<std::int64_t>::max() / 8) {
    refuse("an array in it is of no numbers");
  }
  const bool is_all = call.kind != RecordedKind::receive &&
                      (call.numbers.at(3) & client::sent_flags::has_values) != 0;
  if (is_all && call.data.size() != client::size_of(values * value_bytes)) {
    refuse("an array in it has another size than it says");
  }
}

void RecordingReader::read(void* out, std::size_t bytes) {
  if (bytes == 0) return;
  file_.read(static_cast<char*>(out), static_cast<std::streamsize>(bytes));
  if (file_.gcount() != static_cast<std::streamsize>(bytes)) throw Cut();
}

std::uint64_t RecordingReader::read_varint() {
  constexpr unsigned bits = 7;
  constexpr unsigned most_bits = 63;
  std::uint64_t out = 0;
  for (unsigned shift = 0;; shift += bits) {
    if (shift > most_bits) refuse("a number in it has no end");
    const int byte = file_.get();
    if (byte < 0) throw Cut();
    out |= (static_cast<std::uint64_t>(byte) & 0x7fU) << shift;
    if ((static_cast<unsigned>(byte) & 0x80U) == 0) return out;
  }
}

/// Lengths beyond the file's are those of a file that was cut.
std::size_t RecordingReader::read_length() {
  const std::uint64_t length = read_varint();
  if (length > size_) throw Cut();
  return length;
}

std::optional<RecordedKind> RecordingReader::peek_kind() {
  const int byte = file_.peek();
  if (byte < 0) return std::nullopt;
  return static_cast<RecordedKind>(byte);
}

std::optional<RecordedCall> RecordingReader::next() {
  const auto kind = peek_kind();
  if (!kind || *kind == RecordedKind{})
    return std::nullopt;  // zeros follow where a process was killed
  try {
    return read_call();
  } catch (const Cut&) {
    is_cut_ = true;
    return std::nullopt;
  }
}

RecordedCall RecordingReader::read_call() {
  RecordedCall out;
  const int kind = file_.get();
  if (kind < 1 || kind > static_cast<int>(client::last_recorded_kind)) {
    refuse(fmt::format("a call in it is of kind {}", kind));
  }
  out.kind = static_cast<RecordedKind>(kind);
  out.context = static_cast<std::uint32_t>(read_varint());
  out.before_us = read_varint();
  out.texts.resize(read_length());
  for (std::string& text : out.texts) {
    text.resize(read_length());
    read(text.data(), text.size());
  }
  out.numbers.resize(read_length());
  for (std::int64_t& number : out.numbers) number = client::from_zigzag(read_varint());
  if (const std::size_t length = read_length(); length > 0) {
    std::vector<std::byte> bytes(length);
    read(bytes.data(), length);
    out.value = client::decode_value(bytes);
  }
  out.data.resize(read_length());
  read(out.data.data(), out.data.size());
  check(out);
  return out;
}

std::vector<std::string> recorded_components(const std::string& folder) {
  constexpr std::string_view ending = ".0.calls";
  std::vector<std::string> out;
  std::error_code problem;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, problem)) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(ending)) continue;
    out.push_back(RecordingReader(entry.path().string()).header().component);
  }
  if (out.empty()) {
    throw Error(ErrorCode::io,
                fmt::format("folder '{}' has no recording ({}). Is it the one that variable record "
                            "of context xios named?",
                            folder, problem ? problem.message() : "no file '<component>.0.calls'"));
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace epios::replay
