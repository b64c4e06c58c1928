// Which client sends which points of this server's pieces, how a record is put together from the
// parts, and how large channels must be for that. Points that several clients have belong to the
// lowest of them, so that results do not depend on arrival. In order: pieces, streams, assembling,
// missing values, channels.
#include "records/stream_assignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "config/model.hpp"
#include "transport/ring_footprint.hpp"

namespace epios::server {
namespace {

template <class T>
void assemble_values(const PieceAssignment& piece, std::span<const io::EventQueue::Part> parts,
                     std::span<T> slab, T unowned_value = std::numeric_limits<T>::quiet_NaN()) {
  if (!piece.covered) std::fill(slab.begin(), slab.end(), unowned_value);
  // The lowest rank has the last word.
  for (std::size_t i = parts.size(); i-- > 0;) {
    const T* values = io::values_of<T>(parts[i].payload).data();
    const std::vector<std::uint64_t>& mask = piece.masks[i];
    if (mask.empty()) {
      piece.patterns[i].scatter(values, slab.data());
    } else {
      piece.patterns[i].scatter_if(values, slab.data(), [&mask](std::int64_t k) {
        return (nth(mask, k / 64) >> static_cast<unsigned>(k % 64) & 1U) != 0;
      });
    }
  }
}

/// The part of one sender: which places of the slab.
io::Pattern pattern_in_slab(const io::Offer& offer, const io::Settlement::Sender& sender,
                            const std::vector<std::int64_t>& window_points) {
  std::vector<io::PatternFactor> factors;
  for (std::size_t e = 0; e < window_points.size(); ++e) {
    io::PatternFactor factor{window_points[e], {}};
    if (sender.sends_all) {
      factor.runs.assign(offer.positions[e].begin(), offer.positions[e].end());
    } else {
      factor.runs = sender.positions[e];
    }
    factors.push_back(std::move(factor));
  }
  return io::Pattern(factors);
}

/// Tells points that are masked, or outside of a client's data, from those that no client has.
void find_unowned(const io::Pieces& pieces, std::size_t number,
                  std::span<const io::OpeningPart> parts,
                  const std::vector<std::int64_t>& window_points, PieceAssignment& share) {
  if (share.missing == 0) return;
  const std::vector<io::Offer> holdings = io::holdings_of(pieces, number, parts);
  io::Settlement settlement = io::settle(holdings, window_points);
  share.unowned = settlement.missing;
  share.first_unowned = std::move(settlement.first_missing);
}

PieceAssignment share_piece(const io::Pieces& pieces, std::size_t number,
                            std::span<io::OpeningPart> parts) {
  const io::GridPiece& piece = pieces.grids[number];
  std::vector<std::int64_t> window_points;
  for (const int window : piece.windows) {
    window_points.push_back(nth(pieces.windows, window).window.volume());
  }
  const std::vector<io::Offer> offers = io::offers_of(pieces, number, parts);
  io::Settlement settlement = io::settle(offers, window_points);
  PieceAssignment share;
  share.slab = piece.slab;
  share.missing = settlement.missing;
  share.first_missing = std::move(settlement.first_missing);
  share.covered = settlement.missing == 0;
  find_unowned(pieces, number, parts, window_points, share);
  std::size_t next_offer = 0;
  std::size_t next_part = 0;
  for (auto& sender : settlement.senders) {
    while (offers[next_offer].client != sender.client) ++next_offer;
    while (parts[next_part].client != sender.client) ++next_part;
    share.senders.push_back(sender.client);
    share.patterns.push_back(pattern_in_slab(offers[next_offer], sender, window_points));
    share.masks.push_back(std::move(parts[next_part].masks[number]));
    io::RequestedPoints asked;
    asked.points =
        sender.sends_all ? io::RequestedPoints::Points::all : io::RequestedPoints::Points::some;
    asked.positions = std::move(sender.positions);
    share.asked.push_back(std::move(asked));
  }
  // A slab that no client has a value in: its records are missing values, and the first client,
  // which offers nothing, says when.
  if (share.senders.empty()) {
    const std::vector<io::PatternFactor> nothing = {{share.slab.volume(), {}}};
    share.senders = {io::leader};
    share.asked.push_back({io::RequestedPoints::Points::empty, {}});
    share.patterns.emplace_back(nothing);
    share.masks.emplace_back();
  }
  share.in_place = share.patterns.size() == 1 && share.patterns.front().is_whole() &&
                   share.masks.front().empty();
  return share;
}

}  // namespace

std::vector<PieceAssignment> assign_pieces(const io::Pieces& pieces,
                                           std::span<io::OpeningPart> parts) {
  std::vector<PieceAssignment> out;
  out.reserve(pieces.grids.size());
  for (std::size_t g = 0; g < pieces.grids.size(); ++g) {
    out.push_back(share_piece(pieces, g, parts));
  }
  return out;
}

std::vector<StreamAssignment> assign_streams(const config::Model& model, const io::Pieces& pieces,
                                             const std::vector<PieceAssignment>& shares,
                                             std::span<const io::OpeningPart> parts) {
  std::vector<StreamAssignment> out(model.streams.size());
  const std::vector<int> wire_bytes = io::wire_value_bytes(model);
  for (std::size_t f = 0; f < model.files.size(); ++f) {
    const std::vector<config::StreamId>& in_file = nth(model.files, f).streams;
    for (std::size_t i = 0; i < in_file.size(); ++i) {
      const auto index = static_cast<std::size_t>(in_file[i]);
      StreamAssignment& share = out[index];
      share.file = static_cast<int>(f);
      share.index_in_file = static_cast<int>(i);
      share.value_bytes = io::value_bytes(nth(model.streams, index));
      share.wire_bytes = wire_bytes[index];
      share.fill = io::file_fill(nth(model.streams, index));
      share.form = stored_form(nth(model.streams, index));
      share.counts_infinite = share.form.may_overflow();
      const int piece = pieces.of_stream[index];
      if (piece < 0) continue;
      share.piece = &nth(shares, piece);
      share.on_file = &nth(shares, io::piece_on_file(pieces, index));
      if (!pieces.steps_of_stream.empty()) share.steps = pieces.steps_of_stream[index];
      if (!pieces.continued.empty()) share.continued = pieces.continued[index];
      if (!nth(model.streams, index).attributes.indexed_output.value_or(false)) continue;
      share.gathering.emplace(gathering_of(model, pieces, static_cast<std::size_t>(piece), parts));
    }
  }
  for (const int continued : pieces.continued) {
    if (continued >= 0) nth(out, continued).is_continued = true;
  }
  return out;
}

void pass_as_sent(std::vector<StreamAssignment>& shares) {
  for (StreamAssignment& share : shares) {
    share.fill.reset();
    share.counts_infinite = false;
    share.gathering.reset();
  }
}

std::int64_t fill_missing(const StreamAssignment& share, std::span<std::byte> slab) {
  if (!share.form.is_plain()) return 0;
  if (share.value_bytes == 8) {
    if (share.fill) io::fill_missing(io::values_of<double>(slab), *share.fill);
    return 0;
  }
  // What one pass has brought into the cache costs the other one little.
  constexpr std::size_t most = 4096;
  std::int64_t infinite = 0;
  for (std::span<float> values = io::values_of<float>(slab); !values.empty();) {
    const std::span<float> block = values.first(std::min(most, values.size()));
    values = values.subspan(block.size());
    if (share.counts_infinite) infinite += count_infinite(block);
    if (share.fill) io::fill_missing(block, static_cast<float>(*share.fill));
  }
  return infinite;
}

void assemble_doubles(const PieceAssignment& piece, std::span<const io::EventQueue::Part> parts,
                      double unowned_value, std::span<double> slab) {
  assemble_values(piece, parts, slab, unowned_value);
}

std::int64_t assemble(const StreamAssignment& share, std::span<const io::EventQueue::Part> parts,
                      std::span<std::byte> slab) {
  if (share.value_bytes == 4) {
    assemble_values(*share.piece, parts, io::values_of<float>(slab));
  } else {
    assemble_values(*share.piece, parts, io::values_of<double>(slab));
  }
  return fill_missing(share, slab);
}

std::vector<io::ChannelSpec> channel_specs(const std::vector<StreamAssignment>& shares,
                                           std::span<const io::OpeningPart> parts,
                                           const ChannelBudget& budget) {
  const std::size_t count = parts.size();
  std::vector<std::size_t> largest(count, io::part_bytes(0));
  std::vector<std::size_t> together(count, 0);
  for (const auto& share : shares) {
    if (!share.is_concerned()) continue;
    std::size_t channel = 0;
    for (std::size_t i = 0; i < share.piece->senders.size(); ++i) {
      while (parts[channel].client != share.piece->senders[i]) ++channel;
      const std::size_t bytes = io::part_bytes(share.part_bytes(i));
      largest[channel] = std::max(largest[channel], bytes);
      together[channel] += io::ring_footprint(bytes);
    }
  }
  std::size_t minimum = 0;
  for (const std::size_t bytes : largest) minimum += io::channel_bytes(bytes, 1);
  const std::size_t taken_bytes = budget.taken_bytes + budget.answer_bytes + budget.step_bytes;
  const std::size_t left = budget.bytes - std::min(budget.bytes, taken_bytes);
  if (minimum > left) {
    std::string taken;
    if (budget.taken_bytes > 0) {
      taken += fmt::format(", of which other contexts and couplings hold {}", budget.taken_bytes);
    }
    if (budget.answer_bytes > 0) {
      taken += fmt::format(", of which {} are for what is read", budget.answer_bytes);
    }
    if (budget.step_bytes > 0) {
      taken += fmt::format(", of which {} are for what is transformed here", budget.step_bytes);
    }
    throw Error(
        ErrorCode::resource,
        fmt::format("the channels of a server need at least {} bytes (the budget is {}{}). Set "
                    "variable 'buffer_bytes' of context 'xios' higher, or start more servers?",
                    minimum, budget.bytes, taken));
  }
  std::vector<io::ChannelSpec> specs(count);
  // What is left when each has the least it needs: shared evenly, whatever the least was.
  const std::size_t extra = (left - minimum) / 2 / count;
  // A model that asks for many small records at once does not wait until the server has taken them.
  const std::size_t requests =
      static_cast<std::size_t>(budget.requests) * io::ring_footprint(io::part_bytes(0));
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t footprint = io::ring_footprint(largest[c]);
    const auto parts_of = [&](std::size_t bytes) { return (bytes + footprint - 1) / footprint; };
    const std::size_t records = std::min<std::size_t>(2 * parts_of(together[c]), 1024);
    const std::size_t wanted = std::max<std::size_t>(2, records + parts_of(requests));
    const std::size_t least = io::channel_bytes(largest[c], 1);
    int depth = static_cast<int>(std::min(wanted, 1 + extra / footprint));
    while (depth > 1 && io::channel_bytes(largest[c], depth) > least + extra) --depth;
    specs[c] = {parts[c].remote_rank, largest[c], depth};
  }
  return specs;
}

}  // namespace epios::server
