/// @file
/// The resolved, immutable model of one context: what everything downstream works from. Nothing
/// here knows XML or inheritance.
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
#include "config/temporal.hpp"

namespace epios::config {

/// Only what is used is here: enabled files and couplers, the expressions, sources, grids and
/// elements they need; `unwritten` names the rest, which a model may send without effect.
struct Model {
  // Defined in model.cpp: made anew in each source that copies a Model, they cost it seconds.
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string context_id;
  CalendarType calendar_type = CalendarType::gregorian;
  UserCalendar user_calendar;  ///< of type user_defined
  Duration timestep;
  /// Of the run, or of the first of those that it goes on from: periods and time steps are counted
  /// from here.
  Instant start_date;
  Instant time_origin;
  std::int64_t steps_before = 0;  ///< of the runs that this one goes on from
  std::vector<Scalar> scalars;
  std::vector<Axis> axes;
  std::vector<Domain> domains;
  std::vector<Grid> grids;
  std::vector<Source> sources;
  std::vector<FieldExpression> expressions;  ///< in an order of evaluation
  std::vector<Stream> streams;
  std::vector<File> files;
  std::vector<ReadField> read_fields;
  std::vector<ReadFile> read_files;
  /// What the model receives of its own workflow, by id: what the data are at each date that they
  /// come at, an instant per time step.
  std::vector<Stream> results;
  std::vector<Coupler> couplers;    ///< enabled ones, those that receive first
  std::vector<Variable> variables;  ///< of the context: parameters
  UnwrittenFields unwritten;
  /// "axis 'a' and axis 'b'": whether one is made of the other, or both are equal, follows from
  /// local attributes that the model gives one of them. Not canonical.
  std::vector<std::string> compared_by_clients;
  std::string statistics_path;   ///< path of the state that outlives the run; empty: none does
  std::string statistics_where;  ///< not canonical
  /// Of temporal operations of the DataGraph, the first so many keep their state for the next run.
  /// Not canonical: clients know it.
  int kept_operations = 0;
  int statistics_file = -1;  ///< the file that the state goes to; not canonical

  Calendar calendar() const { return {calendar_type, timestep, user_calendar}; }
  Schedule schedule(const Stream& stream) const {
    return {calendar(), start_date, stream.sampling};
  }
  /// The start of this run, whatever it goes on from.
  Instant start_of_this_run() const { return calendar().at_step(start_date, steps_before); }
  /// Records that other fields are made of are counted on from run to run, as what is made of them
  /// is. What the model alone receives begins anew with each run: a restart is at its start.
  ReadSchedule schedule(const ReadField& field) const {
    return {calendar(), field.source >= 0 ? start_date : start_of_this_run(), field.reading};
  }
  /// The first record that this run may read.
  std::int64_t first_record(const ReadField& field) const {
    const ReadSchedule dates = schedule(field);
    return dates.is_once() ? 0 : dates.latest({start_of_this_run().ms - 1}) + 1;
  }
  /// Index of a source, -1 when no stream needs it or it does not exist.
  int find_source(std::string_view id) const;
  /// Points of a grid, masked ones too; none as long as a size is not known.
  std::optional<std::int64_t> points(int grid) const;
};

/// The global part as bytes, the same for equal models on every machine; what servers receive and
/// what clients compare by hash.
std::vector<std::byte> encode(const Model& model);
/// Throws Error{protocol} for bytes that encode() did not make.
Model decode_model(std::span<const std::byte> bytes);
/// FNV-1a of the canonical bytes.
std::uint64_t global_hash(const Model& model);
/// The global part as JSON, for golden tests and humans.
std::string to_json(const Model& model);

}  // namespace epios::config
