#include "printing/feature_list.hpp"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "text/printable.hpp"

namespace epios::config {

std::vector<Feature> features_of(const std::vector<Diagnostic>& findings) {
  std::vector<Feature> features;
  std::unordered_map<std::string_view, std::size_t> places;
  for (const Diagnostic& finding : findings) {
    if (finding.topic != Topic::feature) continue;
    const auto [place, is_new] = places.try_emplace(finding.kind, features.size());
    if (is_new) features.push_back({finding.kind, 0, finding.where});
    ++features[place->second].count;
  }
  return features;
}

void print_features(const std::string& file, const std::vector<Feature>& features) {
  if (features.empty()) return;
  fmt::print("{}: no run can do all of this yet:\n", printable(file));
  for (const Feature& feature : features) {
    fmt::print("  {}: {}\n", feature.name,
               feature.count == 1
                   ? fmt::format("at {}", feature.first)
                   : fmt::format("{} times, first at {}", feature.count, feature.first));
  }
}

}  // namespace epios::config
