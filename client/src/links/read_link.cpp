#include "links/read_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "grid/layout.hpp"

namespace epios::client {
namespace {

bool is_in(const std::deque<int>& fields, int field) {
  return std::find(fields.begin(), fields.end(), field) != fields.end();
}

io::Pattern no_places() {
  const io::PatternFactor nothing{0, {}};
  return io::Pattern({&nothing, 1});
}

}  // namespace

ReadLink::ReadLink(const ep::Comm& servers, const Setup& setup, Ask ask,
                   std::function<void()> check)
    : servers_comm_(servers),
      model_(setup.model),
      ask_(std::move(ask)),
      check_(std::move(check)),
      waits_(setup.waits),
      trace_(trace_of(waits_.job, waits_.client, setup.context)),
      read_ahead_(setup.read_ahead),
      dates_(setup.dates),
      servers_(setup.pieces.size()) {
  add_fields(setup);
  open_channels(setup);
}

void ReadLink::add_fields(const Setup& setup) {
  fields_.resize(model_.read_fields.size());
  std::vector<std::vector<std::vector<io::PlaceRun>>> windows;
  std::vector<std::vector<std::vector<std::uint64_t>>> masks;
  for (const io::Pieces& pieces : setup.pieces) {
    windows.push_back(io::read_windows(model_, setup.parts, pieces));
    masks.push_back(io::opening_masks(model_, setup.parts, pieces));
  }
  const auto heard = io::notified_pieces(setup.pieces, windows);
  std::map<std::pair<int, std::size_t>, const io::Pattern*> known;  // by server and piece
  std::size_t stashed = 0;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    Field& field = fields_[i];
    field.first_record = setup.first_records[i];
    const int grid = nth(model_.read_fields, i).grid;
    const auto [array, is_new] = arrays_.try_emplace(grid);
    if (is_new) {
      array->second.size = io::ArrayLayout(model_, setup.parts, grid).size();
      array->second.repeats = io::repeated_places(model_, setup.parts, grid);
    }
    field.array = &array->second;
    for (std::size_t s = 0; s < setup.pieces.size(); ++s) {
      const io::Pieces& pieces = setup.pieces[s];
      const int piece = pieces.of_stream[i];
      const int server = static_cast<int>(s);
      field.concerned.push_back(piece >= 0 ? 1 : 0);
      if (piece < 0) continue;
      const auto g = static_cast<std::size_t>(piece);
      field.servers.push_back(server);
      const bool receives = io::receives(pieces, g, windows[s]);
      const bool hears = receives || heard[s][g] != 0;
      if (hears || setup.client == io::leader) field.asked.push_back(server);
      if (!hears) continue;
      const io::Pattern*& pattern = known[{server, g}];  // many fields are on one grid
      if (pattern == nullptr) {
        patterns_.push_back(receives ? io::pattern_to_receive(model_, setup.parts, pieces, g)
                                     : no_places());
        pattern = &patterns_.back();
      }
      field.shares.push_back({server, pattern, masks[s][g], nullptr, -1, {}});
      stashed += static_cast<std::size_t>(pattern->count());
    }
  }
  // Untouched, and so no memory, unless values come before the model asks.
  stash_.reset(new double[stashed]);
  double* next = stash_.get();
  for (Field& field : fields_) {
    for (Share& share : field.shares) {
      share.stash = next;
      next += share.pattern->count();
    }
  }
}

void ReadLink::open_channels(const Setup& setup) {
  std::vector<std::size_t> largest(servers_.size(), 0);
  for (const Field& field : fields_) {
    for (const Share& share : field.shares) {
      const auto bytes = static_cast<std::size_t>(share.pattern->count()) * sizeof(double);
      std::size_t& most = nth(largest, share.server);
      most = std::max({most, io::part_bytes(bytes), io::part_bytes(io::most_answer_text)});
    }
  }
  std::vector<io::ChannelSpec> specs;
  for (std::size_t s = 0; s < servers_.size(); ++s) {
    if (largest[s] == 0) continue;
    servers_[s].channel = static_cast<int>(specs.size());
    specs.push_back({static_cast<int>(s), largest[s], read_ahead_});
  }
  if (trace_) trace_.add(fmt::format("reads depth={}", read_ahead_));
  if (specs.empty()) return;
  channels_ = std::make_unique<io::ChannelGroup>(
      servers_comm_, io::answer_channel_tag(setup.context), specs, setup.carrier);
  for (std::size_t s = 0; s < servers_.size(); ++s) {
    if (servers_[s].channel < 0) continue;
    const io::AnswerChannel message{
        setup.context, setup.client,
        channels_->offer(static_cast<std::size_t>(servers_[s].channel))};
    ep::send(servers_comm_, io::encode(message), static_cast<int>(s),
             static_cast<int>(io::ControlTag::to_server));
  }
}

