#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ep {

// The alpha-beta-gamma model of collectives: Work counts the operations of an algorithm,
// CostParameters holds the measured cost of each kind, and their product is the predicted time. The
// model has no state and does not communicate; all processes with the same input get the same
// result.

enum class Collective : std::int8_t {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter,
  scan
};
constexpr std::size_t collective_count = 10;

/// The algorithms of the stage between processes. Inside a process each collective has one
/// algorithm.
enum class Algorithm : std::int8_t {
  dissemination,     ///< Hensgen, Finkel, Manber 1988
  linear,            ///< direct messages between all processes concerned, at once
  binomial,          ///< along a binomial tree
  scatter_ring,      ///< van de Geijn: slices along a tree, then a ring
  scatter_doubling,  ///< scatter_ring, but the slices are collected in few rounds
  pipelined,         ///< segments along a chain
  ring,              ///< all data passes through all processes
  doubling,          ///< recursive doubling
  bruck,             ///< Bruck et al. 1997
  pairwise,          ///< rounds in which each process sends to one other
  operands,          ///< each process receives all operands and combines them alone
  slices,            ///< each process combines one slice of all operands
  halving            ///< recursive halving; Rabenseifner 2004
};
constexpr std::size_t algorithm_count = 13;

std::string_view name_of(Collective collective);
std::string_view name_of(Algorithm algorithm);
/// Looks a collective up by name. Returns false for an unknown name.
bool find_collective(std::string_view name, Collective& out);
/// Returns the algorithms of a collective, the simplest first.
std::span<const Algorithm> algorithms_of(Collective collective);
/// Looks an algorithm up by name. Returns false if the collective does not have it.
bool find_algorithm(Collective collective, std::string_view name, Algorithm& out);
/// Returns the names for messages: "binomial, scatter_ring".
std::string names_of_algorithms(Collective collective);

/// The cost of one kind of link: a message of n bytes takes alpha + n beta.
struct LinkCost {
  double alpha_s = 0;          ///< latency
  double beta_s_per_byte = 0;  ///< reciprocal of bandwidth
  bool operator==(const LinkCost&) const = default;
};

/// The costs of one byte.
struct ByteCosts {
  double copied_s = 0;     ///< inside a process
  double exchanged_s = 0;  ///< between two processes that send to each other at once
  double one_way_s = 0;   ///< between two processes of which one sends; on a node both of them copy
  double combined_s = 0;  ///< combining two operands
  bool operator==(const ByteCosts&) const = default;
};

/// The costs of a machine. The defaults are orders of magnitude for shared memory; ep_calibrate
/// measures them.
struct CostParameters {
  LinkCost inside{1e-6, 0.025e-9};      ///< within a process: synchronisation and copies
  LinkCost between{1e-6, 0.12e-9};      ///< between processes, in both directions at once
  double one_way_s_per_byte = 0.07e-9;  ///< between processes, in one direction
  double overhead_s = 0.4e-6;           ///< each additional message that is sent at the same time
  double gamma_s_per_byte = 0.06e-9;    ///< combining two operands
  double cached_bytes = 4 << 20;        ///< bytes of a vector that fit the caches; others cost more
  ByteCosts beyond{0.1e-9, 0.24e-9, 0.11e-9, 0.08e-9};
  bool operator==(const CostParameters&) const = default;

  /// Returns the costs for a vector of `vector_bytes`, of which the first cached_bytes cost less
  /// than the rest. In the result each byte has the mean cost, and no bytes lie beyond the caches.
  CostParameters at(double vector_bytes) const;
};

/// The processes and endpoints of a collective.
struct Shape {
  int processes = 1;
  int endpoints = 1;    ///< endpoints per process; with one, its operand is the partial
  double partials = 1;  ///< partials per process to send: more than 1 if ordered ranks interleave
};

