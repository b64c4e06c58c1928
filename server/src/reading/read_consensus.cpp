// Makes servers that read slabs of one record agree on the result, so that all clients get the same
// answer. The first reader collects the statements of all and sends the result to the others; a
// statement may come before this server has read anything itself. In order: bytes of a statement,
// rounds (one per record), statements that come, the result.
#include "reading/read_consensus.hpp"

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
void fields(Archive& archive, config::Described<ReadStatus> auto& status) {
  archive(status.context, status.event);
  archive.bits(status.is_verdict, status.verdict.may_mend, status.verdict.differs);
  io::FileIdentity file = status.file.value_or(io::FileIdentity{});
  archive(file.device, file.number, file.bytes, file.seconds, file.nanoseconds);
  if constexpr (Archive::reads) {
    if (file != io::FileIdentity{}) status.file = file;
  }
  archive(status.verdict.error);
}

void encode(const ReadStatus& status, std::vector<std::byte>& out) {
  config::ByteWriter writer(std::move(out));
  config::FieldWriter archive(writer);
  fields(archive, status);
  out = writer.take();
}

ReadStatus decode_read_status(std::span<const std::byte> bytes) {
  ReadStatus status;
  config::decode_fields(bytes, "what a server has read", status);
  return status;
}

ReadConsensus::ReadConsensus(const Environment& environment)
    : environment_(environment), rank_(environment.servers->rank()) {}

ReadConsensus::Round& ReadConsensus::round_of(std::int64_t event) {
  const auto with = [this](std::int64_t number) {
    return std::find_if(rounds_.begin(), rounds_.end(),
                        [number](const Round& round) { return round.event == number; });
  };
  auto found = with(event);
  if (found == rounds_.end()) found = with(-1);
  if (found == rounds_.end()) found = rounds_.emplace(found);
  found->event = event;
  return *found;
}

void ReadConsensus::note(Round& round, int rank, const ReadVerdict& verdict,
                         const std::optional<io::FileIdentity>& file) {
  ++round.received;
  if (file && !round.file) {
    round.file = file;
    round.reader = rank;
  } else if (file && !are_same(*round.file, *file) && round.difference.empty()) {
    round.difference = fmt::format("server {} has {}; server {} has {}", round.reader,
                                   text_of(*round.file), rank, text_of(*file));
  }
  if (verdict.error.empty()) return;
  if (!round.verdict.error.empty() && round.failed_rank < rank) return;
  round.verdict.error = verdict.error;
  round.verdict.may_mend = verdict.may_mend;
  round.failed_rank = rank;
}

void ReadConsensus::send(int rank, const Round& round, bool is_verdict) {
  std::vector<std::byte> bytes = environment_.to_servers->room();
  encode({environment_.context, round.event, is_verdict, round.verdict, round.file}, bytes);
  environment_.to_servers->send(*environment_.servers, rank,
                                static_cast<int>(io::ControlTag::among_readers), std::move(bytes));
}

void ReadConsensus::resolve(Round& round) {
  if (round.received != round.due) return;
  round.is_resolved = true;
  if (round.verdict.error.empty() && !round.difference.empty()) {
    round.verdict.error = round.difference;
    round.verdict.differs = true;
  }
  for (const int rank : round.others) send(rank, round, true);
}

void ReadConsensus::report(std::int64_t event, const std::vector<int>& readers,
                           const ReadVerdict& own, const std::optional<io::FileIdentity>& file) {
  Round& round = round_of(event);
  note(round, rank_, own, file);
  if (readers.front() != rank_) return send(readers.front(), round, false);
  round.due = static_cast<int>(readers.size());
  round.others.assign(readers.begin() + 1, readers.end());
  resolve(round);
}

void ReadConsensus::add_status(const ReadStatus& status, int from) {
  Round& round = round_of(status.event);
  if (status.is_verdict) {
    round.verdict = status.verdict;
    round.is_resolved = true;
    return;
  }
  note(round, from, status.verdict, status.file);
  resolve(round);
}

bool ReadConsensus::take(std::int64_t event, ReadVerdict& verdict) {
  Round& round = round_of(event);
  if (!round.is_resolved) return false;
  verdict = std::exchange(round.verdict, {});
  round.event = -1;
  round.due = -1;
  round.received = 0;
  round.is_resolved = false;
  round.file.reset();
  round.difference.clear();
  return true;
}

}  // namespace epios::server
