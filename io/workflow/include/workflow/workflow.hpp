/// @file
/// The graph of filters between a model's arrays and sinks that client and server plug in. Knows
/// neither transport nor files.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "config/model.hpp"
#include "grid/layout.hpp"

namespace epios::io {

/// Where a stream's records go. Implemented by the client's sender and by tests.
class Sink {
 public:
  Sink() = default;
  Sink(const Sink&) = delete;
  Sink(Sink&&) = delete;
  Sink& operator=(const Sink&) = delete;
  Sink& operator=(Sink&&) = delete;
  virtual ~Sink() = default;
  /// `values` are the points of this client's box (NaN: missing), valid during the call only.
  virtual void put(std::int64_t record, std::span<const double> values) = 0;
};

/// All streams of one context on one client endpoint: source -> missing values -> temporal
/// operation
/// -> sinks. Equal (source, sampling) pairs share one temporal filter. Not thread-safe: belongs to
/// one endpoint. Allocates at construction only.
///
/// NaN is missing. Masked points and points that the model array does not hold are NaN in every
/// record. With detect_missing_value, values equal to the source's default_value (rounded to float
/// for float arrays) are missing too, and operations ignore missing samples point by point: an
/// average divides by the number of the others, a point without any stays NaN. Without it NaN
/// propagates, also through minimum and maximum.
/// Operations take samples in the order of the calls at every point, so that results do not depend
/// on the decomposition.
class Workflow {
 public:
  using MakeSink = std::function<std::unique_ptr<Sink>(int stream)>;

  /// Calls `make_sink` once per stream, in order. `model` is not kept. Throws Error{configuration}
  /// for a stream on another grid than its source.
  Workflow(const config::Model& model, const MakeSink& make_sink);
  Workflow(const Workflow&) = delete;
  Workflow(Workflow&&) noexcept;
  Workflow& operator=(const Workflow&) = delete;
  Workflow& operator=(Workflow&&) noexcept;
  ~Workflow();

  /// Number of values that send() takes for a source.
  std::int64_t array_size(int source) const;
  const LocalLayout& layout(int grid) const;

  /// Feeds a model array dated `now` to every filter of `source`; records that are due go to their
  /// sinks before this returns, in stream order; so do, before them, records whose period ended
  /// before `now` with some samples. A record without any is never put. The array is only read,
  /// during the call; an instant record without halo, mask and missing values is the array itself.
  /// Throws Error{argument} with expected and received counts for a wrong size (the caller names
  /// context and field).
  void send(int source, config::Instant now, std::span<const double> array);
  /// The same for single precision.
  void send(int source, config::Instant now, std::span<const float> array);

  /// Whether a send of `source` dated `now` would have an effect: some filter takes a sample or has
  /// a record to send.
  bool is_active(int source, config::Instant now) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace epios::io
