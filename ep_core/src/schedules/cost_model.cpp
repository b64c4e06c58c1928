// The cost formulas of the header as code: work of each algorithm by collective, and names of both.
// Pure functions, so that all processes come to one answer. In order: tables of names, work between
// processes by collective, costs of large vectors, work inside a process.
#include "schedules/cost_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ep {

namespace {

constexpr std::array<std::string_view, collective_count> collective_names{
    "barrier",  "bcast",  "gather",    "scatter",        "allgather",
    "alltoall", "reduce", "allreduce", "reduce_scatter", "scan"};
constexpr std::array<std::string_view, algorithm_count> algorithm_names{
    "dissemination", "linear", "binomial", "scatter_ring", "scatter_doubling", "pipelined", "ring",
    "doubling",      "bruck",  "pairwise", "operands",     "slices",           "halving"};

using enum Algorithm;
constexpr std::array barrier_algorithms{dissemination};
constexpr std::array bcast_algorithms{binomial, scatter_ring, scatter_doubling, pipelined};
constexpr std::array rooted_algorithms{linear, binomial};
constexpr std::array allgather_algorithms{ring, doubling, bruck};
constexpr std::array alltoall_algorithms{linear, pairwise, bruck};
constexpr std::array reduce_algorithms{binomial, halving};
constexpr std::array allreduce_algorithms{operands, doubling, slices, halving, ring};
constexpr std::array reduce_scatter_algorithms{slices, halving, ring};
constexpr std::array scan_algorithms{doubling};

// Smaller segments cost more in messages than they save.
constexpr double smallest_segment = 4096;

bool is_power_of_two(int n) { return std::has_single_bit(static_cast<unsigned>(n)); }

/// The sizes in the formulas.
struct Sizes {
  Sizes(const Shape& shape, std::int64_t bytes)
      : p(shape.processes),
        n(static_cast<double>(bytes)),
        lg(ceil_log2(shape.processes)),
        others(n * (p - 1) / p),
        beside(std::max(0., p - 2)),
        handed_in(shape.endpoints == 1 ? n : 0),
        kept_beside(n - handed_in),
        step_synchronisations(shape.endpoints > 1 ? 1 : 0) {}
  double p;
  double n;
  double lg;
  double others;       // n (p-1)/p
  double beside;       // messages of a round to all other processes, except the first
  double handed_in;    // copy of a process's only operand into the vector that is sent
  double kept_beside;  // where what several endpoints combined is not where the result will be
  double step_synchronisations;  // to whichever endpoint of a process goes on, after each step of a
                                 // reduction
};

Work bcast_work(const CostParameters& costs, Algorithm algorithm, const Sizes& s) {
  switch (algorithm) {
    case scatter_ring:
      return {.rounds = s.lg + s.p - 1, .exchanged_bytes = s.others, .one_way_bytes = s.others};
    case scatter_doubling:
      return {.rounds = 2 * s.lg, .exchanged_bytes = s.others, .one_way_bytes = s.others};
    case pipelined: {
      const double segments =
          pipeline_segments(costs, static_cast<int>(s.p), static_cast<std::int64_t>(s.n));
      const double rounds = s.p - 2 + segments;
      const double sent = rounds * s.n / segments;
      // A process in the middle of the chain receives while it sends.
      if (s.p > 2) return {.rounds = rounds, .exchanged_bytes = sent};
      return {.rounds = rounds, .one_way_bytes = sent};
    }
    default:
      return {.rounds = s.lg, .one_way_bytes = s.lg * s.n};
  }
}

Work alltoall_work(Algorithm algorithm, const Sizes& s) {
  switch (algorithm) {
    case pairwise:
      return {.rounds = s.p - 1, .exchanged_bytes = s.others};
    case bruck:
      return {.copied_bytes = s.lg * s.n / 2, .rounds = s.lg, .exchanged_bytes = s.lg * s.n / 2};
    default:
      return {.rounds = 1, .further = s.beside, .exchanged_bytes = s.others};
  }
}

// Adds the cost of folding: in halving and doubling, processes beyond a power of two pass their
// operand to a neighbour and get the result back.
void add_folding(Work& work, const Sizes& s) {
  if (is_power_of_two(static_cast<int>(s.p))) return;
  const double below = s.lg - 1;
  work.rounds = work.rounds / s.lg * below + 2;
  work.synchronisations = work.rounds * s.step_synchronisations;
  work.one_way_bytes += 2 * s.n;
  work.combined_bytes += s.n;
}

Work allreduce_work(Algorithm algorithm, const Sizes& s, double partials) {
  Work work;
  switch (algorithm) {
    case operands:
      return {.synchronisations = s.step_synchronisations,
              .copied_bytes = s.handed_in,
              .rounds = s.lg,
              .exchanged_bytes = s.n * partials * (s.p - 1),
              .combined_bytes = s.n * (partials * s.p - 1)};
    case slices:
      return {.synchronisations = 2 * s.step_synchronisations,
              .copied_bytes = s.kept_beside,
              .rounds = s.p,
              .further = s.beside,
              .exchanged_bytes = (partials + 1) * s.others,
              .combined_bytes = s.n * (partials * s.p - 1) / s.p};
    case ring:
      return {.synchronisations = 2 * (s.p - 1) * s.step_synchronisations,
              .copied_bytes = s.handed_in,
              .rounds = 2 * (s.p - 1),
              .exchanged_bytes = 2 * s.others,
              .combined_bytes = s.others};
    case halving:
      work = {.synchronisations = 2 * s.lg * s.step_synchronisations,
              .copied_bytes = s.handed_in,
              .rounds = 2 * s.lg,
              .exchanged_bytes = 2 * s.others,
              .combined_bytes = s.others};
      break;
    default:
      work = {.synchronisations = s.lg * s.step_synchronisations,
              .copied_bytes = s.handed_in,
              .rounds = s.lg,
              .exchanged_bytes = s.lg * s.n,
              .combined_bytes = s.lg * s.n};
      if (!is_power_of_two(static_cast<int>(s.p))) {
        work.exchanged_bytes -= s.n;
        work.combined_bytes -= s.n;
      }
  }
  add_folding(work, s);
  return work;
}

Work reduce_work(Algorithm algorithm, const Sizes& s) {
  if (algorithm != halving) {
    return {.synchronisations = s.lg * s.step_synchronisations,
            .rounds = s.lg,
            .one_way_bytes = s.lg * s.n,
            .combined_bytes = s.lg * s.n};
  }
  Work work{.synchronisations = 2 * s.lg * s.step_synchronisations,
            .copied_bytes = s.handed_in,
            .rounds = 2 * s.lg,
            .exchanged_bytes = s.others,
            .one_way_bytes = s.others,
            .combined_bytes = s.others};
  add_folding(work, s);
  return work;
}

Work reduce_scatter_work(Algorithm algorithm, const Sizes& s, double partials) {
  const double delivered = s.n / s.p;
  switch (algorithm) {
    case halving:
      return {.synchronisations = s.lg * s.step_synchronisations,
              .copied_bytes = s.handed_in + delivered,
              .rounds = s.lg,
              .exchanged_bytes = s.others,
              .combined_bytes = s.others};
    case ring:
      return {.synchronisations = (s.p - 1) * s.step_synchronisations,
              .copied_bytes = s.handed_in + delivered,
              .rounds = s.p - 1,
              .exchanged_bytes = s.others,
              .combined_bytes = s.others};
    default:
      return {.synchronisations = s.step_synchronisations,
              .rounds = 1,
              .further = s.beside,
              .exchanged_bytes = partials * s.others,
              .combined_bytes = s.n * (partials * s.p - 1) / s.p};
  }
}

}  // namespace

