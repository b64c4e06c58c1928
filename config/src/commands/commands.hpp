/// @file
/// The commands of `epios`, apart from reading their arguments. Each returns the exit code: 0; 1 if
/// the configuration has errors; 3 from a check of a configuration that no run supports yet. Other
/// failures are thrown.
#pragma once

#include <string>
#include <vector>

#include "commands/input.hpp"
#include "printing/terminal.hpp"
#include "printing/top_screen.hpp"

namespace epios::config {

struct CheckOptions {
  Input input;
  bool json = false;
  bool notes = false;        ///< print them; otherwise they are only counted
  bool unused = false;       ///< note what is defined without use
  bool all = false;          ///< print each finding; otherwise one of each kind
  bool statistics = false;   ///< print how often each code was found, and no finding
  bool quiet = false;        ///< print nothing when all is well
  bool write_model = false;  ///< print the model's part to fill in, and no finding
  Colour colour = Colour::off;
};
int run_check(const CheckOptions& options);

struct MigrateOptions {
  std::string file;
  std::string output;  ///< a folder; if empty, only print what would change
};
/// Translates a configuration of the first edition, and prints line by line what was changed and
/// what was not.
int run_migrate(const MigrateOptions& options);

struct ExplainCodeOptions {
  std::string code;   ///< "E0301"; empty for the list of all codes
  bool page = false;  ///< print all of them with explanations, as Markdown
};
int run_explain_code(const ExplainCodeOptions& options);

struct ResolveOptions {
  Input input;
};
/// Prints the resolved configuration; with errors, prints them and nothing else.
int run_resolve(const ResolveOptions& options);

struct ExplainOptions {
  Input input;
  std::string question;
  bool json = false;
  Colour colour = Colour::off;
};
int run_explain(const ExplainOptions& options);

struct PlanOptions {
  Input input;
  std::string start;  ///< replaces start_date if not empty
  std::string duration;
  bool records = false;  ///< list every record with its time
  bool json = false;
};
int run_plan(const PlanOptions& options);

struct GraphOptions {
  Input input;
  std::string output;               ///< .dot, .svg or .html
  std::vector<std::string> files;   ///< draw only these files
  std::vector<std::string> fields;  ///< draw only the ways of these fields
};
int run_graph(const GraphOptions& options);

struct ReportOptions {
  std::string file;    ///< file that a run has written
  std::string second;  ///< report to compare it with, if not empty
  std::string html;    ///< page to write instead of the table
};
/// Prints, or draws, what a run has cost, or compares two runs.
int run_report(const ReportOptions& options);

/// Shows the runs on this node, or those that an `epios live` sees, in the terminal until a key
/// ends it.
int run_top(const TopOptions& options);

}  // namespace epios::config
