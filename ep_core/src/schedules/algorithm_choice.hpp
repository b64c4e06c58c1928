#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "schedules/cost_model.hpp"

namespace ep {

/// The algorithms that support a call. Not all work with any number of processes, with any layout,
/// or in the order of combinations that an ordered reduction requires.
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

/// The algorithms that override the model's choice, per collective.
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

/// The inputs of a communicator's choices, which are the same in all its processes. A flat object,
/// which is sent as raw bytes.
struct CostModel {
  CostParameters costs;
  AlgorithmOverrides overrides;
  /// True if choices do not depend on sizes. Then processes that expect different sizes, as in a
  /// wrong program, still choose the same algorithm and report the difference to each other.
  bool ignores_sizes = false;
  bool operator==(const CostModel&) const = default;
};
/// Returns the one object with this value. It lives until the process ends; only few different
/// values ever exist.
const CostModel& kept(const CostModel& model);

/// Returns the override if it is usable, otherwise the cheapest usable algorithm. If costs are
/// equal, or if sizes are ignored, it is the first usable one of algorithms_of(). At least one must
/// be usable.
Algorithm choose(const CostModel& model, Collective collective, const Shape& shape,
                 std::int64_t bytes, AlgorithmSet usable);

/// Parses "bcast=ring,allreduce=halving". Throws EP_ERR_ARG with the known names; `origin` is the
/// source of the text in the message.
AlgorithmOverrides parse_overrides(std::string_view text, std::string_view origin);

/// Returns all overrides that parse_overrides() knows, for messages:
/// "bcast=binomial|scatter_ring...".
std::string known_overrides();

/// Reads a file written by ep_calibrate: lines "name value", in which # begins a comment. A cost
/// that the file does not name gets the value of the nearest named one (one direction: that of both
/// directions; beyond the caches: that within them), otherwise its default. Throws EP_ERR_ARG with
/// file and line.
CostParameters read_costs(const std::string& path);
std::string write_costs(const CostParameters& costs);

/// Reads the environment: EP_COSTS names a file, EP_ALGORITHM_<COLLECTIVE> an algorithm, and
/// EP_CHECK_TYPES makes choices ignore sizes.
CostModel model_of_environment();

}  // namespace ep
