/// @file
/// Models made by hand, as config would resolve them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "config/model.hpp"

namespace epios::io::test {

inline config::Duration hours(double count) { return {.hour = count}; }

inline config::Stream stream(const std::string& name, int grid, config::Operation operation,
                             const std::string& word) {
  config::Stream out;
  out.id = out.name = name;
  out.grid = config::GridId(grid);
  out.sampling = {operation, hours(1), {}, hours(6)};
  if (operation == config::Operation::instant) out.sampling.freq_op = hours(6);
  out.attributes.operation = word;
  return out;
}

/// A context that begins in 2000 and has nothing yet.
inline config::Model empty_model() {
  config::Model model;
  model.calendar_type = config::CalendarType::gregorian;
  model.timestep = {.minute = 30};
  model.time_origin = model.calendar().instant({2000, 1, 1});
  model.start_date = model.time_origin;
  return model;
}

/// Adds an instant field on a grid of these elements to the first file, which is made if need be.
inline void add_field(config::Model& model, const std::string& name,
                      std::vector<config::GridElement> elements) {
  model.grids.push_back({"grid_of_" + name, std::move(elements)});
  model.streams.push_back(
      stream(name, model.grids.last_id(), config::Operation::instant, "instant"));
  if (model.files.empty()) model.files.push_back({"f", "f.nc", {}, {}, {}, {}});
  model.files[0].streams.push_back(model.streams.last_id());
}

}  // namespace epios::io::test
