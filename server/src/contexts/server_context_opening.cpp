// How a context is opened on a server: from the clients' parts to channels, files and answers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "config/error.hpp"
#include "contexts/event_check.hpp"
#include "contexts/server_context.hpp"
#include "grid/levels.hpp"

namespace epios::server {

void ServerContext::read_request() {
  read_levels();
  model_ = config::decode_model(request_.model);
  if (request_.forms.scalars.size() != model_.scalars.size() ||
      request_.forms.axes.size() != model_.axes.size() ||
      request_.forms.domains.size() != model_.domains.size()) {
    throw Error(ErrorCode::protocol,
                fmt::format("context '{}': coordinates and elements do not match. Is this a bug of "
                            "EPIOS?",
                            id_));
  }
  const int servers = environment_.servers->size();
  unpassed_.resize(model_.streams.size());
  placements_ = io::place_files(model_, servers, request_.shared_record_bytes, request_.choice);
  const auto rank = static_cast<std::size_t>(rank_);
  pieces_ = std::move(gathers() ? io::gathered_pieces(model_, request_.choice, servers)[rank]
                                : io::pieces_of(model_, placements_, servers)[rank]);
  if (is_behind_) pieces_ = io::separate_windows(pieces_);
  std::vector<io::Pieces> read = io::read_pieces_of(
      model_, io::place_read_files(model_, servers, request_.shared_record_bytes, request_.choice),
      servers);
  readers_.resize(model_.read_fields.size());
  for (std::size_t field = 0; field < readers_.size(); ++field) {
    for (int server = 0; server < servers; ++server) {
      const io::Pieces& its = read[static_cast<std::size_t>(server)];
      if (its.of_stream[field] >= 0) readers_[field].push_back(server);
    }
  }
  read_pieces_ = std::move(read[rank]);
}

void ServerContext::add_part(std::span<const std::byte> message) {
  if (state_ != State::collecting) return;  // of a context that is over already
  io::OpeningPart part = io::decode_opening_part(message);
  try {
    if (open_error_.empty() && part.error.empty()) {
      io::check_opening_part(model_, pieces_, part);
      io::check_read_windows(read_pieces_, part);
    }
    if (open_error_.empty()) open_error_ = part.error;
  } catch (const std::exception& error) {
    open_error_ = error.what();
  }
  parts_.push_back(std::move(part));
  if (--parts_due_ == 0) build();
}

void ServerContext::build() {
  std::sort(parts_.begin(), parts_.end(),
            [](const auto& a, const auto& b) { return a.client < b.client; });
  for (const auto& part : parts_) connected_.push_back(part.client);
  try {
    if (open_error_.empty()) {
      piece_shares_ = share_pieces(pieces_, parts_);
      shares_ = share_streams(model_, pieces_, piece_shares_, parts_);
      if (gathers()) pass_as_sent(shares_);
      if (!gathers()) steps_ = RecordSteps(model_, pieces_, piece_shares_, shares_, parts_);
      readings_.share(model_, std::move(readers_), std::move(read_pieces_), parts_);
      next_record_.assign(shares_.size(), 0);
      unfit_.assign(shares_.size(), 0);
      infinite_.assign(shares_.size(), {});
      build_channels();
      if (!is_behind_) note_missing();  // gatherers have seen it
    }
  } catch (const std::exception& error) {
    open_error_ = error.what();  // this server's alone: the others must learn of it
  }
  if (gathers()) ask_writers();
  state_ = State::waiting;
  if (rank_ != io::leader) return;
  Order order;
  order.kind = Order::Kind::make_files;
  order.context = number_;
  environment_.issue(order);
  make_files();
}

void ServerContext::make_files() {
  state_ = State::opening;
  try {
    if (open_error_.empty() && !gathers()) {
      coordinates_ = io::assemble_coordinates(model_, pieces_, request_.forms, parts_);
    }
  } catch (const std::exception& error) {
    open_error_ = error.what();
  }
  note_disagreements();
  if (open_error_.empty()) readings_.open();
  try {
    files_.open({model_, placements_, pieces_, shares_, request_.forms, coordinates_.slabs},
                open_error_);
  } catch (const std::exception& error) {  // this server's alone: the others must learn of it
    if (open_error_.empty()) open_error_ = error.what();
  }
  for (const io::Remark& remark : files_.remarks()) remarks_.push_back(remark);
  // What the parts hold is in channels, files and patterns now.
  for (io::OpeningPart& part : parts_) {
    part.windows = {};
    part.held = {};
    part.masks = {};
    part.coordinates = {};
    part.read_windows = {};
    part.hears_of = {};
    part.rows = {};
  }
}

/// Channels that fit into what nobody else in this process has taken.
std::vector<io::ChannelSpec> ServerContext::take_channel_bytes(std::size_t budget, int requests) {
  io::ChannelMemory& memory = environment_.job->channel_memory();
  for (;;) {
    std::vector<io::ChannelSpec> specs = channel_specs(
        shares_, parts_, {budget, memory.taken(), answer_bytes_, requests, steps_.bytes()});
    std::size_t bytes = answer_bytes_ + steps_.bytes();
    for (const io::ChannelSpec& spec : specs) {
      bytes += io::channel_bytes(spec.capacity_bytes, spec.depth);
    }
    auto taken = memory.take(bytes, budget);
    if (!taken.share) continue;  // a client of this process has been first
    channel_bytes_ = std::move(*taken.share);
    return specs;
  }
}

void ServerContext::build_channels() {
  const auto budget = static_cast<std::size_t>(request_.buffer_bytes);
  const int read_ahead = io::read_ahead(model_, request_.buffer_bytes);
  answer_bytes_ = readings_.answer_bytes(read_ahead);
  const auto specs = take_channel_bytes(budget, model_.read_fields.empty() ? 0 : read_ahead);
  const int tag = io::channel_tag(number_);
  const auto wish = static_cast<io::CarrierKind>(request_.carrier);
  // Between levels there are no windows.
  const bool is_forced =
      request_.carrier > 0 && !(is_behind_ && wish == io::CarrierKind::one_sided);
  const auto force = is_forced ? wish : io::CarrierKind::in_process;
  try {
    channels_ = std::make_unique<io::ChannelGroup>(
        is_behind_ ? *environment_.servers : *environment_.clients, tag, specs, force,
        is_behind_ ? nullptr : environment_.window);
  } catch (const ep::Error& error) {
    throw Error(ErrorCode::resource,
                fmt::format("{} Set 'buffer_bytes' or 'carrier' of context 'xios'?", error.what()));
  }
  note_fallback();

  std::vector<io::EventQueue::Input> inputs;
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    inputs.push_back({connected_[c], &channels_->receiver(c), std::move(parts_[c].clients)});
  }
  queue_ = std::make_unique<io::EventQueue>(
      id_, std::move(inputs),
      [this](io::EventKind kind, int stream) -> const std::vector<int>& {
        if (kind == io::EventKind::record && stream >= 0 &&
            stream < static_cast<int>(shares_.size())) {
          const StreamShare& share = shares_[static_cast<std::size_t>(stream)];
          if (share.is_concerned()) return share.piece->senders;
          if (gathers()) return speakers_;
        }
        if (kind == io::EventKind::read && readings_.reads(stream)) return readings_.askers(stream);
        return connected_;
      },
      [this](const io::EventHeader& header) { return event_text(model_, header); },
      is_behind_ ? io::EventQueue::Senders::gatherers : io::EventQueue::Senders::clients);
}

