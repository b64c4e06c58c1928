#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "schedules/cost_model.hpp"

namespace ep {

/// Algorithms that can do what is asked for: not all can with any number of processes, any layout,
/// or in the order of combinations that an ordered reduction promises.
class AlgorithmSet {
 public:
  constexpr AlgorithmSet(std::initializer_list<Algorithm> members) {
    for (const Algorithm algorithm : members) add(algorithm);
  }
  constexpr void add(Algorithm one) { bits_ |= bit(one); }
  constexpr void remove(Algorithm one) { bits_ &= ~bit(one); }
  constexpr bool has(Algorithm one) const { return (bits_ & bit(one)) != 0; }

 private:
  static constexpr std::uint32_t bit(Algorithm one) { return 1U << static_cast<unsigned>(one); }
  std::uint32_t bits_ = 0;
};

/// Algorithms that somebody asks for instead of the model's choice, per collective.
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
  /// Takes the overrides of `other` for collectives that have none here.
  void complete(const AlgorithmOverrides& other) noexcept;
  bool operator==(const AlgorithmOverrides&) const = default;

 private:
  static constexpr std::int8_t none = -1;
  std::array<std::int8_t, collective_count> overrides_;
};

/// The inputs of a communicator's choices: the same in all its processes. Flat, to be sent as it
/// is.
struct CostModel {
  CostParameters costs;
  AlgorithmOverrides overrides;
  /// True if choices do not depend on sizes: then processes that expect different sizes, as in a
  /// wrong program, choose one algorithm all the same, and report the difference to each other.
  bool ignores_sizes = false;
  bool operator==(const CostModel&) const = default;
};
/// Returns the one object with this value, which lives until the end: few different ones ever
/// exist.
const CostModel& kept(const CostModel& model);

/// Returns the override if it is usable, else the cheapest usable algorithm; of equals, or if sizes
/// are ignored, the first of algorithms_of(). At least one must be usable.
Algorithm choose(const CostModel& model, Collective collective, const Shape& shape,
                 std::int64_t bytes, AlgorithmSet usable);

/// Reads "bcast=ring,allreduce=halving". Throws EP_ERR_ARG with the known names; `origin` names the
/// source of the text.
AlgorithmOverrides parse_overrides(std::string_view text, std::string_view origin);

/// Returns all overrides that parse_overrides() knows, for messages:
/// "bcast=binomial|scatter_ring...".
std::string known_overrides();

/// Reads a file of ep_calibrate: lines "name value"; # begins a comment. A cost that is not named
/// gets the value of the nearest named one (one way that of both ways, beyond the caches that
/// within them), else its default. Throws EP_ERR_ARG with file and line.
CostParameters read_costs(const std::string& path);
std::string write_costs(const CostParameters& costs);

/// Reads the environment: EP_COSTS names a file, EP_ALGORITHM_<COLLECTIVE> an algorithm, and with
/// EP_CHECK_TYPES sizes are ignored.
CostModel model_of_environment();

}  // namespace ep
