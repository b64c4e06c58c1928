#include "records/record_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/error.hpp"
#include "config/index.hpp"
#include "grid/missing.hpp"

namespace epios::server {
namespace {

/// Places of the slab that nobody has a value for.
std::vector<std::int64_t> holes_of(const PieceAssignment& piece) {
  std::vector<std::int64_t> out;
  if (piece.covered) return out;
  std::vector<bool> has_value(static_cast<std::size_t>(piece.slab.volume()));
  for (std::size_t i = 0; i < piece.patterns.size(); ++i) {
    const std::vector<std::uint64_t>& mask = piece.masks[i];
    piece.patterns[i].for_each([&](std::int64_t number, std::int64_t place) {
      const auto at = static_cast<std::size_t>(number);
      if (!mask.empty() && (mask[at / 64] >> (at % 64) & 1U) == 0) return;
      nth(has_value, place) = true;
    });
  }
  for (std::size_t place = 0; place < has_value.size(); ++place) {
    if (!has_value[place]) out.push_back(static_cast<std::int64_t>(place));
  }
  return out;
}

}  // namespace

RecordSteps::RecordSteps(const config::Model& model, const io::Pieces& pieces,
                         const std::vector<PieceAssignment>& shares,
                         const std::vector<StreamAssignment>& streams,
                         std::span<const io::OpeningPart> parts) {
  for (std::size_t k = 0; k < pieces.steps.size(); ++k) {
    const io::StepPiece& piece = pieces.steps[k];
    std::vector<const io::StepRows*> rows;
    for (const io::OpeningPart& part : parts) rows.push_back(&part.rows[k]);
    const PieceAssignment& target = nth(shares, piece.to);
    stages_.push_back({io::SlabStep(model, piece.expression, rows),
                       static_cast<std::size_t>(target.slab.volume()), holes_of(target)});
  }
  std::size_t shares_of = 0;
  for (const StreamAssignment& stream : streams) {
    if (!stream.is_concerned() || stream.continued >= 0) continue;
    std::size_t values =
        stream.piece->in_place ? 0 : static_cast<std::size_t>(stream.piece->slab.volume());
    for (std::size_t k = 0; k < stream.steps.size(); ++k) {
      std::vector<double>& array = arrays_.at(k % 2);
      array.resize(std::max(array.size(), values));
      values = stage(stream.steps[k]).values;
      if (needs_shares(stream, k)) shares_of = std::max(shares_of, values);
    }
  }
  for (auto& array : shares_) {
    if (shares_of > 0) array.emplace(shares_of);
  }
  add_levels(streams);
}

void RecordSteps::add_levels(const std::vector<StreamAssignment>& streams) {
  levels_.resize(streams.size());
  coarser_.resize(streams.size());
  for (std::size_t s = 0; s < streams.size(); ++s) {
    const StreamAssignment& stream = streams[s];
    if (!stream.is_concerned() || stream.continued < 0) continue;
    nth(coarser_, stream.continued).push_back(static_cast<int>(s));
    Level& level = levels_[s].emplace();
    level.stage = stream.steps.front();
    level.values.resize(stage(level.stage).values);
    if (stream.is_continued) level.shares.emplace(level.values.size());
  }
}

bool RecordSteps::needs_shares(const StreamAssignment& stream, std::size_t k) const {
  if (!stage(stream.steps[k]).step.coarsens()) return false;
  return k + 1 < stream.steps.size() ? stage(stream.steps[k + 1]).step.coarsens()
                                     : stream.is_continued;
}

void RecordSteps::work_out(const io::EventHeader& header, const StreamAssignment& share,
                           std::span<const io::EventQueue::Part> parts, std::span<double> result) {
  if (share.continued >= 0) {
    const Level& level = *nth(levels_, header.stream);
    if (level.record != header.record) {
      throw Error(ErrorCode::internal,
                  fmt::format("record {} of a level comes while {} of the finer one is there. This "
                              "is a bug of EPIOS: please report it.",
                              header.record, level.record));
    }
    std::copy(level.values.begin(), level.values.end(), result.begin());
    return;
  }
  const bool is_left = share.steps.empty();
  const double unowned = is_left ? io::missing : stage(share.steps.front()).step.unowned_value();
  std::span<const double> source;
  if (share.piece->in_place) {
    source = io::values_of<double>(parts.front().payload);
    if (is_left) std::copy(source.begin(), source.end(), result.begin());
  } else {
    const auto values = static_cast<std::size_t>(share.piece->slab.volume());
    const std::span<double> slab = is_left ? result : std::span(arrays_[0]).first(values);
    assemble_doubles(*share.piece, parts, unowned, slab);
    source = slab;
  }
  if (!is_left) apply_steps(share, source, result);
  const bool has_shares = !is_left && needs_shares(share, share.steps.size() - 1);
  make_levels(header.stream, header.record, result,
              has_shares ? shares_.at(share.steps.size() % 2)->data() : nullptr);
}

void RecordSteps::apply_steps(const StreamAssignment& share, std::span<const double> source,
                              std::span<double> result) {
  const double* shares = nullptr;
  for (std::size_t k = 0; k < share.steps.size(); ++k) {
    const bool is_last = k + 1 == share.steps.size();
    const std::span<double> target =
        is_last ? result : std::span(arrays_.at((k + 1) % 2)).first(stage(share.steps[k]).values);
    double* const target_shares =
        needs_shares(share, k) ? shares_.at((k + 1) % 2)->data() : nullptr;
    apply(share.steps[k], source, target, {shares, target_shares},
          is_last ? io::missing : stage(share.steps[k + 1]).step.unowned_value());
    source = target;
    shares = target_shares;
  }
}

void RecordSteps::apply(int stage_number, std::span<const double> source, std::span<double> target,
                        const io::SlabStep::Shares& shares, double unowned_value) {
  Stage& its = stage(stage_number);
  its.step.work_out(source, target, shares);
  for (const std::int64_t hole : its.holes) nth(target, hole) = unowned_value;
}

void RecordSteps::make_levels(int stream, std::int64_t record, std::span<const double> finer,
                              const double* shares) {
  for (const int coarser : nth(coarser_, stream)) {
    Level& level = *nth(levels_, coarser);
    double* const own = level.shares ? level.shares->data() : nullptr;
    apply(level.stage, finer, level.values, {shares, own}, io::missing);
    level.record = record;
    make_levels(coarser, record, level.values, own);
  }
}

std::size_t RecordSteps::bytes() const {
  std::size_t out = 0;
  for (const Stage& stage : stages_) {
    out += stage.step.bytes() + stage.holes.size() * sizeof(std::int64_t);
  }
  for (const std::vector<double>& array : arrays_) out += array.size() * sizeof(double);
  for (const auto& shares : shares_) out += shares ? shares->bytes() : 0;
  for (const auto& level : levels_) {
    if (!level) continue;
    out += level->values.size() * sizeof(double) + (level->shares ? level->shares->bytes() : 0);
  }
  return out;
}

}  // namespace epios::server
