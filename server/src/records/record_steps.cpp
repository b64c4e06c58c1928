#include "records/record_steps.hpp"

#include <algorithm>
#include <utility>

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
  for (const StreamAssignment& stream : streams) {
    if (!stream.is_concerned() || !stream.is_made_here()) continue;
    std::size_t values =
        stream.piece->in_place ? 0 : static_cast<std::size_t>(stream.piece->slab.volume());
    for (std::size_t k = 0; k < stream.steps.size(); ++k) {
      std::vector<double>& array = arrays_.at(k % 2);
      array.resize(std::max(array.size(), values));
      values = nth(stages_, stream.steps[k]).values;
    }
  }
}

void RecordSteps::work_out(const StreamAssignment& share,
                           std::span<const io::EventQueue::Part> parts, std::span<double> result) {
  const auto stage = [&](std::size_t k) -> Stage& { return nth(stages_, share.steps[k]); };
  std::span<const double> source;
  if (share.piece->in_place) {
    source = io::values_of<double>(parts.front().payload);
  } else {
    const auto values = static_cast<std::size_t>(share.piece->slab.volume());
    const std::span<double> slab = std::span(arrays_[0]).first(values);
    assemble_doubles(*share.piece, parts, stage(0).step.unowned_value(), slab);
    source = slab;
  }
  for (std::size_t k = 0; k < share.steps.size(); ++k) {
    const bool is_last = k + 1 == share.steps.size();
    const std::span<double> target =
        is_last ? result : std::span(arrays_.at((k + 1) % 2)).first(stage(k).values);
    stage(k).step.work_out(source, target);
    const double unowned_value = is_last ? io::missing : stage(k + 1).step.unowned_value();
    for (const std::int64_t hole : stage(k).holes) nth(target, hole) = unowned_value;
    source = target;
  }
}

std::size_t RecordSteps::bytes() const {
  std::size_t out = 0;
  for (const Stage& stage : stages_) {
    out += stage.step.bytes() + stage.holes.size() * sizeof(std::int64_t);
  }
  for (const std::vector<double>& array : arrays_) out += array.size() * sizeof(double);
  return out;
}

}  // namespace epios::server
