/// @file
/// The resolved, immutable model of one context, from which all later stages work. They do not know
/// XML or inheritance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/calendar.hpp"
#include "config/model_couplers.hpp"
#include "config/model_data.hpp"
#include "config/model_elements.hpp"
#include "config/model_files.hpp"
#include "config/model_ids.hpp"
#include "config/temporal.hpp"

namespace epios::config {

/// Where the state that outlives the run lies.
struct StatisticsState {
  std::string path;   ///< empty if there is none
  std::string where;  ///< place of the attribute that says so; not canonical
};

/// Contains only what is used: enabled files and couplers, and the expressions, sources, grids and
/// elements that they need. `unwritten` names the other fields, which a model may send without
/// effect.
struct Model {
  // Defined in model.cpp, because implicit members cost seconds in each source that copies a Model.
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string context_id;
  CalendarType calendar_type = CalendarType::gregorian;
  UserCalendar user_calendar;  ///< parameters of type user_defined
  Duration timestep;
  /// Start of the run, or of the first of the runs that it continues. Periods and time steps count
  /// from here.
  Instant start_date;
  Instant time_origin;
  std::int64_t steps_before = 0;  ///< time steps of the runs that this one continues
  IndexedVector<ScalarId, Scalar> scalars;
  IndexedVector<AxisId, Axis> axes;
  IndexedVector<DomainId, Domain> domains;
  IndexedVector<GridId, Grid> grids;
  IndexedVector<SourceId, Source> sources;
  IndexedVector<ExpressionId, FieldExpression> expressions;  ///< in an order of evaluation
  IndexedVector<StreamId, Stream> streams;
  IndexedVector<FileId, File> files;
  IndexedVector<ReadFieldId, ReadField> read_fields;
  IndexedVector<ReadFileId, ReadFile> read_files;
  /// Data that the model receives from its own workflow, by id: the data at each date at which it
  /// comes, instants per time step.
  IndexedVector<ResultId, Stream> results;
  IndexedVector<CouplerId, Coupler> couplers;     ///< enabled couplers, receiving ones first
  IndexedVector<VariableId, Variable> variables;  ///< variables of the context: parameters
  UnwrittenFields unwritten;
  /// "axis 'a' and axis 'b'": elements that are equal, or not, by local attributes that the model
  /// gives one of them; clients may find it otherwise. Not canonical.
  std::vector<std::string> compared_by_clients;
  StatisticsState statistics;
  /// Number of temporal operations of the DataGraph, counted from the first, that keep their state
  /// for the next run. Not canonical: clients know it.
  int kept_operations = 0;
  FileId statistics_file{};  ///< file for that state; not canonical

  Calendar calendar() const { return {calendar_type, timestep, user_calendar}; }
  /// Returns the times of the records of a stream. The dates at which they are due depend on when
  /// data comes: FedSchedules know them.
  RecordTimes record_times(const Stream& stream) const {
    return {calendar(), start_date, stream.sampling};
  }
  /// Returns the start of this run itself.
  Instant start_of_this_run() const { return calendar().at_step(start_date, steps_before); }
  /// Returns the dates of a field that is read. Records that other fields are made of are counted
  /// through all runs, like those fields. Records that only the model receives are counted from the
  /// start of each run, where a restart begins.
  ReadSchedule schedule(const ReadField& field) const {
    return {calendar(), field.source >= 0 ? start_date : start_of_this_run(), field.reading};
  }
  /// Returns the first record that this run may read.
  std::int64_t first_record(const ReadField& field) const {
    const ReadSchedule dates = schedule(field);
    return dates.is_once() ? 0 : dates.latest({start_of_this_run().ms - 1}) + 1;
  }
  /// Returns the index of a source, or -1 if no stream needs it or it does not exist.
  SourceId find_source(std::string_view id) const;
  /// Returns the number of points of a grid, masked ones included, or nothing while a size is not
  /// known.
  std::optional<std::int64_t> points(GridId grid) const;
};

/// Encodes the global part. Equal models give the same bytes on every machine. Servers receive
/// these bytes; clients compare their hash.
std::vector<std::byte> encode(const Model& model);
/// Throws Error{protocol} for bytes that encode() did not make.
Model decode_model(std::span<const std::byte> bytes);
/// Returns the FNV-1a hash of the canonical bytes.
std::uint64_t global_hash(const Model& model);
/// Returns the global part as JSON, for golden tests and for people.
std::string to_json(const Model& model);

}  // namespace epios::config
