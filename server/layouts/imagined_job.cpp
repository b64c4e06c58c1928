// What ranks of a job would do, without the job. In order: who hears whom is decided, tables are
// weighed, a client, a server and the leaders are looked at.
#include "imagined_job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "config/error.hpp"
#include "config/file_format.hpp"
#include "config/index.hpp"
#include "config/spatial.hpp"
#include "event/event.hpp"
#include "event/gathered.hpp"
#include "event/opening.hpp"
#include "event/wire.hpp"
#include "grid/levels.hpp"
#include "records/stream_assignment.hpp"
#include "transport/channel.hpp"

namespace epios::layouts {
namespace {

/// Bytes of the offer of a channel (docs/wire_format.md).
constexpr std::size_t offer_bytes = 160;

template <class T>
std::int64_t heap_of(const std::vector<T>& items) {
  return static_cast<std::int64_t>(items.capacity() * sizeof(T));
}

std::int64_t heap_of(const io::Box& box) { return heap_of(box.begin) + heap_of(box.size); }

std::int64_t heap_of(const std::vector<io::ElementPiece>& windows) {
  std::int64_t bytes = static_cast<std::int64_t>(windows.capacity() * sizeof(io::ElementPiece));
  for (const io::ElementPiece& piece : windows) bytes += heap_of(piece.window);
  return bytes;
}

std::vector<int> ranks(int begin, int end) {
  std::vector<int> out;
  for (int rank = begin; rank < end; ++rank) out.push_back(rank);
  return out;
}

/// As a run without pools has it: the first servers gather, each other one may write any file.
io::ServerChoice choice_of(const config::Model& model, const Layout& layout) {
  io::ServerChoice choice;
  if (layout.gatherers == 0) return choice;
  choice.gatherers = ranks(0, layout.gatherers);
  io::ServerGroups groups;
  for (int rank = layout.gatherers; rank < layout.servers; ++rank) groups.push_back({rank});
  const io::ServerGroups together{ranks(layout.gatherers, layout.servers)};
  for (const config::File& file : model.files) {
    const bool is_apart = file.attributes.type.value_or("one_file") == "multiple_file";
    choice.writers.add(is_apart ? together : groups);
  }
  return choice;
}

void check(const config::Model& model, const Layout& layout) {
  if (layout.gatherers >= layout.servers) {
    throw Error(ErrorCode::argument,
                fmt::format("{} of {} servers cannot gather (nobody would write). Give more "
                            "--servers, or fewer --gatherers?",
                            layout.gatherers, layout.servers));
  }
  if (layout.gatherers == 0) return;
  if (const std::string obstacle = obstacle_to_gatherers(model); !obstacle.empty()) {
    throw Error(ErrorCode::argument,
                fmt::format("context '{}' has one level of servers ({}). Leave out --gatherers?",
                            model.context_id, obstacle));
  }
}

/// Who defines a file: the first of those that share it.
std::span<const int> definers_of(const io::FilePlacement& placement) {
  const std::span<const int> writers = placement.writers;
  return placement.is_apart ? writers : writers.first(std::min<std::size_t>(1, writers.size()));
}

/// Points along which clients differ: those of domains.
std::int64_t settled_points(const io::Pieces& pieces) {
  std::int64_t points = 0;
  for (const io::GridPiece& grid : pieces.grids) {
    std::int64_t own = 1;
    for (const int window : grid.windows) {
      const io::ElementPiece& piece = nth(pieces.windows, window);
      if (piece.element.kind == config::GridElement::Kind::domain) own *= piece.window.volume();
    }
    points += own;
  }
  return points;
}

/// Values of each grid piece that a client offers.
std::vector<std::int64_t> offered_values(const io::Pieces& pieces, const io::OpeningPart& part) {
  std::vector<std::int64_t> out;
  for (std::size_t g = 0; g < pieces.grids.size(); ++g) {
    std::int64_t values = 0;
    for (const io::Offer& offer : io::offers_of(pieces, g, {&part, 1})) {
      values = 1;
      for (const auto& runs : offer.positions) {
        values *= std::accumulate(
            runs.begin(), runs.end(), std::int64_t{0},
            [](std::int64_t sum, const io::PlaceRun& run) { return sum + run.count; });
      }
    }
    out.push_back(values);
  }
  return out;
}

}  // namespace

RecordBytes record_bytes(const config::Model& model, const io::Pieces& pieces, std::size_t stream,
                         int wire_bytes) {
  RecordBytes out;
  const int piece = pieces.of_stream[stream];
  if (piece < 0) return out;
  const auto values = [&](int grid) { return nth(pieces.grids, grid).slab.volume(); };
  out.received = values(piece) * wire_bytes;
  out.written =
      values(io::piece_on_file(pieces, stream)) * io::file_value_bytes(nth(model.streams, stream));
  if (pieces.steps_of_stream.empty()) return out;
  for (const int step : pieces.steps_of_stream[stream]) {
    const io::StepPiece& its = nth(pieces.steps, step);
    out.worked_on += (values(its.from) + values(its.to)) * std::int64_t{sizeof(double)};
  }
  return out;
}

std::string obstacle_to_gatherers(const config::Model& model) {
  if (!io::can_be_dealt_out(model)) {
    return "a grid has several domains, which cannot be dealt out";
  }
  const bool makes_fields =
      std::any_of(model.streams.begin(), model.streams.end(), [&](const config::Stream& stream) {
        return !config::steps_on_servers(model, stream).empty();
      });
  if (!makes_fields) return {};
  return "servers transform fields of whole grids, of which gatherers have rows";
}

std::int64_t table_bytes(std::span<const io::Pieces> pieces) {
  auto bytes = static_cast<std::int64_t>(pieces.size_bytes());
  for (const io::Pieces& one : pieces) {
    bytes += heap_of(one.windows) + heap_of(one.coordinate_windows) + heap_of(one.grids) +
             heap_of(one.of_stream) + heap_of(one.coordinates) + heap_of(one.steps) +
             heap_of(one.steps_of_stream) + heap_of(one.continued);
    for (const io::GridPiece& grid : one.grids) bytes += heap_of(grid.slab) + heap_of(grid.windows);
    for (const std::vector<int>& steps : one.steps_of_stream) bytes += heap_of(steps);
  }
  return bytes;
}

ImaginedJob::ImaginedJob(const config::Model& model, const Layout& layout, const RunLimits& limits)
    : model_(model),
      layout_(layout),
      limits_(limits),
      clients_(model, layout.columns > 0 ? Dealing{layout.clients, layout.columns}
                                         : Dealing::square(layout.clients)) {
  check(model_, layout_);
  wire_bytes_ = io::wire_value_bytes(model_);
  choice_ = choice_of(model_, layout_);
  written_ = io::place_files(model_, layout_.servers, limits_.shared_record_bytes, choice_);
  if (!io::has_levels(choice_)) {
    heard_ = written_;
    pieces_ = io::pieces_of(model_, written_, layout_.servers);
    return;
  }
  heard_ = io::gathered_files(model_, choice_);
  pieces_ = io::gathered_pieces(model_, choice_, layout_.servers);
  behind_ = io::pieces_of(model_, written_, layout_.servers);
}

bool ImaginedJob::is_writer_behind(int rank) const { return io::is_downstream(choice_, rank); }

/// Different sets of servers that hear of a record, or of what happens to a file.
std::int64_t ImaginedJob::server_sets() const {
  std::set<std::vector<bool>> sets;
  const std::vector<bool> nobody(pieces_.size(), false);
  for (const io::FilePlacement& file : heard_) {
    std::vector<bool> told = nobody;
    for (const int server : file.writers) nth(told, server) = true;
    sets.insert(std::move(told));
  }
  if (io::has_levels(choice_)) return std::ssize(sets);  // all gatherers, of each record
  for (std::size_t stream = 0; stream < model_.streams.size(); ++stream) {
    std::vector<bool> told = nobody;
    for (std::size_t s = 0; s < pieces_.size(); ++s) told[s] = pieces_[s].of_stream[stream] >= 0;
    sets.insert(std::move(told));
  }
  return std::ssize(sets);
}

ClientLoad ImaginedJob::client(int rank) {
  ClientLoad load;
  const config::Model& model = clients_.of(rank);
  const io::LocalParts parts(model);
  const io::Holders holders = clients_.holders();
  std::int64_t shares = 0;
  for (int s = 0; s < layout_.servers; ++s) {
    if (is_writer_behind(s)) continue;
    const io::Pieces& pieces = nth(pieces_, s);
    const io::OpeningPart part = io::opening_part(model, parts, pieces, holders, rank);
    if (rank != io::leader && part.is_empty()) continue;
    ++load.channels;
    load.opening.add(std::ssize(io::encode(part)));
    const std::vector<std::int64_t> values = offered_values(pieces, part);
    for (std::size_t stream = 0; stream < model.streams.size(); ++stream) {
      const int piece = pieces.of_stream[stream];
      const std::int64_t own = piece < 0 ? 0 : nth(values, piece);
      // From the first client gatherers hear of all records, and others of those that they make.
      const bool is_notice =
          piece < 0 ? !behind_.empty() : nth(pieces.grids, piece).slab.is_empty();
      if (own == 0 && (rank != io::leader || !is_notice)) continue;
      const std::int64_t bytes = own * wire_bytes_[stream];
      load.own_value_bytes += bytes;
      if (config::is_centered(nth(model.streams, stream).sampling.operation)) {
        load.accumulated_bytes += own * std::int64_t{sizeof(double)};
      }
      load.records.add(static_cast<std::int64_t>(io::part_bytes(0)) + bytes);
      ++shares;
    }
  }
  // What ServerLink has per stream and file, and for each different set of servers: a byte of each.
  constexpr std::int64_t route_bytes = 240;
  constexpr std::int64_t word = 8;
  constexpr std::int64_t share_bytes = 160;
  constexpr std::int64_t channel_bytes = 512;
  const auto streams = std::ssize(model.streams);
  const auto files = std::ssize(model.files);
  load.opening_tables = table_bytes(pieces_);
  load.kept_tables = streams * route_bytes + server_sets() * layout_.servers + files * word +
                     shares * static_cast<std::int64_t>(sizeof(std::size_t)) +
                     load.channels * (share_bytes + channel_bytes) + 32 * layout_.servers;
  return load;
}

/// What all clients say to a server, of those that say anything.
std::vector<io::OpeningPart> ImaginedJob::parts_for(int rank, ServerLoad& load) {
  std::vector<io::OpeningPart> out;
  for (int c = 0; c < layout_.clients; ++c) {
    const config::Model& model = clients_.of(c);
    io::OpeningPart part =
        io::opening_part(model, io::LocalParts(model), nth(pieces_, rank), clients_.holders(), c);
    if (c != io::leader && part.is_empty()) continue;
    part.remote_rank = c;
    load.opening.add(std::ssize(io::encode(part)));
    out.push_back(std::move(part));
  }
  return out;
}

/// What gatherers say to a server that writes. Together the clients of a gatherer have all of its
/// points: one client that has everything says the same.
std::vector<io::OpeningPart> ImaginedJob::gathered_parts(const io::Pieces& written,
                                                         ServerLoad& load) const {
  DealtModel whole(model_, {1, 1});
  const config::Model& model = whole.of(0);
  const io::LocalParts all(model);
  std::vector<io::OpeningPart> out;
  for (std::size_t g = 0; g < choice_.gatherers.size(); ++g) {
    const io::Pieces& own = nth(pieces_, choice_.gatherers[g]);
    const std::vector<io::OpeningPart> parts = {
        io::opening_part(model, all, own, whole.holders(), 0)};
    const auto points = io::gather_points(model, own, parts, written);
    const auto coordinates = io::assemble_coordinates(model, own, whole.forms(), parts);
    io::OpeningPart part =
        io::gathered_opening(model, points, own, coordinates.slabs, written, static_cast<int>(g));
    part.client = part.remote_rank = static_cast<int>(g);
    load.opening.add(std::ssize(io::encode(part)));
    out.push_back(std::move(part));
  }
  return out;
}

DefinedFiles ImaginedJob::definitions(std::optional<int> server) const {
  DefinedFiles out;
  std::set<int> with_hdf5;
  for (std::size_t f = 0; f < written_.size(); ++f) {
    const config::File& file = nth(model_.files, f);
    const auto& format = config::traits_of(config::format_of(file.attributes));
    for (const int writer : definers_of(written_[f])) {
      if (server && *server != writer) continue;
      if (format.has_chunks && !format.is_folder) with_hdf5.insert(writer);
      ++out.files;
      out.variables += std::ssize(file.streams);
    }
  }
  out.servers = std::ssize(with_hdf5);
  return out;
}

ServerLoad ImaginedJob::server(int rank) {
  ServerLoad load;
  const bool is_behind = is_writer_behind(rank);
  const io::Pieces pieces =
      is_behind ? io::separate_windows(nth(behind_, rank)) : nth(pieces_, rank);
  std::vector<io::OpeningPart> parts =
      is_behind ? gathered_parts(pieces, load) : parts_for(rank, load);
  const auto shares = server::assign_pieces(pieces, parts);
  const auto streams = server::assign_streams(model_, pieces, shares, parts);
  for (const io::ChannelSpec& spec :
       server::channel_specs(streams, parts, {limits_.buffer_bytes, 0, 0, 0, 0})) {
    load.channel_bytes +=
        static_cast<std::int64_t>(io::channel_bytes(spec.capacity_bytes, spec.depth));
  }
  load.channels = std::ssize(parts);
  load.opening_tables = table_bytes(pieces_) + table_bytes(behind_);
  load.settled_points = settled_points(pieces);
  std::vector<std::int64_t> buffers(model_.files.size(), 0);  // one per file, for its largest slab
  std::set<int> files;
  for (std::size_t stream = 0; stream < streams.size(); ++stream) {
    const server::StreamAssignment& share = streams[stream];
    if (!share.is_concerned()) continue;
    for (std::size_t i = 0; i < share.piece->senders.size(); ++i) {
      load.records.add(static_cast<std::int64_t>(io::part_bytes(share.part_bytes(i))));
    }
    const RecordBytes bytes = bytes_of(rank, stream);
    load.worked_on_bytes += bytes.worked_on;
    load.written_bytes += bytes.written;
    files.insert(share.file);
    ++load.variables;
    if (!share.needs_buffer()) continue;
    std::int64_t& buffer = nth(buffers, share.file);
    buffer = std::max(buffer, static_cast<std::int64_t>(share.slab_bytes()));
  }
  load.files = std::ssize(files);
  load.defined = definitions(rank);
  load.buffer_bytes = std::accumulate(buffers.begin(), buffers.end(), std::int64_t{0});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    io::OpenReply reply;
    reply.offer.resize(offer_bytes);
    reply.asked.resize(pieces.grids.size());
    load.replies.add(std::ssize(io::encode(reply)));
  }
  return load;
}

