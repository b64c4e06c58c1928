#include "grids/station_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/value.hpp"
#include "grids/file_coordinates.hpp"

namespace epios::config {

namespace {

/// Returns the file of a <stations> whose points are not set, or null.
const Setting* open_file(const Node& node) {
  if (node.kind != ElementKind::stations) return nullptr;
  const Setting* const lon = node.find("lon");
  if (lon != nullptr && !lon->origin.call.is_file()) return nullptr;
  const Setting* const file = node.find("file");
  return file != nullptr && file->value ? file : nullptr;
}

std::string path_of(const Setting& file) { return std::get<std::string>(*file.value); }

void refuse(const FileFacts& facts, const Origin& origin, Findings& findings) {
  FileProblem text = problem_of(facts);
  if (!facts.exists && findings.is_check()) {
    return findings.add(Severity::note, Code::bad_input_file, origin, std::move(text.problem),
                        std::move(text.why), "It may be there when the model runs.");
  }
  if (facts.exists && !facts.suggestion.empty()) {
    text.problem = fmt::format("file '{}' is no list of stations", facts.path);
  }
  findings.error(Code::bad_input_file, origin, std::move(text.problem), std::move(text.why),
                 std::move(text.suggestion));
}

}  // namespace

bool has_station_files(const ContextStore& store) {
  for (int node = 0; node < store.size(); ++node) {
    if (open_file(store.at(node)) != nullptr) return true;
  }
  return false;
}

void add_station_files(const ContextStore& store, ReadGrids& grids) {
  std::vector<std::string> seen;
  for (int node = 0; node < store.size(); ++node) {
    const Setting* const file = open_file(store.at(node));
    if (file == nullptr) continue;
    FileQuestion question{path_of(*file), {}};
    question.wants_stations = true;
    if (std::find(seen.begin(), seen.end(), question.path) != seen.end()) continue;
    seen.push_back(question.path);
    grids.files.push_back(std::move(question));
    grids.time_names.emplace_back();
    grids.lacks_stations = true;
  }
}

void take_stations(ContextStore& store, std::span<const FileFacts> files, Findings& findings) {
  for (int node = 0; node < store.size(); ++node) {
    const Setting* const file = open_file(store.at(node));
    if (file == nullptr) continue;
    const std::string path = path_of(*file);
    // The file may be one of data, too, about which there was another question.
    const auto facts = std::find_if(files.begin(), files.end(), [&](const FileFacts& f) {
      return f.path == path && f.variables.empty();
    });
    if (facts == files.end()) continue;
    const auto set = [&](std::string_view attribute, std::optional<Value> value) {
      const bool is_broken = !value;
      store.set(node, *find_attribute(ElementKind::stations, attribute), std::move(value),
                {{}, fmt::format("file '{}'", path)}, is_broken);
    };
    if (!facts->exists || !facts->error.empty()) {
      refuse(*facts, file->origin, findings);
      // Reported: then the points are not missing, too.
      if (findings.is_open() || !findings.is_check()) set("lon", std::nullopt);
      continue;
    }
    const auto count = static_cast<std::int64_t>(facts->stations.lon.size());
    set("lon", value::reals{facts->stations.lon, {count}});
    set("lat", value::reals{facts->stations.lat, {count}});
    if (!facts->stations.names.empty()) {
      set("names", value::strings{facts->stations.names, {count}});
    }
  }
}

}  // namespace epios::config
