/// @file
/// Sums, averages, minima and maxima of many points, on any clients.
#pragma once

#include <cstdint>
#include <ep/fwd.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "exchange/exact_sum.hpp"
#include "exchange/persistent_exchange.hpp"
#include "exchange/step_frame.hpp"

namespace epios::io {

enum class ReduceOperation { sum, average, minimum, maximum };
/// Returns the operation of a word of the attribute `operation`.
ReduceOperation reduce_operation(std::string_view word);

/// A result so far. Neither order nor grouping of additions changes a bit.
class PartialResult {
 public:
  explicit PartialResult(ReduceOperation operation) : operation_(operation) {}
  /// Returns how many numbers store() writes.
  static std::size_t words(ReduceOperation operation) {
    return is_sum(operation) ? ExactSum::words + 1 : 2;
  }
  void clear();
  /// Adds a value; missing ones are ignored.
  void add(double value);
  void add(std::span<const std::int64_t> stored);
  void store(std::span<std::int64_t> to);
  /// Returns the value, NaN if all were missing.
  double value();

 private:
  static bool is_sum(ReduceOperation operation) {
    return operation == ReduceOperation::sum || operation == ReduceOperation::average;
  }
  ReduceOperation operation_;
  std::int64_t count_ = 0;
  double extreme_ = 0;
  ExactSum sum_;
};

/// Each target is made of the sources that belong to it. Each client combines its own sources. The
/// clients that have some of a target, or want it, form a tree: partial results go up, round by
/// round, the deepest ones first, and the result comes down, so that no client receives messages
/// from all. Several fields share one plan.
class ReductionPlan {
 public:
  struct What {
    ReduceOperation operation = ReduceOperation::sum;
    std::function<std::int64_t(std::int64_t source)>
        target_of;            ///< returns the key of the target of a source
    bool counts_once = true;  ///< points that several clients have count once
    std::int64_t salt = 0;    ///< makes different plans use different clients to combine results
  };
  /// `targets` are those whose results this client wants. Collective over `comm`; null if no other
  /// client has anything of them.
  ReductionPlan(const Frame& frame, const Points& targets, const What& what, const ep::Comm* comm);

 private:
  friend class Reduction;
  /// A target of which this client has something, or that it wants.
  struct Member {
    std::int64_t target = 0;  ///< key
    std::size_t begin =
        0;  ///< first of its sources in places_; they end where those of the next one begin
    std::int64_t place = -1;  ///< place of the result; -1 if it is not wanted
    std::int64_t shared =
        -1;  ///< number among the targets of which others have something, too; or -1
  };
  /// Members that another client has, too, in the order in which they are sent.
  struct Portion {
    int rank = 0;
    std::vector<std::size_t> members{};
  };
  struct Round {
    std::vector<Portion> up;    ///< parts of this client for others, which compute the results
    std::vector<Portion> down;  ///< parts of others for this client; they get the results
    // Bytes, by rank:
    std::vector<std::size_t> parts_sent, parts_received, results_sent, results_received;
  };

  void collect(const Frame& frame, const Points& targets, const What& what, const ep::Comm* comm);
  void plan(const ep::Comm& comm, std::int64_t salt);
  Round round_of(const ep::Comm& comm, const std::vector<Portion>& up) const;
  std::size_t number_of(std::int64_t target) const;
  std::size_t levels() const { return before_.places.size() * behind_.places.size(); }
  std::int64_t offset(std::size_t level, std::int64_t array) const {
    const std::size_t count = before_.places.size();
    return before_.places[level % count] + before_.array * array * behind_.places[level / count];
  }

  ReduceOperation operation_;
  std::size_t words_;
  Level before_, behind_;
  std::int64_t source_array_, target_array_;
  std::vector<Member> members_;  ///< by target, and one more for the end of the last one's sources
  std::vector<std::int64_t> places_;  ///< places of sources, by target
  std::size_t shared_ = 0;            ///< number of shared members
  std::vector<Round> rounds_;         ///< in the order in which parts go up
};

/// The reduction of one field. Belongs to one endpoint.
class Reduction {
 public:
  /// Largest number of message tags that one reduction uses.
  static constexpr int tags = 32;

  /// `comm` is that of the plan; all must outlive this object. `tag` and the following ones belong
  /// to this object alone.
  Reduction(const ReductionPlan& plan, const ep::Comm* comm, int tag, StepTraffic& traffic);

  /// Takes the values of a date. Never waits.
  void take(const double* values, std::int64_t date);
  /// Continues with what has arrived. Returns true if the results are complete. Never waits.
  bool is_done();
  /// Writes the results to their places of `to`, once they are complete.
  void deliver(double* to);
  /// Returns the messages that it waits for; null if there are none.
  const PersistentExchange* exchange() const;

 private:
  void begin_round();
  void end_round();
  void put_together(std::size_t round);
  std::span<std::int64_t> stored(std::size_t member, std::size_t level);
  void value_of_stored(std::size_t member);

  const ReductionPlan& plan_;
  std::vector<std::int64_t> stored_;  ///< per shared member and level
  std::vector<double> results_;       ///< per member and level
  std::vector<std::unique_ptr<PersistentExchange>> parts_, answers_;  ///< per round
  std::size_t phase_;                                                 ///< rounds up, then down
  std::int64_t date_ = 0;                                             ///< date of the values taken
  PartialResult partial_;
};

}  // namespace epios::io
