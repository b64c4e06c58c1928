/// @file
/// The resolved, immutable model of one context: what everything downstream works from. Nothing
/// here knows XML or inheritance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/attributes.hpp"
#include "config/calendar.hpp"
#include "config/expression.hpp"
#include "config/temporal.hpp"

namespace epios::config {

// In all structs below `attributes` holds resolved values: inheritance solved, table defaults
// filled in, so that members with a default in the table are always set. Members of local scope are
// those of this client; they are not part of the canonical bytes.

struct Property {
  std::string name;
  Value value;
};

/// What happens to data on its way to a domain, an axis or a scalar. Of an element that is made of
/// another one (FieldExpression::transformed), the last step makes it; those before say of what
/// shape, those behind look at it.
struct Transformation {
  std::string id;  ///< not canonical
  ElementKind kind = ElementKind::extract_domain;
  std::vector<Property> attributes;        ///< in table order; defaults of the table are filled in
  std::vector<Property> local_attributes;  ///< of this client; not canonical
  std::string where;                       ///< not canonical
};

struct Scalar {
  std::string id;
  std::string name;  ///< name in files
  ScalarAttributes attributes;
  std::vector<Transformation>
      transformations{};  ///< first applied first, inherited ones before own
  /// One that lies in the array of something else: how long that is along it, and where the value
  /// is in it. Of this client; not canonical.
  std::int64_t places = 1;
  std::int64_t place = 0;
};

struct Axis {
  std::string id;
  std::string name;
  AxisAttributes attributes;  ///< n_glo is set
  std::vector<Transformation> transformations{};
};

struct Domain {
  std::string id;
  std::string name;
  DomainAttributes attributes;  ///< type, ni_glo and nj_glo are set
  std::vector<Transformation> transformations{};
};

struct GridElement {
  enum class Kind { scalar, axis, domain } kind = Kind::scalar;
  int index = 0;  ///< into Model::scalars, axes or domains
  bool operator==(const GridElement&) const = default;
};

/// Elements in model order: the first varies fastest in the model's array. No element: one value.
struct Grid {
  std::string id;
  std::vector<GridElement> elements;
  /// Of this client, over its cells of all elements, first element fastest; false: masked. None: no
  /// mask. Not canonical.
  std::optional<value::booleans> mask{};
};

struct Variable {
  std::string id;
  std::string name;  ///< name of the attribute on file
  VariableAttributes attributes;
  std::string text;
};

/// Data the model may send: a field without expression, or what `this` stands for in one. Or those
/// of a file that is read.
struct Source {
  std::string id;
  int grid = 0;
  bool detect_missing_value = false;
  double default_value = 0;  ///< marker of missing values if detect_missing_value
  int read_field = -1;       ///< into Model::read_fields; -1: the model sends it
};

/// An operand or an operation of a FieldExpression.
struct FieldExpressionNode {
  ExpressionOp op = ExpressionOp::number;
  ExpressionType type = ExpressionType::scalar;
  double number = 0;  ///< of a number or a variable: its value
  int variable = -1;  ///< of a variable: into Model::variables
  // Of field, self and reference, one of the two; the other is -1:
  int source = -1;               ///< into Model::sources
  int expression = -1;           ///< into Model::expressions, before the one that this node is in
  std::vector<std::string> via;  ///< as of a Stream; not canonical
  /// '@': not the data themselves but the results of `sampling`, one every `output_freq` of it.
  bool is_temporal = false;
  Sampling sampling;                  ///< of '@', also of op temporal
  bool detect_missing_value = false;  ///< the same: missing samples are left out
  std::vector<int> arguments;         ///< nodes before this one
  /// Of data in another unit than the operand's, as of a Stream; before '@' works on them.
  std::vector<double> conversion{};
  std::string data_unit{}, unit{};
};

/// Data that come from other data, step by step: those of a field with an expression, or of one on
/// another grid than the field that it refers to.
struct FieldExpression {
  std::string id;  ///< of the field, or of the field it refers to
  int grid = 0;    ///< of the operands
  /// A step from grid to grid: which element of `grid`, counted from 1, the last of its
  /// transformations makes of the element in its place of the grid of the first node; further nodes
  /// are the coordinates that it names (of the source, then of the target). 0: another grid with
  /// the same points, or arithmetic.
  std::int64_t transformed = 0;
  /// Of a step: whether its grid is that of the field, one of its grid_path, or lies between. Not
  /// canonical.
  enum class Stage : std::uint8_t { end, stop, between } stage = Stage::end;
  std::vector<FieldExpressionNode> nodes;  ///< in an order of evaluation; the last is the result
  std::string text;                        ///< as it was written; not canonical
  std::string where;                       ///< not canonical
};

/// A field in a file: one variable, one stream of records. Or one that the model receives.
struct Stream {
  std::string id;    ///< id of the field inside the file, or of the field it refers to
  std::string name;  ///< variable name
  int file = 0;      ///< -1: the model receives it
  // Its data, one of the two; the other is -1:
  int source = 0;       ///< into Model::sources
  int expression = -1;  ///< into Model::expressions
  /// Ids of the fields that only hand its data on, from the data to it; not canonical.
  std::vector<std::string> via;
  int grid = 0;
  /// Data in another unit than the field's, which is `data_unit`, are made into it: a factor and an
  /// offset; empty: they are as they are.
  std::vector<double> conversion{};
  std::string data_unit{};
  Sampling sampling;
  FieldAttributes attributes;
  std::vector<Variable> variables;
  std::string where;  ///< file:line:col of the field in the file, for messages; not canonical
};

struct File {
  std::string id;
  std::string path;  ///< output_dir + name + name_suffix + ".nc"
  FileAttributes attributes;
  std::vector<int> streams;
  std::vector<Variable> variables;
  std::string where;  ///< not canonical
  /// Of its streams, counted from start_date, that leaves in this run: earlier ones are in the
  /// files of the runs that this one goes on from.
  std::int64_t first_record = 0;
};

/// A field that the model receives from a file: one variable.
struct ReadField {
  std::string id;
  std::string name;  ///< of the variable
  int file = 0;      ///< into Model::read_files
  int grid = 0;
  Reading reading;
  int source = -1;  ///< into Model::sources, where other fields have its data; -1: none has
  FieldAttributes attributes;
  std::vector<std::string> aliases;  ///< ids of fields that refer to it
  std::string where;                 ///< not canonical
};

/// A file that is read. Its record number k of the run is record record_offset + k of the file.
struct ReadFile {
  std::string id;
  std::string path;  ///< name + name_suffix + ".nc"
  FileAttributes attributes;
  std::vector<int> fields;  ///< into Model::read_fields
  std::string where;        ///< not canonical
};

/// A field that a Coupler exchanges.
struct CoupledField {
  std::string id;  ///< both contexts call it so
  // What is sent, one of the two; what is received is a source, as soon as its grid is known.
  int source = -1;
  int expression = -1;
  std::vector<std::string> via;  ///< as of a Stream; not canonical
  int grid = -1;                 ///< -1: what is received takes the grid of the partner
  /// Sent are its results; what is received comes at their dates.
  Sampling sampling;
  FieldAttributes attributes;
  std::string where;  ///< not canonical
};

/// Fields that go to a context of another code, or of the same one, or come from it.
struct Coupler {
  ElementKind kind = ElementKind::coupler_out;  ///< or coupler_in
  std::string id;
  std::string partner_code;
  std::string partner_context;
  std::vector<CoupledField> fields;
  std::string where;  ///< not canonical
};

/// Only what is used is here: enabled files and couplers, the expressions, sources, grids and
/// elements they need; `known_fields` names the rest, which a model may send without effect.
struct Model {
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
  std::vector<Coupler> couplers;          ///< enabled ones, those that receive first
  std::vector<Variable> variables;        ///< of the context: parameters
  std::vector<std::string> known_fields;  ///< ids of fields with no stream, sorted
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
