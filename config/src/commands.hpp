/// @file
/// What the epios command does, apart from reading its arguments. Each returns the exit code: 0, or
/// 1 when the configuration has errors; what keeps it from answering is thrown.
#pragma once

#include <exception>
#include <string>
#include <vector>

namespace epios::config {

enum class Colour { off, on };
/// On when standard output is a terminal and NO_COLOR is not set.
Colour colour_of_output();

/// For --json of commands that have no answer: the same shape as `check --json`.
void print_failure_json(const std::string& file, const std::exception& failure);

struct CheckOptions {
  std::string file;
  bool json = false;
  bool notes = false;   ///< print them; else they are counted when there is more
  bool unused = false;  ///< note what is defined without use
  bool all = false;     ///< print all findings, else the first hundred
  Colour colour = Colour::off;
};
int run_check(const CheckOptions& options);

struct ResolveOptions {
  std::string file;
};
/// Prints the resolved configuration; with errors, prints them and nothing else.
int run_resolve(const ResolveOptions& options);

struct ExplainOptions {
  std::string file;
  std::string question;
  bool json = false;
  Colour colour = Colour::off;
};
int run_explain(const ExplainOptions& options);

struct PlanOptions {
  std::string file;
  std::string start;  ///< replaces start_date when not empty
  std::string duration;
  std::vector<std::string> settings;  ///< "domain:globe.ni_glo=360": what the model would set
  bool records = false;               ///< list every record with its time
  bool json = false;
};
int run_plan(const PlanOptions& options);

struct GraphOptions {
  std::string file;
  std::string output;  ///< .dot, .svg or .html
};
int run_graph(const GraphOptions& options);

}  // namespace epios::config
