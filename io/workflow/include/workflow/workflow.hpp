/// @file
/// The graph of filters between the arrays of a model and the sinks of client and server. It knows
/// neither transport nor files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "config/calendar.hpp"
#include "config/model_fwd.hpp"
#include "config/statistics.hpp"
#include "grid/layout.hpp"

namespace epios::io {

/// Values in the layout of a model's array. Only the places of its points have a meaning. Valid
/// during the call only.
struct ArrayValues {
  std::variant<std::span<const double>, std::span<const float>> values;
  std::optional<double> marker;  ///< values equal to it (as the array holds it) are missing, too
};

/// Values of a record that are computed where they are needed: arithmetic without an intermediate
/// array. Valid only during Sink::put_worked_out().
class Calculation {
 public:
  Calculation() = default;
  Calculation(const Calculation&) = delete;
  Calculation(Calculation&&) = delete;
  Calculation& operator=(const Calculation&) = delete;
  Calculation& operator=(Calculation&&) = delete;
  virtual ~Calculation() = default;
  /// Computes to[0] ... to[count - 1] for `place` and the places behind it, all of which have
  /// values in the array of the stream's grid. Calls may come in any order; runs of some hundred
  /// places are the cheapest.
  virtual void work_out(std::int64_t place, std::int64_t count, double* to) = 0;
};

/// Receives the records of a stream. The client's sender and tests implement it.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink(Sink&&) = delete;
  Sink& operator=(const Sink&) = delete;
  Sink& operator=(Sink&&) = delete;
  virtual ~Sink() = default;
  /// Takes a record; `values` are made from so many samples.
  virtual void put(std::int64_t record, std::int64_t samples, const ArrayValues& values) = 0;
  /// Returns true if records may come through put_worked_out(), too. Called once.
  virtual bool works_out() const { return false; }
  /// Takes a record whose values are not in an array yet; otherwise like put().
  virtual void put_worked_out(std::int64_t /*record*/, std::int64_t /*samples*/,
                              Calculation& /*values*/) {}
};

/// A transformation of values of one grid, possibly using others (coordinates), into values of
/// another grid (config::DataNode::Kind::spatial). The client and tests implement it.
class SpatialFilter {
 public:
  SpatialFilter() = default;
  SpatialFilter(const SpatialFilter&) = delete;
  SpatialFilter(SpatialFilter&&) = delete;
  SpatialFilter& operator=(const SpatialFilter&) = delete;
  SpatialFilter& operator=(SpatialFilter&&) = delete;
  virtual ~SpatialFilter() = default;
  /// Takes values of one date, one array per argument of the node, in the layouts of their grids;
  /// NaN is missing. Never waits for other clients, whose values may be needed. The arrays are
  /// valid during the call only.
  virtual void take(std::span<const std::span<const double>> values, config::Instant date) = 0;
  /// Returns the result of what it has taken, in the layout of its grid. May wait for clients that
  /// have not taken theirs. Called once per take(); the result is valid until the next take().
  virtual std::span<const double> deliver() = 0;
  /// Returns true if values of that date, taken next, give a result. Otherwise they are taken for
  /// later ones, and nothing is delivered.
  virtual bool would_deliver(config::Instant /*date*/) const { return true; }
  /// Returns true if it needs the values of all dates, also those without demand, because they
  /// determine the dates of its results.
  virtual bool takes_all() const { return false; }
};

/// Account of a stream until the end of the run: what was due, and what the model did not send.
struct StreamAccount {
  std::int64_t dates = 0;         ///< number of dates at which data was due
  std::int64_t dates_missed = 0;  ///< number of these without data
  config::Instant first_missed;   ///< valid if dates_missed is not 0
  config::Instant last_missed;
  std::int64_t records = 0;          ///< number of records that were due
  std::int64_t last_period = 0;      ///< number of the period in which the run ended
  std::int64_t records_missing = 0;  ///< number of records without any sample, never put
  std::int64_t records_short = 0;    ///< number of records put with some samples missing
  std::int64_t samples_left = 0;     ///< number of samples of the period in which the run ended
  bool is_complete() const { return records_missing == 0 && records_short == 0; }
};

/// The records that may come: single ones, and all from one on.
struct OpenRecords {
  std::vector<std::int64_t> single;  ///< in any order
  std::int64_t from = 0;
};

/// All streams of one context on one client endpoint: source -> missing values -> temporal
/// operation -> sinks. Equal (source, sampling) pairs share one temporal filter. Not thread-safe:
/// it belongs to one endpoint. Allocates at construction only.
///
/// NaN is missing. With detect_missing_value, values equal to the default_value of the source
/// (rounded to float for float arrays) are missing too, and operations ignore missing samples point
/// by point: an average divides by the number of the others, a point without any sample stays NaN.
/// Without it NaN propagates, also through minimum and maximum. Operations take samples in the
/// order of the calls at every point, so that results do not depend on the decomposition.
class Workflow {
 public:
  using MakeSink = std::function<std::unique_ptr<Sink>(int stream)>;
  using MakeSpatial = std::function<std::unique_ptr<SpatialFilter>(int expression)>;