void ReadLink::begin() {
  for (std::size_t s = 0; s < servers_.size(); ++s) {
    if (servers_[s].channel < 0) continue;
    wait_for_part(static_cast<int>(s));
    channels_->receiver(static_cast<std::size_t>(servers_[s].channel)).release();
  }
  if (channels_) channels_->unlink();
  // Of many fields the others follow, one with each that the model receives.
  constexpr int most_at_first = 32;
  for (int k = 0; k < std::min(read_ahead_, most_at_first); ++k) foresee_next_first();
  ask_foreseen();
}

/// A model that reads several fields mostly does so in their order: the first record of the next
/// one is asked for.
void ReadLink::foresee_next_first() {
  for (; next_first_ < fields_.size(); ++next_first_) {
    const Field& field = fields_[next_first_];
    if (field.was_asked || field.first_record < 0) continue;
    foresee(static_cast<int>(next_first_++), field.first_record);
    return;
  }
}

void ReadLink::foresee(int field, std::int64_t record) {
  foreseen_.push_back({field, record, nth(dates_, field).date_of(record)});
}

/// While many are to be received at this date, requests for later ones leave in batches. The same
/// on all clients.
bool ReadLink::holds_back() const {
  constexpr int batch = 16;
  return due_ >= batch && foreseen_.size() < batch &&
         (foreseen_.empty() || foreseen_.front().date > now_);
}

void ReadLink::begin_date(config::Instant now) {
  ask_foreseen();
  now_ = now;
  due_ = 0;
  for (Field& field : fields_) {
    field.is_due = field.asked_record >= 0 && field.asked_date == now && field.comes;
    if (field.is_due) ++due_;
  }
}

bool ReadLink::has_room(const Field& field) const {
  return std::all_of(field.servers.begin(), field.servers.end(), [this](int server) {
    return nth(servers_, server).under_way.size() < static_cast<std::size_t>(read_ahead_);
  });
}

void ReadLink::ask_foreseen() {
  while (!foreseen_.empty()) {
    const Wanted wanted = foreseen_.front();
    const Field& field = nth(fields_, wanted.field);
    if (field.asked_record < 0) {
      if (!has_room(field)) return;
      ask_for(wanted.field, wanted.record);
      nth(fields_, wanted.field).asked_date = wanted.date;
    }
    foreseen_.pop_front();
  }
}

void ReadLink::ask_for(int field, std::int64_t record) {
  Field& asked = nth(fields_, field);
  ask_(field, record, asked.concerned, asked.asked);
  asked.asked_record = record;
  asked.was_asked = true;
  for (const int server : asked.servers) {
    nth(servers_, server).under_way.push_back(field);
  }
}

/// What came before and is not wanted yet makes room.
void ReadLink::ask_now(int field, std::int64_t record) {
  for (const int server : nth(fields_, field).servers) {
    const auto& under_way = nth(servers_, server).under_way;
    while (under_way.size() >= static_cast<std::size_t>(read_ahead_)) set_aside(server, true);
  }
  ask_for(field, record);
}

ReadLink::Share* ReadLink::share_of(int field, int server) {
  auto& shares = nth(fields_, field).shares;
  const auto found = std::find_if(shares.begin(), shares.end(),
                                  [server](const Share& share) { return share.server == server; });
  return found == shares.end() ? nullptr : &*found;
}

std::span<std::byte> ReadLink::wait_for_part(int server) {
  const auto channel = static_cast<std::size_t>(nth(servers_, server).channel);
  io::ChannelReceiver& receiver = channels_->receiver(channel);
  std::span<std::byte> part = receiver.front();
  if (!part.empty()) return part;
  const auto start = std::chrono::steady_clock::now();
  io::Waiting waiting(waits_.job.watch());
  waiting.begin(waits_.client, "records of files for ", waits_.context, waits_.server(server),
                waits_.limits);
  ep::wait_until(servers_comm_, {"data of a file from a server", server}, [&] {
    check_();
    part = receiver.front();
    if (!part.empty()) return true;
    waiting.check();
    return false;
  });
  waited_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return part;
}

std::span<const double> ReadLink::read_part(int server, int field, Problem& problem) {
  const std::span<std::byte> part = wait_for_part(server);
  const io::EventHeader header = io::read_header(part);
  const std::span<std::byte> payload = part.subspan(io::EventHeader::payload_offset);
  const Field& asked = nth(fields_, field);
  if (header.kind != io::EventKind::read || header.stream != field ||
      header.record != asked.asked_record) {
    throw Error(ErrorCode::protocol,
                fmt::format("server {} answers for field {}, record {} (asked was for field {}, "
                            "record {}). Is this a bug of EPIOS?",
                            server, header.stream, header.record, field, asked.asked_record));
  }
  if (trace_) trace_.add(fmt::format("answer server={} event={}", server, header.event));
  problem = {};
  if (header.samples != 0) {
    problem.text.assign(reinterpret_cast<const char*>(payload.data()), payload.size());
    problem.may_mend = header.samples == io::may_be_read_later;
    return {};
  }
  const Share& share = *share_of(field, server);
  const std::span<const double> values = io::values_of<double>(payload);
  if (values.size() == static_cast<std::size_t>(share.pattern->count())) return values;
  throw Error(ErrorCode::protocol,
              fmt::format("server {} sent {} values (expected {}). Is this a bug of EPIOS?", server,
                          values.size(), share.pattern->count()));
}

