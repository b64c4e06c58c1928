/// @file
/// Sums, averages, least and greatest values of many points, wherever they are.
#pragma once

#include <cstdint>
#include <ep/ep.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "exact_sum.hpp"
#include "parcels.hpp"
#include "step_frame.hpp"

namespace epios::io {

enum class ReduceOperation { sum, average, minimum, maximum };
/// Of the words of the attribute `operation`.
ReduceOperation reduce_operation(std::string_view word);

/// What is known of a result so far. Neither order nor grouping of what is added changes a bit.
class PartialResult {
 public:
  explicit PartialResult(ReduceOperation operation) : operation_(operation) {}
  /// Numbers that store() writes.
  static std::size_t words(ReduceOperation operation) {
    return is_sum(operation) ? ExactSum::words + 1 : 2;
  }
  void clear();
  /// Missing values are left out.
  void add(double value);
  void add(std::span<const std::int64_t> stored);
  void store(std::span<std::int64_t> to);
  /// NaN when all was missing.
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

/// Each target is made of the sources that belong to it. Each client adds up what it has; one of
/// those who have some of a target puts the parts together and tells whoever wants the result.
/// Several fields share one plan.
class ReductionPlan {
 public:
  struct What {
    ReduceOperation operation = ReduceOperation::sum;
    std::function<std::int64_t(std::int64_t source)> target_of;  ///< keys
    bool counts_once = true;  ///< points that several clients have
  };
  /// `targets`: those whose results this client wants. Collective over `comm`; none: nobody else
  /// has anything of them.
  ReductionPlan(const Frame& frame, const Points& targets, const What& what, const ep::Comm* comm);

 private:
  friend class Reduction;
  /// Sources of this client that belong to one target.
  struct Part {
    std::int64_t target = 0;  ///< key
    std::vector<std::int64_t> places{};
    int rank = 0;            ///< who puts the target together
    std::size_t number = 0;  ///< of the target, there; of those of this client if it is it
    bool is_alone = true;    ///< nobody else has anything of it
  };
  struct Wanted {
    std::int64_t place = 0;
    int rank = -1;  ///< who has the result; -1: nobody
    std::size_t number = 0;
  };
  /// Where what comes from others belongs, or what others want is.
  struct Portion {
    int rank = 0;
    std::vector<std::size_t> numbers{};
  };

  void collect(const Frame& frame, const What& what, const ep::Comm* comm);
  void plan(const Points& targets, const ep::Comm& comm);
  void plan_parts(const ep::Comm& comm);
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
  int rank_ = 0;
  std::vector<Part> parts_;            ///< by target
  std::vector<Wanted> wanted_;         ///< by target
  std::vector<std::int64_t> targets_;  ///< that this client puts together, ascending
  bool has_shared_ = false;            ///< some of them with parts of others
  std::vector<Portion> incoming_;      ///< parts of others
  std::vector<Portion> outgoing_;      ///< results for others
  // Bytes, by rank:
  std::vector<std::size_t> parts_sent_, parts_received_, results_sent_, results_received_;
};

/// The reduction of one field. Belongs to one endpoint.
class Reduction {
 public:
  /// `comm` as that of the plan; both outlive this. `tag` and the next one are of this one alone.
  Reduction(const ReductionPlan& plan, const ep::Comm* comm, int tag);

  /// Never waits.
  void take(const double* values, std::int64_t date);
  /// Waits for others. Results at their places of `to`.
  void deliver(double* to, const Check& check);

 private:
  void put_together();

  std::int64_t date_ = 0;  ///< of what has been taken

  const ReductionPlan& plan_;
  std::vector<std::int64_t>
      stored_;                   ///< per target that is put together and level, if any is shared
  std::vector<double> results_;  ///< per such target and level
  std::unique_ptr<Parcels> parcels_, answers_;
  PartialResult partial_;
};

}  // namespace epios::io
