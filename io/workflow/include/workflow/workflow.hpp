/// @file
/// The graph of filters between a model's arrays and sinks that client and server plug in. Knows
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

/// Values in the layout of a model's array; only those of its points mean anything. Valid during
/// the call only.
struct ArrayValues {
  std::variant<std::span<const double>, std::span<const float>> values;
  std::optional<double> marker;  ///< values equal to it (as the array holds it) are missing, too
};

/// Values of a record that are worked out where they are wanted: arithmetic, without an array
/// between. Valid during Sink::put_worked_out() only.
class Calculation {
 public:
  Calculation() = default;
  Calculation(const Calculation&) = delete;
  Calculation(Calculation&&) = delete;
  Calculation& operator=(const Calculation&) = delete;
  Calculation& operator=(Calculation&&) = delete;
  virtual ~Calculation() = default;
  /// to[0] ... to[count - 1] are the values of `place` and those behind it, places of the array of
  /// the stream's grid that have values. In any order; runs of some hundred places cost least.
  virtual void work_out(std::int64_t place, std::int64_t count, double* to) = 0;
};

/// Where a stream's records go. Implemented by the client's sender and by tests.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink(Sink&&) = delete;
  Sink& operator=(const Sink&) = delete;
  Sink& operator=(Sink&&) = delete;
  virtual ~Sink() = default;
  /// `values` are made from so many samples.
  virtual void put(std::int64_t record, std::int64_t samples, const ArrayValues& values) = 0;
  /// Whether records may come by put_worked_out(), too. Asked once.
  virtual bool works_out() const { return false; }
  /// As put(), of values that are no array yet.
  virtual void put_worked_out(std::int64_t /*record*/, std::int64_t /*samples*/,
                              Calculation& /*values*/) {}
};

/// What a transformation makes of values of one grid, and perhaps of others that it looks at
/// (coordinates): values of another one (config::DataNode::Kind::spatial). Implemented by the
/// client and by tests.
class SpatialFilter {
 public:
  SpatialFilter() = default;
  SpatialFilter(const SpatialFilter&) = delete;
  SpatialFilter(SpatialFilter&&) = delete;
  SpatialFilter& operator=(const SpatialFilter&) = delete;
  SpatialFilter& operator=(SpatialFilter&&) = delete;
  virtual ~SpatialFilter() = default;
  /// Values of one date, one array per argument of the node, in the layouts of the grids they come
  /// from; NaN is missing. Never waits for others, who may have to come for them. Valid during the
  /// call only.
  virtual void take(std::span<const std::span<const double>> values, config::Instant date) = 0;
  /// What it makes of what it has taken, in the layout of its grid; may wait for those who have not
  /// taken theirs. Once per take(); valid until the next one.
  virtual std::span<const double> deliver() = 0;
  /// Whether something comes of values of that date, if they are taken next. If not, they are taken
  /// for what comes later, and nothing is delivered.
  virtual bool would_deliver(config::Instant /*date*/) const { return true; }
  /// Whether it takes values of all dates, also of those whose results nobody takes: which date a
  /// result is of depends on them.
  virtual bool takes_all() const { return false; }
};

/// What a stream should have had until the end of the run, and what the model did not send.
struct StreamAccount {
  std::int64_t dates = 0;         ///< at which data were due
  std::int64_t dates_missed = 0;  ///< of which none came
  config::Instant first_missed;   ///< when dates_missed is not 0
  config::Instant last_missed;
  std::int64_t records = 0;          ///< that were due
  std::int64_t records_missing = 0;  ///< without any sample, never put
  std::int64_t records_short = 0;    ///< put with some samples missing
  std::int64_t samples_left = 0;     ///< of the period in which the run ended
  bool is_complete() const { return records_missing == 0 && records_short == 0; }
};

/// Which records may come: single ones, and all from one on.
struct OpenRecords {
  std::vector<std::int64_t> single;  ///< in any order
  std::int64_t from = 0;
};

/// All streams of one context on one client endpoint: source -> missing values -> temporal
/// operation
/// -> sinks. Equal (source, sampling) pairs share one temporal filter. Not thread-safe: belongs to
/// one endpoint. Allocates at construction only.
///
/// NaN is missing. With detect_missing_value, values equal to the source's default_value (rounded
/// to float for float arrays) are missing too, and operations ignore missing samples point by
/// point: an average divides by the number of the others, a point without any stays NaN. Without it
/// NaN propagates, also through minimum and maximum. Operations take samples in the order of the
/// calls at every point, so that results do not depend on the decomposition.
class Workflow {
 public:
  using MakeSink = std::function<std::unique_ptr<Sink>(int stream)>;
  using MakeSpatial = std::function<std::unique_ptr<SpatialFilter>(int expression)>;

