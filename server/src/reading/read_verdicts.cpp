#include "reading/read_verdicts.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <ep/ep.hpp>
#include <utility>

#include "config/bytes.hpp"
#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::server {

namespace {

constexpr std::uint8_t verdict_flag = 1, mend_flag = 2, differs_flag = 4;

template <class T>
void append(std::vector<std::byte>& out, T value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// On other nodes devices have other numbers, and files may be copies.
bool are_same(const io::FileIdentity& a, const io::FileIdentity& b) {
  return a.device == b.device ? a == b : a.bytes == b.bytes;
}

std::string text_of(const io::FileIdentity& file) {
  return fmt::format("{} bytes, changed at {:%Y-%m-%d %H:%M:%S}.{:09} UTC, number {}", file.bytes,
                     fmt::gmtime(static_cast<std::time_t>(file.seconds)), file.nanoseconds,
                     file.number);
}

}  // namespace

void encode(const ReadWord& word, std::vector<std::byte>& out) {
  const io::FileIdentity file = word.file.value_or(io::FileIdentity{});
  const std::string& error = word.verdict.error;
  out.clear();
  append(out, word.context);
  append(out, word.event);
  append(out, static_cast<std::uint8_t>((word.is_verdict ? verdict_flag : 0) |
                                        (word.verdict.may_mend ? mend_flag : 0) |
                                        (word.verdict.differs ? differs_flag : 0)));
  append(out, file.device);
  append(out, file.number);
  append(out, file.bytes);
  append(out, file.seconds);
  append(out, file.nanoseconds);
  append(out, static_cast<std::uint64_t>(error.size()));
  const auto text = std::as_bytes(std::span(error.data(), error.size()));
  out.insert(out.end(), text.begin(), text.end());
}

ReadWord decode_read_word(std::span<const std::byte> bytes) {
  config::ByteReader reader(bytes);
  ReadWord word;
  word.context = reader.get<std::uint32_t>();
  word.event = reader.get<std::int64_t>();
  const auto flags = reader.get<std::uint8_t>();
  word.is_verdict = (flags & verdict_flag) != 0;
  word.verdict.may_mend = (flags & mend_flag) != 0;
  word.verdict.differs = (flags & differs_flag) != 0;
  io::FileIdentity file;
  file.device = reader.get<std::uint64_t>();
  file.number = reader.get<std::uint64_t>();
  file.bytes = reader.get<std::int64_t>();
  file.seconds = reader.get<std::int64_t>();
  file.nanoseconds = reader.get<std::int64_t>();
  if (file != io::FileIdentity{}) word.file = file;
  word.verdict.error = reader.get_string();
  if (reader.at_end()) return word;
  throw Error(ErrorCode::protocol,
              "a word among servers is longer than it should be. Is this a bug of EPIOS?");
}

ReadVerdicts::ReadVerdicts(const Environment& environment)
    : environment_(environment), rank_(environment.servers->rank()) {}

ReadVerdicts::Hearing& ReadVerdicts::hearing_of(std::int64_t event) {
  const auto with = [this](std::int64_t number) {
    return std::find_if(hearings_.begin(), hearings_.end(),
                        [number](const Hearing& hearing) { return hearing.event == number; });
  };
  auto found = with(event);
  if (found == hearings_.end()) found = with(-1);
  if (found == hearings_.end()) found = hearings_.emplace(found);
  found->event = event;
  return *found;
}

void ReadVerdicts::note(Hearing& hearing, int rank, const ReadVerdict& verdict,
                        const std::optional<io::FileIdentity>& file) {
  ++hearing.heard;
  if (file && !hearing.file) {
    hearing.file = file;
    hearing.reader = rank;
  } else if (file && !are_same(*hearing.file, *file) && hearing.difference.empty()) {
    hearing.difference = fmt::format("server {} has {}; server {} has {}", hearing.reader,
                                     text_of(*hearing.file), rank, text_of(*file));
  }
  if (verdict.error.empty()) return;
  if (!hearing.verdict.error.empty() && hearing.speaker < rank) return;
  hearing.verdict.error = verdict.error;
  hearing.verdict.may_mend = verdict.may_mend;
  hearing.speaker = rank;
}

void ReadVerdicts::send(int rank, const Hearing& hearing, bool is_verdict) {
  std::vector<std::byte> bytes = environment_.to_servers->room();
  encode({environment_.context, hearing.event, is_verdict, hearing.verdict, hearing.file}, bytes);
  environment_.to_servers->send(*environment_.servers, rank,
                                static_cast<int>(io::ControlTag::among_readers), std::move(bytes));
}

void ReadVerdicts::settle(Hearing& hearing) {
  if (hearing.heard != hearing.due) return;
  hearing.is_settled = true;
  if (hearing.verdict.error.empty() && !hearing.difference.empty()) {
    hearing.verdict.error = hearing.difference;
    hearing.verdict.differs = true;
  }
  for (const int rank : hearing.listeners) send(rank, hearing, true);
}

void ReadVerdicts::tell(std::int64_t event, const std::vector<int>& readers, const ReadVerdict& own,
                        const std::optional<io::FileIdentity>& file) {
  Hearing& hearing = hearing_of(event);
  note(hearing, rank_, own, file);
  if (readers.front() != rank_) return send(readers.front(), hearing, false);
  hearing.due = static_cast<int>(readers.size());
  hearing.listeners.assign(readers.begin() + 1, readers.end());
  settle(hearing);
}

void ReadVerdicts::hear(const ReadWord& word, int from) {
  Hearing& hearing = hearing_of(word.event);
  if (word.is_verdict) {
    hearing.verdict = word.verdict;
    hearing.is_settled = true;
    return;
  }
  note(hearing, from, word.verdict, word.file);
  settle(hearing);
}

bool ReadVerdicts::take(std::int64_t event, ReadVerdict& verdict) {
  Hearing& hearing = hearing_of(event);
  if (!hearing.is_settled) return false;
  verdict = std::exchange(hearing.verdict, {});
  hearing.event = -1;
  hearing.due = -1;
  hearing.heard = 0;
  hearing.is_settled = false;
  hearing.file.reset();
  hearing.difference.clear();
  return true;
}

}  // namespace epios::server