RecordBytes ImaginedJob::bytes_of(int server, std::size_t stream) const {
  const bool is_behind = is_writer_behind(server);
  RecordBytes out =
      record_bytes(model_, nth(is_behind ? behind_ : pieces_, server), stream, wire_bytes_[stream]);
  const bool gathers = !behind_.empty() && !is_behind;
  if (gathers) out.written = out.received;
  return out;
}

int ImaginedJob::heaviest_server() const {
  int heaviest = 0;
  std::int64_t most = -1;
  for (int s = layout_.gatherers; s < layout_.servers; ++s) {
    std::int64_t bytes = 0;
    for (std::size_t stream = 0; stream < model_.streams.size(); ++stream) {
      bytes += bytes_of(s, stream).written;
    }
    if (bytes > most) heaviest = s;
    most = std::max(most, bytes);
  }
  return heaviest;
}

LeaderLoad ImaginedJob::leader() const {
  LeaderLoad load;
  io::OpenContext request;
  request.context_id = model_.context_id;
  request.model = config::encode(model_);
  request.forms = clients_.forms();
  request.clients = ranks(0, layout_.clients);
  request.parts.resize(pieces_.size());
  request.choice = choice_;
  load.request_bytes = std::ssize(io::encode(request));
  load.order_messages = layout_.servers - 1;
  load.shared_files = std::count_if(written_.begin(), written_.end(),
                                    [](const auto& placement) { return placement.is_shared(); });
  load.reports = layout_.servers;
  load.defined = definitions({});
  return load;
}

}  // namespace epios::layouts