  /// Calls `make_sink` once per stream, in order, then `make_result_sink` once per result of the
  /// model (without it, nobody takes these), and `make_spatial` once per spatial node of the graph,
  /// in its order, with the expression of the model that the node is; then `make_coupled_sink` once
  /// per field of a coupler_out (config::coupled_fields). Neither `model` nor `parts` is kept.
  /// Throws Error{configuration} for a stream on another grid than its source.
  Workflow(const config::Model& model, const LocalParts& parts, const MakeSink& make_sink,
           const MakeSink& make_result_sink = {}, const MakeSpatial& make_spatial = {},
           const MakeSink& make_coupled_sink = {});
  Workflow(const Workflow&) = delete;
  Workflow(Workflow&&) noexcept;
  Workflow& operator=(const Workflow&) = delete;
  Workflow& operator=(Workflow&&) noexcept;
  ~Workflow();

  /// Of the arrays that send() takes for sources on a grid.
  const ArrayLayout& layout(int grid) const;

  /// Feeds a model array dated `now` to every filter of `source`; records that are due go to their
  /// sinks before this returns, in stream order; so do, before them, records whose period ended
  /// before `now` with some samples. A record without any is never put. The array is only read,
  /// during the call; an instant record is the array itself. An array that stays as it is until
  /// let_go() is not copied when it has to wait for others.
  /// Throws Error{argument} with expected and received counts for a wrong size (the caller names
  /// context and field).
  enum class Array { is_the_models, stays };
  void send(int source, config::Instant now, std::span<const double> array,
            Array lifetime = Array::is_the_models);
  /// The same for single precision.
  void send(int source, config::Instant now, std::span<const float> array,
            Array lifetime = Array::is_the_models);
  /// The array of a source that has stayed may change, as from `now` on.
  void let_go(int source, config::Instant now);

  /// What spatial filters have taken arrives, in the order of the graph, and what it brings about
  /// goes on as after a send. To be called before the date changes, by all clients alike; later
  /// calls see to it themselves. May wait for other clients.
  void deliver();

  // Sources that come from files, or from other contexts: whether they have data at a date is known
  // before the model sends anything dated so.

  /// A source that is read has data at `now`, which may be provided. Without this call it has none.
  void expect(int source, config::Instant now);
  /// As send(), of a source that is read. The array stays as it is until the next call for this
  /// source: what has to wait for other data waits there.
  void provide(int source, config::Instant now, std::span<const double> array);
  /// Whether data of a source dated so, later than all that has come, would be of use, if other
  /// sources have data then, too.
  bool may_want(int source, config::Instant date) const;

  /// As send() where is_active() is false: checks the size, remembers that the send was of no use.
  void send_idle(int source, config::Instant now, std::size_t size);

  /// Periods that are over before `now` get no more data: puts what waits for data of their last
  /// date, of the source of `stream` and all streams from it.
  void pass(int stream, config::Instant now);
  /// The same of a field of a coupler_out, by its number among those.
  void pass_sent(int sent, config::Instant now);

  /// Records that a stream may still put, or has put, as far as is known while another record is
  /// being put: for the others no data can come any more. The same on all clients.
  OpenRecords open_records(int stream) const;

  /// The run is over at `end`: puts records whose period is over and that have waited for data of
  /// their last date, by source and stream. No send may follow, but of sources that take the state
  /// (config::add_statistics_file).
  void finish(config::Instant end);

  // The state that outlives a run (config/statistics.hpp), of `operation`: a temporal node, by its
  // number among those of the DataGraph.

  /// After finish().
  config::OperationState state(int operation) const;
  /// Arrays in the layout of the operation's grid, which the caller may fill before take_up().
  /// Counts are empty where it does not count.
  struct KeptArrays {
    std::span<double> values;
    std::span<std::uint32_t> counts;
  };
  KeptArrays kept_arrays(int operation);
  /// Goes on from the state of a run before, before anything is sent.
  void take_up(int operation, const config::OperationState& state);
  /// All that goes on has been taken up: puts again what was written once.
  void resume();

  /// Of a stream; complete after finish(). What differs between clients is an error of theirs.
  const StreamAccount& account(int stream) const;
  /// Sends of `source` that were of no use, since it had been sent at that date already.
  std::int64_t repeated_sends(int source) const;

  /// Whether a send of `source` dated `now` would have an effect: some filter takes a sample or has
  /// a record to send, and what it makes goes to a sink or to other filters that do.
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
