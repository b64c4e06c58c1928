/// @file
/// How loads and times grow from layout to layout, as a table in Markdown and as JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "imagined_job.hpp"
#include "machine.hpp"

namespace epios::layouts {

using Json = nlohmann::ordered_json;

struct ScaledJob {
  Layout layout;
  Loads loads;
  Times times;
};

/// Looks at those ranks of a job that have most to do.
ScaledJob scaled(ImaginedJob& job, const Machine& machine, std::int64_t fields);

/// What a figure is and how much of it there is. `unit`: "", "B" or "s".
struct ScaleFigure {
  std::string rank;  ///< whose it is
  std::string name;
  std::string unit;
  std::vector<double> values;  ///< one per job
  /// True if the last step multiplies it by more than clients or servers, whichever grew more.
  bool is_worse_than_linear(const std::vector<ScaledJob>& jobs) const;
};

std::vector<ScaleFigure> figures_of(const std::vector<ScaledJob>& jobs);
std::string table_of(const std::vector<ScaledJob>& jobs);
Json json_of(const std::vector<ScaledJob>& jobs);
/// Returns the loads of every rank.
Json ranks_json(ImaginedJob& job);

}  // namespace epios::layouts