std::string_view name_of(Collective collective) {
  return collective_names[static_cast<std::size_t>(collective)];
}

std::string_view name_of(Algorithm algorithm) {
  return algorithm_names[static_cast<std::size_t>(algorithm)];
}

bool find_collective(std::string_view name, Collective& out) {
  const auto* const found = std::find(collective_names.begin(), collective_names.end(), name);
  if (found == collective_names.end()) return false;
  out = static_cast<Collective>(found - collective_names.begin());
  return true;
}

std::span<const Algorithm> algorithms_of(Collective collective) {
  switch (collective) {
    case Collective::barrier:
      return barrier_algorithms;
    case Collective::bcast:
      return bcast_algorithms;
    case Collective::gather:
    case Collective::scatter:
      return rooted_algorithms;
    case Collective::allgather:
      return allgather_algorithms;
    case Collective::alltoall:
      return alltoall_algorithms;
    case Collective::reduce:
      return reduce_algorithms;
    case Collective::allreduce:
      return allreduce_algorithms;
    case Collective::reduce_scatter:
      return reduce_scatter_algorithms;
    case Collective::scan:
      break;
  }
  return scan_algorithms;
}

bool find_algorithm(Collective collective, std::string_view name, Algorithm& out) {
  for (const Algorithm algorithm : algorithms_of(collective)) {
    if (name_of(algorithm) != name) continue;
    out = algorithm;
    return true;
  }
  return false;
}

std::string names_of_algorithms(Collective collective) {
  std::string names;
  for (const Algorithm algorithm : algorithms_of(collective)) {
    if (!names.empty()) names += ", ";
    names += name_of(algorithm);
  }
  return names;
}

