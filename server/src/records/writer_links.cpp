// The sending side of a gatherer: channels to all writers, and for each stream the parts that each
// writer gets. All parts of an event get room before one is filled, since an event is passed on
// completely or not at all. In order: the opening, routes, passing an event on, draining.
#include "records/writer_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ep/ep.hpp>

#include "config/error.hpp"
#include "config/index.hpp"
#include "event/traced_event.hpp"
#include "grid/levels.hpp"

namespace epios::server {
namespace {

template <class T>
void gather(const io::Pattern& pattern, std::span<std::byte> slab, std::span<std::byte> payload) {
  pattern.gather(io::values_of<T>(slab).data(), io::values_of<T>(payload).data());
}

}  // namespace

WriterLinks::WriterLinks(const Environment& environment)
    : environment_(environment),
      gatherer_(io::gatherer_number(*environment.choice, environment.servers->rank())) {
  for (int server = 0; server < environment_.servers->size(); ++server) {
    if (!io::is_downstream(*environment_.choice, server)) continue;
    writers_.emplace_back().server = server;
  }
  full_.reserve(writers_.size());
}

/// Works out who writes what, and gets which events.
void WriterLinks::share_out(std::span<const io::FilePlacement> placements) {
  const std::vector<io::Pieces> pieces =
      io::pieces_of(*environment_.model, placements, environment_.servers->size());
  for (Writer& writer : writers_) {
    writer.pieces = io::separate_windows(nth(pieces, writer.server));
  }
  for (std::size_t w = 0; w < writers_.size(); ++w) {
    end_.concerned.push_back(w);
    end_.parts.push_back({w, nullptr, 0});
  }
  for (const io::FilePlacement& placement : placements) {
    Route& route = files_.emplace_back();
    for (std::size_t w = 0; w < writers_.size(); ++w) {
      const auto& its = placement.writers;
      if (std::find(its.begin(), its.end(), writers_[w].server) == its.end()) continue;
      route.concerned.push_back(w);
      route.parts.push_back({w, nullptr, 0});
    }
  }
}

std::vector<std::byte> WriterLinks::message_of(io::OpeningPart part) const {
  part.opening = environment_.context;
  part.client = gatherer_;
  part.remote_rank = environment_.servers->rank();
  return io::encode(part);
}

void WriterLinks::send(const Writer& writer, std::vector<std::byte> message) const {
  environment_.to_servers->send_long(*environment_.servers, writer.server,
                                     static_cast<int>(io::ControlTag::inter_level),
                                     std::move(message));
}

void WriterLinks::ask(std::span<const io::FilePlacement> placements, const io::Pieces& own,
                      std::span<const io::OpeningPart> parts,
                      std::span<const io::CoordinateSlab> coordinates) {
  share_out(placements);
  // All are made before one leaves: what cannot be made is told instead.
  const std::vector<io::PlaceRun> clients = io::clients_with_points(parts);
  std::vector<std::vector<std::byte>> made;
  made.reserve(writers_.size());
  for (Writer& writer : writers_) {
    writer.points = io::gather_points(*environment_.model, own, parts, writer.pieces);
    io::OpeningPart part = io::gathered_opening(*environment_.model, writer.points, own,
                                                coordinates, writer.pieces, gatherer_);
    part.clients = clients;
    made.push_back(message_of(std::move(part)));
  }
  for (std::size_t w = 0; w < writers_.size(); ++w) send(writers_[w], std::move(made[w]));
}

void WriterLinks::refuse(const std::string& why) {
  io::OpeningPart part;
  part.error = why;
  for (const Writer& writer : writers_) send(writer, message_of(part));
}

void WriterLinks::add_reply(int server, io::OpenReply reply) {
  const auto writer = std::find_if(writers_.begin(), writers_.end(),
                                   [server](const Writer& w) { return w.server == server; });
  if (writer != writers_.end()) writer->reply = std::move(reply);
}

std::vector<int> WriterLinks::unanswered() const {
  std::vector<int> out;
  for (const Writer& writer : writers_) {
    if (!writer.reply) out.push_back(writer.server);
  }
  return out;
}

std::string WriterLinks::refusal() const {
  for (const Writer& writer : writers_) {
    if (writer.reply && !writer.reply->error.empty()) return writer.reply->error;
  }
  return {};
}

std::vector<io::Remark> WriterLinks::take_remarks() {
  std::vector<io::Remark> out;
  for (Writer& writer : writers_) {
    if (!writer.reply) continue;
    std::move(writer.reply->remarks.begin(), writer.reply->remarks.end(), std::back_inserter(out));
    writer.reply->remarks = {};
  }
  return out;
}

void WriterLinks::connect(const std::vector<StreamAssignment>& shares) {
  shares_ = &shares;
  for (Writer& writer : writers_) {
    if (writer.reply->asked.size() != writer.pieces.grids.size()) {
      throw Error(
          ErrorCode::protocol,
          fmt::format("server {} asks for {} parts of grids (it writes {}). Is this a bug "
                      "of EPIOS?",
                      writer.server, writer.reply->asked.size(), writer.pieces.grids.size()));
    }
    writer.channel = io::open_channel(*environment_.servers, writer.server, writer.reply->offer);
    if (fallback_.empty()) fallback_ = writer.channel->fallback();
  }
  for (std::size_t s = 0; s < shares.size(); ++s) add_route(s);
  for (Writer& writer : writers_) {
    writer.reply.reset();
    writer.points = {};
  }
  known_.clear();
}

const io::Pattern* WriterLinks::pattern_of(std::size_t writer, std::size_t piece,
                                           const io::RequestedPoints& asked) {
  const io::Pattern*& pattern = known_[{writer, piece}];
  if (pattern == nullptr) {
    patterns_.push_back(io::pattern_to_pass(writers_[writer].points[piece], asked));
    pattern = &patterns_.back();
  }
  return pattern;
}

void WriterLinks::add_route(std::size_t stream) {
  const StreamAssignment& share = (*shares_)[stream];
  Route& route = records_.emplace_back();
  for (std::size_t w = 0; w < writers_.size(); ++w) {
    const int number = writers_[w].pieces.of_stream[stream];
    if (number < 0) continue;
    route.concerned.push_back(w);
    const auto piece = static_cast<std::size_t>(number);
    const io::RequestedPoints& asked = writers_[w].reply->asked[piece];
    if (asked.points == io::RequestedPoints::Points::none) continue;
    const io::Pattern* const pattern = pattern_of(w, piece, asked);
    const auto values = static_cast<std::size_t>(pattern->count());
    route.parts.push_back({w, pattern, values * static_cast<std::size_t>(share.value_bytes)});
  }
  if (!share.is_concerned()) return;
  route.is_direct = route.parts.size() == 1 && route.parts.front().pattern->is_whole() &&
                    route.parts.front().bytes == share.slab_bytes();
  const bool has_values = std::any_of(route.parts.begin(), route.parts.end(),
                                      [](const Part& part) { return part.bytes > 0; });
  if (has_values && !route.is_direct) slab_.resize(std::max(slab_.size(), share.slab_bytes()));
}

bool WriterLinks::pass(const io::EventQueue::Event& event, const io::ActorTrace& trace) {
  const auto index = static_cast<std::size_t>(event.header.stream);
  const bool is_record = event.header.kind == io::EventKind::record;
  const Route& route = is_record                                      ? records_[index]
                       : event.header.kind == io::EventKind::finalize ? end_
                                                                      : files_[index];
  if (!reserve(route)) return false;
  if (trace) trace.add("execute " + io::traced(event));
  if (is_record) fill(route, event);
  commit(route, event.header, trace);
  return true;
}

bool WriterLinks::reserve(const Route& route) {
  full_.clear();
  for (const Part& part : route.parts) {
    Writer& writer = writers_[part.writer];
    if (!writer.reserved.empty()) continue;
    writer.reserved = writer.channel->try_reserve(io::part_bytes(part.bytes));
    if (writer.reserved.empty()) full_.push_back(writer.server);
  }
  return full_.empty();
}

/// Clients' parts are put together in the channel, where what goes on is one part.
void WriterLinks::fill(const Route& route, const io::EventQueue::Event& event) {
  const StreamAssignment& share = nth((*shares_), event.header.stream);
  if (!share.is_concerned()) return;
  const auto payload_of = [&](const Part& part) {
    return writers_[part.writer].reserved.subspan(io::EventHeader::payload_offset, part.bytes);
  };
  if (route.is_direct) {
    assemble(share, event.parts, payload_of(route.parts.front()));
    return;
  }
  const bool has_values = std::any_of(route.parts.begin(), route.parts.end(),
                                      [](const Part& part) { return part.bytes > 0; });
  if (!has_values) return;
  const std::span<std::byte> slab = std::span(slab_).first(share.slab_bytes());
  assemble(share, event.parts, slab);
  for (const Part& part : route.parts) {
    if (share.value_bytes == 4) {
      gather<float>(*part.pattern, slab, payload_of(part));
    } else {
      gather<double>(*part.pattern, slab, payload_of(part));
    }
  }
}

void WriterLinks::commit(const Route& route, const io::EventHeader& header,
                         const io::ActorTrace& trace) {
  for (const Part& part : route.parts) {
    Writer& writer = writers_[part.writer];
    io::EventHeader own = header;
    own.sequence = writer.next_sequence;
    own.payload_bytes = part.bytes;
    io::write_header(writer.reserved, own);
    if (trace) {
      trace.add(fmt::format("put server={} event={} sequence={} bytes={}", writer.server, own.event,
                            own.sequence, writer.reserved.size()));
    }
    writer.reserved = {};
    writer.channel->commit();
  }
  for (const std::size_t w : route.concerned) ++writers_[w].next_sequence;
}

void WriterLinks::cancel() {
  for (Writer& writer : writers_) {
    if (writer.channel && !writer.reserved.empty()) writer.channel->cancel();
    writer.reserved = {};
  }
}

void WriterLinks::progress() {
  for (Writer& writer : writers_) {
    if (writer.channel) writer.channel->progress();
  }
}

std::vector<int> WriterLinks::undrained() {
  std::vector<int> out;
  for (Writer& writer : writers_) {
    if (writer.channel && !writer.channel->is_drained()) out.push_back(writer.server);
  }
  return out;
}

std::vector<int> WriterLinks::servers() const {
  std::vector<int> out;
  for (const Writer& writer : writers_) out.push_back(writer.server);
  return out;
}

}  // namespace epios::server
