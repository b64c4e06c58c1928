/// @file
/// Temporal operations that are under way when a run ends, and how the next run goes on with them
/// (attribute statistics_file): a file of the Model that holds their state. Pure functions; who
/// reads and writes the file are others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// A temporal node of the DataGraph, in its order.
struct KeptOperation {
  std::string field;  ///< that it belongs to, for messages: "field 'tos' of file 'monthly'"
  std::string where;  ///< of that field
  int grid = 0;
  Sampling sampling;
  /// What it is, by key; equal operations of two runs have equal texts, whatever the ids of fields.
  std::map<std::string, std::string> description;
  bool has_values = false;  ///< an array of values outlives the run,
  bool has_counts = false;  ///< and one that says how many samples each is made of
};

/// Those of a Model without statistics file.
std::vector<KeptOperation> kept_operations(const Model& model);

/// What a run knows about an operation at its end but for the arrays.
struct OperationState {
  Schedule::Counters counters;
  std::int64_t samples = 0;  ///< in the arrays
  bool misses_some = false;  ///< data did not come in the period under way
  /// The arrays are the last record, of so many samples, which waits for others of its file; 0: it
  /// has left.
  std::int64_t held_samples = 0;
  Instant held_at{};  ///< when the run ended
};

/// Streams of one file whose records of one number are due at different dates (freq_offset, results
/// of others), per file that has such. `schedules`: fed_schedules_of_streams().
std::vector<std::vector<int>> streams_of_different_dates(const Model& model,
                                                         const std::vector<Schedule>& schedules);

/// All that is known at the end of a run but for the arrays.
struct RunState {
  Instant start_date;  ///< of the first of the runs that belong together
  Instant time_origin;
  std::int64_t steps = 0;            ///< since start_date, to the last with data
  std::int64_t announced_steps = 0;  ///< to the last that the calendar was set to
  std::vector<OperationState> operations;
  std::vector<std::string> paths;  ///< of files, the last part of each
};

/// Names of variables of the file: `numbers` holds a RunState, others the arrays of an operation.
inline constexpr std::string_view numbers_variable = "run";
std::string values_variable(std::size_t operation);
std::string counts_variable(std::size_t operation);

/// The numbers of a state; how many depends on the Model alone.
std::vector<double> numbers_of(const RunState& state);

/// What was found in a file.
struct StoredStatistics {
  std::map<std::string, std::string> attributes;  ///< of the file, by name
  std::vector<double> numbers;                    ///< of `numbers_variable`; empty: it has none
};

/// What of it is for this Model.
struct Continuation {
  RunState state;                 ///< `operations` as in kept_operations()
  std::vector<std::size_t> from;  ///< per operation: its number in the file
};

/// Finds the operations of a Model in a file. Throws Error{configuration} that names all
/// differences: another program's file, another context, calendar, start date or time step, fields
/// whose operations are others or have no state, states that no field takes, and files that this
/// run would write over though a run before has written them.
Continuation continuation(const Model& model, const std::vector<KeptOperation>& kept,
                          const StoredStatistics& stored);

/// Makes the Model of a run that of one that goes on: dates, time steps and records are counted
/// from the start of the first run.
void go_on(Model& model, const std::vector<KeptOperation>& kept, const RunState& state);

/// What add_statistics_file() has added: sources that take the arrays of operations, to be sent
/// once.
struct StatisticsSources {
  int numbers = -1;
  std::vector<int> values, counts;  ///< per operation; -1: it has none
};
StatisticsSources add_statistics_file(Model& model, const std::vector<KeptOperation>& kept);

/// The paths of the files as they are at a date: of split files those of the part in which data
/// dated just after `date` (`is_next`) or at it go. Of files without statistics.
std::vector<std::string> paths_at(const Model& model, Instant date, bool is_next);

}  // namespace epios::config