CostParameters CostParameters::at(double vector_bytes) const {
  const double cached = vector_bytes > cached_bytes ? cached_bytes / vector_bytes : 1;
  const auto mean = [cached](double cached_s, double beyond_s) {
    return cached * cached_s + (1 - cached) * beyond_s;
  };
  CostParameters out = *this;
  out.cached_bytes = std::numeric_limits<double>::infinity();
  out.inside.beta_s_per_byte = mean(inside.beta_s_per_byte, beyond.copied_s);
  out.between.beta_s_per_byte = mean(between.beta_s_per_byte, beyond.exchanged_s);
  out.one_way_s_per_byte = mean(one_way_s_per_byte, beyond.one_way_s);
  out.gamma_s_per_byte = mean(gamma_s_per_byte, beyond.combined_s);
  return out;
}

double Work::seconds(const CostParameters& costs) const {
  return synchronisations * costs.inside.alpha_s + copied_bytes * costs.inside.beta_s_per_byte +
         rounds * costs.between.alpha_s + further * costs.overhead_s +
         exchanged_bytes * costs.between.beta_s_per_byte +
         one_way_bytes * costs.one_way_s_per_byte + combined_bytes * costs.gamma_s_per_byte;
}

Work work_between(const CostParameters& costs, Collective collective, Algorithm algorithm,
                  const Shape& shape, std::int64_t bytes) {
  if (shape.processes < 2) return {};
  const Sizes s(shape, bytes);
  switch (collective) {
    case Collective::barrier:
      return {.rounds = s.lg};
    case Collective::bcast:
      return bcast_work(costs, algorithm, s);
    case Collective::gather:
    case Collective::scatter:
      if (algorithm == binomial) {
        return {.copied_bytes = s.n, .rounds = s.lg, .one_way_bytes = s.others};
      }
      return {.rounds = 1, .further = s.beside, .one_way_bytes = s.others};
    case Collective::allgather:
      return {.rounds = algorithm == ring ? s.p - 1 : s.lg, .exchanged_bytes = s.others};
    case Collective::alltoall:
      return alltoall_work(algorithm, s);
    case Collective::reduce:
      return reduce_work(algorithm, s);
    case Collective::allreduce:
      return allreduce_work(algorithm, s, shape.partials);
    case Collective::reduce_scatter:
      return reduce_scatter_work(algorithm, s, shape.partials);
    case Collective::scan:
      break;
  }
  const double values = s.n * shape.endpoints;
  return {.rounds = s.lg, .exchanged_bytes = s.lg * values, .combined_bytes = s.lg * values};
}

Work work_inside(Collective collective, const Shape& shape, std::int64_t bytes) {
  const double siblings = shape.endpoints - 1;
  const double n = static_cast<double>(bytes);
  Work work{.synchronisations = static_cast<double>(ceil_log2(shape.endpoints))};
  switch (collective) {
    case Collective::barrier:
      break;
    case Collective::bcast:
      work.copied_bytes = siblings * n;
      break;
    case Collective::gather:
    case Collective::scatter:
      work.copied_bytes = n;
      break;
    case Collective::allgather:
      work.copied_bytes = shape.endpoints * n;
      break;
    case Collective::alltoall:
      work.copied_bytes = 2 * n;
      break;
    case Collective::allreduce:
      work.copied_bytes = siblings * n;
      [[fallthrough]];
    case Collective::reduce:
    case Collective::reduce_scatter:
      work.combined_bytes = siblings * n;
      break;
    case Collective::scan:
      work.copied_bytes = shape.endpoints * n;
      work.combined_bytes = ceil_log2(shape.endpoints) * shape.endpoints * n;
      break;
  }
  return work;
}

double predicted_s(const CostParameters& costs, Collective collective, Algorithm algorithm,
                   const Shape& shape, std::int64_t bytes) {
  const CostParameters here = costs.at(static_cast<double>(bytes));
  return work_between(here, collective, algorithm, shape, bytes).seconds(here) +
         work_inside(collective, shape, bytes).seconds(here);
}

int pipeline_segments(const CostParameters& costs, int processes, std::int64_t bytes) {
  if (processes < 3 || costs.between.alpha_s <= 0) return 1;
  const double n = static_cast<double>(bytes);
  // The optimum is where the derivative of (p-2+s)(alpha + n/s beta) is zero.
  const double best =
      std::sqrt(n * (processes - 2) * costs.at(n).between.beta_s_per_byte / costs.between.alpha_s);
  return static_cast<int>(std::clamp(std::min(best, n / smallest_segment), 1., 65536.));
}

int ceil_log2(int n) noexcept {
  return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<unsigned>(n - 1)));
}

}  // namespace ep
