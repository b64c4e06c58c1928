/// @file
/// What the epios command does, apart from reading its arguments. Each returns the exit code: 0, 1
/// when the configuration has errors, or 3 from a check of one that no run can do yet; what keeps
/// it from answering is thrown.
#pragma once

#include <string>
#include <vector>

#include "commands/input.hpp"
#include "printing/terminal.hpp"

namespace epios::config {

struct CheckOptions {
  Input input;
  bool json = false;
  bool notes = false;        ///< print them; else they are counted when there is more
  bool unused = false;       ///< note what is defined without use
  bool all = false;          ///< print each finding, else one of each kind
  bool statistics = false;   ///< print how often each code was found, and no finding
  bool quiet = false;        ///< print nothing when all is well
  bool write_model = false;  ///< print the model's part to fill in, and no finding
  Colour colour = Colour::off;
};
int run_check(const CheckOptions& options);

struct MigrateOptions {
  std::string file;
  std::string output;  ///< a folder; empty: only what would change is said
};
/// Translates a configuration of the first edition, and says line by line what was changed and what
/// was left.
int run_migrate(const MigrateOptions& options);

struct ExplainCodeOptions {
  std::string code;   ///< "E0301"; empty: the list of all
  bool page = false;  ///< all with their explanations, as Markdown
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
  std::string start;  ///< replaces start_date when not empty
  std::string duration;
  bool records = false;  ///< list every record with its time
  bool json = false;
};
int run_plan(const PlanOptions& options);

struct GraphOptions {
  Input input;
  std::string output;               ///< .dot, .svg or .html
  std::vector<std::string> files;   ///< draw these alone
  std::vector<std::string> fields;  ///< and of these the way to the files
};
int run_graph(const GraphOptions& options);

struct ReportOptions {
  std::string file;  ///< file that a run has written
  std::string html;  ///< a page to write instead of the table
};
/// Prints, or draws, what a run has cost.
int run_report(const ReportOptions& options);

}  // namespace epios::config
