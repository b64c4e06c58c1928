#include "data/written_paths.hpp"

#include <algorithm>
#include <filesystem>

#include "config/model.hpp"
#include "config/split_rule.hpp"
#include "config/temporal.hpp"

namespace epios::client {
namespace {

std::string first_path(const config::Model& model, const config::File& file) {
  const config::FileSeries series = config::series_of(model, file);
  const auto timed = std::find_if(file.streams.begin(), file.streams.end(), [&](int s) {
    return config::has_time(nth(model.streams, s).sampling.operation);
  });
  if (!series.is_split() || timed == file.streams.end()) return file.path;
  const config::RecordTimes times = model.record_times(nth(model.streams, *timed));
  return config::path_of_part(series, file.path, series.part_of(times.of(file.first_record).end));
}

}  // namespace

std::vector<WrittenPath> written_paths(const config::Model& model) {
  std::vector<WrittenPath> out;
  for (const config::File& file : model.files) {
    if (file.streams.empty()) continue;
    const std::filesystem::path path = first_path(model, file);
    out.push_back({file.path, std::filesystem::absolute(path).lexically_normal().string()});
  }
  return out;
}

}  // namespace epios::client
