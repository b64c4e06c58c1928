/// @file
/// Temporal operations that are incomplete when a run ends, and how the next run continues them
/// (attribute statistics_file): a file of the Model holds their state. All functions are pure;
/// client and server read and write the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "config/model_fwd.hpp"
#include "config/model_ids.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// A temporal node of the DataGraph, in the order of the graph. One that has samples of several
/// records at a time (config::records_at_a_time) occurs once for each of them.
struct KeptOperation {
  std::string field;  ///< owner of the operation, for messages: "field 'tos' of file 'monthly'"
  std::string where;  ///< place of that field
  GridId grid{0};
  Sampling sampling;
  /// Describes the operation, by key. Equal operations of two runs have equal texts, whatever the
  /// ids of their fields.
  std::map<std::string, std::string> description;
  std::int64_t slot = 0;    ///< which of the records at a time
  bool has_values = false;  ///< an array of values outlives the run
  bool has_counts = false;  ///< an array with the number of samples of each value outlives it, too
};

/// Returns the operations of a Model without statistics file.
std::vector<KeptOperation> kept_operations(const Model& model);

/// State of an operation at the end of a run, without the arrays.
struct OperationState {
  Schedule::Counters counters;
  std::int64_t samples = 0;  ///< number of samples in the arrays
  bool misses_some = false;  ///< some data did not come in the current period
  /// Number of samples of the last record, if the arrays hold it because it waits for other records
  /// of its file. 0 if it has left.
  std::int64_t held_samples = 0;
  Instant held_at{};  ///< date of that record at the end of the run
};

/// Returns the streams of each file that has records with one number and different dates
/// (freq_offset, results of others). `schedules` are those of fed_schedules_of_streams().
std::vector<std::vector<StreamId>> streams_of_different_dates(
    const Model& model, const std::vector<Schedule>& schedules);

/// State of all operations at the end of a run, without the arrays.
struct RunState {
  Instant start_date;  ///< start of the first of the runs that belong together
  Instant time_origin;
  std::int64_t steps = 0;            ///< steps from start_date to the last one with data
  std::int64_t announced_steps = 0;  ///< steps to the last one that the calendar was set to
  std::vector<OperationState> operations;
  std::vector<std::string> paths;  ///< paths of the files; of a split file that of its last part
};

/// Names of variables in the file. `numbers_variable` holds a RunState, the others the arrays of an
/// operation.
inline constexpr std::string_view numbers_variable = "run";
std::string values_variable(std::size_t operation);
std::string counts_variable(std::size_t operation);

/// Returns the numbers of a state. How many there are depends on the Model alone.
std::vector<double> numbers_of(const RunState& state);

/// The contents of a file.
struct StoredStatistics {
  std::map<std::string, std::string> attributes;  ///< attributes of the file, by name
  std::vector<double> numbers;  ///< values of `numbers_variable`; empty if it is missing
};

/// The state in a file that belongs to this Model.
struct Continuation {
  RunState state;                 ///< `operations` are in the order of kept_operations()
  std::vector<std::size_t> from;  ///< number in the file of each operation
};

/// Finds the operations of a Model in a file. Throws Error{configuration}, which names all
/// differences: a file of another program; another context, calendar, start date or time step;
/// fields with other operations or without state; states that no field takes; and files of earlier
/// runs that this run would overwrite.
Continuation continuation(const Model& model, const std::vector<KeptOperation>& kept,
                          const StoredStatistics& stored);

/// Turns the Model of a run into that of a continued run: dates, time steps and records count from
/// the start of the first run.
void go_on(Model& model, const std::vector<KeptOperation>& kept, const RunState& state);

/// The sources that add_statistics_file() adds. They take the arrays of the operations and are sent
/// once.
struct StatisticsSources {
  SourceId numbers{};
  std::vector<SourceId> values, counts;  ///< index of each operation; -1 if it has none
};
StatisticsSources add_statistics_file(Model& model, const std::vector<KeptOperation>& kept);

/// Returns the paths of the files at a date, without the file of the statistics. Of a split file it
/// is the part for data dated just after `date` (`is_next`) or at it.
std::vector<std::string> paths_at(const Model& model, Instant date, bool is_next);

}  // namespace epios::config
