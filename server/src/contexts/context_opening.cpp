// From the request to open a context, and the parts that its clients send, to the plan of this
// server and the answers. Servers decide alone what they can do; the answers tell the clients, so
// that all open a context or none. In order: the request is read, parts are taken, shares are
// assigned, remarks are noted, answers are made.
#include "contexts/context_opening.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "grid/levels.hpp"

namespace epios::server {

namespace {

/// Throws Error{protocol} unless `ranks` are of servers, each once.
void check_servers(const std::string& context, std::vector<int> ranks, int servers) {
  std::sort(ranks.begin(), ranks.end());
  const bool is_good = std::adjacent_find(ranks.begin(), ranks.end()) == ranks.end() &&
                       (ranks.empty() || (ranks.front() >= 0 && ranks.back() < servers));
  if (is_good) return;
  throw Error(
      ErrorCode::protocol,
      fmt::format("context '{}': servers {} are chosen (there are {}, each counts once). Is "
                  "this a bug of EPIOS?",
                  context, fmt::join(ranks, ", "), servers));
}

/// Returns how many parts come to this server: without that number nobody knows when to answer. The
/// first client, or gatherer, speaks to all servers, also for points that nobody has.
int parts_due(const ContextPlan& plan) {
  const std::vector<int>& parts = plan.request.parts;
  if (parts.size() == static_cast<std::size_t>(plan.servers) && nth(parts, plan.rank) > 0)
    return nth(parts, plan.rank);
  throw Error(ErrorCode::protocol,
              fmt::format("context '{}': it is not said how many clients take part in server {} of "
                          "{}. Is this a bug of EPIOS?",
                          plan.id, plan.rank, plan.servers));
}

}  // namespace

ContextOpening::ContextOpening(ContextPlan& plan, const Log& log)
    : plan_(plan), log_(log), parts_due_(parts_due(plan)) {
  attempt([this] { read_request(); });
  if (!error_.empty()) place_after_failure();
  plan_.request.model = {};
}

/// What is wrong with a request is wrong for all servers, which make no files then. Where memory
/// was refused to this one, others may wait for it to say no to files that they share.
void ContextOpening::place_after_failure() {
  if (plan_.placements.size() == plan_.model.files.size()) return;
  try {
    check_choice();
    plan_.placements = io::place_files(plan_.model, plan_.servers,
                                       plan_.request.shared_record_bytes, plan_.request.choice);
  } catch (const std::exception&) {
    plan_.model.files = {};
    plan_.placements.clear();
  }
}

void ContextOpening::refuse(const std::string& why) {
  if (error_.empty()) error_ = why;
}

void ContextOpening::read_levels() {
  check_servers(plan_.id, plan_.request.choice.gatherers, plan_.servers);
  plan_.gatherer = io::gatherer_number(plan_.request.choice, plan_.rank);
  plan_.is_downstream = io::is_downstream(plan_.request.choice, plan_.rank);
}

/// Ranks and numbers of a choice become indices in all that follows.
void ContextOpening::check_choice() const {
  const io::ServerChoice& choice = plan_.request.choice;
  const auto check_count = [this](std::size_t count, std::size_t files) {
    if (count == 0 || count == files) return;
    throw Error(ErrorCode::protocol,
                fmt::format("context '{}': servers are chosen for {} files of {}. Is this a bug of "
                            "EPIOS?",
                            plan_.id, count, files));
  };
  const auto check_servers_of = [&](const io::FileServers& chosen, std::size_t files) {
    check_count(chosen.of_file.size(), files);
    for (const io::ServerGroups& groups : chosen.choices) {
      for (const std::vector<int>& group : groups) {
        if (group.empty()) check_count(1, 0);
        check_servers(plan_.id, group, plan_.servers);
      }
    }
  };
  check_servers_of(choice.writers, plan_.model.files.size());
  check_servers_of(choice.readers, plan_.model.read_files.size());
}

void ContextOpening::read_request() {
  read_levels();
  const io::OpenContext& request = plan_.request;
  config::Model& model = plan_.model;
  model = config::decode_model(request.model);
  if (request.forms.scalars.size() != model.scalars.size() ||
      request.forms.axes.size() != model.axes.size() ||
      request.forms.domains.size() != model.domains.size()) {
    throw Error(ErrorCode::protocol,
                fmt::format("context '{}': coordinates and elements do not match. Is this a bug of "
                            "EPIOS?",
                            plan_.id));
  }
  check_choice();
  const int servers = plan_.servers;
  const auto rank = static_cast<std::size_t>(plan_.rank);
  plan_.placements = io::place_files(model, servers, request.shared_record_bytes, request.choice);
  plan_.pieces =
      std::move(plan_.gathers() ? io::gathered_pieces(model, request.choice, servers)[rank]
                                : io::pieces_of(model, plan_.placements, servers)[rank]);
  if (plan_.is_downstream) plan_.pieces = io::separate_windows(plan_.pieces);
  std::vector<io::Pieces> read = io::read_pieces_of(
      model, io::place_read_files(model, servers, request.shared_record_bytes, request.choice),
      servers);
  reading_.readers.resize(model.read_fields.size());
  for (std::size_t field = 0; field < reading_.readers.size(); ++field) {
    for (int server = 0; server < servers; ++server) {
      const io::Pieces& pieces = nth(read, server);
      if (pieces.of_stream[field] >= 0) reading_.readers[field].push_back(server);
    }
  }
  reading_.pieces = std::move(read[rank]);
}

/// The sender is answered by these numbers, whatever else is wrong.
void ContextOpening::check_sender(const io::OpeningPart& part) const {
  const std::vector<int>& senders =
      plan_.is_downstream ? plan_.request.choice.gatherers : plan_.request.clients;
  const bool is_known = part.client >= 0 && std::cmp_less(part.client, senders.size()) &&
                        nth(senders, part.client) == part.remote_rank;
  if (is_known && parts_due_ > 0) return;
  throw Error(ErrorCode::protocol,
              fmt::format("context '{}': received a part of {} {} with rank {} ({}). Is this a bug "
                          "of EPIOS?",
                          plan_.id, plan_.is_downstream ? "gatherer" : "client", part.client,
                          part.remote_rank, is_known ? "none is due" : "it does not take part"));
}

int ContextOpening::add_part(std::span<const std::byte> message) {
  io::OpeningPart part = io::decode_opening_part(message);
  check_sender(part);
  attempt([&] {
    if (!part.error.empty()) return;
    io::check_opening_part(plan_.model, plan_.pieces, part);
    io::check_read_windows(reading_.pieces, part);
  });
  refuse(part.error);
  const int sender = part.client;
  parts_.push_back(std::move(part));
  if (--parts_due_ > 0) return sender;
  std::sort(parts_.begin(), parts_.end(),
            [](const auto& a, const auto& b) { return a.client < b.client; });
  for (const auto& sorted : parts_) plan_.connected.push_back(sorted.client);
  const auto twice = std::adjacent_find(plan_.connected.begin(), plan_.connected.end());
  if (twice != plan_.connected.end()) {
    throw Error(ErrorCode::protocol,
                fmt::format("context '{}': client {} has sent two parts, and another one none. Is "
                            "this a bug of EPIOS?",
                            plan_.id, *twice));
  }
  if (plan_.connected.front() == io::leader) return sender;
  throw Error(ErrorCode::protocol,
              fmt::format("context '{}': the first {} has sent no part. Is this a bug of EPIOS?",
                          plan_.id, plan_.is_downstream ? "gatherer" : "client"));
}

void ContextOpening::assign() {
  plan_.piece_assignments = assign_pieces(plan_.pieces, parts_);
  plan_.streams = assign_streams(plan_.model, plan_.pieces, plan_.piece_assignments, parts_);
  if (plan_.gathers()) pass_as_sent(plan_.streams);
}

void ContextOpening::assemble_coordinates() {
  coordinates_ = io::assemble_coordinates(plan_.model, plan_.pieces, plan_.request.forms, parts_);
  note_disagreements();
}

/// Notes, for each file that has the coordinates, what clients say differently of them.
void ContextOpening::note_disagreements() {
  if (coordinates_.disagreements.empty()) return;
  for (const io::CoordinatePiece& piece : plan_.pieces.coordinates) {
    for (io::Remark remark : nth(coordinates_.disagreements, piece.window)) {
      remark.file = nth(plan_.model.files, piece.file).path;
      remarks_.push_back(std::move(remark));
    }
  }
}

/// A point is noted for the first stream of its grid, so that no two servers count it. That clients
/// describe points and have masked them is no news for the user: the log says it.
void ContextOpening::note_missing() {
  std::map<int, int> streams;  // number of streams per grid
  for (const config::Stream& stream : plan_.model.streams) ++streams[stream.grid];
  for (std::size_t s = 0; s < plan_.model.streams.size(); ++s) {
    const config::Stream& stream = nth(plan_.model.streams, s);
    const int count = std::exchange(streams[stream.grid], 0);
    if (count == 0 || !plan_.streams[s].is_concerned()) continue;
    const PieceAssignment& share = *plan_.streams[s].on_file;
    const std::string fields =
        count == 1 ? fmt::format("field '{}'", stream.name)
                   : fmt::format("field '{}' and {} more on its grid", stream.name, count - 1);
    const auto examples = [&](const std::vector<std::int64_t>& positions) {
      std::vector<std::string> out;
      out.reserve(positions.size());
      for (const std::int64_t p : positions) out.push_back(io::point_text(share.slab, p));
      return out;
    };
    if (share.unowned > 0) {
      remarks_.push_back({{},
                          fmt::format("no client has {}", fields),
                          share.unowned,
                          examples(share.first_unowned),
                          "They are written as missing values. Do the parts of all clients "
                          "together make the whole grid?"});
    }
    if (share.missing == share.unowned) continue;
    log_.info(fmt::format(
        "context '{}': {} points of {} have no value on any client (they are masked, or outside "
        "of the data) and are written as missing values (indices from 0, first dimension first: "
        "{}{})",
        plan_.id, share.missing - share.unowned, fields,
        fmt::join(examples(share.first_missing), ", "),
        std::cmp_greater(share.missing, share.first_missing.size()) ? ", ..." : ""));
  }
}

/// Which memory is missing is each server's; that some is missing the user should know once.
void ContextOpening::note_fallback(const std::string& why) {
  if (why.empty()) return;
  log_.info(fmt::format("context '{}': {}", plan_.id, why));
  remarks_.push_back({{},
                      "not all servers have the shared memory that their clients' data need (is "
                      "/dev/shm small, or full?)",
                      0,
                      {},
                      "The data go as messages, which takes longer. Set 'buffer_bytes' of context "
                      "'xios' to less, or 'carrier' to 'messages'?"});
}

void ContextOpening::add_remarks(std::span<const io::Remark> remarks) {
  remarks_.insert(remarks_.end(), remarks.begin(), remarks.end());
}

void ContextOpening::forget_offers() {
  for (io::OpeningPart& part : parts_) {
    part.windows = {};
    part.held = {};
    part.masks = {};
    part.coordinates = {};
    part.read_windows = {};
    part.is_notified_of = {};
    part.rows = {};
  }
}

/// Tells each client which of its points this server wants. Pieces that no stream has are made
/// here: nobody sends them.
void ContextOpening::add_requested_points(std::vector<io::OpenReply>& replies) {
  std::vector<bool> is_sent(plan_.piece_assignments.size(), false);
  for (const int piece : plan_.pieces.of_stream) {
    if (piece >= 0) nth(is_sent, piece) = true;
  }
  for (std::size_t g = 0; g < plan_.piece_assignments.size(); ++g) {
    PieceAssignment& share = plan_.piece_assignments[g];
    if (!is_sent[g]) continue;
    std::size_t c = 0;
    for (std::size_t i = 0; i < share.senders.size(); ++i) {
      while (plan_.connected[c] != share.senders[i]) ++c;
      replies[c].asked[g] = std::move(share.asked[i]);
    }
    share.asked = {};
  }
}

void ContextOpening::reply_to_all(const Offer& offer, const Send& send) {
  std::vector<io::OpenReply> replies(parts_.size());
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    replies[c].context = plan_.number;
    replies[c].error = error_;
    if (!error_.empty()) continue;
    replies[c].offer = offer(c);
    replies[c].asked.resize(plan_.pieces.grids.size());
  }
  if (error_.empty()) add_requested_points(replies);
  // The first client is connected to every server: it tells the user.
  if (!parts_.empty() && parts_.front().client == io::leader) {
    replies.front().remarks = std::exchange(remarks_, {});
  }
  for (std::size_t c = 0; c < parts_.size(); ++c) send(parts_[c], replies[c]);
  parts_ = {};
}

}  // namespace epios::server
