#include "printing/json_print.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>

#include "config/codes.hpp"
#include "config/model_part.hpp"
#include "printing/feature_list.hpp"
#include "printing/finding_print.hpp"

namespace epios::config {

namespace {

Json json_of(const Diagnostic& finding) {
  return {{"severity", word(finding.severity)}, {"code", text_of(finding.code)},
          {"file", finding.position.file},      {"line", finding.position.line},
          {"column", finding.position.column},  {"where", finding.where},
          {"problem", finding.problem},         {"why", finding.why},
          {"suggestion", finding.suggestion},   {"affects_output", finding.affects_output}};
}

Json features_json(const std::vector<Diagnostic>& findings) {
  Json list = Json::array();
  for (const Feature& feature : features_of(findings)) {
    list.push_back({{"feature", feature.name}, {"count", feature.count}, {"first", feature.first}});
  }
  return list;
}

Json open_json(const std::vector<Diagnostic>& findings) {
  Json list = Json::array();
  for (const OpenPlace& place : open_places(findings)) {
    list.push_back({{"context", place.gap.context},
                    {"element", place.gap.element},
                    {"id", place.gap.id},
                    {"attribute", place.gap.attribute},
                    {"where", place.where}});
  }
  return list;
}

Json counts_json(const std::vector<Diagnostic>& findings) {
  Json counts = Json::object();
  for (const CodeCount& count : counts_of(findings)) {
    counts[text_of(count.code)] = {
        {"errors", count.errors}, {"warnings", count.warnings}, {"notes", count.notes}};
  }
  return counts;
}

}  // namespace

void print_json(const Json& json) {
  // Text from users may be any bytes; what is no UTF-8 is shown as replacement characters.
  fmt::print("{}\n", json.dump(2, ' ', false, Json::error_handler_t::replace));
}

Json json_of(const std::string& file, const std::vector<Diagnostic>& findings, int notes) {
  Json list = Json::array();
  for (const Diagnostic& finding : findings) list.push_back(json_of(finding));
  return {{"file", file},
          {"errors", count(findings, Severity::error)},
          {"warnings", count(findings, Severity::warning)},
          {"notes", notes},
          {"not_yet", features_json(findings)},
          {"open", open_json(findings)},
          {"codes", counts_json(findings)},
          {"findings", std::move(list)}};
}

void print_failure_json(const std::string& file, const std::exception& failure) {
  const auto* mistakes = dynamic_cast<const ConfigError*>(&failure);
  const std::vector<Diagnostic> findings =
      mistakes != nullptr ? mistakes->diagnostics()
                          : std::vector<Diagnostic>{{Severity::error, {}, failure.what(), {}, {}}};
  print_json(json_of(file, findings, count(findings, Severity::note)));
}

}  // namespace epios::config
