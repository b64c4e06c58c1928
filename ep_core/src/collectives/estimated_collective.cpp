// Writes the rounds of one process of a collective for the estimate, with the library's own
// schedules and routes. Schedules compute addresses but never use them here. In order: conversion
// of schedules and routes to rounds, then one function per family of algorithms.
#include <algorithm>
#include <cstddef>

#include "collectives/estimate.hpp"
#include "schedules/reduction_route.hpp"
#include "schedules/schedule.hpp"

namespace ep {

namespace {

// Schedules compute addresses; nothing lies there.
std::byte* nowhere() {
  static std::byte byte{};
  return &byte;
}

void append(const Schedule& schedule, std::vector<EstimatedRound>& out) {
  out.emplace_back();
  for (const Schedule::Step& step : schedule.steps()) {
    switch (step.kind) {
      case Schedule::Step::Kind::round:
        out.emplace_back();
        break;
      case Schedule::Step::Kind::send:
        out.back().sends.push_back({step.process, step.view.count});
        break;
      case Schedule::Step::Kind::receive:
        out.back().receives.push_back({step.process, step.view.count});
        break;
    }
  }
}

// Appends the rounds of a route for elements of one byte.
void append(const ReductionRoute& route, std::vector<EstimatedRound>& out) {
  for (const RouteStep& step : route) {
    EstimatedRound& round = out.emplace_back();
    round.is_step = true;
    if (step.to >= 0 && step.sent.count > 0) round.sends.push_back({step.to, step.sent.count});
    if (step.from < 0 || step.received.count == 0) continue;
    round.receives.push_back({step.from, step.received.count});
    if (step.then != RouteStep::Then::take) round.combined_bytes = step.received.count;
  }
}

}  // namespace

EstimatedCollective::EstimatedCollective(Collective collective, Algorithm algorithm, int processes,
                                         std::int64_t bytes, int segments, int endpoints)
    : collective_(collective),
      algorithm_(algorithm),
      processes_(processes),
      bytes_(bytes),
      segments_(segments),
      endpoints_(endpoints) {
  const bool slices = collective == Collective::bcast;
  const std::int64_t total = algorithm == Algorithm::operands ? bytes * processes : bytes;
  for (int i = 0; i <= processes; ++i) {
    // Avoids an overflow of bytes times processes.
    const std::int64_t even = total / processes * i + total % processes * i / processes;
    offsets_.push_back(slices ? slice_begin(bytes, processes, i) : even);
  }
}

void EstimatedCollective::rounds_of(int me, std::vector<EstimatedRound>& out) const {
  out.clear();
  if (processes_ < 2) return;
  const Participants all{processes_, me, nullptr};
  const ByteBlocks blocks{nowhere(), offsets_.data()};
  Schedule schedule;
  switch (collective_) {
    case Collective::barrier:
      dissemination_barrier(schedule, all);
      break;
    case Collective::bcast:
      if (algorithm_ == Algorithm::binomial) {
        binomial_bcast(schedule, all, 0, {nowhere(), static_cast<int>(bytes_), MPI_BYTE});
      } else if (algorithm_ == Algorithm::scatter_ring) {
        scatter_ring_bcast(schedule, all, 0, nowhere(), bytes_);
      } else if (algorithm_ == Algorithm::scatter_doubling) {
        scatter_doubling_bcast(schedule, all, blocks);
      } else {
        pipelined_bcast(schedule, all, nowhere(), bytes_, segments_);
      }
      break;
    case Collective::allgather:
      if (algorithm_ == Algorithm::ring) {
        const std::vector<std::byte*> places(static_cast<std::size_t>(processes_), nowhere());
        ring_allgather(schedule, all, places, offsets_.data());
      } else if (algorithm_ == Algorithm::doubling) {
        doubling_allgather(schedule, all, blocks);
      } else {
        bruck_allgather(schedule, all, blocks);
      }
      break;
    case Collective::gather:
    case Collective::scatter:
      tree_rounds(me, out);
      return;
    case Collective::alltoall:
      exchange_rounds(me, out);
      return;
    default:
      reduction_rounds(me, out);
      return;
  }
  append(schedule, out);
}

void EstimatedCollective::tree_rounds(int me, std::vector<EstimatedRound>& out) const {
  const bool gathers = collective_ == Collective::gather;
  if (algorithm_ == Algorithm::binomial) {
    Schedule schedule;
    const ByteBlocks blocks{nowhere(), offsets_.data()};
    const Participants all{processes_, me, nullptr};
    gathers ? binomial_gather(schedule, all, blocks) : binomial_scatter(schedule, all, blocks);
    append(schedule, out);
    if (me == 0) out.back().copied_bytes = bytes_;
    return;
  }
  EstimatedRound& round = out.emplace_back();
  const ByteBlocks blocks{nullptr, offsets_.data()};
  if (me > 0) {
    (gathers ? round.sends : round.receives).push_back({0, blocks.size(me, 1)});
    return;
  }
  for (int p = 1; p < processes_; ++p) {
    (gathers ? round.receives : round.sends).push_back({p, blocks.size(p, 1)});
  }
}

// Appends rounds as the recipes of moves and of Bruck's exchange would, with blocks of one size.
void EstimatedCollective::exchange_rounds(int me, std::vector<EstimatedRound>& out) const {
  const Participants all{processes_, me, nullptr};
  const std::int64_t block = bytes_ / processes_;
  if (algorithm_ == Algorithm::bruck) {
    for (int power = 1; power < processes_; power *= 2) {
      std::int64_t moved = 0;
      for (int d = power; d < processes_; d += 2 * power) {
        moved += std::min(power, processes_ - d) * block;
      }
      out.push_back({{{all.ahead(power), moved}}, {{all.behind(power), moved}}, 0, moved, false});
    }
    return;
  }
  for (int distance = 1; distance < processes_; ++distance) {
    if (out.empty() || algorithm_ == Algorithm::pairwise) out.emplace_back();
    out.back().sends.push_back({all.ahead(distance), block});
    out.back().receives.push_back({all.behind(distance), block});
  }
}

// Appends rounds in which each process receives its slice of all operands and combines it.
void EstimatedCollective::slices_rounds(int me, bool collects,
                                        std::vector<EstimatedRound>& out) const {
  const Participants all{processes_, me, nullptr};
  const ByteBlocks slices{nullptr, offsets_.data()};
  EstimatedRound& round = out.emplace_back();
  for (int distance = 1; distance < processes_; ++distance) {
    const int to = all.ahead(distance);
    round.sends.push_back({to, slices.size(to, 1)});
    round.receives.push_back({all.behind(distance), slices.size(me, 1)});
  }
  round.combined_bytes = slices.size(me, 1) * (processes_ - 1);
  round.is_step = true;
  if (!collects) return;
  Schedule schedule;
  const std::vector<std::byte*> places(static_cast<std::size_t>(processes_), nowhere());
  ring_allgather(schedule, all, places, offsets_.data());
  append(schedule, out);
  out.back().is_step = true;
}

// Adds copies as work_between() counts them: the operand of a process's only endpoint is copied
// before it is sent, and blocks are copied to their destination.
void EstimatedCollective::add_copies(std::vector<EstimatedRound>& out) const {
  const bool travels = algorithm_ != Algorithm::slices && algorithm_ != Algorithm::binomial;
  if (out.empty() || collective_ == Collective::scan) return;
  if (travels == (endpoints_ == 1) && (travels || collective_ == Collective::allreduce)) {
    out.front().copied_bytes += bytes_;
  }
  if (travels && collective_ == Collective::reduce_scatter) {
    out.back().copied_bytes += bytes_ / processes_;
  }
}

void EstimatedCollective::reduction_rounds(int me, std::vector<EstimatedRound>& out) const {
  const Participants all{processes_, me, nullptr};
  const bool everybody = collective_ == Collective::allreduce;
  const bool blocks = collective_ == Collective::reduce_scatter;
  if (collective_ == Collective::scan) {
    for (int distance = 1; distance < processes_; distance *= 2) {
      EstimatedRound& round = out.emplace_back();
      if (me + distance < processes_) round.sends.push_back({me + distance, bytes_});
      if (me < distance) continue;
      round.receives.push_back({me - distance, bytes_});
      round.combined_bytes = bytes_;
    }
  } else if (algorithm_ == Algorithm::operands) {
    Schedule schedule;
    bruck_allgather(schedule, all, {nowhere(), offsets_.data()});
    append(schedule, out);
    out.back().combined_bytes = bytes_ * (processes_ - 1);
    out.back().is_step = true;
  } else if (algorithm_ == Algorithm::slices) {
    slices_rounds(me, everybody, out);
  } else if (algorithm_ == Algorithm::doubling) {
    append(doubling_route(all, bytes_), out);
  } else if (algorithm_ == Algorithm::ring) {
    append(ring_route(all, offsets_, everybody), out);
  } else if (algorithm_ == Algorithm::halving) {
    append(blocks ? halving_scatter_route(all, offsets_)
                  : halving_route(all, bytes_, everybody ? -1 : 0),
           out);
  } else {
    // The tree over partials, one level of it per stage.
    for (int bit = 1; bit < processes_; bit *= 2) {
      EstimatedRound& round = out.emplace_back();
      round.is_step = true;
      if ((me & bit) != 0) {
        round.sends.push_back({me - bit, bytes_});
        return;
      }
      if (me + bit >= processes_) continue;
      round.receives.push_back({me + bit, bytes_});
      round.combined_bytes = bytes_;
    }
  }
  add_copies(out);
}

}  // namespace ep
