/// @file
/// The periods of files and fields, for the Model.
#pragma once

#include <optional>

#include "config/model.hpp"
#include "inheritance.hpp"

namespace epios::config {

/// What the calendar says about the durations of a context; without time step (in a check) only
/// their syntax is known.
struct Clock {
  bool is_known = false;
  Calendar calendar{CalendarType::gregorian, {}};
  Instant start;
};

/// Works out periods and reports those that cannot be.
class PeriodBuilder {
 public:
  PeriodBuilder(const ContextStore& store, Inheritance& inheritance, Findings& findings,
                const Clock& clock);

  /// Time steps expressed in units; reports a period that does not move time forward. Whether the
  /// duration can be used.
  bool settle(std::optional<Duration>& duration, const char* attribute, int node);
  /// Reports a duration that ends between two time steps: no data is dated so.
  bool is_on_steps(const Duration& duration, const char* attribute, int node);
  Sampling sampling_of(int field, FieldAttributes& attributes, const FileAttributes& file);

 private:
  /// Time steps expressed in units; false for no duration.
  bool expand(std::optional<Duration>& duration) const;
  /// Report samples that would fall outside of their period, which is checked already.
  void check_freq_op(int field, const Duration& freq_op, const Duration& output_freq);
  void check_freq_offset(int field, const Duration& freq_offset, const Duration& freq_op);
  Duration without_timesteps(const Duration& duration) const;

  const ContextStore& store_;
  Inheritance& inheritance_;
  Findings& findings_;
  const Clock& clock_;
};

}  // namespace epios::config
