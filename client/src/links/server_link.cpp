#include "links/server_link.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ep/work_sharing.hpp>
#include <limits>
#include <optional>
#include <utility>
#include <variant>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"

namespace epios::client {
namespace {

using Clock = std::chrono::steady_clock;

/// Smaller ones are packed before somebody else has woken up.
constexpr std::size_t least_shared_bytes = std::size_t{1} << 20U;
/// A piece takes some ten microseconds: long beside the look for it, short beside the whole.
constexpr std::size_t slice_bytes = std::size_t{1} << 18U;

/// Calls `work(slice, first)` for slices of values that begin at position `first`, which are all of
/// them, with all helper threads of the process if it is much.
template <class T, class Work>
void in_slices(std::span<T> values, const Work& work) {
  if (values.size_bytes() < least_shared_bytes || !ep::helpers_available()) {
    return work(values, std::size_t{0});
  }
  constexpr std::size_t each = slice_bytes / sizeof(T);
  const std::size_t slices = (values.size() + each - 1) / each;
  ep::share_work(static_cast<int>(slices), [&](int slice) {
    const std::size_t first = static_cast<std::size_t>(slice) * each;
    work(values.subspan(first, std::min(each, values.size() - first)), first);
  });
}

/// The values of masked points become missing. `mask`: a bit per value.
template <class T>
void apply_mask(const std::vector<std::uint64_t>& mask, std::span<T> values) {
  in_slices(values, [&](std::span<T> slice, std::size_t first) {
    for (std::size_t k = 0; k < slice.size(); ++k) {
      const std::size_t bit = first + k;
      if ((mask[bit / 64] >> (bit % 64) & 1U) == 0) slice[k] = std::numeric_limits<T>::quiet_NaN();
    }
  });
}

template <class T, class W>
void pack_shared(const io::Pattern& pattern, std::span<const T> array, std::optional<double> marker,
                 std::span<W> packed) {
  in_slices(packed, [&](std::span<W> slice, std::size_t first) {
    io::pack_slice(pattern, array, marker, static_cast<std::int64_t>(first), slice);
  });
}

/// Runs this long are worked out as fast as whole arrays.
constexpr std::int64_t long_run = 128;

/// Bytes of a record of this client from which on it is timed how long it takes to pack them.
constexpr std::int64_t timed_bytes = 16384;

bool has_long_runs(const io::Pattern& pattern) {
  std::int64_t runs = 0;
  pattern.for_each_piece([&](std::int64_t, std::int64_t) { ++runs; });
  return runs * long_run <= pattern.count() || runs <= 1;
}

/// Values of the places of a pattern, in packed order.
void work_out(const io::Pattern& pattern, io::Calculation& values, std::span<double> packed) {
  double* to = packed.data();
  pattern.for_each_piece([&](std::int64_t place, std::int64_t count) {
    values.work_out(place, count, to);
    to += count;
  });
}
void work_out(const io::Pattern& pattern, io::Calculation& values, std::span<float> packed) {
  constexpr std::int64_t most = 512;
  std::array<double, most> block{};
  float* to = packed.data();
  pattern.for_each_piece([&](std::int64_t place, std::int64_t count) {
    for (std::int64_t done = 0; done < count; done += most) {
      const std::int64_t n = std::min(most, count - done);
      values.work_out(place + done, n, block.data());
      for (std::int64_t k = 0; k < n; ++k) *to++ = static_cast<float>(block.data()[k]);
    }
  });
}

}  // namespace

ServerLink::ServerLink(const ep::Comm& servers, const Setup& setup, const Replies& replies,
                       std::function<void()> check)
    : servers_(servers),
      everyone_(replies.size(), 1),
      timeline_(setup.context, static_cast<int>(replies.size())),
      check_(std::move(check)),
      waits_(setup.waits),
      trace_(trace_of(waits_.job, waits_.client, setup.context)) {
  for (std::size_t s = 0; s < replies.size(); ++s) {
    const int server = static_cast<int>(s);
    share_of_piece_.emplace_back(setup.pieces[s].grids.size(), -1);
    channels_.emplace_back();
    if (!replies[s]) continue;
    channels_.back() = io::open_channel(servers_, server, replies[s]->offer, setup.window);
    if (channels_.back()->carrier() >= io::CarrierKind::messages) needs_progress_ = true;
    if (fallback_.empty()) fallback_ = channels_.back()->fallback();
    add_shares(setup, server, replies[s]->asked);
  }
  for (const auto& placement : setup.placements) {
    std::vector<std::uint8_t> writes(replies.size(), 0);
    for (const int server : placement.writers) nth(writes, server) = 1;
    writers_.push_back(number_of(writes));
    is_shared_.push_back(placement.is_shared());
  }
  const std::vector<int> value_bytes = io::wire_value_bytes(setup.model);
  for (std::size_t i = 0; i < value_bytes.size(); ++i) {
    add_route(setup, static_cast<int>(i), value_bytes[i]);
  }
  costs_.resize(routes_.size());
  if (trace_) note_open(setup);
}

void ServerLink::note_open(const Setup& setup) const {
  std::vector<int> connected;
  for (std::size_t s = 0; s < channels_.size(); ++s) {
    if (channels_[s]) connected.push_back(static_cast<int>(s));
  }
  trace_.add(fmt::format("open as={} servers={} channels={} bytes={}", setup.client,
                         channels_.size(), fmt::join(connected, ","), setup.opening_bytes));
}

void ServerLink::note_end() const {
  if (trace_) trace_.add("end");
}

/// Numbers an event, which all that it is sent by have in their headers.
const io::Timeline::Stamp& ServerLink::next_stamp(io::EventKind kind, int stream,
                                                  std::int64_t record, std::int64_t step,
                                                  const std::vector<std::uint8_t>& concerned,
                                                  std::int64_t samples) {
  const auto& stamp = timeline_.stamp(kind, stream, record, step, concerned, samples);
  if (trace_) {
    trace_.add(fmt::format("stamp event={} kind={} stream={} record={} concerned={}",
                           stamp.header.event, static_cast<int>(kind), stream, record,
                           fmt::join(concerned, "")));
  }
  return stamp;
}

void ServerLink::add_shares(const Setup& setup, int server,
                            const std::vector<io::RequestedPoints>& asked) {
  const io::Pieces& pieces = nth(setup.pieces, server);
  if (asked.size() != pieces.grids.size()) {
    throw Error(ErrorCode::protocol,
                fmt::format("server {} asks for {} parts of grids (it writes {}). Is this a bug of "
                            "EPIOS?",
                            server, asked.size(), pieces.grids.size()));
  }
  std::vector<std::vector<std::uint64_t>> masks =
      io::opening_masks(setup.model, setup.parts, pieces);
  for (std::size_t g = 0; g < asked.size(); ++g) {
    if (asked[g].points == io::RequestedPoints::Points::none) continue;
    nth(share_of_piece_, server)[g] = static_cast<int>(shares_.size());
    shares_.push_back({server, io::pattern_to_send(setup.model, setup.parts, pieces, g, asked[g]),
                       std::move(masks[g])});
    shares_.back().has_long_runs = has_long_runs(shares_.back().pattern);
  }
}

/// Most fields of a file, and many files, have the same servers: a set for each would grow with
/// servers times fields.
std::size_t ServerLink::number_of(const std::vector<std::uint8_t>& servers) {
  const auto found = std::find(server_sets_.begin(), server_sets_.end(), servers);
  const auto number = static_cast<std::size_t>(found - server_sets_.begin());
  if (found == server_sets_.end()) server_sets_.push_back(servers);
  return number;
}

void ServerLink::add_route(const Setup& setup, int stream, int value_bytes) {
  const auto& described = nth(setup.model.streams, stream);
  records_.push_back(fmt::format("field '{}' of {}", described.name, waits_.context));
  Route route;
  std::vector<std::uint8_t> concerned;
  route.value_bytes = value_bytes;
  std::int64_t bytes = 0;
  for (std::size_t s = 0; s < setup.pieces.size(); ++s) {
    const int piece = nth(setup.pieces[s].of_stream, stream);
    const int server = static_cast<int>(s);
    const bool gathers =
        std::find(setup.gatherers.begin(), setup.gatherers.end(), server) != setup.gatherers.end();
    concerned.push_back(piece >= 0 || gathers ? 1 : 0);
    if (piece < 0) {
      if (gathers && setup.client == io::leader) route.shares.push_back(empty_share(server));
      continue;
    }
    const int share = nth(share_of_piece_[s], piece);
    if (share < 0) continue;
    route.shares.push_back(static_cast<std::size_t>(share));
    route.works_out = route.works_out && nth(shares_, share).has_long_runs;
    bytes += nth(shares_, share).pattern.count() * route.value_bytes;
  }
  route.concerned = number_of(concerned);
  route.is_timed = bytes >= timed_bytes;
  routes_.push_back(std::move(route));
}

/// Of a server that hears of a record without values.
std::size_t ServerLink::empty_share(int server) {
  const io::PatternFactor nothing{1, {}};
  shares_.push_back({server, io::Pattern({&nothing, 1}), {}, false});
  return shares_.size() - 1;
}

void ServerLink::progress() {
  for (const auto& channel : channels_) {
    if (channel) channel->progress();
  }
}

std::span<std::byte> ServerLink::reserve(int server, std::size_t bytes, int stream) {
  io::ChannelSender& channel = *nth(channels_, server);
  std::span<std::byte> space = channel.try_reserve(bytes);
  if (!space.empty()) return space;
  const auto start = Clock::now();
  io::Waiting waiting(waits_.job.watch());
  waiting.begin(waits_.client, "room on the way to it for ",
                stream >= 0 ? nth(records_, stream) : waits_.context, waits_.server(server),
                waits_.limits);
  ep::wait_until(servers_, {"room in the channel to a server", server}, [&] {
    check_();
    channel.progress();
    space = channel.try_reserve(bytes);
    if (!space.empty()) return true;
    waiting.check();
    return false;
  });
  const double waited_s = std::chrono::duration<double>(Clock::now() - start).count();
  account_.blocked_s += waited_s;
  steps_.slowest.note({stream, true, start, waited_s}, waited_s);
  if (stream >= 0) {
    StreamCost& cost = nth(costs_, stream);
    cost.blocked_s += waited_s;
    ++cost.waits;
  }
  return space;
}

void ServerLink::end_step(std::int64_t step) {
  steps_.slowest.end(step);
  steps_.blocked.note(step, account_.blocked_s);
}

template <class Pack>
void ServerLink::send_part(int server, const io::Timeline::Stamp& stamp, std::size_t payload_bytes,
                           const Pack& pack) {
  const bool is_record = stamp.header.kind == io::EventKind::record;
  const std::span<std::byte> part =
      reserve(server, io::part_bytes(payload_bytes), is_record ? stamp.header.stream : -1);
  pack(part.subspan(io::EventHeader::payload_offset, payload_bytes));
  commit_part(server, part, stamp);
}

void ServerLink::commit_part(int server, std::span<std::byte> part,
                             const io::Timeline::Stamp& stamp) {
  io::EventHeader header = stamp.header;
  header.sequence = nth(stamp.sequence, server);
  header.payload_bytes = part.size() - io::EventHeader::payload_offset;
  io::write_header(part, header);
  if (trace_) {
    trace_.add(fmt::format("put server={} event={} sequence={} bytes={}", server, header.event,
                           header.sequence, part.size()));
  }
  nth(channels_, server)->commit();
  account_.bytes += static_cast<std::int64_t>(header.payload_bytes);
}

template <class Fill>
void ServerLink::fill_part(const Share& share, const Route& route, const io::Timeline::Stamp& stamp,
                           const Fill& fill) {
  const auto bytes = static_cast<std::size_t>(share.pattern.count() * route.value_bytes);
  send_part(share.server, stamp, bytes, [&](std::span<std::byte> payload) {
    if (share.pattern.count() == 0) return;
    const auto fill_values = [&](auto packed) {
      fill(packed);
      if (!share.mask.empty()) apply_mask(share.mask, packed);
    };
    if (route.value_bytes == 4) {
      fill_values(io::values_of<float>(payload));
    } else {
      fill_values(io::values_of<double>(payload));
    }
  });
}

std::span<std::byte> ServerLink::acquire_part(int stream) {
  const Route& route = nth(routes_, stream);
  if (route.shares.size() != 1) return {};
  const Share& share = shares_[route.shares.front()];
  if (!share.pattern.is_whole() || !share.mask.empty() || share.pattern.count() == 0) return {};
  const auto bytes = static_cast<std::size_t>(share.pattern.count() * route.value_bytes);
  acquired_ = {share.server, stream, reserve(share.server, io::part_bytes(bytes), stream)};
  return acquired_.part.subspan(io::EventHeader::payload_offset);
}

void ServerLink::release_part() {
  if (acquired_.server < 0) return;
  nth(channels_, acquired_.server)->cancel();
  acquired_ = {};
}

bool ServerLink::is_acquired(int stream, const io::ArrayValues& values) const {
  if (acquired_.stream != stream) return false;
  const void* const array =
      std::visit([](auto span) -> const void* { return span.data(); }, values.values);
  return array == acquired_.part.data() + io::EventHeader::payload_offset;
}

template <class SendParts>
void ServerLink::send_record(const Route& route, int stream, bool packs,
                             const SendParts& send_parts) {
  StreamCost& cost = nth(costs_, stream);
  const std::int64_t bytes_before = account_.bytes;
  if (packs && route.is_timed) {
    const double blocked_before_s = cost.blocked_s;
    const auto start = Clock::now();
    send_parts();
    const double took_s = std::chrono::duration<double>(Clock::now() - start).count();
    const double packing_s = std::max(0.0, took_s - (cost.blocked_s - blocked_before_s));
    cost.packing_s += packing_s;
    account_.packing_s += packing_s;
    steps_.slowest.note({stream, false, start, took_s}, packing_s);
  } else {
    send_parts();
  }
  cost.bytes += account_.bytes - bytes_before;
  ++cost.records;
  if (!route.shares.empty()) ++account_.records;
}

void ServerLink::send_record(int stream, std::int64_t record, std::int64_t samples,
                             std::int64_t step, const io::ArrayValues& values) {
  const Route& route = nth(routes_, stream);
  const auto& stamp = next_stamp(io::EventKind::record, stream, record, step,
                                 server_sets_[route.concerned], samples);
  send_record(route, stream, true, [&] {
    for (const std::size_t index : route.shares) {
      const Share& share = shares_[index];
      if (is_acquired(stream, values)) {
        commit_part(share.server, acquired_.part, stamp);
        acquired_ = {};
        continue;
      }
      fill_part(share, route, stamp, [&](auto packed) {
        std::visit([&](auto array) { pack_shared(share.pattern, array, values.marker, packed); },
                   values.values);
      });
    }
  });
}

void ServerLink::send_record(int stream, std::int64_t record, std::int64_t samples,
                             std::int64_t step, io::Calculation& values) {
  const Route& route = nth(routes_, stream);
  const auto& stamp = next_stamp(io::EventKind::record, stream, record, step,
                                 server_sets_[route.concerned], samples);
  // Worked out where they are put: that is arithmetic.
  send_record(route, stream, false, [&] {
    for (const std::size_t index : route.shares) {
      const Share& share = shares_[index];
      fill_part(share, route, stamp, [&](auto packed) { work_out(share.pattern, values, packed); });
    }
  });
}

double ServerLink::fullest_channel() const {
  double out = 0;
  for (const auto& channel : channels_) {
    if (channel) out = std::max(out, channel->fullest());
  }
  return out;
}

// All clients are heard before writers wait for each other at such a point: those with a channel to
// the leader by it, the others by a note.
void ServerLink::meet(io::EventKind kind, int file, std::int64_t number, std::int64_t step) {
  const std::int64_t event = send_to_writers(kind, file, number, step);
  if (nth(is_shared_, file)) pass(event);
}

void ServerLink::send_sync(int file, std::int64_t records, std::int64_t step) {
  meet(io::EventKind::sync, file, records, step);
}

void ServerLink::send_part_end(int file, std::int64_t part, std::int64_t step) {
  meet(io::EventKind::part_end, file, part, step);
}

/// Nobody waits for others at this point.
void ServerLink::send_left_out(int file, std::int64_t begin, std::int64_t end, std::int64_t step) {
  send_to_writers(io::EventKind::left_out, file, end, step, end - begin);
}

void ServerLink::send_read(int field, std::int64_t record, std::int64_t step,
                           const std::vector<std::uint8_t>& concerned,
                           const std::vector<int>& asked) {
  const auto& stamp = next_stamp(io::EventKind::read, field, record, step, concerned);
  for (const int server : asked) send_part(server, stamp, 0, [](std::span<std::byte>) {});
}

/// Returns the number of the event.
std::int64_t ServerLink::send_to_writers(io::EventKind kind, int file, std::int64_t number,
                                         std::int64_t step, std::int64_t samples) {
  const std::vector<std::uint8_t>& writes = server_sets_[nth(writers_, file)];
  const auto& stamp = next_stamp(kind, file, number, step, writes, samples);
  for (int server = 0; server < static_cast<int>(writes.size()); ++server) {
    if (nth(writes, server) == 0 || !nth(channels_, server)) continue;
    send_part(server, stamp, 0, [](std::span<std::byte>) {});
  }
  return stamp.header.event;
}

void ServerLink::send_finalize(std::int64_t step) {
  const auto& stamp = next_stamp(io::EventKind::finalize, -1, -1, step, everyone_);
  for (int s = 0; s < static_cast<int>(channels_.size()); ++s) {
    if (!nth(channels_, s)) continue;
    send_part(s, stamp, 0, [](std::span<std::byte>) {});
  }
  pass(stamp.header.event);
}

void ServerLink::pass(std::int64_t event) {
  if (channels_[io::leader]) return;
  if (trace_) trace_.add(fmt::format("pass event={}", event));
  ep::send(servers_, io::encode(io::Passed{timeline_.context(), event}), io::leader,
           static_cast<int>(io::ControlTag::to_server));
}

}  // namespace epios::client
