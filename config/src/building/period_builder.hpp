/// @file
/// The periods of files and fields, for the Model.
#pragma once

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/temporal.hpp"
#include "language/inheritance.hpp"
#include "time/clock.hpp"

namespace epios::config {

/// Resolves periods and reports invalid ones.
class PeriodBuilder {
 public:
  PeriodBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                const Clock& clock);

  /// Expresses time steps in units. Reports a period that does not move time forward. Returns true
  /// if the duration is valid.
  bool settle(std::optional<Duration>& duration, const char* attribute, int node);
  /// Returns true if data cannot come that often. Returns false while the calendar is not known.
  bool is_shorter_than_step(const Duration& duration) const;
  /// Reports a duration that ends between two time steps, where no data is dated.
  bool is_on_steps(const Duration& duration, const char* attribute, int node);
  const Clock& clock() const { return clock_; }
  Sampling sampling_of(int field, FieldAttributes& attributes, const FileAttributes& file,
                       const OutputDates& dates);
  /// Returns the reading of a field of a file that is read. Its freq_offset says where its records
  /// stand; fields that refer to it do not inherit it.
  Reading reading_of(int field, FieldAttributes& attributes, const FileAttributes& file);
  /// Notes a field of a file that may be read: other fields do not inherit its freq_offset.
  void may_be_read(int field) { read_.insert(field); }
  /// Returns the setting for the start of samples of a field, or nullptr if nobody gave one.
  const Setting* freq_offset_of(int field);
  /// Returns the sampling of '@' at `place`: the operation of `operand`, with a result every
  /// freq_op of `owner`. Returns nothing if it cannot be resolved, which is reported (a missing
  /// operation by report_missing_operations).
  std::optional<Sampling> nested_sampling(int owner, int operand, const Origin& place);
  /// Returns the sampling of a field of a coupler: a result every freq_op. Returns nothing if it
  /// cannot be resolved.
  std::optional<Sampling> exchange_sampling(int field, bool is_received);
  /// Reports each field after '@' without operation once, however many expressions use it. One
  /// operation missing in a group would otherwise cause a flood.
  void report_missing_operations();

 private:
  /// A use of '@' before a field without operation.
  struct Use {
    Origin first;
    int count = 0;
  };

  /// Expresses time steps in units. Returns false if there is no duration.
  bool expand(std::optional<Duration>& duration) const;
  /// Report samples that would fall outside of their period. Called for valid periods.
  void check_freq_op(int field, const Duration& freq_op, const Duration& output_freq);
  void check_freq_offset(int field, const Duration& freq_offset, const Duration& freq_op);
  bool begins_with_a_step(int field, const Duration& freq_offset, const Duration& step);
  bool is_weighted(int field, const FieldAttributes& attributes, Operation operation);
  /// Returns the freq_op of an owner of '@', or a time step if it has none.
  std::optional<Duration> period_of_results(int owner);
  void warn_of_single_samples(int owner, const Origin& place);
  Duration without_timesteps(const Duration& duration) const;

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  const Clock& clock_;
  std::unordered_set<int> read_;                      ///< fields of files that are read
  std::vector<int> operands_without_operation_;       ///< in the order of their first uses
  std::unordered_set<int> owners_of_single_samples_;  ///< owners that have been reported
  std::unordered_map<int, Use> uses_without_operation_;
};

}  // namespace epios::config
