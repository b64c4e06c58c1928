#include "server_link.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace epios::client {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

ServerLink::ServerLink(const ep::Comm& servers, const config::Model& model,
                       std::vector<io::Box> boxes, std::int64_t shared_record_bytes,
                       const Replies& replies, std::function<void()> check)
    : servers_(servers),
      boxes_(std::move(boxes)),
      placements_(io::place_files(model, static_cast<int>(replies.size()), shared_record_bytes)),
      everyone_(replies.size(), 1),
      timeline_(replies.front().context, static_cast<int>(replies.size())),
      check_(std::move(check)) {
  const int server_count = static_cast<int>(replies.size());
  for (int s = 0; s < server_count; ++s) {
    channels_.push_back(io::open_channel(servers_, s, replies[static_cast<std::size_t>(s)].offer));
  }
  for (const auto& placement : placements_) {
    auto& writes = writes_file_.emplace_back(replies.size(), 0);
    for (const int server : placement.writers) writes[static_cast<std::size_t>(server)] = 1;
  }
  for (int i = 0; i < static_cast<int>(model.streams.size()); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const auto& stream = model.streams[index];
    const auto& placement = placements_[static_cast<std::size_t>(stream.file)];
    const auto slabs = io::place_stream(model, i, placement).slabs;
    Route route;
    route.grid = stream.grid;
    route.value_bytes = io::value_bytes(stream);
    for (const auto& reply : replies) route.concerned.push_back(reply.concerned[index]);
    for (std::size_t w = 0; w < placement.writers.size(); ++w) {
      const int server = placement.writers[w];
      if (replies[static_cast<std::size_t>(server)].expected[index] == 0) continue;
      const io::Box& own = boxes_[static_cast<std::size_t>(stream.grid)];
      const io::Box nothing{slabs[w].begin, io::Extents(slabs[w].rank(), 0)};
      route.targets.push_back({server, io::intersect(own, slabs[w]).value_or(nothing)});
    }
    routes_.push_back(std::move(route));
  }
}

std::span<std::byte> ServerLink::reserve(int server, std::size_t bytes) {
  io::ChannelSender& channel = *channels_[static_cast<std::size_t>(server)];
  std::span<std::byte> space = channel.try_reserve(bytes);
  if (!space.empty()) return space;
  const auto start = Clock::now();
  ep::wait_until(servers_, {"room in the channel to a server", server}, [&] {
    check_();
    channel.progress();
    space = channel.try_reserve(bytes);
    return !space.empty();
  });
  account_.blocked_s += std::chrono::duration<double>(Clock::now() - start).count();
  return space;
}

template <class Pack>
void ServerLink::send_part(int server, const io::Timeline::Stamp& stamp, std::size_t payload_bytes,
                           const Pack& pack) {
  const std::span<std::byte> part = reserve(server, io::part_bytes(payload_bytes));
  io::EventHeader header = stamp.header;
  header.sequence = stamp.sequence[static_cast<std::size_t>(server)];
  header.payload_bytes = payload_bytes;
  io::write_header(part, header);
  pack(part.subspan(io::EventHeader::payload_offset, payload_bytes));
  channels_[static_cast<std::size_t>(server)]->commit();
  account_.bytes += static_cast<std::int64_t>(payload_bytes);
}

void ServerLink::send_record(int stream, std::int64_t record, std::int64_t step,
                             std::span<const double> values) {
  check_();
  const Route& route = routes_[static_cast<std::size_t>(stream)];
  const io::Box& own = boxes_[static_cast<std::size_t>(route.grid)];
  const auto& stamp = timeline_.stamp(io::EventKind::record, stream, record, step, route.concerned);
  for (const Target& target : route.targets) {
    const auto bytes = static_cast<std::size_t>(target.region.volume() * route.value_bytes);
    send_part(target.server, stamp, bytes, [&](std::span<std::byte> payload) {
      if (target.region.is_empty()) return;
      if (route.value_bytes == 4) {
        io::copy_region(values, own, io::values_of<float>(payload), target.region, target.region);
      } else {
        io::copy_region(values, own, io::values_of<double>(payload), target.region, target.region);
      }
    });
  }
  if (!route.targets.empty()) ++account_.records;
}

// Every client sends to every writer: a writer that has all parts knows that all clients are past
// everything before, so that writers can wait for each other at this point.
void ServerLink::send_sync(int file, std::int64_t records, std::int64_t step) {
  check_();
  const auto f = static_cast<std::size_t>(file);
  const auto& stamp = timeline_.stamp(io::EventKind::sync, file, records, step, writes_file_[f]);
  for (const int server : placements_[f].writers) {
    send_part(server, stamp, 0, [](std::span<std::byte>) {});
  }
}

void ServerLink::send_finalize(std::int64_t step) {
  check_();
  const auto& stamp = timeline_.stamp(io::EventKind::finalize, -1, -1, step, everyone_);
  for (int s = 0; s < static_cast<int>(channels_.size()); ++s) {
    send_part(s, stamp, 0, [](std::span<std::byte>) {});
  }
}

}  // namespace epios::client