/// Which memory is missing is each server's; that it is, is one thing to know.
void ServerContext::note_fallback() {
  if (channels_->fallback().empty()) return;
  environment_.log->info(fmt::format("context '{}': {}", id_, channels_->fallback()));
  remarks_.push_back({{},
                      "not all servers have the shared memory that their clients' data need (is "
                      "/dev/shm small, or full?)",
                      0,
                      {},
                      "The data go as messages, which takes longer. Set 'buffer_bytes' of context "
                      "'xios' to less, or 'carrier' to 'messages'?"});
}

/// Points of written grids without a value anywhere: of each grid in its first stream, so that no
/// two servers count a point. That a client describes them and has masked them is no news.
void ServerContext::note_missing() {
  std::map<int, int> streams;  // per grid: how many streams it has
  for (const config::Stream& stream : model_.streams) ++streams[stream.grid];
  for (std::size_t s = 0; s < model_.streams.size(); ++s) {
    const config::Stream& stream = model_.streams[s];
    const int count = std::exchange(streams[stream.grid], 0);
    if (count == 0 || !shares_[s].is_concerned()) continue;
    const PieceShare& share = *shares_[s].on_file;
    const std::string fields =
        count == 1 ? fmt::format("field '{}'", stream.name)
                   : fmt::format("field '{}' and {} more on its grid", stream.name, count - 1);
    const auto examples = [&](const std::vector<std::int64_t>& positions) {
      std::vector<std::string> out;
      out.reserve(positions.size());
      for (const std::int64_t p : positions) out.push_back(io::point_text(share.slab, p));
      return out;
    };
    if (share.unheld > 0) {
      remarks_.push_back({{},
                          fmt::format("no client has {}", fields),
                          share.unheld,
                          examples(share.first_unheld),
                          "They are written as missing values. Do the parts of all clients "
                          "together make the whole grid?"});
    }
    if (share.missing == share.unheld) continue;
    environment_.log->info(fmt::format(
        "context '{}': {} points of {} have no value on any client (they are masked, or outside "
        "of the data) and are written as missing values (indices from 0, first dimension first: "
        "{}{})",
        id_, share.missing - share.unheld, fields, fmt::join(examples(share.first_missing), ", "),
        std::cmp_greater(share.missing, share.first_missing.size()) ? ", ..." : ""));
  }
}

