#include "read_verdicts.hpp"

#include <algorithm>
#include <utility>

#include "config/bytes.hpp"
#include "config/error.hpp"
#include "event/wire.hpp"

namespace epios::server {

std::vector<std::byte> encode(const ReadWord& word) {
  config::ByteWriter writer;
  writer.put(word.context);
  writer.put(word.event);
  writer.put(static_cast<std::uint8_t>(word.is_verdict ? 1 : 0));
  writer.put(std::string_view(word.error));
  return writer.take();
}

ReadWord decode_read_word(std::span<const std::byte> bytes) {
  config::ByteReader reader(bytes);
  ReadWord word;
  word.context = reader.get<std::uint32_t>();
  word.event = reader.get<std::int64_t>();
  word.is_verdict = reader.get<std::uint8_t>() != 0;
  word.error = reader.get_string();
  if (reader.at_end()) return word;
  throw Error(ErrorCode::protocol,
              "a word among servers is longer than it should be. Is this a bug of EPIOS?");
}

ReadVerdicts::ReadVerdicts(const Environment& environment)
    : environment_(environment), rank_(environment.servers->rank()) {}

ReadVerdicts::Hearing& ReadVerdicts::find(std::int64_t event) {
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

void ReadVerdicts::note(Hearing& hearing, int rank, const std::string& error) {
  ++hearing.heard;
  if (error.empty() || (!hearing.error.empty() && hearing.speaker < rank)) return;
  hearing.error = error;
  hearing.speaker = rank;
}

void ReadVerdicts::send(int rank, const Hearing& hearing, bool is_verdict) {
  environment_.to_servers->send(
      *environment_.servers, rank, static_cast<int>(io::ControlTag::among_readers),
      encode(ReadWord{environment_.context, hearing.event, is_verdict, hearing.error}));
}

void ReadVerdicts::settle(Hearing& hearing) {
  if (hearing.heard != hearing.due) return;
  hearing.is_settled = true;
  for (const int rank : hearing.listeners) send(rank, hearing, true);
}

void ReadVerdicts::tell(std::int64_t event, const std::vector<int>& readers,
                        const std::string& error) {
  Hearing& hearing = find(event);
  note(hearing, rank_, error);
  if (readers.front() != rank_) return send(readers.front(), hearing, false);
  hearing.due = static_cast<int>(readers.size());
  hearing.listeners.assign(readers.begin() + 1, readers.end());
  settle(hearing);
}

void ReadVerdicts::hear(const ReadWord& word, int from) {
  Hearing& hearing = find(word.event);
  if (word.is_verdict) {
    hearing.error = word.error;
    hearing.is_settled = true;
    return;
  }
  note(hearing, from, word.error);
  settle(hearing);
}

bool ReadVerdicts::take(std::int64_t event, std::string& error) {
  Hearing& hearing = find(event);
  if (!hearing.is_settled) return false;
  error = std::exchange(hearing.error, {});
  hearing.event = -1;
  hearing.due = -1;
  hearing.heard = 0;
  hearing.is_settled = false;
  return true;
}

}  // namespace epios::server
