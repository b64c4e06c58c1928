// Sends and receives records between contexts, and ends the connection. Waits are known to the
// watch, and end if the partner fails or ends.
#include "coupling/link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "config/bytes.hpp"
#include "config/error.hpp"
#include "config/index.hpp"
#include "coupled_part.hpp"

namespace epios::io {
namespace {

using Clock = std::chrono::steady_clock;

/// Tags on the communicator of both contexts; those of channels are behind them.
constexpr int notice_tag(Side of_sender) { return 1 + static_cast<int>(of_sender); }

}  // namespace

CouplingLink::CouplingLink(std::shared_ptr<const ep::Comm> both, std::vector<Actor> actors,
                           Watch& watch, CouplingSide side)
    : both_(std::move(both)),
      actors_(std::move(actors)),
      watch_(watch),
      side_(std::move(side)),
      sent_(side_.sent.size()),
      received_(side_.received.size()) {}

CouplingLink::~CouplingLink() {
  if (sibling_ != nullptr) sibling_->sibling_ = nullptr;
  for (Notice& notice : *notices_) {
    int done = 0;
    if (EP_Test(&notice.request, &done, EP_STATUS_IGNORE) == EP_SUCCESS && done != 0) continue;
    // The bytes must outlive the message.
    static_cast<void>(notices_.release());
    return;
  }
}

CouplingLink::Peer& CouplingLink::peer(int rank) {
  return *std::lower_bound(peers_.begin(), peers_.end(), rank,
                           [](const Peer& one, int wanted) { return one.rank < wanted; });
}

void CouplingLink::add_peers() {
  std::vector<int> ranks;
  for (const SentField& field : sent_) {
    for (const Target& target : field.targets) ranks.push_back(target.route.rank);
  }
  for (const ReceivedField& field : received_) {
    for (const Origin& origin : field.origins) ranks.push_back(origin.route.rank);
  }
  std::sort(ranks.begin(), ranks.end());
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  for (const int rank : ranks) peers_.push_back({rank, false, {}, {}, {}});
}

template <class IsDone>
void CouplingLink::wait(const char* reason, int rank, const std::string& what,
                        const IsDone& is_done) {
  const auto start = Clock::now();
  Waiting waiting(watch_);
  waiting.begin(side_.self, what, {}, actor(rank), side_.limits);
  ep::wait_until(*both_, {reason, rank}, [&] {
    side_.check();
    progress();
    if (is_done()) return true;
    waiting.check();
    return false;
  });
  waited_s_ += std::chrono::duration<double>(Clock::now() - start).count();
}

void CouplingLink::check_peer(const Peer& from) const {
  if (from.why.empty()) return;
  throw Error(
      ErrorCode::call_order,
      fmt::format("context '{}', which '{}' exchanges fields with, has failed ({}). What has "
                  "it said before?",
                  side_.partner, side_.name, from.why));
}

/// Nobody but this client could send what it would wait for.
void CouplingLink::check_own_sending(int field, std::int64_t record, const Peer& from) const {
  if (sibling_ == nullptr || from.rank != both_->rank() || sibling_->has_ended_) return;
  if (nth(sibling_->sent_, field).last >= record) return;
  const CouplingSide::Field& wanted = nth(side_.received, field);
  throw Error(ErrorCode::call_order,
              fmt::format("field '{}' for {} has not been sent by '{}', which has the same clients "
                          "as '{}': its wait would never end. Send it before it is wanted?",
                          wanted.id, wanted.date(record), side_.partner, side_.name));
}

/// Nobody but this client could receive what it would wait for.
void CouplingLink::check_own_receiving(int field, std::int64_t record, const Peer& to) const {
  if (sibling_ == nullptr || to.rank != both_->rank() || sibling_->has_ended_) return;
  const std::int64_t oldest = nth(sent_, field).before_last;
  if (oldest < 0 || nth(sibling_->received_, field).unwanted >= oldest) return;
  const CouplingSide::Field& sent = nth(side_.sent, field);
  throw Error(
      ErrorCode::call_order,
      fmt::format("field '{}' is sent for {} before '{}', which has the same clients as "
                  "'{}', has received it for {} (two records are on their way at most): the "
                  "wait would never end. Run both contexts step by step?",
                  sent.id, sent.date(record), side_.partner, side_.name, sent.date(oldest)));
}

std::span<std::byte> CouplingLink::wait_for_room(int field, Target& target, std::int64_t record) {
  const std::size_t bytes = coupled_part_bytes(target.route.pattern.count());
  std::span<std::byte> part = target.channel->try_reserve(bytes);
  if (!part.empty()) return part;
  const CouplingSide::Field& sent = nth(side_.sent, field);
  const std::string what =
      fmt::format("'{}' to receive field '{}', of which {} and one before are on their way",
                  side_.partner, sent.id, sent.date(record - 1));
  const Peer& to = peer(target.route.rank);
  check_own_receiving(field, record, to);
  wait("room for a coupled field", to.rank, what, [&] {
    check_peer(to);
    if (to.has_ended) return true;
    part = target.channel->try_reserve(bytes);
    return !part.empty();
  });
  return part;
}

template <class Fill>
bool CouplingLink::leave(int field, std::int64_t record, const Fill& fill) {
  SentField& sent = nth(sent_, field);
  progress();
  bool is_wanted = sent.targets.empty();
  for (Target& target : sent.targets) {
    const Peer& to = peer(target.route.rank);
    check_peer(to);
    if (to.has_ended) continue;
    const std::span<std::byte> part = wait_for_room(field, target, record);
    if (part.empty()) continue;  // it has ended meanwhile
    CoupledPartHeader header;
    header.field = static_cast<std::uint32_t>(field);
    header.record = record;
    header.values = fill(target, part);
    std::memcpy(part.data(), &header, sizeof header);
    target.channel->commit();
    is_wanted = true;
  }
  if (is_wanted) sent.before_last = std::exchange(sent.last, record);
  return is_wanted;
}

void CouplingLink::send(int field, std::int64_t record, const CoupledValues& values) {
  if (record < nth(side_.sent, field).first) return;
  const bool is_wanted = leave(field, record, [&](const Target& target, std::span<std::byte> part) {
    const auto count = static_cast<std::uint64_t>(target.route.pattern.count());
    const std::span<double> packed = coupled_values(part).first(count);
    if (values.floats.empty()) {
      pack(target.route.pattern, values.doubles, values.marker, packed);
    } else {
      pack(target.route.pattern, values.floats, values.marker, packed);
    }
    return count;
  });
  SentField& sent = nth(sent_, field);
  if (is_wanted) sent.last_made = record;
  if (!is_wanted) ++sent.dropped;
}

void CouplingLink::miss(int field, std::int64_t record) {
  if (record < nth(side_.sent, field).first) return;
  leave(field, record,
        [](const Target&, std::span<std::byte>) { return CoupledPartHeader::no_values; });
}

void CouplingLink::refuse_missing(int field, std::int64_t record, const Peer& from) const {
  const CouplingSide::Field& wanted = nth(side_.received, field);
  const std::int64_t last = from.last_made.empty() ? -1 : nth(from.last_made, field);
  const std::string had = last < wanted.first
                              ? std::string("it has sent none")
                              : fmt::format("the last one was {}", wanted.date(last));
  throw Error(ErrorCode::call_order,
              fmt::format("field '{}' of context '{}' does not come for {} ({} has ended; {}). Do "
                          "both runs end at one date?",
                          wanted.id, side_.partner, wanted.date(record),
                          fmt::format("context '{}'", side_.partner), had));
}

std::span<std::byte> CouplingLink::wait_for_part(int field, Origin& origin, std::int64_t record) {
  ReceivedField& received = nth(received_, field);
  ChannelReceiver& channel = received.channels->receiver(origin.channel);
  std::span<std::byte> part = channel.front();
  if (!part.empty()) return part;
  const CouplingSide::Field& wanted = nth(side_.received, field);
  const std::string what =
      fmt::format("'{}' to send field '{}' for {}", side_.partner, wanted.id, wanted.date(record));
  const Peer& from = peer(origin.route.rank);
  check_own_sending(field, record, from);
  wait("a coupled field", from.rank, what, [&] {
    check_peer(from);
    part = channel.front();
    if (!part.empty()) return true;
    if (!from.has_ended) return false;
    const bool is_on_its_way = !from.last.empty() && nth(from.last, field) >= record;
    if (!is_on_its_way) refuse_missing(field, record, from);
    return false;
  });
  return part;
}

void CouplingLink::receive(int field, std::int64_t record, std::span<double> array) {
  ReceivedField& received = nth(received_, field);
  for (Origin& origin : received.origins) {
    ChannelReceiver& channel = received.channels->receiver(origin.channel);
    for (;;) {
      const std::span<std::byte> part = wait_for_part(field, origin, record);
      CoupledPartHeader header;
      std::memcpy(&header, part.data(), sizeof header);
      const auto count = static_cast<std::uint64_t>(origin.route.pattern.count());
      const bool is_missed = header.values == CoupledPartHeader::no_values;
      if (header.magic != CoupledPartHeader::magic_value ||
          (header.values != count && !is_missed)) {
        throw Error(
            ErrorCode::protocol,
            fmt::format("context '{}' sent {} values of field '{}' (expected {}). Is this a "
                        "bug of EPIOS?",
                        side_.partner, header.values, nth(side_.received, field).id, count));
      }
      if (header.record > record) {
        const CouplingSide::Field& wanted = nth(side_.received, field);
        throw Error(
            ErrorCode::call_order,
            fmt::format("field '{}' of context '{}' does not come for {} (the next one that "
                        "was sent is {}). Does the model there send it at all dates?",
                        wanted.id, side_.partner, wanted.date(record), wanted.date(header.record)));
      }
      if (header.record == record && is_missed) {
        const CouplingSide::Field& wanted = nth(side_.received, field);
        throw Error(ErrorCode::call_order,
                    fmt::format("field '{}' of context '{}' does not come for {} (no data of its "
                                "period were sent there). Does the model there send it at all "
                                "dates?",
                                wanted.id, side_.partner, wanted.date(record)));
      }
      if (header.record == record) {
        const std::span<const double> values = coupled_values(part).first(count);
        origin.route.pattern.scatter(values.data(), array.data());
      }
      channel.release();
      if (header.record == record) break;
    }
  }
  received.unwanted = std::max(received.unwanted, record);
  for (const Part::Repeat& repeat : nth(side_.received, field).grid->repeats()) {
    nth(array, repeat.place) = nth(array, repeat.first);
  }
}

void CouplingLink::drop(int field, std::int64_t record) {
  std::int64_t& unwanted = nth(received_, field).unwanted;
  unwanted = std::max(unwanted, record);
}

/// Drops arrived records that nobody wants any more, because the sender needs the room.
void CouplingLink::drop_unwanted() {
  for (ReceivedField& field : received_) {
    for (const Origin& origin : field.origins) {
      ChannelReceiver& channel = field.channels->receiver(origin.channel);
      for (auto part = channel.front(); !part.empty(); part = channel.front()) {
        CoupledPartHeader header;
        std::memcpy(&header, part.data(), sizeof header);
        if (!has_ended_ && header.record > field.unwanted) break;
        channel.release();
      }
    }
  }
}

void CouplingLink::progress() {
  for (SentField& field : sent_) {
    for (Target& target : field.targets) target.channel->progress();
  }
  drop_unwanted();
  take_notices();
}

void CouplingLink::take_notices() {
  ep::Received message;
  while (ep::try_receive(*both_, EP_ANY_SOURCE, notice_tag(other(side_.side)), message)) {
    config::ByteReader reader(message.bytes);
    Peer& from = peer(message.source);
    from.has_ended = true;
    from.why = reader.get_string();
    from.last = reader.get_vector<std::int64_t>();
    from.last_made = reader.get_vector<std::int64_t>();
  }
}

void CouplingLink::end(const std::string& why) {
  if (has_ended_) return;
  has_ended_ = true;
  config::ByteWriter writer;
  writer.put(std::string_view(why));
  std::vector<std::int64_t> last;
  std::vector<std::int64_t> last_made;
  for (const SentField& field : sent_) {
    last.push_back(field.last);
    last_made.push_back(field.last_made);
  }
  writer.put(last);
  writer.put(last_made);
  const std::vector<std::byte> bytes = writer.take();
  for (const Peer& to : peers_) {
    Notice& notice = notices_->emplace_back();
    notice.bytes = bytes;
    ep::check(EP_Isend(notice.bytes.data(), ep::message_count(notice.bytes.size()), MPI_BYTE,
                       to.rank, notice_tag(side_.side), both_->get(), &notice.request));
  }
  EP_Progress(both_->get());
}

bool CouplingLink::is_over() {
  progress();
  return std::all_of(peers_.begin(), peers_.end(), [](const Peer& one) { return one.has_ended; });
}

std::vector<Actor> CouplingLink::unfinished() const {
  std::vector<Actor> out;
  for (const Peer& one : peers_) {
    if (!one.has_ended) out.push_back(actor(one.rank));
  }
  return out;
}

}  // namespace epios::io