void ReadLink::set_aside(int server, bool is_wanted) {
  Server& from = nth(servers_, server);
  const int field = from.under_way.front();
  if (Share* const share = share_of(field, server)) {
    const auto values = read_part(server, field, share->problem);
    if (is_wanted) {
      std::copy(values.begin(), values.end(), share->stash);
      share->stashed = nth(fields_, field).asked_record;
    }
    channels_->receiver(static_cast<std::size_t>(from.channel)).release();
  }
  from.under_way.pop_front();
}

/// Nobody wants the record that was asked for.
void ReadLink::give_up(int field) {
  Field& asked = nth(fields_, field);
  for (const int server : asked.servers) {
    const auto& under_way = nth(servers_, server).under_way;
    while (is_in(under_way, field)) set_aside(server, under_way.front() != field);
  }
  for (Share& share : asked.shares) {
    share.stashed = -1;
    share.problem = {};
  }
  asked.asked_record = -1;
}

template <class T>
void ReadLink::place(const Share& share, std::span<const double> values, std::span<T> array) {
  if (share.mask.empty()) return share.pattern->scatter(values.data(), array.data());
  share.pattern->scatter_if(values.data(), array.data(), [&share](std::int64_t k) {
    return (nth(share.mask, k / 64) >> static_cast<unsigned>(k % 64) & 1U) != 0;
  });
}

template <class T>
void ReadLink::take(int field, int server, std::span<T> array, Problem& problem) {
  Server& from = nth(servers_, server);
  Share* const share = share_of(field, server);
  Problem own;
  if (is_in(from.under_way, field)) {
    while (from.under_way.front() != field) set_aside(server, true);
    if (share != nullptr) {
      const auto values = read_part(server, field, own);
      if (own.text.empty()) place(*share, values, array);
      channels_->receiver(static_cast<std::size_t>(from.channel)).release();
    }
    from.under_way.pop_front();
  } else if (share != nullptr) {
    own = std::exchange(share->problem, {});
    const std::span<const double> values(share->stash,
                                         static_cast<std::size_t>(share->pattern->count()));
    if (own.text.empty()) place(*share, values, array);
    share->stashed = -1;
  }
  if (problem.text.empty()) problem = std::move(own);
}

/// The answers of all servers; why there are none, which all clients hear alike.
template <class T>
ReadLink::Problem ReadLink::take_all(int field, std::span<T> array) {
  Field& asked = nth(fields_, field);
  Problem problem;
  for (const int server : asked.servers) take(field, server, array, problem);
  asked.asked_record = -1;
  return problem;
}

template <class T>
void ReadLink::receive(int field, std::int64_t record, std::int64_t next,
                       const std::optional<double>& elsewhere, std::span<T> array) {
  Field& asked = nth(fields_, field);
  if (std::exchange(asked.is_due, false)) --due_;
  asked.comes = record == asked.received + 1;
  asked.received = record;
  std::erase_if(foreseen_, [field](const Wanted& wanted) { return wanted.field == field; });
  if (asked.asked_record >= 0 && asked.asked_record != record) give_up(field);
  const bool was_foreseen = asked.asked_record == record;
  if (!was_foreseen) ask_now(field, record);
  if (elsewhere) std::fill(array.begin(), array.end(), static_cast<T>(*elsewhere));
  Problem problem = take_all(field, array);
  if (!problem.text.empty() && problem.may_mend &&
      was_foreseen) {  // what was not there ahead of time may be there by now
    ask_now(field, record);
    problem = take_all(field, array);
  }
  for (const io::Part::Repeat& repeat : asked.array->repeats) {
    nth(array, repeat.place) = nth(array, repeat.first);
  }
  // Also after an error, which all clients have.
  if (next >= 0) foresee(field, next);
  if (was_foreseen) foresee_next_first();
  if (!holds_back()) ask_foreseen();
  if (!problem.text.empty()) throw Error(ErrorCode::io, problem.text);
}

template void ReadLink::receive(int, std::int64_t, std::int64_t, const std::optional<double>&,
                                std::span<double>);
template void ReadLink::receive(int, std::int64_t, std::int64_t, const std::optional<double>&,
                                std::span<float>);

void ReadLink::tell_servers() {
  for (std::size_t channel = 0; channels_ && channel < channels_->size(); ++channel) {
    static_cast<void>(channels_->receiver(channel).acks_sent());
  }
}

void ReadLink::drain() {
  foreseen_.clear();
  for (std::size_t s = 0; s < servers_.size(); ++s) {
    while (!servers_[s].under_way.empty()) set_aside(static_cast<int>(s), false);
  }
}

}  // namespace epios::client
