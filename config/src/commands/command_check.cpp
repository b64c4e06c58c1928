#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "commands/file_look.hpp"
#include "config/check.hpp"
#include "config/model_part.hpp"
#include "config/unused.hpp"
#include "printing/feature_list.hpp"
#include "printing/finding_print.hpp"
#include "printing/json_print.hpp"
#include "text/printable.hpp"

namespace epios::config {

namespace {

/// Exit status for a configuration without mistakes that a run would refuse.
constexpr int not_yet = 3;

std::string totals(const std::string& file, const std::vector<Diagnostic>& findings, int notes) {
  const int errors = count(findings, Severity::error);
  const auto idle = std::count_if(findings.begin(), findings.end(), [](const Diagnostic& f) {
    return f.severity == Severity::error && !f.affects_output;
  });
  const std::string beside =
      idle == 0 ? "" : fmt::format(" ({} in what no enabled file needs)", idle);
  return fmt::format("{}: {}{}, {}, {}", printable(file), counted(errors, "error"), beside,
                     counted(count(findings, Severity::warning), "warning"),
                     counted(notes, "note"));
}

/// The model's part to fill in, on standard output alone.
int write_model_part(const std::string& file, const std::vector<Diagnostic>& findings) {
  const std::vector<OpenPlace> places = open_places(findings);
  const std::string about =
      places.empty()
          ? fmt::format("{} leaves nothing to the model.", file)
          : fmt::format(
                "What the model says of {} when it runs. Replace each \"?\" and give this "
                "file to epios check as the model's part.",
                file);
  fmt::print("{}", model_part(places, about));
  const int errors = count(findings, Severity::error);
  if (errors == 0) return 0;
  fmt::print(stderr, "{}: {}, which may hide more that is open\n", printable(file),
             counted(errors, "error"));
  return 1;
}

bool print_open(const std::string& file, const std::vector<Diagnostic>& findings) {
  const std::string open = summary(open_places(findings));
  if (open.empty()) return false;
  fmt::print("{}: the model has {} (--notes shows each, --write-model writes a file to fill in)\n",
             printable(file), printable(open));
  return true;
}

/// Prints what was checked, and that nothing is wrong with it.
void print_good(const std::string& file, const std::vector<Model>& models) {
  std::size_t files = 0;
  std::size_t fields = 0;
  for (const Model& model : models) {
    files += model.files.size() + model.read_files.size();
    fields += model.streams.size() + model.read_fields.size();
    for (const Coupler& coupler : model.couplers) fields += coupler.fields.size();
  }
  const auto text = [](std::size_t n, std::string_view what) {
    return counted(static_cast<int>(n), what);
  };
  fmt::print("{}: {}, {}, {}: no mistakes\n", printable(file), text(models.size(), "context"),
             text(files, "file"), text(fields, "field"));
}

void print_statistics(const std::vector<Diagnostic>& findings) {
  fmt::print("{:>8}{:>10}{:>8}  code\n", "errors", "warnings", "notes");
  for (const CodeCount& count : counts_of(findings)) {
    fmt::print("{:>8}{:>10}{:>8}  {}  {}\n", count.errors, count.warnings, count.notes,
               text_of(count.code), info_of(count.code).title);
  }
}

}  // namespace

int run_check(const CheckOptions& options) {
  const std::string& file = options.input.file;
  const ReadInput read = try_read(options.input);
  Checked checked;
  if (read.mistakes.empty()) {
    checked = check_and_resolve(read.sources, read.additions, FileLooks());
  }
  std::vector<Diagnostic> findings =
      read.mistakes.empty() ? std::move(checked.findings) : read.mistakes;
  if (options.write_model) return write_model_part(file, findings);
  std::vector<Diagnostic> idle;
  if (options.unused && read.mistakes.empty()) {  // each of them comes instead of their sums
    std::erase_if(findings, [](const auto& f) { return f.topic == Topic::unneeded; });
    idle = unused(read.sources, read.additions);
  }
  std::vector<Diagnostic> shown = findings;
  if (!options.notes) {
    std::erase_if(shown, [](const auto& f) { return f.severity == Severity::note; });
  }
  const bool hides_notes = shown.size() < findings.size();
  shown.insert(shown.end(), idle.begin(), idle.end());
  findings.insert(findings.end(), idle.begin(), idle.end());
  const std::vector<Feature> features = features_of(findings);
  const int notes = count(findings, Severity::note);
  const int exit_code = count(findings, Severity::error) > 0 ? 1 : features.empty() ? 0 : not_yet;
  if (options.json) {
    print_json(json_of(file, findings, notes));
    return exit_code;
  }
  if (options.statistics) {
    print_statistics(findings);
    fmt::print("{}\n", totals(file, findings, notes));
    return exit_code;
  }
  print_findings(shown, read.all_texts(), {options.all, options.colour});
  print_features(file, features);
  const bool is_good = shown.empty() && features.empty();
  if (is_good && options.quiet) return exit_code;
  const bool is_said = !options.notes && print_open(file, findings);
  if (is_good && !is_said) print_good(file, checked.models);
  if (shown.empty()) return exit_code;
  fmt::print("{}{}\n", totals(file, findings, notes), hides_notes ? " (--notes shows them)" : "");
  return exit_code;
}

}  // namespace epios::config