  /// Calls `make_sink` once per stream, in order; then `make_result_sink` once per result of the
  /// model (without it, results are dropped); then `make_spatial` once per spatial node of the
  /// graph, in its order, with the expression of the node; then `make_coupled_sink` once per field
  /// of a coupler_out (config::coupled_fields). Keeps neither `model` nor `parts`. Throws
  /// Error{configuration} for a stream on another grid than its source.
  Workflow(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink,
           const MakeSink& make_result_sink = {}, const MakeSpatial& make_spatial = {},
           const MakeSink& make_coupled_sink = {});
  Workflow(const Workflow&) = delete;
  Workflow(Workflow&&) noexcept;
  Workflow& operator=(const Workflow&) = delete;
  Workflow& operator=(Workflow&&) noexcept;
  ~Workflow();

  /// Returns the layout of the arrays that send() takes for sources on a grid.
  const ArrayLayout& layout(int grid) const;

  /// Feeds a model array dated `now` to every filter of `source`. Records that are due go to their
  /// sinks before this call returns, in stream order; before them go records whose period ended
  /// before `now` with some samples. A record without any sample is never put. The array is only
  /// read, and only during the call; an instant record is the array itself. An array that `stays`
  /// until let_go() is not copied when it has to wait for others. Throws Error{argument} with
  /// expected and received counts for a wrong size (the caller adds context and field).
  enum class Array { is_the_models, stays };
  void send(int source, config::Instant now, std::span<const double> array,
            Array lifetime = Array::is_the_models);
  /// Sends an array in single precision.
  void send(int source, config::Instant now, std::span<const float> array,
            Array lifetime = Array::is_the_models);
  /// Ends the stay of an array: from `now` on its values may change.
  void let_go(int source, config::Instant now);

  /// Completes what spatial filters have taken, in the order of the graph, and continues with the
  /// results as after a send. All clients call it before the date changes; later calls of the
  /// workflow do it themselves. May wait for other clients.
  void deliver();

  // Sources that come from files or from other contexts. It is known before the model sends
  // anything for a date whether they have data at that date.

  /// Says that a source has data at `now`, which may be provided. Without this call it has none.
  void expect(int source, config::Instant now);
  /// Like send(), for a source that is read. The array stays unchanged until the next call for this
  /// source: what waits for other data waits there.
  void provide(int source, config::Instant now, std::span<const double> array);
  /// Returns true if data of a source at this date, later than all data so far, would be used if
  /// the other sources have data, too.
  bool may_want(int source, config::Instant date) const;

  /// Replaces send() if is_active() is false: checks the size and notes that the send had no
  /// effect.
  void send_idle(int source, config::Instant now, std::size_t size);

  /// Ends periods that are over before `now`: puts what waits for data of their last date, for the
  /// source of `stream` and all streams of that source.
  void pass(int stream, config::Instant now);
  /// Does the same for a field of a coupler_out, by its number among those.
  void pass_sent(int sent, config::Instant now);

  /// Returns the records that a stream may still put, or has put, as far as is known while another
  /// record is being put. No data can come for the other records. The same on all clients.
  OpenRecords open_records(int stream) const;

  /// Ends the run at `end`: puts records whose period is over and that wait for data of their last
  /// date, by source and stream. No send may follow, except for sources that take the state
  /// (config::add_statistics_file).
  void finish(config::Instant end);

  // The state that outlives a run. `operation` is a number among config::kept_operations().

  /// Returns the state of an operation, after finish().
  config::OperationState state(int operation) const;
  /// Arrays in the layout of the grid of the operation, which the caller may fill before take_up().
  /// Counts are empty if the operation does not count.
  struct KeptArrays {
    std::span<double> values;
    std::span<std::uint32_t> counts;
  };
  KeptArrays kept_arrays(int operation);
  /// Continues an operation from the state of an earlier run, before anything is sent.
  void take_up(int operation, const config::OperationState& state);
  /// Ends the continuation once all operations have their state: puts again what was written once.
  /// Does nothing when it is called again.
  void resume();

  /// Returns the account of a stream, complete after finish(). A difference between clients is a
  /// mistake of the model.
  const StreamAccount& account(int stream) const;
  /// Returns the number of sends of `source` without effect, because it had been sent at that date
  /// already.
  std::int64_t repeated_sends(int source) const;

  /// Returns true if a send of `source` dated `now` would have an effect: a filter takes a sample
  /// or has a record to send, and its result goes to a sink or to another such filter.
  bool is_active(int source, config::Instant now) const;

  /// The record that a send of `source` dated `now` would put, if that is all it would do: the
  /// array itself, unchanged, as one record of one stream.
  struct SoleRecord {
    int stream = 0;
    std::int64_t record = 0;
  };
  std::optional<SoleRecord> sole_record(int source, config::Instant now) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