/// The work on the longest path through a collective.
struct Work {
  double synchronisations = 0;  ///< multiplied by inside.alpha_s
  double copied_bytes = 0;      ///< inside a process
  double rounds = 0;            ///< multiplied by between.alpha_s
  double further = 0;           ///< additional messages, multiplied by overhead_s
  double exchanged_bytes = 0;   ///< between processes, in both directions at once
  double one_way_bytes = 0;     ///< between processes, in one direction
  double combined_bytes = 0;

  /// Returns the predicted time. `costs` must be those for vectors of this size
  /// (CostParameters::at), without bytes beyond the caches.
  double seconds(const CostParameters& costs) const;
};

/// Returns the work between processes. `bytes` is the size of the vector (bcast, reduce, allreduce,
/// reduce_scatter, scan), of all blocks together (gather, scatter, allgather), or of all data that
/// one process sends (alltoall). In the table, p = processes, n = bytes, lg is rounded up, and the
/// costs per byte are β: both directions at once, β': one direction, κ: copied. In reductions, nκ
/// is the copy of the operand of a process's only endpoint, which becomes the data to send. With
/// several endpoints it is not needed, except by `slices` (their partial result is not at the place
/// of the result), and each step of a reduction costs one synchronisation of two processes:
///
///   barrier         dissemination     lg p α
///   bcast           binomial          lg p (α + nβ')
///                   scatter_ring      (lg p + p-1) α + n(p-1)/p (β' + β)
///                   scatter_doubling  2 lg p α + n(p-1)/p (β' + β)
///                   pipelined         (p-2+s)(α + n/s β) with s segments; β' with two processes
///   gather, scatter linear            α + (p-2)o + n(p-1)/p β'
///                   binomial          lg p α + n(p-1)/p β' + nκ
///   allgather       ring              (p-1) α + n(p-1)/p β
///                   doubling, bruck   lg p α + n(p-1)/p β
///   alltoall        linear            α + (p-2)o + n(p-1)/p β
///                   pairwise          (p-1) α + n(p-1)/p β
///                   bruck             lg p (α + n/2 (β + κ))
///   reduce          binomial          lg p (α + nβ' + nγ)
///                   halving           2 lg p α + n(p-1)/p (β + β' + γ) + nκ
///   allreduce       operands          lg p α + n(p-1)(β + γ) + nκ
///                   doubling          lg p (α + nβ + nγ) + nκ
///                   slices            pα + (p-2)o + n(p-1)/p (2β + γ)
///                   halving           2 lg p α + n(p-1)/p (2β + γ) + nκ
///                   ring              2(p-1) α + n(p-1)/p (2β + γ) + nκ
///   reduce_scatter  slices            α + (p-2)o + n(p-1)/p (β + γ)
///                   halving           lg p α + n(p-1)/p (β + γ) + n(p+1)/p κ
///                   ring              (p-1) α + n(p-1)/p (β + γ) + n(p+1)/p κ
///   scan            doubling          lg p (α + nβ + nγ)
///
/// The sources are: α, β: Hockney 1994; ring, doubling, Bruck and the costs of good
/// implementations: Thakur, Rabenseifner, Gropp, IJHPCA 19 (2005) 49. If p is not a power of two,
/// reductions by doubling and halving need two more rounds, which send all n bytes in one
/// direction. The overhead o of messages that are sent at the same time is our addition (as in
/// LogP: Culler et al. 1993).
Work work_between(const CostParameters& costs, Collective collective, Algorithm algorithm,
                  const Shape& shape, std::int64_t bytes);
/// Returns the work of the endpoints inside one process, which is the same for all algorithms.
Work work_inside(Collective collective, const Shape& shape, std::int64_t bytes);

/// Returns the predicted time of work_between() and work_inside() together.
double predicted_s(const CostParameters& costs, Collective collective, Algorithm algorithm,
                   const Shape& shape, std::int64_t bytes);

/// Returns the number of segments into which a pipelined broadcast cuts its bytes.
int pipeline_segments(const CostParameters& costs, int processes, std::int64_t bytes);

/// Returns the exponent of the smallest power of two that is not below `n` >= 1.
int ceil_log2(int n) noexcept;

}  // namespace ep