/// What clients say of the same coordinates, for each file that has them.
void ServerContext::note_disagreements() {
  if (coordinates_.disagreements.empty()) return;
  for (const io::CoordinatePiece& piece : pieces_.coordinates) {
    for (io::Remark remark : coordinates_.disagreements[static_cast<std::size_t>(piece.window)]) {
      remark.file = model_.files[static_cast<std::size_t>(piece.file)].path;
      remarks_.push_back(std::move(remark));
    }
  }
}

bool ServerContext::reply_when_open() {
  if (!files_.are_idle() || !readings_.is_idle()) return false;
  if (open_error_.empty()) open_error_ = readings_.open_error();
  if (!files_.are_split()) coordinates_ = {};  // in the files now
  if (open_error_.empty()) open_error_ = files_.first_error();
  if (!open_error_.empty()) {
    fail(ErrorCode::io, fmt::format("context '{}': {}", id_, open_error_));
    return true;
  }
  reply_to_all();
  state_ = State::running;
  log_opening();
  return true;
}

void ServerContext::log_opening() {
  std::map<std::string_view, int> carriers;
  for (std::size_t c = 0; c < channels_->size(); ++c) {
    ++carriers[io::name(channels_->receiver(c).carrier())];
  }
  std::vector<std::string> channels;
  channels.reserve(carriers.size());
  for (const auto& [carrier, count] : carriers) {
    channels.push_back(fmt::format("{} by {}", count, carrier));
  }
  std::set<std::string_view> files;
  for (const auto& share : shares_) {
    if (share.is_concerned()) files.insert(model_.files[static_cast<std::size_t>(share.file)].id);
  }
  const std::string does =
      gathers()       ? fmt::format("gathers for {}",
                                    io::ranks_text(to_writers_->servers(), "server", "servers"))
      : files.empty() ? "writes nothing"
                      : fmt::format("writes {}", fmt::join(files, ", "));
  environment_.log->info(fmt::format("context '{}' opened: {} {} ({}), {} bytes of channels, {}",
                                     id_, channels_->size(), is_behind_ ? "gatherers" : "clients",
                                     fmt::join(channels, ", "),
                                     channels_->memory_bytes() + answer_bytes_, does));
}

void ServerContext::reply_to_all() {
  std::vector<io::OpenReply> replies(parts_.size());
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    replies[c].context = number_;
    replies[c].error = open_error_;
    if (!open_error_.empty()) continue;
    replies[c].offer = channels_->offer(c);
    replies[c].asked.resize(pieces_.grids.size());
  }
  std::vector<bool> comes(piece_shares_.size(), false);  // others are made here
  for (const int piece : pieces_.of_stream) {
    if (piece >= 0 && open_error_.empty()) comes[static_cast<std::size_t>(piece)] = true;
  }
  for (std::size_t g = 0; g < piece_shares_.size() && open_error_.empty(); ++g) {
    PieceShare& share = piece_shares_[g];
    if (!comes[g]) continue;
    std::size_t c = 0;
    for (std::size_t i = 0; i < share.senders.size(); ++i) {
      while (connected_[c] != share.senders[i]) ++c;
      replies[c].asked[g] = std::move(share.asked[i]);
    }
    share.asked = {};
  }
  // The first client is connected to every server: it tells the user.
  if (!parts_.empty() && parts_.front().client == io::leader) {
    replies.front().remarks = std::exchange(remarks_, {});
  }
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    answer(c, replies[c]);
  }
  parts_ = {};
}

}  // namespace epios::server
