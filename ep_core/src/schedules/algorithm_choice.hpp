#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "schedules/cost_model.hpp"

namespace ep {

/// Algorithms that can do what is asked for: not all can with any number of processes, any
/// layout, or in the order of combinations that an ordered reduction promises.
class AlgorithmSet {
 public:
  constexpr AlgorithmSet(std::initializer_list<Algorithm> members) {
    for (const Algorithm one : members) add(one);
  }
  constexpr void add(Algorithm one) { bits_ |= bit(one); }
  constexpr void remove(Algorithm one) { bits_ &= ~bit(one); }
  constexpr bool has(Algorithm one) const { return (bits_ & bit(one)) != 0; }

 private:
  static constexpr std::uint32_t bit(Algorithm one) { return 1U << static_cast<unsigned>(one); }
  std::uint32_t bits_ = 0;
};

/// What somebody wants instead of the model's choice, per collective.
class AlgorithmOverrides {
 public:
  AlgorithmOverrides() noexcept : overrides_{} { overrides_.fill(none); }

  void set(Collective collective, Algorithm algorithm) noexcept {
    overrides_[static_cast<std::size_t>(collective)] = static_cast<std::int8_t>(algorithm);
  }
  bool has(Collective collective) const noexcept {
    return overrides_[static_cast<std::size_t>(collective)] != none;
  }
  /// Precondition: has(collective).
  Algorithm of(Collective collective) const noexcept {
    return static_cast<Algorithm>(overrides_[static_cast<std::size_t>(collective)]);
  }
  /// Those of `other` where this has none.
  void complete(const AlgorithmOverrides& other) noexcept;
  bool operator==(const AlgorithmOverrides&) const = default;

 private:
  static constexpr std::int8_t none = -1;
  std::array<std::int8_t, collective_count> overrides_;
};

/// What a communicator's choices follow: the same in all its processes. Flat, to be sent as it is.
struct CostModel {
  CostParameters costs;
  AlgorithmOverrides overrides;
  /// Nothing follows from sizes: processes that expect different ones, as in a wrong program, meet
  /// in one algorithm all the same, and tell each other.
  bool ignores_sizes = false;
  bool operator==(const CostModel&) const = default;
};
/// The one object with this value, which lives to the end: few different ones ever exist.
const CostModel& kept(const CostModel& model);

/// The wished algorithm if it is usable, else the cheapest usable one; of equals, or where sizes
/// are ignored, the first of algorithms_of(). At least one must be usable.
Algorithm choose(const CostModel& model, Collective collective, const Shape& shape,
                 std::int64_t bytes, AlgorithmSet usable);

/// Reads "bcast=ring,allreduce=halving", or throws EP_ERR_ARG with what exists; `origin` names who
/// says so.
AlgorithmOverrides parse_overrides(std::string_view text, std::string_view origin);

/// All that it knows, for messages: "bcast=binomial|scatter_ring...".
std::string known_overrides();

/// The parameters of a file of ep_calibrate: lines "name value", # begins a comment. What is not
/// named costs what is nearest to it and named (one way what both ways cost, beyond the caches what
/// is in them), else keeps its default. Throws EP_ERR_ARG with file and line.
CostParameters read_costs(const std::string& path);
std::string write_costs(const CostParameters& costs);

/// As the environment has it: EP_COSTS names a file, EP_ALGORITHM_<COLLECTIVE> an algorithm, and
/// with EP_CHECK_TYPES sizes are ignored.
CostModel model_of_environment();

}  // namespace ep
