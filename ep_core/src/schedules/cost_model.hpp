#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ep {

// The alpha-beta-gamma model of collectives: what an algorithm does is counted (Work), what each of
// it costs is measured (CostParameters), and the time is their product. Without communication and
// without state; every process that asks the same gets the same answer.

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
  linear,            ///< everybody with everybody concerned, at once
  binomial,          ///< along a binomial tree
  scatter_ring,      ///< van de Geijn: slices along a tree, then a ring
  scatter_doubling,  ///< the same, but the slices are collected in few rounds
  pipelined,         ///< segments along a chain
  ring,              ///< everything passes by everybody
  doubling,          ///< recursive doubling
  bruck,             ///< Bruck et al. 1997
  pairwise,          ///< rounds in which everybody sends to one
  operands,          ///< everybody gets all operands and combines them alone
  slices,            ///< everybody combines one slice of all operands
  halving            ///< recursive halving; Rabenseifner 2004
};
constexpr std::size_t algorithm_count = 13;

std::string_view name_of(Collective collective);
std::string_view name_of(Algorithm algorithm);
/// Looks a collective up by name. Returns false for an unknown name.
bool find_collective(std::string_view name, Collective& out);
/// Returns the algorithms of a collective, the simplest first.
std::span<const Algorithm> algorithms_of(Collective collective);
/// Looks an algorithm up by name. Returns false if the collective has none of that name.
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
  double one_way_s = 0;    ///< between two processes of which one sends: on a node both copy
  double combined_s = 0;   ///< two operands
  bool operator==(const ByteCosts&) const = default;
};

/// The costs of a machine. The defaults are orders of magnitude for shared memory; ep_calibrate
/// measures them.
struct CostParameters {
  LinkCost inside{1e-6, 0.025e-9};      ///< of a process: synchronising, copying
  LinkCost between{1e-6, 0.12e-9};      ///< processes, both ways at once
  double one_way_s_per_byte = 0.07e-9;  ///< between processes, one way
  double overhead_s = 0.4e-6;           ///< of each further message that travels at the same time
  double gamma_s_per_byte = 0.06e-9;    ///< combining two operands
  double cached_bytes = 4 << 20;        ///< of a vector; those beyond cost more
  ByteCosts beyond{0.1e-9, 0.24e-9, 0.11e-9, 0.08e-9};
  bool operator==(const CostParameters&) const = default;

  /// Returns the costs for a vector of so many bytes, of which the first cached_bytes cost less
  /// than the rest: each byte costs the mean, and nothing lies beyond.
  CostParameters at(double vector_bytes) const;
};

/// The processes and endpoints of a collective.
struct Shape {
  int processes = 1;
  int endpoints = 1;    ///< of each process; one alone has its operand as the partial
  double partials = 1;  ///< of each process that travel: more where ordered ranks interleave
};

/// The work on the longest path through a collective.
struct Work {
  double synchronisations = 0;  ///< times alpha of inside
  double copied_bytes = 0;      ///< inside a process
  double rounds = 0;            ///< times alpha of between
  double further = 0;           ///< times overhead
  double exchanged_bytes = 0;   ///< between processes, both ways at once
  double one_way_bytes = 0;     ///< between processes, one way
  double combined_bytes = 0;

  /// Returns the time. `costs` are those for vectors of this size (CostParameters::at), or without
  /// anything beyond.
  double seconds(const CostParameters& costs) const;
};

/// `bytes` are those of the vector (bcast, reduce, allreduce, reduce_scatter, scan), of all blocks
/// together (gather, scatter, allgather), or of all that one process sends (alltoall).
/// Between processes, with p = processes and n = bytes; lg is rounded up. β: sent and received at
/// once; β': one way; κ: copied. Of reductions nκ is the operand of a process's only endpoint,
/// which becomes what travels; with several endpoints it falls away, `slices` has it then (what
/// they combined is not where the result will be), and each step of a reduction costs a
/// synchronisation of two:
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
/// α, β: Hockney 1994; ring, doubling, Bruck and the costs of good implementations: Thakur,
/// Rabenseifner, Gropp, IJHPCA 19 (2005) 49. Reductions by doubling and halving take two rounds
/// with all n bytes one way more where p is no power of two. o, the overhead of messages that
/// travel at the same time, is ours (as in LogP: Culler et al. 1993).
Work work_between(const CostParameters& costs, Collective collective, Algorithm algorithm,
                  const Shape& shape, std::int64_t bytes);
/// Returns the work of the endpoints of one process: the same for all algorithms.
Work work_inside(Collective collective, const Shape& shape, std::int64_t bytes);

/// Returns the time of both together.
double predicted_s(const CostParameters& costs, Collective collective, Algorithm algorithm,
                   const Shape& shape, std::int64_t bytes);

/// Returns into how many segments a pipelined broadcast cuts its bytes.
int pipeline_segments(const CostParameters& costs, int processes, std::int64_t bytes);

/// Returns the exponent of the smallest power of two that is not below `n` >= 1.
int ceil_log2(int n) noexcept;

}  // namespace ep
