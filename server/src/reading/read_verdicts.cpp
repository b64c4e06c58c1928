#include "reading/read_verdicts.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <ep/ep.hpp>
#include <utility>

#include "config/byte_fields.hpp"
#include "config/bytes.hpp"
#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::server {

namespace {

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

template <class Archive>
void fields(Archive& archive, config::Described<ReadWord> auto& word) {
  archive(word.context, word.event);
  archive.bits(word.is_verdict, word.verdict.may_mend, word.verdict.differs);
  io::FileIdentity file = word.file.value_or(io::FileIdentity{});
  archive(file.device, file.number, file.bytes, file.seconds, file.nanoseconds);
  if constexpr (Archive::reads) {
    if (file != io::FileIdentity{}) word.file = file;
  }
  archive(word.verdict.error);
}

namespace {

[[noreturn]] void refuse_word(const std::string& problem) {
  throw Error(ErrorCode::protocol,
              fmt::format("a word among servers is {}. Is this a bug of EPIOS?", problem));
}

}  // namespace

void encode(const ReadWord& word, std::vector<std::byte>& out) {
  config::ByteWriter writer(std::move(out));
  config::FieldWriter archive(writer);
  fields(archive, word);
  out = writer.take();
}

ReadWord decode_read_word(std::span<const std::byte> bytes) {
  config::ByteReader reader(bytes);
  config::FieldReader archive(reader, refuse_word);
  ReadWord word;
  fields(archive, word);
  if (!reader.at_end()) refuse_word("longer than it should be");
  return word;
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
