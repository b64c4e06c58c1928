/// @file
/// Models with hourly steps that begin in 2000.
#pragma once

#include <cstdint>
#include <string>

#include "config/model.hpp"
#include "models.hpp"

namespace epios::io::test {

inline config::Duration hours(double count) {
  config::Duration out;
  out.hour = count;
  return out;
}

/// A model with hourly steps that begins in 2000.
inline config::Model hourly_model() {
  config::Model model;
  model.context_id = "ocean";
  model.calendar_type = config::CalendarType::no_leap;
  model.timestep = hours(1);
  model.start_date = model.calendar().instant({2000, 1, 1});
  return model;
}

inline int add_source(config::Model& model, int grid) {
  config::Source source;
  source.id = "f" + std::to_string(model.sources.size());
  source.grid = config::GridId(grid);
  model.sources.push_back(source);
  return static_cast<int>(model.sources.size()) - 1;
}

/// A stream as XML with the defaults gives it; `freq_op` 0: the default.
inline int add_stream(config::Model& model, int source, config::Operation operation,
                      double output_hours, double freq_op_hours = 0) {
  config::Stream stream;
  stream.id = "s" + std::to_string(model.streams.size());
  stream.source = config::SourceId(source);
  stream.grid = nth(model.sources, source).grid;
  stream.sampling.operation = operation;
  const double standard = operation == config::Operation::instant ? output_hours : 1;
  const double freq_op = freq_op_hours > 0 ? freq_op_hours : standard;
  stream.sampling.freq_op = hours(freq_op);
  stream.sampling.freq_offset = hours(freq_op - 1);
  stream.sampling.output_freq = hours(output_hours);
  stream.attributes.detect_missing_value = nth(model.sources, source).detect_missing_value;
  model.streams.push_back(stream);
  return static_cast<int>(model.streams.size()) - 1;
}

/// One axis of `n` points as grid 0.
inline config::Model line_model(std::int64_t n) {
  config::Model model = hourly_model();
  add_grid(model, {axis(add_axis(model, n))});
  return model;
}

inline config::Instant at(const config::Model& model, std::int64_t step) {
  return model.calendar().at_step(model.start_date, step);
}

}  // namespace epios::io::test
